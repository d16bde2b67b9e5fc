/** The columns that a file of rows may have. */
import { columnsOf, type FieldColumn, type FieldSchema } from '../../csv/columns.ts';
import type { Mapping } from '../../csv/match.ts';
import { FILE } from '../../csv/synonyms.ts';
import { refused } from '../../result.ts';
import { BatchRow } from '../rows/schema.ts';
import { isParsable } from '../rows/tokens.ts';

/** What a call says of the columns of its file. */
export interface ColumnTerms {
  readonly mapping: Mapping;
  readonly others: 'refused' | 'skipped';
}

/** What a call says that says nothing of columns. */
export const BY_NAME: ColumnTerms = { mapping: {}, others: 'refused' };

/** A cell with JSON, which its column would parse. */
const JSON_CELL = /^\s*[[{]/;

const bounded = (column: FieldColumn): FieldColumn => ({
  ...column,
  read: (text) =>
    JSON_CELL.test(text) && !isParsable(text)
      ? refused('has too many values, or values that are nested too deeply')
      : column.read(text),
});

/** The columns by the names of their fields, for example `dotsOptions.color`. */
export const COLUMNS: ReadonlyMap<string, FieldColumn> = new Map(
  columnsOf(BatchRow as FieldSchema).map((column) => [column.name, bounded(column)]),
);

/** The names of all fields that a column may be. */
export const FIELDS: readonly string[] = [...new Set([...COLUMNS.keys(), FILE])];
