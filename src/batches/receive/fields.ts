/** The columns that files of rows may have. */
import type { FieldSchema } from '../../csv/columns.ts';
import { BatchRow } from '../rows/schema.ts';
import { type Columns, columnsFor, fieldsOf } from './columns.ts';

/** The schema of a row, as far as columns need it. */
export const ROW_SCHEMA = BatchRow as FieldSchema;

/** The columns of a row. */
export const COLUMNS: Columns = columnsFor(ROW_SCHEMA);

/** The names of all fields that a column may map to. */
export const FIELDS: readonly string[] = fieldsOf(COLUMNS);
