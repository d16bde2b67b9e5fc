/** Reads uploads of all formats. */
import { readLines } from '../../csv/lines.ts';
import { nextFileRow, noteEmptyRows, type TableNotes, tooManyEmptyRows } from '../../csv/notes.ts';
import { readCsvRecords } from '../../csv/records.ts';
import { chunksInSlices } from '../../execution/time-limits.ts';
import type { RowFormat } from '../../lists.ts';
import { BY_NAME, type ColumnTerms } from './columns.ts';
import { COLUMNS } from './fields.ts';
import { EMPTY_ROWS_MAX, ROW_MAX_BYTES, TABLE } from './limits.ts';
import { type Preview, previewOf } from './preview.ts';
import { readSpreadsheetLines, readSpreadsheetPreview } from './spreadsheet.ts';
import { explain, type ReadLine, readTableLines } from './table.ts';

/** Formats with a header row. */
export type TableFormat = 'csv' | 'xlsx';

/** How the rows of a file are read. */
export interface RowReading {
  readonly format: RowFormat;
  /** The encoding of CSV that the call names; `null`: it names none. */
  readonly encoding: string | null;
  /** What the call specifies about the columns of a table; absent: nothing. */
  readonly columns?: ColumnTerms;
  /** Filled in while the file is read. */
  readonly notes: TableNotes;
}

/** Yields the lines of NDJSON, unchanged. @throws {Unreadable} */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  notes: TableNotes,
): AsyncGenerator<ReadLine> {
  notes.encoding = 'utf-8';
  let rows = 0;
  const noteEmpty = (): void => {
    noteEmptyRows(notes, rows);
    if (notes.emptyRows > EMPTY_ROWS_MAX) throw tooManyEmptyRows(EMPTY_ROWS_MAX);
  };
  try {
    for await (const text of readLines(chunksInSlices(chunks), ROW_MAX_BYTES, noteEmpty)) {
      const fileRow = nextFileRow(notes, rows);
      rows += 1;
      yield { text: text.replace(/\r$/, ''), fileRow };
    }
  } catch (error) {
    throw explain(error, { row: rows + 1, fileRow: nextFileRow(notes, rows) });
  }
}

const linesOf = (
  chunks: AsyncIterable<Buffer>,
  { format, encoding, columns = BY_NAME, notes }: RowReading,
): AsyncGenerator<ReadLine> => {
  if (format === 'ndjson') return readNdjson(chunks, notes);
  if (format === 'xlsx') return readSpreadsheetLines(chunks, columns, notes);
  const records = readCsvRecords(chunksInSlices(chunks), TABLE, { encoding, wanted: 'rows', notes });
  return readTableLines(records, COLUMNS, columns, notes);
};

/**
 * Yields one line of JSON per row, without its line end, and yields to other requests in between. NDJSON lines are
 * passed through unchanged.
 *
 * @throws {Unreadable} for a row that is too long, an invalid header row, broken quotes, or a file that is not what it
 *   should be; {EncodingFault}; {AppError} 413.
 */
export async function* readRowLines(
  chunks: AsyncIterable<Buffer>,
  reading: RowReading,
): AsyncGenerator<ReadLine> {
  try {
    yield* linesOf(chunks, reading);
  } catch (error) {
    throw explain(error);
  }
}

/**
 * Reads the header row and the first rows of a file. A row may have more or fewer cells than the header row.
 *
 * @param maxRows Maximum number of rows to return. CSV is read to its end, since its encoding may show there only.
 * @throws {Unreadable} for a file without a readable header row; {EncodingFault}; {AppError} 413.
 */
export const readPreview = async (
  chunks: AsyncIterable<Buffer>,
  { format, encoding, columns = BY_NAME, notes }: RowReading & { readonly format: TableFormat },
  maxRows: number,
): Promise<Preview> => {
  if (format === 'xlsx') return readSpreadsheetPreview(chunks, columns, maxRows, notes);
  const records = readCsvRecords(chunksInSlices(chunks), TABLE, { encoding, wanted: 'beginning', notes });
  return previewOf(records, COLUMNS, columns, { maxRows, readsOn: true });
};
