/** What reading a table finds out besides its rows. */

/** Is filled in while a table is read. */
export interface TableNotes {
  /** The encoding's name in WHATWG's Encoding Standard; `null`: the format has none, or nothing is read yet. */
  encoding: string | null;
  /** What delimits the cells of CSV; `null` as for the encoding. */
  delimiter: string | null;
  /** Rows without any text, which are left out. */
  emptyRows: number;
  /** The first of them, as rows of the file. */
  readonly firstEmptyRows: number[];
  /** The names of all columns if other columns are kept, otherwise empty. */
  readonly keptColumns: string[];
}

const FIRST_MAX = 20;

/** Returns notes about a table that is not read yet. */
export const createNotes = (): TableNotes => ({
  encoding: null,
  delimiter: null,
  emptyRows: 0,
  firstEmptyRows: [],
  keptColumns: [],
});

/** The end of a file for CP/M and DOS. */
export const END_MARK = '\u001a';

const isBlank = (text: string): boolean => {
  const trimmed = text.trim();
  return trimmed === '' || trimmed === END_MARK;
};

/** Whether a row has no text, so that every reader leaves it out. Holes are empty cells. */
export const isEmptyRow = (texts: readonly (string | undefined)[]): boolean =>
  texts.every((text) => text === undefined || isBlank(text));

/**
 * Returns the row of the file that comes next, as spreadsheets count: from 1, with the header row and empty rows.
 *
 * @param rowsAbove Rows with text above it, the header row included.
 */
export const nextFileRow = ({ emptyRows }: Pick<TableNotes, 'emptyRows'>, rowsAbove: number): number =>
  rowsAbove + emptyRows + 1;

/** Notes empty rows. @param rowsAbove As in `nextFileRow`. */
export const noteEmptyRows = (notes: TableNotes, rowsAbove: number, count = 1): void => {
  const first = nextFileRow(notes, rowsAbove);
  for (let row = first; row < first + count && notes.firstEmptyRows.length < FIRST_MAX; row += 1)
    notes.firstEmptyRows.push(row);
  notes.emptyRows += count;
};

/** Notes an empty row where rows between it and the last one with text are in no file. */
export const noteEmptyRow = (notes: TableNotes, fileRow: number): void => {
  notes.emptyRows += 1;
  if (notes.firstEmptyRows.length < FIRST_MAX) notes.firstEmptyRows.push(fileRow);
};

/** Returns the error for a table that consists mostly of empty rows. */
export const tooManyEmptyRows = (max: number): RangeError =>
  new RangeError(`more than ${max} rows are empty`);
