/** Rows of an upload as the lines that are stored. */
import { EncodingFault } from '../../csv/encoding.ts';
import { readLines } from '../../csv/lines.ts';
import { HeaderFault, readRows, type TableRow } from '../../csv/read.ts';
import { isCsvFault } from '../../csv/records.ts';
import type { RowFormat } from '../../db/tables/batches/batches.ts';
import { AppError } from '../../errors.ts';
import { chunksInSlices } from '../../time-slices.ts';
import { XlsxFault } from '../../xlsx/fault.ts';
import { CELL_FAULT } from '../rows/row.ts';
import { BY_NAME, COLUMNS, type ColumnTerms } from './columns.ts';
import { EMPTY_LINES_MAX, ROW_MAX_BYTES } from './limits.ts';
import { readRecords } from './records.ts';

/** Says why the rows from one on cannot be read. The batch then fails with this as its fault. */
export class Unreadable extends Error {
  /** The row at which reading ended; `null`: the one after those that were read. */
  readonly row: number | null;

  constructor(message: string, row: number | null) {
    super(message);
    this.row = row;
  }
}

const toLine = ({ item, file, fault }: TableRow): string => {
  if (fault !== null) return JSON.stringify([CELL_FAULT, fault.field, fault.message, item.id]);
  const line = JSON.stringify(
    file === null || file === '' || item.name !== undefined ? item : { ...item, name: file },
  );
  // A control character takes six in JSON.
  return line.length <= ROW_MAX_BYTES ? line : JSON.stringify([CELL_FAULT, 'row', 'is too long', null]);
};

const MESSAGE_MAX = 1000;

/** Cuts a long message at a word. */
const shortened = (message: string): string =>
  message.length <= MESSAGE_MAX ? message : `${message.slice(0, MESSAGE_MAX).replace(/\s\S*$/, '')} …`;

/** Returns an `Unreadable` for what is wrong with a file, and any other error as it is. */
export const explain = (error: unknown): unknown => {
  if (error instanceof AppError) return error;
  if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new Unreadable('is not UTF-8; save it as UTF-8', null);
  const isOfFile =
    error instanceof HeaderFault ||
    error instanceof RangeError ||
    error instanceof EncodingFault ||
    error instanceof XlsxFault;
  if (isOfFile || isCsvFault(error)) {
    // Rows that the reader had in hand are not passed on. The header row is a record, too.
    const row = isCsvFault(error) ? (error.records ?? null) : null;
    return new Unreadable(shortened(error.message.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')), row);
  }
  return error;
};

/**
 * Yields one line of JSON a row, without its line end. Lines of NDJSON stay as they are.
 *
 * @param columns What the call says of the columns of a table.
 * @throws {Unreadable} for a row that is too long, an encoding that is not read, a wrong header row, broken quotes, or
 *   a file that is no XLSX; {AppError} 413.
 */
export async function* readRowLines(
  chunks: AsyncIterable<Buffer>,
  format: RowFormat,
  columns: ColumnTerms = BY_NAME,
): AsyncGenerator<string> {
  try {
    if (format === 'ndjson') {
      for await (const { text } of readLines(chunksInSlices(chunks), ROW_MAX_BYTES, 'take', EMPTY_LINES_MAX))
        yield text.replace(/\r$/, '');
      return;
    }
    const options = { ...columns, columns: COLUMNS, byHand: 'columns', leaveOut: 'other_columns=skip' };
    for await (const row of readRows(readRecords(chunks, format), options)) yield toLine(row);
  } catch (error) {
    throw explain(error);
  }
}
