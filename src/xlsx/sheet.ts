/** The rows of a worksheet. */
import { CELL_MAX_LENGTH } from '../csv/columns.ts';
import { COLUMNS_MAX, countCells, type RecordBounds, type TableRecord } from '../csv/records.ts';
import { ROW_MAX_ELEMENTS } from './bounds.ts';
import { type CellContext, type SheetCell, textOf } from './cell.ts';
import { CELL_TOO_LONG, XlsxFault } from './fault.ts';
import { createRuns } from './strings.ts';
import type { XmlEvents } from './xml.ts';

/** Consumes the elements of a worksheet and produces its rows. */
export interface SheetReader extends XmlEvents {
  /** Returns the rows that have ended since the last call. */
  take(): readonly TableRecord[];
}

const A = 0x41;

/** Returns the column index of a reference such as `B7`, capped at the limit, or -1. */
const columnOf = (reference: string): number => {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const letter = (reference.charCodeAt(at) & ~0x20) - A;
    if (letter < 0 || letter > 25) break;
    column = column * 26 + letter + 1;
    if (column > COLUMNS_MAX) return COLUMNS_MAX;
  }
  return column - 1;
};

/** Collects the cells row by row. The first row with text is the header row, which defines the columns. */
const createRows = ({ maxRowBytes, maxEmptyLines }: RecordBounds) => {
  let rows: TableRecord[] = [];
  /** Sparse, so that a cell far to the right costs no more than any other. */
  let texts: string[] = [];
  let fault: TableRecord['fault'] = null;
  let length = 0;
  let width: number | null = null;
  let emptyRows = 0;
  return {
    set(index: number, text: string): void {
      if (text === '') return;
      if (index >= (width ?? COLUMNS_MAX))
        throw new XlsxFault(
          width === null
            ? `has more than ${COLUMNS_MAX} columns`
            : `has a cell to the right of the ${width} columns that the header row names`,
        );
      length += text.length;
      if (length > maxRowBytes) throw new XlsxFault('has a row that is too long');
      texts[index] = text;
    },
    refuse(index: number, message: string): void {
      fault ??= { index, message };
    },
    end(): void {
      const isEmpty = texts.length === 0 && fault === null;
      if (isEmpty) emptyRows += 1;
      else rows.push({ texts, fault });
      if (emptyRows > maxEmptyLines) throw new RangeError(`more than ${maxEmptyLines} rows are empty`);
      if (!isEmpty) width ??= texts.length;
      texts = [];
      fault = null;
      length = 0;
    },
    take(): readonly TableRecord[] {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
};

type Open = { -readonly [field in keyof SheetCell]: SheetCell[field] } & { readonly index: number };

/** Creates the reader of a worksheet. It throws an `XlsxFault`, or a `RangeError` for too many empty rows or cells. */
export const createSheetReader = (context: CellContext, bounds: RecordBounds): SheetReader => {
  const rows = createRows(bounds);
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
      if (!isInData) return;
      if (name === 'row') nextColumn = 0;
      else if (name === 'c') {
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
      if (name === 'sheetData') isInData = false;
      else if (name === 'row') {
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
