/** The columns that a CSV file of codes may have: the fields of a bulk item, with dots before inner fields. */
import { ok, type Result, refused } from '../result.ts';
import { truthOf } from './booleans.ts';

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

const readNumber = (text: string): Cell =>
  /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? ok(Number(text)) : refused('must be a number');

const readBoolean = (text: string): Cell => {
  const truth = truthOf(text);
  return truth === null ? refused('must be true or false') : ok(truth);
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
