/** CSV (RFC 4180) with a header row, also with semicolons or tabs between its cells. */

import { parse } from 'csv-parse/browser/esm/sync';
import { ok, type Result, refused } from '../../../result.ts';
import { type Column, readHeader } from './columns.ts';
import type { Row } from './rows.ts';

/** More belong to the command line, which keeps its place in files of any length. */
export const MAX_ROWS = 5000;

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Spreadsheets in half of the world write semicolons; no column's name has any of these in it. */
const delimiterOf = (text: string): string => /^[^\r\n]*?([,;\t])/.exec(text)?.[1] ?? ',';

const parseCells = (text: string): Result<readonly string[][], string> => {
  try {
    const cells: string[][] = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    });
    return ok(cells);
  } catch (error) {
    return refused(`This is no CSV: ${error instanceof Error ? error.message : String(error)}.`);
  }
};

/** A table, or why the text is none. `known` are the columns that it may have. */
export const readCsv = (text: string, known: readonly Column[]): Result<Table, string> => {
  const records = parseCells(text);
  if (!records.ok) return records;
  const [names, ...rows] = records.value;
  if (names === undefined)
    return refused('There is nothing in it; it needs a header row with a column “data”.');
  const header = readHeader(names, known);
  if (!header.ok) return header;
  if (rows.length === 0) return refused('There is no row below the header row.');
  if (rows.length > MAX_ROWS)
    return refused(
      `There are ${rows.length} rows; this page takes ${MAX_ROWS}. Use the command line for more.`,
    );
  return ok({ columns: header.value, rows: rows.map((cells, index) => ({ number: index + 1, cells })) });
};
