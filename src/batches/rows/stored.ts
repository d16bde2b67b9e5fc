/** The stored rows of a batch: objects with one row per line, and which rows of the file these are. */
import type { ByteRange, ObjectStore } from '../../storage/store.ts';

/** Returns the key of the stored object that begins with a row. */
export const inputKey = (batchId: string, firstRow: number): string => `${batchId}/input/${firstRow}`;

/**
 * Marks a cell that could not be read. Stored in place of the row; only our own table readers write it, never a
 * caller.
 */
export const CELL_FAULT = 'cell fault';

/**
 * Marks a row with all its cells, which its manifest carries. Only our own table readers write it, too: the row, and the
 * cells as JSON of its own, which is one text for those who bound a row.
 */
export const WITH_CELLS = 'with cells';

/** Returns what is stored of the row itself, without its cells. */
export const withoutCells = (value: unknown): unknown =>
  Array.isArray(value) && value[0] === WITH_CELLS ? value[1] : value;

/** Returns the cells of a stored row; without any: none. */
export const cellsOf = (text: string): readonly string[] => {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) && value[0] === WITH_CELLS ? JSON.parse(value[2]) : [];
};

/** A stored row, and its byte range in the object. */
export interface StoredRow extends ByteRange {
  readonly text: string;
}

const NEWLINE = 0x0a;

/** Reads all rows of a range, which must begin and end at row boundaries. */
export const readStored = async (
  store: Pick<ObjectStore, 'read'>,
  key: string,
  range: ByteRange,
): Promise<readonly StoredRow[]> => {
  const chunks: Buffer[] = [];
  for await (const chunk of store.read(key, range)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const rows: StoredRow[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end === -1) throw new Error('stored rows do not end with a row');
    rows.push({ text: bytes.toString('utf8', at, end), start: range.start + at, end: range.start + end + 1 });
    at = end + 1;
  }
  return rows;
};

/**
 * The rows of its file that the rows of a piece come from: one for each, or only the first if no row of the file is left
 * out between them.
 */
type FileRows = readonly number[];

/** Leaves out what follows from the first. @param each In ascending order. */
export const toFileRows = (each: readonly number[]): FileRows =>
  each.at(-1)! - each[0]! === each.length - 1 ? each.slice(0, 1) : each;

/** A range of rows of a batch. */
interface Range {
  readonly firstRow: number;
  readonly fileRows: FileRows;
}

/** Returns the row of the file that a row of the range comes from. */
export const fileRowOf = ({ firstRow, fileRows }: Range, row: number): number =>
  fileRows.length === 1 ? fileRows[0]! + row - firstRow : fileRows[row - firstRow]!;

/** Returns the rows of the file for a part of the range. */
export const fileRowsOf = (range: Range, firstRow: number, rows: number): FileRows =>
  range.fileRows.length === 1
    ? [fileRowOf(range, firstRow)]
    : toFileRows(range.fileRows.slice(firstRow - range.firstRow, firstRow - range.firstRow + rows));
