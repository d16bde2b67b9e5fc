/** Converts table rows to the lines that are stored, or says why they cannot be read. */
import { KindFault } from '../../csv/encoding.ts';
import type { TableNotes } from '../../csv/notes.ts';
import { type ColumnOptions, HeaderFault, readRows, type TableRow } from '../../csv/read.ts';
import { RowFault, type RowPlace, type TableRecord } from '../../csv/records.ts';
import { AppError } from '../../errors.ts';
import { XlsxFault } from '../../xlsx/bounds.ts';
import { CELL_FAULT, WITH_CELLS } from '../rows/stored.ts';
import { type Columns, type ColumnTerms, headerRules, withValues } from './columns.ts';
import { ROW_MAX_BYTES } from './limits.ts';

/** Where reading ended. `row` is `null` for the one after the last row read, `fileRow` where the fault has no row. */
export type EndPlace = { readonly [field in keyof RowPlace]: number | null };

/** Of a fault that has no row. */
const NOWHERE: EndPlace = { row: null, fileRow: null };

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

/** A line that is stored for a row, and the row of the file that it comes from (`TableRecord`). */
export interface ReadLine {
  readonly text: string;
  readonly fileRow: number;
}

/** The cells of a row as JSON. Those of 50,000 rows fit in a manifest, whatever its encoding. */
const CELLS_MAX_CHARACTERS = 32_000;

const TOO_LONG = 'is too long';
const TOO_LONG_TO_KEEP = `has more than ${CELLS_MAX_CHARACTERS} characters, which is too long for other_columns=keep`;

/** Returns the line that is stored for a row. */
export const toLine = ({
  item,
  file,
  cells,
  faults: [fault],
}: Pick<TableRow, 'item' | 'file' | 'cells' | 'faults'>): string => {
  if (fault !== undefined) return JSON.stringify([CELL_FAULT, fault.field, fault.message, item.external_id]);
  const row = file === null || file === '' || item.name !== undefined ? item : { ...item, name: file };
  const kept = Object.values(cells);
  const keptText = kept.length === 0 ? '' : JSON.stringify(kept);
  if (keptText.length > CELLS_MAX_CHARACTERS)
    return JSON.stringify([CELL_FAULT, 'row', TOO_LONG_TO_KEEP, item.external_id]);
  const line = JSON.stringify(keptText === '' ? row : [WITH_CELLS, row, keptText]);
  // A control character becomes six characters in JSON.
  return line.length <= ROW_MAX_BYTES ? line : JSON.stringify([CELL_FAULT, 'row', TOO_LONG, null]);
};

/** Returns the options for reading a table's rows. */
export const readingOf = (columns: Columns, { mapping, others, content }: ColumnTerms): ColumnOptions => ({
  mapping,
  others,
  columns: withValues(columns, content),
  rules: headerRules(content),
  byHand: 'columns',
  leaveOut: 'other_columns=skip',
});

/**
 * Yields one line of JSON per row, without its line end.
 *
 * @param notes Gets the names of the columns that are kept.
 * @throws {HeaderFault} for an invalid header row; whatever `records` throws.
 */
export async function* readTableLines(
  records: AsyncIterable<TableRecord>,
  columns: Columns,
  terms: ColumnTerms,
  notes: Pick<TableNotes, 'keptColumns'>,
): AsyncGenerator<ReadLine> {
  for await (const row of readRows(records, readingOf(columns, terms))) {
    if (notes.keptColumns.length === 0) notes.keptColumns.push(...Object.keys(row.cells));
    yield { text: toLine(row), fileRow: row.fileRow };
  }
}
