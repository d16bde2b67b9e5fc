import { flag, integer } from '../parse.ts';
import { variable } from './variable.ts';

/** Logos that are fetched, and bodies of requests. */
export const BODIES = {
  LOGO_FETCH_TIMEOUT_MS: variable(
    '5000',
    integer(100, 60_000),
    '5000',
    'milliseconds for fetching a logo, redirects included',
  ),
  LOGO_MAX_BYTES: variable(
    '2097152',
    integer(1024, 67_108_864),
    '2097152',
    'largest size of a fetched logo in bytes',
  ),
  LOGO_ALLOW_PRIVATE_NETWORKS: variable('false', flag, 'false', 'fetch logos from private addresses too'),
  BULK_BODY_LIMIT: variable(
    '220000000',
    integer(1024, 2_000_000_000),
    '220000000',
    'bytes of a bulk body; the default fits 100 full-size logos',
  ),
  BODIES_IN_FLIGHT_MAX: variable(
    '450000000',
    integer(1024, 100_000_000_000),
    '450000000',
    "bytes of customers' bodies that are being read or worked on; a body beyond that gets a 503",
  ),
} as const;
