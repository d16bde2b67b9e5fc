/** Reads the beginning of a file, so that a user can check the column mapping before sending all of it. */
import { matchColumns } from '../../csv/match.ts';
import { withFurther } from '../../csv/read.ts';
import type { TableRecord } from '../../csv/records.ts';
import { type Columns, type ColumnTerms, fieldsOf, headerRules, withValues } from './columns.ts';
import { explain, Unreadable } from './table.ts';

/** A column of a file, and the field that its name matches; `null`: none. */
export interface PreviewColumn {
  readonly name: string;
  readonly field: string | null;
}

/** The beginning of a file. */
export interface Preview {
  readonly columns: readonly PreviewColumn[];
  readonly rows: readonly (readonly string[])[];
  /** The rows of the file of the header row and of the others. */
  readonly headerRow: number;
  readonly fileRows: readonly number[];
  /** Whether the file has more rows. */
  readonly more: boolean;
  /** Why the columns are ambiguous, or why the file cannot be read past these rows. */
  readonly fault: string | null;
}

/** Total characters of all rows, and a cell's overhead on top of its characters: a million cells take long to write. */
export const PREVIEW_MAX_LENGTH = 4 * 1024 * 1024;
const CELL_LENGTH = 40;

const toColumns = (
  texts: readonly string[],
  columnsOfRows: Columns,
  { mapping, content }: ColumnTerms,
): Pick<Preview, 'columns' | 'fault'> => {
  const names = texts.map((text) => text.trim());
  const rules = headerRules(content);
  const known = withFurther(withValues(columnsOfRows, content), names, mapping, rules);
  const matched = matchColumns(names, { fields: fieldsOf(known), mapping, byHand: 'columns' });
  const columns = names.map((name, index) => ({
    name,
    field: matched.ok ? (matched.value[index] ?? null) : null,
  }));
  if (!matched.ok) return { columns, fault: matched.fault };
  return { columns, fault: rules.findMissing(matched.value, names, 'columns') };
};

/**
 * Reads the header row and the first rows of a table.
 *
 * @param readsOn Whether the other rows are read too, for a fault in one of them.
 * @throws {Unreadable} without a readable header row; {AppError} 413.
 */
export const previewOf = async (
  records: AsyncIterable<TableRecord>,
  columnsOfRows: Columns,
  terms: ColumnTerms,
  { maxRows, readsOn }: { readonly maxRows: number; readonly readsOn: boolean },
): Promise<Preview> => {
  const read: (readonly string[])[] = [];
  const places: number[] = [];
  let length = 0;
  let more = false;
  let fault: string | null = null;
  try {
    for await (const record of records) {
      if (more) continue;
      const texts = Array.from(record.texts, (text = '') => text);
      length += texts.reduce((sum, text) => sum + text.length + CELL_LENGTH, 0);
      more = read.length > maxRows || length > PREVIEW_MAX_LENGTH;
      if (more && !readsOn) break;
      if (more) continue;
      read.push(texts);
      places.push(record.fileRow);
    }
  } catch (error) {
    const explained = explain(error);
    if (!(explained instanceof Unreadable) || read.length === 0) throw explained;
    fault = explained.message;
  }
  const [header, ...rows] = read;
  if (header === undefined)
    throw new Unreadable(more ? 'has a header row that is too long' : 'is empty; it needs a header row');
  const { columns, fault: ofColumns } = toColumns(header, columnsOfRows, terms);
  const [headerRow = 0, ...fileRows] = places;
  return { columns, rows, headerRow, fileRows, more, fault: ofColumns ?? fault };
};
