/** Groups of scans as entries of the stream. */
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { ScanRow } from '../../db/tables/scans/scans.ts';

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

/** Beyond the first level, ids and visitors, which are random, take no less room. */
const LEVEL = 1;

/** The fields of a row in the order in which an entry has them. */
const FIELDS = [
  'id',
  'slug',
  'kind',
  'visitor',
  'device',
  'os',
  'browser',
  'country',
  'referrerHost',
  'rule',
] as const satisfies readonly (keyof ScanRow)[];

/** Packs a group, in a thread of libuv. A scan takes some 50 bytes. */
export const packScans = (rows: readonly ScanRow[]): Promise<Buffer> =>
  deflate(JSON.stringify(rows.map((row) => [row.at.getTime(), ...FIELDS.map((field) => row[field])])), {
    level: LEVEL,
  });

/** Returns the group of an entry. @throws {Error} When nobody has packed it so. */
export const unpackScans = async (packed: Uint8Array): Promise<readonly ScanRow[]> => {
  const rows = JSON.parse((await inflate(packed)).toString('utf8')) as [atMs: number, ...texts: string[]][];
  return rows.map(
    ([atMs, ...texts]) =>
      ({
        at: new Date(atMs),
        ...Object.fromEntries(FIELDS.map((field, i) => [field, texts[i]])),
      }) as unknown as ScanRow,
  );
};
