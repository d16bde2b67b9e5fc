/** Reads uploads of all formats. */
import { readLines } from '../../csv/lines.ts';
import { readCsvRecords } from '../../csv/records.ts';
import type { RowFormat } from '../../lists.ts';
import { chunksInSlices } from '../../time-slices.ts';
import { BY_NAME, type ColumnTerms } from './columns.ts';
import { COLUMNS } from './fields.ts';
import { EMPTY_LINES_MAX, ROW_MAX_BYTES, TABLE } from './limits.ts';
import { type Preview, previewOf } from './preview.ts';
import { readSpreadsheetLines, readSpreadsheetPreview } from './spreadsheet.ts';
import { readTableLines } from './table.ts';
import { explain } from './unreadable.ts';

/** Formats with a header row. */
export type TableFormat = 'csv' | 'xlsx';

async function* readNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const { text } of readLines(chunksInSlices(chunks), ROW_MAX_BYTES, 'take', EMPTY_LINES_MAX))
    yield text.replace(/\r$/, '');
}

const linesOf = (
  chunks: AsyncIterable<Buffer>,
  format: RowFormat,
  columns: ColumnTerms,
): AsyncGenerator<string> => {
  if (format === 'ndjson') return readNdjson(chunks);
  if (format === 'xlsx') return readSpreadsheetLines(chunks, columns);
  return readTableLines(readCsvRecords(chunksInSlices(chunks), TABLE), COLUMNS, columns);
};

/**
 * Yields one line of JSON per row, without its line end, and yields to other requests in between. NDJSON lines are
 * passed through unchanged.
 *
 * @param columns What the call specifies about the columns of a table.
 * @throws {Unreadable} for a row that is too long, an unsupported encoding, an invalid header row, broken quotes, or
 *   a file that is not XLSX; {AppError} 413.
 */
export async function* readRowLines(
  chunks: AsyncIterable<Buffer>,
  format: RowFormat,
  columns: ColumnTerms = BY_NAME,
): AsyncGenerator<string> {
  try {
    yield* linesOf(chunks, format, columns);
  } catch (error) {
    throw explain(error);
  }
}

/**
 * Reads the header row and the first rows of a file. A row may have more or fewer cells than the header row.
 *
 * @param columns What the call specifies about the columns.
 * @param maxRows Maximum number of rows to read.
 * @throws {Unreadable} for a file without a readable header row; {AppError} 413.
 */
export const readPreview = (
  chunks: AsyncIterable<Buffer>,
  format: TableFormat,
  columns: ColumnTerms,
  maxRows: number,
): Promise<Preview> =>
  format === 'xlsx'
    ? readSpreadsheetPreview(chunks, columns, maxRows)
    : previewOf(readCsvRecords(chunksInSlices(chunks), TABLE, 'any'), COLUMNS, columns, maxRows);
