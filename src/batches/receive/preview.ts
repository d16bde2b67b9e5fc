/** Reads the beginning of a file, so that a person sees which column is which before sending all of it. */
import { matchColumns, withoutData } from '../../csv/match.ts';
import { FIELDS } from './columns.ts';
import { explain, Unreadable } from './lines.ts';
import { readRecords, type TableFormat } from './records.ts';

/** A column of a file, and the field that its name says; `null`: none. */
export interface PreviewColumn {
  readonly name: string;
  readonly field: string | null;
}

/** The beginning of a file. */
export interface Preview {
  readonly columns: readonly PreviewColumn[];
  readonly rows: readonly (readonly string[])[];
  /** Whether the file goes on. */
  readonly more: boolean;
  /** Why the columns are not clear, or why what follows the rows cannot be read. */
  readonly fault: string | null;
}

/** Characters of all rows together. */
export const PREVIEW_MAX_LENGTH = 4 * 1024 * 1024;

/** It costs nothing, so that it must not take long. */
const READ_MAX_MS = 15_000;

const toColumns = (texts: readonly string[]): Pick<Preview, 'columns' | 'fault'> => {
  const names = texts.map((text) => text.trim());
  const matched = matchColumns(names, { fields: FIELDS, byHand: 'columns' });
  const columns = names.map((name, index) => ({
    name,
    field: matched.ok ? (matched.value[index] ?? null) : null,
  }));
  if (!matched.ok) return { columns, fault: matched.fault };
  return { columns, fault: matched.value.includes('data') ? null : withoutData(names, 'columns') };
};

/**
 * Reads the header row and the first rows. A row may have other cells than the header row.
 *
 * @param maxRows How many rows are read.
 * @throws {Unreadable} for a file without a header row that can be read; {AppError} 413.
 */
export const readPreview = async (
  chunks: AsyncIterable<Buffer>,
  format: TableFormat,
  maxRows: number,
): Promise<Preview> => {
  const records: (readonly string[])[] = [];
  let length = 0;
  let more = false;
  let fault: string | null = null;
  try {
    for await (const { texts } of readRecords(chunks, format, 'any', READ_MAX_MS)) {
      length += texts.reduce((sum, text) => sum + text.length, 0);
      more = records.length > maxRows || length > PREVIEW_MAX_LENGTH;
      if (more) break;
      records.push(texts);
    }
  } catch (error) {
    const explained = explain(error);
    if (!(explained instanceof Unreadable) || records.length === 0) throw explained;
    fault = explained.message;
  }
  const [header, ...rows] = records;
  if (header === undefined)
    throw new Unreadable(
      more ? 'has a header row that is too long' : 'is empty; it needs a header row',
      null,
    );
  const read = toColumns(header);
  return { columns: read.columns, rows, more, fault: read.fault ?? fault };
};
