/** Collects the cells of a worksheet row by row. */
import { isEmptyRow, noteEmptyRow, noteEmptyRows, type TableNotes, tooManyEmptyRows } from '../csv/notes.ts';
import { COLUMNS_MAX, type RecordBounds, type TableRecord } from '../csv/records.ts';
import { XlsxFault } from './bounds.ts';

const A = 0x41;
const LETTERS = 26;

/** Returns the column index of a reference such as `B7`, capped at the limit, or -1. */
export const columnOf = (reference: string): number => {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const letter = (reference.charCodeAt(at) & ~0x20) - A;
    if (letter < 0 || letter >= LETTERS) break;
    column = column * LETTERS + letter + 1;
    if (column > COLUMNS_MAX) return COLUMNS_MAX;
  }
  return column - 1;
};

/** Returns the letters of a column. */
const lettersOf = (index: number): string =>
  (index < LETTERS ? '' : lettersOf(Math.floor(index / LETTERS) - 1)) +
  String.fromCharCode(A + (index % LETTERS));

const rowOf = (reference: string): number => Number(/\d+$/.exec(reference)?.[0] ?? 0);

/** Collects rows. The first one with text is the header row, which defines the columns. */
export const createRows = ({ maxRowBytes, maxEmptyRows }: RecordBounds, notes: TableNotes) => {
  let rows: TableRecord[] = [];
  /** Sparse, so that a cell far to the right costs no more than any other. */
  let texts: string[] = [];
  let fault: TableRecord['fault'] = null;
  let length = 0;
  let width: number | null = null;
  let rowsWithText = 0;
  /** By the numbers of the worksheet: this row, the header row, and the last one with text. */
  let number = 0;
  let headerNumber = 0;
  let lastNumber = 0;
  let isHidden = false;
  /** Empty rows of the file below the last one with text. More may be left out of the file above the next one. */
  let openRows: number[] = [];

  const boundEmpty = (): void => {
    if (notes.emptyRows + openRows.length > maxEmptyRows) throw tooManyEmptyRows(maxEmptyRows);
  };

  return {
    begin(reference: string | undefined, hidden: boolean): void {
      const said = Number(reference);
      // Rows are in order: any other number is not that of the row.
      number = Number.isSafeInteger(said) && said > number ? said : number + 1;
      isHidden = hidden;
    },
    set(index: number, text: string): void {
      if (text === '') return;
      if (index >= (width ?? COLUMNS_MAX)) {
        if (text.trim() === '') return;
        throw new XlsxFault(
          width === null
            ? `has more than ${COLUMNS_MAX} columns`
            : `has a cell to the right of the ${width} columns that the header row names`,
        );
      }
      length += text.length;
      if (length > maxRowBytes) throw new XlsxFault('has a row that is too long');
      texts[index] = text;
    },
    refuse(index: number, message: string): void {
      fault ??= { index, message: `cell ${lettersOf(index)}${number} ${message}` };
    },
    end(): void {
      if (fault === null && isEmptyRow(texts)) {
        openRows.push(number);
        boundEmpty();
      } else {
        if (isHidden) throw new XlsxFault(`has hidden rows, the first in row ${number}; show or delete them`);
        // Files leave out rows without cells.
        noteEmptyRows(notes, rowsWithText, number - lastNumber - 1);
        openRows = [];
        boundEmpty();
        if (rowsWithText === 0) headerNumber = number;
        rows.push({ texts, fileRow: number, fault });
        width ??= texts.length;
        rowsWithText += 1;
        lastNumber = number;
      }
      texts = [];
      fault = null;
      length = 0;
    },
    /** Refuses merged cells, of which only the first has the text that all show. */
    merge(range: string): void {
      const [from = '', to = from] = range.split(':');
      const isBelow = rowOf(to) >= headerNumber && rowOf(from) <= lastNumber;
      if (isBelow && columnOf(from) < (width ?? 0))
        throw new XlsxFault(
          `has the merged cells ${range.slice(0, 20)}, of which only the first has a value; split them`,
        );
    },
    /** Notes the empty rows at the end. */
    finish(): void {
      for (const open of openRows) noteEmptyRow(notes, open);
      openRows = [];
    },
    take(): readonly TableRecord[] {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
};
