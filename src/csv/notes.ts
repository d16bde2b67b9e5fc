/** What reading a table finds out besides its rows. */

/** Is filled in while a table is read. */
export interface TableNotes {
  /** The encoding's name in WHATWG's Encoding Standard; `null`: the format has none, or nothing is read yet. */
  encoding: string | null;
  /** Rows below the header without any text, which are left out. */
  emptyRows: number;
  /** The first of them, counted from 1 below the header with all other rows, empty ones included. */
  readonly firstEmptyRows: number[];
}

const FIRST_MAX = 20;

/** Returns notes about a table that is not read yet. */
export const createNotes = (): TableNotes => ({ encoding: null, emptyRows: 0, firstEmptyRows: [] });

/** The end of a file for CP/M and DOS. */
export const END_MARK = '\u001a';

const isBlank = (text: string): boolean => {
  const trimmed = text.trim();
  return trimmed === '' || trimmed === END_MARK;
};

/** Whether a row has no text, so that every reader leaves it out. Holes are empty cells. */
export const isEmptyRow = (texts: readonly (string | undefined)[]): boolean =>
  texts.every((text) => text === undefined || isBlank(text));

/** Notes empty rows. @param rowsAbove Rows with text between them and the header. */
export const noteEmptyRows = (notes: TableNotes, rowsAbove: number, count = 1): void => {
  const first = rowsAbove + notes.emptyRows + 1;
  for (let row = first; row < first + count && notes.firstEmptyRows.length < FIRST_MAX; row += 1)
    notes.firstEmptyRows.push(row);
  notes.emptyRows += count;
};

/** Returns the error for a table that consists mostly of empty rows. */
export const tooManyEmptyRows = (max: number): RangeError =>
  new RangeError(`more than ${max} rows are empty`);
