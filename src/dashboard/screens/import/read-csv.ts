/** CSV (RFC 4180) with a header row. Cells may also be separated by semicolons or tabs. */
import { parse } from 'csv-parse/browser/esm/sync';
import { type Column, readHeader } from './columns.ts';
import type { Row } from './rows.ts';

/** Larger files belong to the command line, which can resume a file of any length. */
export const MAX_ROWS = 5000;

/** The rows of a file and the columns that its header names. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Spreadsheets in half of the world write semicolons. No column's name contains a delimiter. */
const delimiterOf = (text: string): string => /^[^\r\n]*?([,;\t])/.exec(text)?.[1] ?? ',';

const parseCells = (text: string): readonly string[][] | { readonly fault: string } => {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    return { fault: `This is not valid CSV: ${error instanceof Error ? error.message : String(error)}.` };
  }
};

/** The table of a CSV text, or what is wrong with the text. @param known The columns that the text may have. */
export const readCsv = (text: string, known: readonly Column[]): Table | { readonly fault: string } => {
  const records = parseCells(text);
  if ('fault' in records) return records;
  const [names, ...rows] = records;
  if (names === undefined) return { fault: 'The file is empty. It needs a header row with a column “data”.' };
  const header = readHeader(names, known);
  if ('fault' in header) return header;
  if (rows.length === 0) return { fault: 'The file has no rows below its header row.' };
  if (rows.length > MAX_ROWS)
    return {
      fault: `The file has ${rows.length} rows, and this page takes ${MAX_ROWS}. Use the command line for more.`,
    };
  return { columns: header.columns, rows: rows.map((cells, index) => ({ number: index + 1, cells })) };
};
