/** The columns that a file of rows may have. Threads that read spreadsheets get the schema from the gateway. */
import { columnsOf, type FieldColumn, type FieldSchema } from '../../csv/columns.ts';
import type { Mapping } from '../../csv/match.ts';
import { FILE } from '../../csv/synonyms.ts';
import { refused } from '../../result.ts';
import { createTokenBound } from '../rows/tokens.ts';

/** What a call says of the columns of its file. */
export interface ColumnTerms {
  readonly mapping: Mapping;
  readonly others: 'refused' | 'skipped';
}

/** What a call says that says nothing of columns. */
export const BY_NAME: ColumnTerms = { mapping: {}, others: 'refused' };

/** Columns by the names of their fields, for example `dotsOptions.color`. */
export type Columns = ReadonlyMap<string, FieldColumn>;

/** A cell with JSON, which its column would parse. */
const JSON_CELL = /^\s*[[{]/;

/** Returns the columns that rows of a schema may have. */
export const columnsFor = (schema: FieldSchema): Columns => {
  const isParsable = createTokenBound(schema);
  const bounded = (column: FieldColumn): FieldColumn => ({
    ...column,
    read: (text) =>
      JSON_CELL.test(text) && !isParsable(text)
        ? refused('has too many values, or values that are nested too deeply')
        : column.read(text),
  });
  return new Map(columnsOf(schema).map((column) => [column.name, bounded(column)]));
};

/** Returns the names of all fields that a column may be. */
export const fieldsOf = (columns: Columns): readonly string[] => [...new Set([...columns.keys(), FILE])];
