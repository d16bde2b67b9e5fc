import { stringify } from 'csv-stringify/sync';
import { asText } from './formula.ts';

/**
 * Lines of a CSV file (RFC 4180): any text is read back as it was, but for the apostrophe before what a
 * spreadsheet would calculate. `null` and `undefined` are empty cells; numbers stand as they are.
 */
export const csvLines = (rows: readonly (readonly (string | number | null | undefined)[])[]): string =>
  stringify(rows as unknown[][], {
    cast: { string: asText },
    record_delimiter: 'windows',
    // By itself it would quote only for the two line ends together; some readers end a row at either.
    quoted_match: /[\r\n]/,
  });
