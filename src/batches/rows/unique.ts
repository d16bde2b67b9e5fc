/** The column of a batch whose values must be unique. */
import type { Fault } from '../../../workers/protocol.ts';
import { aiOfColumn, toUniqueValue, UNIQUE_MISSING } from '../../gs1/columns.ts';
import { ok, type Result, refused } from '../../result.ts';
import type { BatchRow } from './schema.ts';

/** Fields of a row whose values are texts of its own. */
const TEXTS = ['data', 'external_id', 'name', 'file', 'slug'] as const;

/** Whether values of a column can be unique. @param names The columns that templates name. */
export const canBeUnique = (column: string, names: readonly string[]): boolean =>
  (TEXTS as readonly string[]).includes(column) || aiOfColumn(column) !== undefined || names.includes(column);

/** Returns the value of the column in a row, in the form in which it is compared. Every row must have one. */
export const readUnique = (row: BatchRow, column: string): Result<string, Fault> => {
  const written = row.values?.[column] ?? (row as Readonly<Record<string, unknown>>)[column];
  const value = toUniqueValue(column, written);
  return value === null ? refused({ field: column, message: UNIQUE_MISSING }) : ok(value);
};
