/** A row of a file as an item of a bulk call, and what is wrong with it. */
import { type FieldColumn, readText } from '../../../csv/columns.ts';
import { FILE } from '../../../csv/match.ts';
import { ok, type Result, refused } from '../../../result.ts';
import { parseUrl, trimUrl } from '../../../texts.ts';
import type { BatchPreview, BulkItem } from '../../api/shapes.ts';
import type { Mapping } from '../batches/send/mapping.ts';
import { type Formats, findFault, type Schema } from './schema.ts';

/** A column and how its cells are read. Its path is `null` for the column of file names. */
export type Column = Omit<FieldColumn, 'path'> & { readonly path: readonly string[] | null };

/** A row as the file has it. */
export interface Row {
  /** Its row in the file, as spreadsheets count. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** A row as an item of a bulk call, with its first error. */
export interface CheckedRow extends Row {
  readonly item: BulkItem;
  /** File name of the picture; `null` when the row names none. */
  readonly file: string | null;
  /** For example `width: must be 50 or more`; `null` when the row is right. */
  readonly fault: string | null;
}

type Fields = Record<string, unknown>;

const place = (item: Fields, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    item[name] = value;
    return;
  }
  const inner = item[name];
  const next = typeof inner === 'object' && inner !== null ? (inner as Fields) : {};
  item[name] = next;
  place(next, rest, value);
};

/** The longest content that the service accepts (section 2.1 of the interface specification). */
const MAX_CHARACTERS = 4296;

const contentFault = ({ data, dynamic }: Fields): string | null => {
  if (typeof data !== 'string' || data.trim() === '') return 'data: must not be empty';
  if ([...data].length > MAX_CHARACTERS) return `data: must have ${MAX_CHARACTERS} characters or fewer`;
  if (dynamic !== true) return null;
  const url = parseUrl(trimUrl(data));
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '';
  return isWeb ? null : 'data: of a dynamic code must be an http or https address';
};

/** An empty cell leaves its field out, except for `data`, which is required. */
const readCells = (columns: readonly Column[], cells: readonly string[]) => {
  const item: Fields = {};
  let file: string | null = null;
  let fault: string | null = null;
  for (const [index, { name, path, read }] of columns.entries()) {
    const text = cells[index] ?? '';
    if (path === null) file = text.trim() || null;
    if (path === null || (text === '' && name !== 'data')) continue;
    const cell = read(text);
    if (cell.ok) place(item, path, cell.value);
    else fault ??= `${name}: ${cell.fault}`;
  }
  return { item, file, fault };
};

/** Returns a function that checks a row against the service's schema of an item. */
export const createRowCheck = (columns: readonly Column[], schema: Schema, formats: Formats) => {
  const schemaFault = (item: Fields): string | null => {
    const fault = findFault(item, schema, formats);
    return fault && `${fault.path}: ${fault.message}`;
  };
  return (row: Row): CheckedRow => {
    const { item, file, fault } = readCells(columns, row.cells);
    const cellCount = `has ${row.cells.length} cells, but the header row has ${columns.length}`;
    const misfit = row.cells.length === columns.length ? null : cellCount;
    return { ...row, item, file, fault: misfit ?? fault ?? contentFault(item) ?? schemaFault(item) };
  };
};

/** Returns the column of a field; `null` when only a batch keeps what is in it. */
const columnOf = (field: string, known: readonly Column[]): Column | null => {
  if (field === FILE) return { name: FILE, path: null, read: readText };
  return known.find(({ name }) => name === field) ?? null;
};

/** The rows of a file, with the columns that are used. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A row with more or fewer cells than the header row keeps a wrong number of cells, so that this is reported. */
const pick = (cells: readonly string[], used: readonly number[], width: number): readonly string[] => [
  ...used.flatMap((at) => (at < cells.length ? [cells[at] ?? ''] : [])),
  ...cells.slice(width),
];

/**
 * Returns the table of a file that is read whole.
 *
 * @param mapping The field of each column.
 * @param known The fields that the page makes codes of.
 * @returns Refused with the names of the columns that only a batch keeps.
 */
export const toTable = (
  { columns, rows, file_rows: fileRows }: Pick<BatchPreview, 'columns' | 'rows' | 'file_rows'>,
  mapping: Mapping,
  known: readonly Column[],
): Result<Table, readonly string[]> => {
  const used = columns.flatMap(({ name }, at) => {
    const field = mapping[at] ?? null;
    return field === null ? [] : [{ at, name, column: columnOf(field, known) }];
  });
  const ofBatches = used.filter(({ column }) => column === null);
  if (ofBatches.length > 0) return refused(ofBatches.map(({ name }) => name));
  const places = used.map(({ at }) => at);
  return ok({
    columns: used.flatMap(({ column }) => (column === null ? [] : [column])),
    rows: rows.map((cells, index) => ({
      number: fileRows[index]!,
      cells: pick(cells, places, columns.length),
    })),
  });
};
