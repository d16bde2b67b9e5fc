/** The rows of a worksheet, and the texts of their cells. */
import { CELL_MAX_LENGTH } from '../csv/columns.ts';
import { isEmptyRow, noteEmptyRow, noteEmptyRows, type TableNotes, tooManyEmptyRows } from '../csv/notes.ts';
import { COLUMNS_MAX, countCells, type RecordBounds, type TableRecord } from '../csv/records.ts';
import { ok, type Result, refused } from '../result.ts';
import { CELL_TOO_LONG, ROW_MAX_ELEMENTS, XlsxFault } from './bounds.ts';
import type { CellFormat } from './formats.ts';
import { createRuns, type Texts, withoutEscapes } from './strings.ts';
import type { XmlEvents } from './xml.ts';

const A = 0x41;
const LETTERS = 26;

/** Returns the column index of a reference such as `B7`, capped at the limit, or -1. */
const columnOf = (reference: string): number => {
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
const createRows = ({ maxRowBytes, maxEmptyRows }: RecordBounds, notes: TableNotes) => {
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

/** A cell as stored in the sheet (ECMA-376, 18.3.1.4). */
interface SheetCell {
  /** The type of the value: `s`, `str`, `inlineStr`, `b`, `e`, `d` or `n`. */
  readonly type: string;
  readonly style: number;
  /** The text of its value; `null`: it has none. */
  readonly value: string | null;
  readonly hasFormula: boolean;
}

/** What cells refer to. */
interface CellContext {
  readonly texts: Texts;
  /** Returns the format of a style. */
  formatOf(style: number): CellFormat;
}

/**
 * Returns the text of a cell: what its format shows, but dates and times in ISO 8601, `true` or `false`, and a formula's
 * last result; or why it has none.
 */
const textOf = (
  { type, style, value, hasFormula }: SheetCell,
  { texts, formatOf }: CellContext,
): Result<string, string> => {
  if (value === null)
    return hasFormula
      ? refused('has a formula without its result; open the file in a spreadsheet and save it')
      : ok('');
  if (type === 'e') return refused(`has the error ${value.slice(0, 20)} of its formula`);
  if (type === 's') {
    const place = value.trim();
    if (place === '') return ok('');
    const shared = /^\d+$/.test(place) ? texts.at(Number(place)) : undefined;
    if (shared === undefined) return refused('refers to a text that the file does not have');
    return formatOf(style).showText(shared);
  }
  if (type === 'b') return ok(value.trim() === '1' || value.trim() === 'true' ? 'true' : 'false');
  if (type === 'd') return ok(value);
  return type === 'n' ? formatOf(style).showNumber(value) : formatOf(style).showText(withoutEscapes(value));
};

/** Consumes the elements of a worksheet and produces its rows. */
interface SheetReader extends XmlEvents {
  /** Returns the rows that have ended since the last call. */
  take(): readonly TableRecord[];
}

type Open = { -readonly [field in keyof SheetCell]: SheetCell[field] } & { readonly index: number };

/** Creates the reader of a worksheet. It throws an `XlsxFault`, or a `RangeError` for too many empty rows or cells. */
export const createSheetReader = (
  context: CellContext,
  bounds: RecordBounds,
  notes: TableNotes,
): SheetReader => {
  const rows = createRows(bounds, notes);
  const runs = createRuns();
  const count = countCells(bounds);
  let isInData = false;
  let cell: Open | null = null;
  let isInValue = false;
  let nextColumn = 0;
  let elements = 0;

  const endCell = ({ index, ...read }: Open): void => {
    const inline = runs.take();
    const text = textOf(read.type === 'inlineStr' ? { ...read, type: 'str', value: inline } : read, context);
    if (text.ok) rows.set(index, text.value);
    else rows.refuse(index, text.fault);
  };

  return {
    open(name, attributes) {
      elements += 1;
      if (elements > ROW_MAX_ELEMENTS) throw new XlsxFault('has a row that is too long');
      if (name === 'sheetData') isInData = true;
      else if (name === 'mergeCell') rows.merge(attributes.ref ?? '');
      if (!isInData) return;
      if (name === 'row') {
        nextColumn = 0;
        rows.begin(attributes.r, /^(1|true)$/.test(attributes.hidden ?? ''));
      } else if (name === 'c') {
        count(1);
        const found = columnOf(attributes.r ?? '');
        const index = found === -1 ? nextColumn : found;
        nextColumn = index + 1;
        const style = Number(attributes.s ?? 0);
        cell = { index, type: attributes.t ?? 'n', style, value: null, hasFormula: false };
      } else if (cell === null) return;
      else if (name === 'v') {
        isInValue = true;
        cell.value ??= '';
      } else if (name === 'f') cell.hasFormula = true;
      else runs.open(name);
    },
    close(name) {
      if (!isInData) return;
      if (name === 'sheetData') {
        isInData = false;
        rows.finish();
      } else if (name === 'row') {
        rows.end();
        elements = 0;
      } else if (name === 'c' && cell !== null) {
        endCell(cell);
        cell = null;
      } else if (name === 'v') isInValue = false;
      else runs.close(name);
    },
    text(text) {
      if (cell === null) return;
      if (!isInValue) return runs.text(text);
      cell.value += text;
      if (cell.value!.length > CELL_MAX_LENGTH) throw new XlsxFault(CELL_TOO_LONG);
    },
    take: rows.take,
  };
};
