/** Why rows cannot be read. */
import { KindFault } from '../../csv/encodings/encoding.ts';
import { HeaderFault } from '../../csv/read.ts';
import { RowFault } from '../../csv/records.ts';
import { AppError } from '../../errors.ts';
import { XlsxFault } from '../../xlsx/fault.ts';

/** Says why the rows cannot be read from some row on. The batch then fails with this as its fault. */
export class Unreadable extends Error {
  /** The row at which reading ended; `null`: the one after the last row read. */
  readonly row: number | null;

  constructor(message: string, row: number | null) {
    super(message);
    this.row = row;
  }
}

const MESSAGE_MAX = 1000;

/** Truncates a long message at a word boundary. */
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
    error instanceof KindFault ||
    error instanceof RowFault ||
    error instanceof XlsxFault;
  if (isOfFile) {
    // Rows that the reader had buffered are dropped.
    const row = error instanceof RowFault ? error.row : null;
    return new Unreadable(shortened(error.message.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')), row);
  }
  return error;
};
