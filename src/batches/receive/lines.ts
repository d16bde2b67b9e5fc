/** Rows of an upload as the lines that are stored. */
import { columnsOf, type FieldColumn, type FieldSchema } from '../../csv/columns.ts';
import { readLines } from '../../csv/lines.ts';
import { type CsvRow, HeaderFault, isCsvFault, readCsvRows } from '../../csv/read.ts';
import { AppError } from '../../errors.ts';
import { refused } from '../../result.ts';
import { CELL_FAULT } from '../rows/row.ts';
import { BatchRow } from '../rows/schema.ts';
import { isParsable } from '../rows/tokens.ts';
import { EMPTY_LINES_MAX, ROW_MAX_BYTES } from './limits.ts';
import { inSlices } from './slices.ts';

/** Says why the rows from one on cannot be read. The batch then fails with this as its fault. */
export class Unreadable extends Error {
  /** The row at which reading ended; `null`: the one after those that were read. */
  readonly row: number | null;

  constructor(message: string, row: number | null) {
    super(message);
    this.row = row;
  }
}

/** A cell with JSON, which its column would parse. */
const JSON_CELL = /^\s*[[{]/;

const bounded = (column: FieldColumn): FieldColumn => ({
  ...column,
  read: (text) =>
    JSON_CELL.test(text) && !isParsable(text)
      ? refused('has too many values, or values that are nested too deeply')
      : column.read(text),
});

const COLUMNS = new Map(columnsOf(BatchRow as FieldSchema).map((column) => [column.name, bounded(column)]));

const CSV = { columns: COLUMNS, maxRowBytes: ROW_MAX_BYTES, maxEmptyLines: EMPTY_LINES_MAX };

const toLine = ({ item, file, fault }: CsvRow): string => {
  if (fault !== null) return JSON.stringify([CELL_FAULT, fault.field, fault.message, item.id]);
  const line = JSON.stringify(
    file === null || file === '' || item.name !== undefined ? item : { ...item, name: file },
  );
  // A control character takes six in JSON.
  return line.length <= ROW_MAX_BYTES ? line : JSON.stringify([CELL_FAULT, 'row', 'is too long', null]);
};

const explain = (error: unknown): unknown => {
  if (error instanceof AppError) return error;
  if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new Unreadable('is not UTF-8; save it as UTF-8', null);
  if (error instanceof HeaderFault || error instanceof RangeError || isCsvFault(error)) {
    // Rows that the reader had in hand are not passed on. The header row is a record, too.
    const row = isCsvFault(error) ? (error.records ?? null) : null;
    return new Unreadable(error.message.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, 1000), row);
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
    const slices = inSlices(chunks);
    if (format === 'csv') for await (const row of readCsvRows(slices, CSV)) yield toLine(row);
    else
      for await (const { text } of readLines(slices, ROW_MAX_BYTES, 'take', EMPTY_LINES_MAX))
        yield text.replace(/\r$/, '');
  } catch (error) {
    throw explain(error);
  }
}
