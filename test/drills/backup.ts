/** The drill of a backup: dump under load, restore beside an empty Redis, and look at what is there. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { examine } from '../../src/doctor/doctor.ts';
import { until } from '../servers/until.ts';
import { runPostgresProgram } from './database.ts';
import { type Answered, startLoad, unitsBefore } from './load.ts';

type Environment = Readonly<Record<string, string>>;

export interface BackupDrill {
  /** A gateway, with an account's key and its id, that lose nothing before the load begins. */
  readonly url: string;
  readonly key: string;
  readonly accountId: string;
  readonly adminToken: string;
  readonly databaseUrl: string;
  readonly folder: string;
  readonly callers: number;
  /** Load before the dump, and after its beginning. */
  readonly loadMs: number;
  /** Creates an empty database on another server and returns its URL. */
  createDatabase(): Promise<string>;
  /** Starts a gateway on the restored database and an empty Redis. Its reservations live for `TTL_MS`. */
  startRestored(databaseUrl: string): Promise<{ readonly url: string; readonly env: Environment }>;
}

/** What the drill has found. */
export interface BackupVerdict {
  readonly answeredBeforeDump: number;
  /** Units that were answered before the dump began and that the restored record does not have. */
  readonly missing: number;
  /** How long before the dump the first of them was answered. */
  readonly missingMs: number;
  readonly slugs: number;
  readonly dumpMs: number;
  readonly restoreMs: number;
  /** What must not be; empty when all is well. */
  readonly faults: readonly string[];
}

export const TTL_MS = 2000;
/** So that there are links to look at, however slow the machine. */
const BULK_CALLS_MIN = 2;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return Math.round(performance.now() - startedMs);
};

const usageOf = async (url: string, { accountId, adminToken }: BackupDrill): Promise<number> => {
  const headers = { authorization: `Bearer ${adminToken}` };
  const answer = await fetch(`${url}/admin/v1/accounts/${accountId}`, { headers });
  const { usage } = (await answer.json()) as { usage: { usage_count: number } };
  return usage.usage_count;
};

/** Returns the SHA-256 of what a call with the key is answered with. */
const hashOf = async (url: string, key: string): Promise<string> => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
};

/** Returns paths that answer with the same bytes before and after. */
const lastingPaths = async (url: string, key: string): Promise<readonly string[]> => {
  const answer = await fetch(`${url}/api/v1/batches`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await answer.json()) as { data: readonly { id: string; state: string }[] };
  const parts = data.filter(({ state }) => state === 'done').map(({ id }) => `/api/v1/batches/${id}/parts/1`);
  return ['/.well-known/tessera-receipts', ...parts];
};

/** How long before a moment the last calls were answered that make up some units. */
const ageOfMissing = (answered: readonly Answered[], missing: number, ms: number): number => {
  let left = missing;
  for (const { atMs, units } of answered.filter(({ atMs }) => atMs < ms).toReversed()) {
    if (left <= 0) return 0;
    left -= units;
    if (left <= 0) return ms - atMs;
  }
  return 0;
};

/** Returns the slugs that lead nowhere. */
const deadLinks = async (url: string, slugs: readonly string[]): Promise<readonly string[]> => {
  const dead: string[] = [];
  for (const slug of slugs) {
    const { status } = await fetch(`${url}/l/${slug}`, { method: 'HEAD', redirect: 'manual' });
    if (status !== 302) dead.push(slug);
  }
  return dead;
};

const compare = async (
  drill: BackupDrill,
  dump: { url: string; startedMs: number; asked: number },
  restored: string,
  answered: readonly Answered[],
) => {
  const faults: string[] = [];
  const before = answered.filter(({ atMs }) => atMs < dump.startedMs);
  const wanted = unitsBefore(answered, dump.startedMs);
  const used = await usageOf(restored, drill);
  if (used > dump.asked) faults.push(`${used} units are charged, and only ${dump.asked} were asked for`);
  const slugs = before.flatMap((one) => one.slugs);
  const dead = await deadLinks(restored, slugs);
  if (dead.length > 0) faults.push(`${dead.length} short links of ${slugs.length} are gone`);
  for (const path of await lastingPaths(drill.url, drill.key)) {
    const [there, here] = [
      await hashOf(`${drill.url}${path}`, drill.key),
      await hashOf(`${restored}${path}`, drill.key),
    ];
    if (there !== here) faults.push(`${path} is answered otherwise`);
  }
  const headers = { authorization: `Bearer ${drill.key}`, 'content-type': 'application/json' };
  const call = await fetch(`${restored}/api/v1/qr`, { method: 'POST', headers, body: '{"data":"x"}' });
  if (call.status !== 200) faults.push(`the account's key is answered with ${call.status}`);
  const missing = Math.max(0, wanted - used);
  return {
    answeredBeforeDump: wanted,
    missing,
    missingMs: ageOfMissing(answered, missing, dump.startedMs),
    slugs: slugs.length,
    faults,
  };
};

/** Dumps under load, restores, and compares. */
export const drillBackup = async (drill: BackupDrill): Promise<BackupVerdict> => {
  const already = await usageOf(drill.url, drill);
  const load = startLoad([drill.url], drill.key, drill.callers);
  await sleep(drill.loadMs);
  await until(() => load.answered.filter(({ slugs }) => slugs.length > 0).length >= BULK_CALLS_MIN);
  const file = join(drill.folder, 'tessera.dump');
  const startedMs = Date.now();
  const dumpMs = await timed(() =>
    runPostgresProgram('pg_dump', ['--format=custom', `--file=${file}`, drill.databaseUrl]),
  );
  const asked = already + load.asked();
  await sleep(drill.loadMs);
  await load.stop();

  const databaseUrl = await drill.createDatabase();
  const args = ['--exit-on-error', '--no-owner', `--dbname=${databaseUrl}`, file];
  const restoreMs = await timed(() => runPostgresProgram('pg_restore', args));
  const { url, env } = await drill.startRestored(databaseUrl);
  // Units that were open at the moment of the dump go back when their time is over.
  await sleep(TTL_MS);
  await until(async () =>
    (await examine(env)).every(({ check, state }) => check !== 'drain' || state === 'ok'),
  );
  const world: readonly Answered[] = [{ atMs: 0, units: already, slugs: [] }, ...load.answered];
  const { faults, ...figures } = await compare(drill, { url, startedMs, asked }, url, world);
  const troubles = (await examine(env))
    .filter(({ state }) => state !== 'ok')
    .map(({ check, message }) => `doctor: ${check}: ${message}`);
  return { ...figures, dumpMs, restoreMs, faults: [...load.failures, ...faults, ...troubles] };
};
