/** The columns that a file may have: the fields of a bulk item, with dots before inner fields, and `file`. */
import { ok, type Result, refused } from '../../../../result.ts';
import type { Schema } from './schema.ts';

/** The value of a cell, or what is wrong with its text. */
export type Cell = Result<unknown, string>;

/** A column and how its cells are read. */
export interface Column {
  /** As the header row writes it. */
  readonly name: string;
  /** Path of the field in the item; `null` for the column of file names. */
  readonly path: readonly string[] | null;
  read(text: string): Cell;
}

/** The names of the column of file names; `tessera bulk` accepts the same. */
const FILE_NAMES: ReadonlySet<string> = new Set(['file', 'filename', 'file name', 'file_name']);

const readNumber = (text: string): Cell =>
  /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? ok(Number(text)) : refused('must be a number');

const TRUE: ReadonlySet<string> = new Set(['true', 'yes', '1']);
const FALSE: ReadonlySet<string> = new Set(['false', 'no', '0']);

const readBoolean = (text: string): Cell => {
  const word = text.trim().toLowerCase();
  if (TRUE.has(word)) return ok(true);
  return FALSE.has(word) ? ok(false) : refused('must be true or false');
};

const readJson = (text: string): Cell => {
  try {
    return ok(JSON.parse(text));
  } catch {
    return refused('must be JSON');
  }
};

const readText = (value: string): Cell => ok(value);

const READERS: Readonly<Record<string, (text: string) => Cell>> = {
  integer: readNumber,
  number: readNumber,
  boolean: readBoolean,
  object: readJson,
  array: readJson,
};

/** All columns of an item, by their names in the schema. */
export const columnsOf = (schema: Schema, path: readonly string[] = []): readonly Column[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const here = [...path, name];
    const read = READERS[child.type ?? ''] ?? readText;
    return [{ name: here.join('.'), path: here, read }, ...columnsOf(child, here)];
  });

type Header = Result<readonly Column[], string>;

/** The columns that a header row names, or what is wrong with it. */
export const readHeader = (names: readonly string[], known: readonly Column[]): Header => {
  const trimmed = names.map((name) => name.trim());
  const columns = trimmed.map((name): Column | string => {
    if (FILE_NAMES.has(name.toLowerCase())) return { name: 'file', path: null, read: readText };
    return known.find((column) => column.name === name) ?? name;
  });
  const unknown = columns.find((column) => typeof column === 'string');
  if (unknown !== undefined) return refused(`The header row has an unknown column “${String(unknown)}”.`);
  const found = columns as readonly Column[];
  const twice = found.find((column, index) => found.findIndex(({ name }) => name === column.name) !== index);
  if (twice !== undefined) return refused(`The header row has the column “${twice.name}” twice.`);
  if (!found.some(({ name }) => name === 'data')) return refused('The header row has no column “data”.');
  return ok(found);
};
