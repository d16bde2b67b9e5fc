/** Why rows cannot be read. */
import { KindFault } from '../../csv/encodings/encoding.ts';
import { HeaderFault } from '../../csv/read.ts';
import { RowFault, type RowPlace } from '../../csv/records.ts';
import { AppError } from '../../errors.ts';
import { XlsxFault } from '../../xlsx/fault.ts';

/** Where reading ended. `row` is `null` for the one after the last row read, `fileRow` where the fault has no row. */
export type EndPlace = { readonly [field in keyof RowPlace]: number | null };

/** Of a fault that has no row. */
export const NOWHERE: EndPlace = { row: null, fileRow: null };

/** Says why the rows cannot be read from some row on. The batch then fails with this as its fault. */
export class Unreadable extends Error {
  readonly place: EndPlace;

  constructor(message: string, place: EndPlace = NOWHERE) {
    super(message);
    this.place = place;
  }
}

const MESSAGE_MAX = 1000;

/** Truncates a long message at a word boundary. */
const shortened = (message: string): string =>
  message.length <= MESSAGE_MAX ? message : `${message.slice(0, MESSAGE_MAX).replace(/\s\S*$/, '')} …`;

const placeOf = (error: Error): EndPlace => {
  // Rows that the reader had buffered are dropped.
  if (error instanceof RowFault) return error.place;
  return error instanceof HeaderFault ? { row: null, fileRow: error.fileRow } : NOWHERE;
};

/**
 * Returns an `Unreadable` for what is wrong with a file, and any other error as it is.
 *
 * @param place Where reading ended; absent: as the error says.
 */
export const explain = (error: unknown, place?: EndPlace): unknown => {
  if (error instanceof AppError) return error;
  if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new Unreadable('is not UTF-8; save it as UTF-8', place);
  const isOfFile =
    error instanceof HeaderFault ||
    error instanceof RangeError ||
    error instanceof KindFault ||
    error instanceof RowFault ||
    error instanceof XlsxFault;
  if (isOfFile) {
    const message = shortened(error.message.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?'));
    return new Unreadable(message, place ?? placeOf(error));
  }
  return error;
};
