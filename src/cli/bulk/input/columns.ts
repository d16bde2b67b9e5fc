import { columnsOf, type FieldColumn, type FieldSchema, readText } from '../../../csv/columns.ts';
import { BulkItem } from '../../../generate/request/request.ts';

/** Names the row's files, as in a batch. */
const NAME: FieldColumn = { name: 'name', path: ['name'], read: readText };

/** All columns by their name in the header row, for example `dotsOptions.color`. */
export const COLUMNS: ReadonlyMap<string, FieldColumn> = new Map(
  [...columnsOf(BulkItem as FieldSchema), NAME].map((column) => [column.name, column]),
);
