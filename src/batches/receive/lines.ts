/** Rows of an upload as the lines that are stored. */
import { columnsOf, type FieldSchema } from '../../csv/columns.ts';
import { readLines } from '../../csv/lines.ts';
import { type CsvRow, HeaderFault, readCsvRows } from '../../csv/read.ts';
import { AppError } from '../../errors.ts';
import { CELL_FAULT } from '../rows/row.ts';
import { BatchRow } from '../rows/schema.ts';
import { EMPTY_LINES_MAX, ROW_MAX_BYTES } from './limits.ts';

/** Says why the rows from one on cannot be read. The batch then fails with this as its fault. */
export class Unreadable extends Error {
  /** The row at which reading ended; `null`: the one after those that were read. */
  readonly row: number | null;

  constructor(message: string, row: number | null) {
    super(message);
    this.row = row;
  }
}

const COLUMNS = new Map(columnsOf(BatchRow as FieldSchema).map((column) => [column.name, column]));

const CSV = { columns: COLUMNS, maxRowBytes: ROW_MAX_BYTES, maxEmptyLines: EMPTY_LINES_MAX };

const toLine = ({ item, file, fault }: CsvRow): string => {
  if (fault !== null) return JSON.stringify([CELL_FAULT, fault.field, fault.message, item.id]);
  return JSON.stringify(
    file === null || file === '' || item.name !== undefined ? item : { ...item, name: file },
  );
};

const explain = (error: unknown): unknown => {
  const { code, message, records } = error as NodeJS.ErrnoException & { readonly records?: number };
  if (error instanceof AppError) return error;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new Unreadable('is not UTF-8; save it as UTF-8', null);
  if (error instanceof HeaderFault || error instanceof RangeError || code?.startsWith('CSV_')) {
    // Rows that the reader had in hand are not passed on. The header row is a record, too.
    const row = code?.startsWith('CSV_') ? (records ?? null) : null;
    return new Unreadable(message.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, 1000), row);
  }
  return error;
};

/**
 * Yields one line of JSON a row, without its line end. Lines of NDJSON stay as they are.
 *
 * @throws {Unreadable} for a row that is too long, bytes that are not UTF-8, a wrong header row, or broken quotes.
 */
export async function* readRowLines(
  chunks: AsyncIterable<Buffer>,
  format: 'csv' | 'ndjson',
): AsyncGenerator<string> {
  try {
    if (format === 'csv') for await (const row of readCsvRows(chunks, CSV)) yield toLine(row);
    else
      for await (const { text } of readLines(chunks, ROW_MAX_BYTES, 'take', EMPTY_LINES_MAX))
        yield text.replace(/\r$/, '');
  } catch (error) {
    throw explain(error);
  }
}
