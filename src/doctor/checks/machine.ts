/** Checks this machine: its version of Node.js, its disks, and its clock, beside those of the stores. */
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Inspected } from '../../db/inspect.ts';
import { type RedisClient, serversOf } from '../../redis/client.ts';
import { type Finding, faultsOr, findingsOf, formatBytes } from '../finding.ts';
import { openBucket } from '../stores.ts';

const ofNode = findingsOf('node');
const ofDisk = findingsOf('disk');
const ofClocks = findingsOf('clocks');

const OLDEST = [20, 15] as const;
const NEWEST_MAJOR = 26;

/** Judges a version of Node.js, such as 24.9.0. */
export const checkNode = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (isOld) return ofNode.fail(`Node.js ${version} is too old: install 24.`);
  if (major > NEWEST_MAJOR)
    return ofNode.warn(`Node.js ${version} is newer than the tested versions: install 24.`);
  return ofNode.ok(`Node.js ${version}.`);
};

/** Below this multiple of `DISK_FREE_MIN_BYTES` there is a warning. */
const SOON = 10;

/** Returns the folder, or the nearest one above it that exists. */
const nearest = async (folder: string): Promise<string> => {
  try {
    await access(folder);
    return folder;
  } catch {
    return dirname(folder) === folder ? folder : nearest(dirname(folder));
  }
};

const checkFolder = async (name: string, folder: string, minBytes: number): Promise<Finding> => {
  const existing = await nearest(folder);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch {
    return ofDisk.fail(
      `${name}: this user may not write in ${existing}: run this as the gateway's user, or change its owner.`,
    );
  }
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const left = `The disk of ${name} has ${formatBytes(free)} left`;
  if (free < minBytes)
    return ofDisk.fail(
      `${left}, fewer than DISK_FREE_MIN_BYTES (${formatBytes(minBytes)}): free or add space.`,
    );
  return free < SOON * minBytes ? ofDisk.warn(`${left}: free or add space soon.`) : ofDisk.ok(`${left}.`);
};

const checkBucket = async (place: Parameters<typeof openBucket>[0]): Promise<Finding> => {
  const bucket = await openBucket(place);
  return bucket.check().then(
    () => ofDisk.ok('The bucket of BATCH_STORE can be listed.'),
    (error: Error) =>
      ofDisk.fail(`The bucket of BATCH_STORE cannot be listed (${error.message}): batches wait for it.`),
  );
};

/** Checks the places on this machine, or in a bucket, where data are stored. */
export const checkDisk = async ({
  databaseUrl,
  dataDir,
  batches,
  diskFreeMinBytes,
}: Config): Promise<readonly Finding[]> => {
  const { store } = batches;
  const ofStore =
    'folder' in store ? checkFolder('BATCH_STORE', store.folder, diskFreeMinBytes) : checkBucket(store);
  const ofData = databaseUrl === null ? [checkFolder('DATA_DIR', dataDir, diskFreeMinBytes)] : [];
  return Promise.all([...ofData, ofStore]);
};

const WARN_MS = 1000;
const FAIL_MS = 60_000;

/** How far a clock is ahead of this machine's, minus what latency may explain. */
export interface ClockGap {
  readonly whose: string;
  readonly aheadMs: number;
}

/** Judges clocks. Units, months and time limits go by those of Redis and Postgres. */
export const judgeClocks = (gaps: readonly ClockGap[]): readonly Finding[] =>
  faultsOr(
    gaps.map(({ whose, aheadMs }) => {
      const off = Math.abs(aheadMs);
      if (off <= WARN_MS) return null;
      const side = aheadMs > 0 ? 'ahead of' : 'behind';
      const told = `The clock of ${whose} is ${(off / 1000).toFixed(1)} s ${side} this machine's: let NTP set both.`;
      return off > FAIL_MS ? ofClocks.fail(told) : ofClocks.warn(told);
    }),
    ofClocks.ok(
      `The clocks of this machine${gaps.map(({ whose }) => `, ${whose}`).join('')} agree within a second.`,
    ),
  );

/** Asks a clock, which answers in milliseconds since 1970. */
const gapOf = async (whose: string, ask: () => Promise<number>): Promise<ClockGap> => {
  const beforeMs = Date.now();
  const thereMs = await ask();
  const afterMs = Date.now();
  if (thereMs > afterMs) return { whose, aheadMs: thereMs - afterMs };
  return { whose, aheadMs: Math.min(0, thereMs - beforeMs) };
};

/** Compares the clocks of the stores with this machine's. */
export const checkClocks = async (
  database: Inspected | null,
  redis: RedisClient | null,
): Promise<readonly Finding[]> => {
  const gaps: ClockGap[] = [];
  if (database !== null && !database.embedded) {
    const { sql } = database;
    gaps.push(
      await gapOf('Postgres', async () => {
        const [row] = await sql<[{ ms: number }]>`
          select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms`;
        return row.ms;
      }),
    );
  }
  for (const server of redis === null ? [] : serversOf(redis)) {
    gaps.push(
      await gapOf('Redis', async () => {
        const [seconds, micros] = (await server.time()) as unknown as [number | string, number | string];
        return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      }),
    );
  }
  return judgeClocks(gaps);
};
