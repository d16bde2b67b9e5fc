import { columnsOf, type FieldColumn, type FieldSchema } from '../../../csv/columns.ts';
import { BulkItem } from '../../../generate/request/request.ts';

/** All columns by their name in the header row, for example `dotsOptions.color`. */
export const COLUMNS: ReadonlyMap<string, FieldColumn> = new Map(
  columnsOf(BulkItem as FieldSchema).map((column) => [column.name, column]),
);

/** Sets a value at a path in an item. Makes the objects on the way. */
export const place = (item: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  const [name, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    item[name] = value;
    return;
  }
  const inner = item[name];
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  item[name] = next;
  place(next, rest, value);
};
