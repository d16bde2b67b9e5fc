/** Converts table rows to the lines that are stored. */
import { type ColumnOptions, readRows, type TableRow } from '../../csv/read.ts';
import type { TableRecord } from '../../csv/records.ts';
import { CELL_FAULT } from '../rows/stored.ts';
import { type Columns, type ColumnTerms, headerRules, withValues } from './columns.ts';
import { ROW_MAX_BYTES } from './limits.ts';

/** A line that is stored for a row, and the row of the file that it comes from (`TableRecord`). */
export interface ReadLine {
  readonly text: string;
  readonly fileRow: number;
}

/** Returns the line that is stored for a row. */
export const toLine = ({ item, file, fault }: TableRow): string => {
  if (fault !== null) return JSON.stringify([CELL_FAULT, fault.field, fault.message, item.external_id]);
  const line = JSON.stringify(
    file === null || file === '' || item.name !== undefined ? item : { ...item, name: file },
  );
  // A control character becomes six characters in JSON.
  return line.length <= ROW_MAX_BYTES ? line : JSON.stringify([CELL_FAULT, 'row', 'is too long', null]);
};

/** Returns the options for reading a table's rows. */
export const readingOf = (columns: Columns, { mapping, others, content }: ColumnTerms): ColumnOptions => ({
  ...{ mapping, others, columns: withValues(columns, content), rules: headerRules(content) },
  ...{ byHand: 'columns', leaveOut: 'other_columns=skip' },
});

/**
 * Yields one line of JSON per row, without its line end.
 *
 * @throws {HeaderFault} for an invalid header row; whatever `records` throws.
 */
export async function* readTableLines(
  records: AsyncIterable<TableRecord>,
  columns: Columns,
  terms: ColumnTerms,
): AsyncGenerator<ReadLine> {
  for await (const row of readRows(records, readingOf(columns, terms)))
    yield { text: toLine(row), fileRow: row.fileRow };
}
