/** Reads the beginning of a file, so that a user can check the column mapping before sending all of it. */
import { type Matched, matchColumns } from '../../csv/match.ts';
import { withFurther } from '../../csv/read.ts';
import type { TableRecord } from '../../csv/records.ts';
import { trimUrl } from '../../texts.ts';
import { type Columns, type ColumnTerms, fieldsOf, headerRules, withValues } from './columns.ts';
import { explain, Unreadable } from './table.ts';

/** A column of a file, and the field that its name matches, or its values suggest; `null`: none. */
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
  /** What is wrong with a cell of each row, as in `TableRecord`. */
  readonly cellFaults: readonly TableRecord['fault'][];
  /** Whether the file has more rows, or ends with one that cannot be read. */
  readonly more: boolean;
  /** Why the columns are ambiguous, or why the file cannot be read past these rows. */
  readonly fault: string | null;
}

/** Total characters of all rows, and a cell's overhead on top of its characters: a million cells take long to write. */
export const PREVIEW_MAX_LENGTH = 8 * 1024 * 1024;
const CELL_LENGTH = 40;

const JUDGED_ROWS = 100;
/** Of the cells that are not empty. A few wrong ones do not make a column another one. */
const ADDRESSES_SHARE = 0.8;

const isAddress = (cell: string): boolean => /^https?:\/\/\S+$/i.test(trimUrl(cell));

/** Returns the only open column that has addresses; -1: there is none, or several. */
const addressesAt = (matched: Matched, rows: Preview['rows']): number => {
  const found = matched.flatMap((field, at) => {
    const cells = rows.slice(0, JUDGED_ROWS).flatMap((row) => row[at]?.trim() || []);
    const count = cells.filter(isAddress).length;
    return field === null && count > 0 && count >= ADDRESSES_SHARE * cells.length ? [at] : [];
  });
  return found.length === 1 ? found[0]! : -1;
};

/** Returns the columns with the fields that they seem to be, and why a batch would refuse them. */
const toColumns = (
  texts: readonly string[],
  rows: Preview['rows'],
  columnsOfRows: Columns,
  { mapping, content }: ColumnTerms,
): Pick<Preview, 'columns' | 'fault'> => {
  const names = texts.map((text) => text.trim());
  const rules = headerRules(content);
  const known = withFurther(withValues(columnsOfRows, content), names, mapping, rules);
  const matching = { fields: fieldsOf(known), mapping, byHand: 'columns' };
  const matched = matchColumns(names, matching);
  const open = matched.ok ? matched : matchColumns(names, { ...matching, leavesOpen: true });
  const seeming = open.ok ? open.value : names.map(() => null);
  const isGuessed = !seeming.includes('data') && !Object.hasOwn(mapping, 'data');
  const at = isGuessed ? addressesAt(seeming, rows) : -1;
  const columns = names.map((name, index) => ({ name, field: index === at ? 'data' : seeming[index]! }));
  return {
    columns,
    fault: matched.ok ? rules.findMissing(matched.value, names, 'columns') : matched.fault,
  };
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
  const cellFaults: TableRecord['fault'][] = [];
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
      cellFaults.push(record.fault);
    }
  } catch (error) {
    const explained = explain(error);
    if (!(explained instanceof Unreadable) || read.length === 0) throw explained;
    fault = explained.message;
    more = true;
  }
  const [header, ...rows] = read;
  if (header === undefined)
    throw new Unreadable(more ? 'has a header row that is too long' : 'is empty; it needs a header row');
  const { columns, fault: ofColumns } = toColumns(header, rows, columnsOfRows, terms);
  const [headerRow = 0, ...fileRows] = places;
  return {
    ...{ columns, rows, headerRow, fileRows, more },
    cellFaults: cellFaults.slice(1),
    fault: ofColumns ?? fault,
  };
};
