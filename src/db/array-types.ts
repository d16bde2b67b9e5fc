/**
 * Arrays for postgres.js, which otherwise asks the server for their types on each new connection: a connection
 * that is lost at that moment ends the process, because nobody handles that query's rejection.
 */
import type { PostgresType } from 'postgres';

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** One dimension, as PostgreSQL's documentation has it (8.15.6). */
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

/** Type numbers for `sql.array`: of an array of bytes or dates postgres.js would guess the type of one element. */
export const BYTEA_ARRAY = 1001;
export const TIMESTAMPTZ_ARRAY = 1185;

/** By their numbers in pg_type, which never change. */
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
