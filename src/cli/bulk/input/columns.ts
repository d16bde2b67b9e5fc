/** The columns that a CSV file may have: the fields of a bulk item, with dots before inner fields. */

import { BulkItem } from '../../../generate/request/request.ts';
import { ok, type Result, refused } from '../../../result.ts';

/** The parts of a JSON schema that decide how a cell is read. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The value of a cell, or what is wrong with its text. */
export type Cell = Result<unknown, string>;

/** One field of a bulk item. */
export interface Column {
  /** Where in the item the value belongs. */
  readonly path: readonly string[];
  read(text: string): Cell;
}

const readNumber = (text: string): Cell =>
  /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? ok(Number(text)) : refused('must be a number');

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

const readBoolean = (text: string): Cell => {
  const value = BOOLEANS[text.trim().toLowerCase()];
  return value === undefined ? refused('must be true or false') : ok(value);
};

const readJson = (text: string): Cell => {
  try {
    return ok(JSON.parse(text));
  } catch {
    return refused('must be JSON');
  }
};

const READERS: Readonly<Record<string, (text: string) => Cell>> = {
  integer: readNumber,
  number: readNumber,
  boolean: readBoolean,
  object: readJson,
  array: readJson,
};

const childrenOf = ({ properties = {} }: Schema): readonly [string, Schema][] => Object.entries(properties);

const walk = (schema: Schema, path: readonly string[]): [string, Column][] =>
  childrenOf(schema).flatMap(([name, child]) => {
    const here = [...path, name];
    const read = READERS[child.type ?? ''] ?? ((value: string): Cell => ok(value));
    return [[here.join('.'), { path: here, read }], ...walk(child, here)] as [string, Column][];
  });

/** All columns by their name in the header row, for example `dotsOptions.color`. */
export const COLUMNS: ReadonlyMap<string, Column> = new Map(walk(BulkItem as Schema, []));

/** Sets a value at a path in an item. Makes the objects on the way. */
export const place = (item: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  const [name, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    item[name] = value;
    return;
  }
  const inner = item[name];
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  item[name] = next;
  place(next, rest, value);
};
