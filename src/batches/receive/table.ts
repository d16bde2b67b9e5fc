/** Rows of a table as the lines that are stored. */
import { type ColumnOptions, readRows, type TableRow } from '../../csv/read.ts';
import type { TableRecord } from '../../csv/records.ts';
import { CELL_FAULT } from '../rows/stored.ts';
import { type Columns, type ColumnTerms, headerRules, withValues } from './columns.ts';
import { ROW_MAX_BYTES } from './limits.ts';

/** Returns the line that is stored of a row. */
export const toLine = ({ item, file, fault }: TableRow): string => {
  if (fault !== null) return JSON.stringify([CELL_FAULT, fault.field, fault.message, item.id]);
  const line = JSON.stringify(
    file === null || file === '' || item.name !== undefined ? item : { ...item, name: file },
  );
  // A control character takes six in JSON.
  return line.length <= ROW_MAX_BYTES ? line : JSON.stringify([CELL_FAULT, 'row', 'is too long', null]);
};

/** Returns how the rows of a table are read. */
export const readingOf = (columns: Columns, { mapping, others, content }: ColumnTerms): ColumnOptions => ({
  ...{ mapping, others, columns: withValues(columns, content), rules: headerRules(content) },
  ...{ byHand: 'columns', leaveOut: 'other_columns=skip' },
});

/**
 * Yields one line of JSON a row, without its line end.
 *
 * @throws {HeaderFault} for a wrong header row, and the errors of the records.
 */
export async function* readTableLines(
  records: AsyncIterable<TableRecord>,
  columns: Columns,
  terms: ColumnTerms,
): AsyncGenerator<string> {
  for await (const row of readRows(records, readingOf(columns, terms))) yield toLine(row);
}
