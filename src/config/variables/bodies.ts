import { flag, integer } from '../parse.ts';
import { defineVariable } from './variable.ts';

/** Logos that are fetched, and bodies of requests. */
export const BODIES = {
  LOGO_FETCH_TIMEOUT_MS: defineVariable(
    '5000',
    integer(100, 60_000),
    'milliseconds for fetching a logo, redirects included',
  ),
  LOGO_MAX_BYTES: defineVariable(
    '2097152',
    integer(1024, 67_108_864),
    'largest size of a fetched logo in bytes',
  ),
  LOGO_ALLOW_PRIVATE_NETWORKS: defineVariable('false', flag, 'fetch logos from private addresses too'),
  BULK_BODY_LIMIT: defineVariable(
    '220000000',
    integer(1024, 2_000_000_000),
    'bytes of a bulk body; the default fits 100 full-size logos',
  ),
  BODIES_IN_FLIGHT_MAX: defineVariable(
    '450000000',
    integer(1024, 100_000_000_000),
    "bytes of customers' bodies that are being read or worked on; a body beyond that gets a 503",
  ),
  LINGER_MS: defineVariable(
    '30000',
    integer(0, 120_000),
    'milliseconds for which the rest of a refused body is read and dropped after its answer, so that clients that are still sending receive it; 5000 without a byte end this; at most 256 connections at a time; `0` = off',
  ),
  LINGER_MAX_BYTES: defineVariable(
    '268435456',
    integer(0, 100_000_000_000),
    'bytes of one refused body that are read and dropped',
  ),
} as const;
