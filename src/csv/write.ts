import { stringify } from 'csv-stringify/sync';
import { asText } from './formula.ts';

/** A row. `null` and `undefined` become empty cells; numbers are written unchanged. */
export type WrittenRow = readonly (string | number | null | undefined)[];

/** Writes lines as `csvLines` does, with another delimiter and other texts. */
export const delimitedLines = (
  rows: readonly WrittenRow[],
  { delimiter, toText }: { readonly delimiter: string; toText(text: string): string },
): string =>
  stringify(rows as unknown[][], {
    delimiter,
    cast: { string: toText },
    record_delimiter: 'windows',
    // By default only CR LF is quoted, but some readers end a row at either character.
    quoted_match: /[\r\n]/,
  });

/**
 * Writes lines of a CSV file (RFC 4180). Texts round-trip unchanged, except for the apostrophe that `asText` puts
 * before possible formulas.
 */
export const csvLines = (rows: readonly WrittenRow[]): string =>
  delimitedLines(rows, { delimiter: ',', toText: asText });
