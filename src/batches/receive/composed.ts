/** What the codes of the first rows of a file would say. */
import { HeaderFault, readRows } from '../../csv/read.ts';
import type { TableRecord } from '../../csv/records.ts';
import { findGs1Fault } from '../../generate/request/gs1.ts';
import type { RowReader } from '../rows/row.ts';
import type { ColumnTerms } from './columns.ts';
import { COLUMNS } from './fields.ts';
import type { Preview } from './preview.ts';
import { readingOf, toLine } from './table.ts';

/** Maximum number of rows whose codes a preview shows. */
export const COMPOSED_MAX = 100;

/** What the code of a row would say, or what is wrong with the row. */
export interface ComposedRow {
  readonly data: string | null;
  readonly fault: string | null;
}

const composeRow = (line: string, row: number, readRow: RowReader): ComposedRow => {
  const read = readRow(line, row);
  const fault = read.ok ? findGs1Fault(read.value.content, read.value.design.symbol) : read.fault;
  return {
    data: read.ok ? read.value.content : null,
    fault: fault === null ? null : `${fault.field}: ${fault.message}`,
  };
};

async function* recordsOf({ columns, rows }: Preview): AsyncGenerator<TableRecord> {
  yield { texts: columns.map(({ name }) => name), row: 0, fault: null };
  for (const [index, texts] of rows.slice(0, COMPOSED_MAX).entries())
    yield { texts, row: index + 1, fault: null };
}

/**
 * Adds to a preview what its codes would say. `composed` is `null` without a row reader, and when the columns are
 * ambiguous, as `fault` then explains.
 */
export const composeRows = async (
  preview: Preview,
  terms: ColumnTerms,
  readRow: RowReader | null,
): Promise<Preview & { readonly composed: ComposedRow[] | null }> => {
  if (readRow === null || preview.fault !== null) return { ...preview, composed: null };
  const composed: ComposedRow[] = [];
  try {
    for await (const row of readRows(recordsOf(preview), readingOf(COLUMNS, terms)))
      composed.push(composeRow(toLine(row), composed.length + 1, readRow));
  } catch (error) {
    if (!(error instanceof HeaderFault)) throw error;
    return { ...preview, composed: null, fault: error.message };
  }
  return { ...preview, composed };
};
