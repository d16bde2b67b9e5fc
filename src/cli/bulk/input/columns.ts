import { columnsOf, type FieldColumn, type FieldSchema } from '../../../csv/columns.ts';
import { BulkItem } from '../../../generate/request/request.ts';

/** All columns by their name in the header row, for example `dotsOptions.color`. */
export const COLUMNS: ReadonlyMap<string, FieldColumn> = new Map(
  columnsOf(BulkItem as FieldSchema).map((column) => [column.name, column]),
);
