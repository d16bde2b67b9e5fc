/** The columns that a CSV file of codes may have: the fields of a bulk item, with dots before inner fields. */
import { ok, type Result, refused } from '../result.ts';

/** The parts of a JSON schema that decide how a cell is read. */
export interface FieldSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

/** The value of a cell, or what is wrong with its text. */
export type Cell = Result<unknown, string>;

/** One field of an item, and how its cells are read. */
export interface FieldColumn {
  /** As the header row writes it, for example `dotsOptions.color`. */
  readonly name: string;
  /** Where in the item the value belongs. */
  readonly path: readonly string[];
  read(text: string): Cell;
}

/** Names of the column that names the picture's file, in lower case. */
export const FILE_NAMES: ReadonlySet<string> = new Set(['file', 'filename', 'file name', 'file_name']);

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

const READERS: ReadonlyMap<string | undefined, (text: string) => Cell> = new Map([
  ['integer', readNumber],
  ['number', readNumber],
  ['boolean', readBoolean],
  ['object', readJson],
  ['array', readJson],
]);

/** Returns the cell unchanged. */
export const readText = (text: string): Cell => ok(text);

/** Returns all columns of an item, in the order of its schema. */
export const columnsOf = (schema: FieldSchema, path: readonly string[] = []): readonly FieldColumn[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const here = [...path, name];
    const read = READERS.get(child.type) ?? readText;
    return [{ name: here.join('.'), path: here, read }, ...columnsOf(child, here)];
  });
