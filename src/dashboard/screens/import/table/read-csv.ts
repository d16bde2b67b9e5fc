/** CSV (RFC 4180) with a header row. Cells may also be separated by semicolons or tabs. */
import { parse } from 'csv-parse/browser/esm/sync';
import { ok, type Result, refused } from '../../../../result.ts';
import { type Column, readHeader } from './columns.ts';
import type { Row } from './rows.ts';

/** The rows of a file and the columns that its header names. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Spreadsheets in half of the world write semicolons. No column's name contains a delimiter. */
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
    return refused(`This is not valid CSV: ${error instanceof Error ? error.message : String(error)}.`);
  }
};

/** Returns the table of a CSV text, or what is wrong with the text. @param known The columns that the text may have. */
export const readCsv = (text: string, known: readonly Column[]): Result<Table, string> => {
  const records = parseCells(text);
  if (!records.ok) return records;
  const [names, ...rows] = records.value;
  if (names === undefined) return refused('The file is empty. It needs a header row with a column “data”.');
  const header = readHeader(names, known);
  if (!header.ok) return header;
  if (rows.length === 0) return refused('The file has no rows below its header row.');
  return ok({ columns: header.value, rows: rows.map((cells, index) => ({ number: index + 1, cells })) });
};
