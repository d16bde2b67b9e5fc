/**
 * The rows of its file that the rows of a piece come from: one for each, or only the first if no row of the file is left
 * out between them.
 */
export type FileRows = readonly number[];

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
