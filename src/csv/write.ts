import { stringify } from 'csv-stringify/sync';
import { asText } from './formula.ts';

/**
 * Writes lines of a CSV file (RFC 4180). Texts round-trip unchanged, except for the apostrophe that `asText` puts
 * before possible formulas. `null` and `undefined` become empty cells; numbers are written unchanged.
 */
export const csvLines = (rows: readonly (readonly (string | number | null | undefined)[])[]): string =>
  stringify(rows as unknown[][], {
    cast: { string: asText },
    record_delimiter: 'windows',
    // By default only CR LF is quoted, but some readers end a row at either character.
    quoted_match: /[\r\n]/,
  });
