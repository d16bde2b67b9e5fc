/** One row of the input as it was read, from CSV, XLSX or NDJSON. */
export interface Written {
  /** An element of `items` in a bulk request. */
  readonly item: Readonly<Record<string, unknown>>;
  /** The wanted name of the row's files. */
  readonly file: string | null;
  /** The caller's own name of the row, when other columns are kept; else `null`. */
  readonly id: string | null;
  /**
   * The texts of the row by the names of their columns, when other columns are kept: all cells of a table, the fields
   * of NDJSON that are no objects.
   */
  readonly cells: Readonly<Record<string, string>>;
  /** What is wrong with the row, which is then not sent; else `null`. */
  readonly fault: string | null;
}

/** Greatest length of a row. A logo of 2,000,000 characters fits into it, even when it is written as escapes. */
export const MAX_ROW_BYTES = 8 * 1024 * 1024;

/**
 * What becomes of columns that no item has. `kept`: a file of `tessera sheets` may have them for its captions. `batch`:
 * those that rows of a batch have are taken, and the others refused.
 */
export type Others = 'refused' | 'kept' | 'batch';
