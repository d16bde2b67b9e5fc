import { integer, text } from '../parse.ts';
import { defineVariable } from './variable.ts';

/** How long scans, usage, codes and histories are kept, and where the countries of scans come from. */
export const RETENTION = {
  SCAN_RETENTION_MONTHS: defineVariable(
    '25',
    integer(1, 1200),
    'months to keep scans; whole months are dropped, once their last scan is older; totals are kept as long as the link',
  ),
  USAGE_RETENTION_MONTHS: defineVariable(
    null,
    integer(4, 1200),
    'months before the present one for which usage is kept by day; earlier usage is kept as one sum for each account; default: for ever',
    '36',
  ),
  CODE_RETENTION_MONTHS: defineVariable(
    null,
    integer(1, 1200),
    'months after which a code moves to the bin, unless its folder is kept; codes with short links are left alone; default: never',
    '24',
  ),
  LINK_RETENTION_MONTHS: defineVariable(
    null,
    integer(1, 1200),
    'the same for codes with short links, counted from the last scan by a person; then the printed link is dead; default: never',
    '60',
  ),
  HISTORY_RETENTION_MONTHS: defineVariable(
    null,
    integer(1, 1200),
    'months for which earlier addresses of links, items and dead links are kept after they were replaced, except for the last; default: as long as the link, item or account',
    '36',
  ),
  HISTORY_BYTES_PER_ACCOUNT_MAX: defineVariable(
    '268435456',
    integer(0, 1_000_000_000_000),
    'bytes of earlier addresses of links, items and dead links that are kept of an account; beyond that, each change removes earlier ones of what it changes, except for the last',
  ),
  GEOIP_FILE: defineVariable(
    null,
    text(/^.{1,1000}$/s, 'must be a path'),
    'MaxMind database (`.mmdb`) of countries or cities, for scans whose country no header of a proxy gives; read again when it changes',
    '/srv/geoip/GeoLite2-Country.mmdb',
  ),
} as const;
