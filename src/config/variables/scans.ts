import { integer, text } from '../parse.ts';
import { variable } from './variable.ts';

/** How long scans are kept, and where their countries come from. */
export const SCANS = {
  SCAN_RETENTION_MONTHS: variable(
    '25',
    integer(1, 1200),
    '25',
    'months to keep scans; a month is dropped as a whole, after its last scan is older; totals stay',
  ),
  GEOIP_FILE: variable(
    null,
    text(/^.{1,1000}$/s, 'must be a path'),
    '/srv/geoip/GeoLite2-Country.mmdb',
    'MaxMind database (`.mmdb`) of countries or cities, for scans of which no header of a proxy says the country; read again when it changes',
  ),
} as const;
