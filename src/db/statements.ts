/** What statements are written with: types of arrays, patterns, a time limit, and steps at a gentle pace. */
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { PostgresType } from 'postgres';

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** Writes a one-dimensional array as a literal (PostgreSQL documentation, 8.15.6). */
const writeArray = (write: (value: never) => string) => (values: readonly unknown[]) =>
  `{${values.map((value) => (value === null ? 'NULL' : quote(write(value as never)))).join(',')}}`;

const readArray = (read: (text: string) => unknown) => (literal: string) =>
  [...literal.matchAll(/"((?:[^"\\]|\\.)*)"|([^{},]+)/gs)].map(([, quoted, plain]) => {
    if (plain === 'NULL') return null;
    return read(plain ?? quoted?.replaceAll(/\\(.)/gs, '$1') ?? '');
  });

const arrayType = (
  oid: number,
  read: (text: string) => unknown = String,
  write: (value: never) => string = String,
): PostgresType => ({ to: oid, from: [oid], serialize: writeArray(write), parse: readArray(read) });

const readBytes = (text: string) => Buffer.from(text.slice(2), 'hex');
const writeBytes = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`;
const readTime = (text: string) => new Date(text);
const writeTime = (time: Date | string) => (time instanceof Date ? time.toISOString() : time);

/** The type OID for `sql.array` of byte strings, which postgres.js would guess wrong. Source: pg_type. */
export const BYTEA_ARRAY = 1001;
/** The type OID for `sql.array` of times, which postgres.js would guess wrong. Source: pg_type. */
export const TIMESTAMPTZ_ARRAY = 1185;

/**
 * Every array type that our queries use. Their OIDs in pg_type never change. Without them postgres.js queries the
 * server for array types on each new connection, and losing the connection at that moment crashes the process, because
 * nothing handles that query's rejection.
 */
export const ARRAY_TYPES = {
  boolArray: arrayType(1000, (text) => text === 't'),
  byteaArray: arrayType(BYTEA_ARRAY, readBytes, writeBytes),
  int2Array: arrayType(1005, Number),
  int4Array: arrayType(1007, Number),
  textArray: arrayType(1009),
  varcharArray: arrayType(1015),
  int8Array: arrayType(1016, Number),
  float8Array: arrayType(1022, Number),
  dateArray: arrayType(1182, readTime, writeTime),
  timestamptzArray: arrayType(TIMESTAMPTZ_ARRAY, readTime, writeTime),
  uuidArray: arrayType(2951),
  jsonbArray: arrayType(3807, JSON.parse, JSON.stringify),
};

const PAUSE_MAX_MS = 1000;

/**
 * Runs a step of the upkeep, then waits as long as it took, at most a second, so upkeep uses half of one connection.
 */
export const runPaced = async <T>(step: () => Promise<T>): Promise<T> => {
  const startMs = performance.now();
  const done = await step();
  await sleep(Math.min(PAUSE_MAX_MS, performance.now() - startMs), undefined, { ref: false });
  return done;
};

/** Mirrors the SQL function `searchable`: replaces U+0000, which Postgres cannot store, by spaces. */
export const replaceNul = (text: string): string => text.replaceAll('\0', ' ');

/** Returns a pattern of LIKE and ILIKE that matches whatever includes `text`; wildcards in `text` are escaped. */
export const toLikePattern = (text: string): string => `%${replaceNul(text).replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Runs a search in a transaction. A server cancels each statement after `timeoutMs`, which then fails with `isTimeout`.
 * The embedded database has no statement timeout, so a statement must read little.
 */
export const withTimeLimit = <T>(
  sql: postgres.Sql,
  timeoutMs: number,
  run: (tx: postgres.Sql) => Promise<T>,
): Promise<T> =>
  sql.begin(async (tx) => {
    // `search_grams` declares a high cost, so that the planner uses the index. That cost would also trigger JIT
    // compilation, which takes too long. A plan for all texts and accounts would read those of an account one by one.
    await tx`
      select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('jit', 'off', true),
        set_config('plan_cache_mode', 'force_custom_plan', true)`;
    return run(tx as unknown as postgres.Sql);
  }) as Promise<T>;
