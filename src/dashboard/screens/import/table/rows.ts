/** A row of a file as an item of a bulk call, and what is wrong with it. */
import type { FieldColumn } from '../../../../csv/columns.ts';
import { parseUrl, trimUrl } from '../../../../parse-url.ts';
import type { BulkItem } from '../../../api/shapes.ts';
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
