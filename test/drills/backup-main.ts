/** `npm run drill:backup`: dumps under load, restores beside an empty Redis, and checks the restored data. */
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../bench/say.ts';
import { examine } from '../../src/doctor/doctor.ts';
import { createAccount } from '../servers/account.ts';
import { startRedis } from '../servers/redis.ts';
import { inScope } from '../servers/scope.ts';
import { until } from '../servers/until.ts';
import { commandLine, whole } from '../support/command.ts';
import { runPostgresProgram, startOwned } from './database.ts';
import { ADMIN_TOKEN, environment, startGateway } from './gateways.ts';
import { type Answered, conclude, loadOf, loadOptions, startLoad, unitsBefore } from './load.ts';

const { values } = commandLine({
  name: 'npm run drill:backup',
  about:
    'Dumps a database under load, restores it on a new server beside an empty Redis, and checks the restored data, on its own stores and gateways. Exits with 1 unless doctor finds nothing, everything that was answered a second before the dump (--missing) is there, and no unit is charged twice.',
  options: {
    ...loadOptions('seconds of load before the dump, and again from its start'),
    rows: whole('rows of a batch that is made before the dump', 2000),
    missing: whole('milliseconds of usage before the dump that may be lost', 1000),
  },
  examples: [['--seconds 3 --rows 200', 'a short drill']],
});

const REDIS_ARGS = ['--appendonly', 'yes', '--maxmemory', '256mb', '--maxmemory-policy', 'noeviction'];
const TTL_MS = 2000;
/** Minimum number of bulk calls, so that there are links to check on a slow machine too. */
const BULK_CALLS_MIN = 2;

/** A gateway, and an account's key and id. */
interface Subject {
  readonly url: string;
  readonly key: string;
  readonly id: string;
}

const bytesOf = async (url: string, token: string): Promise<Buffer> => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return Buffer.from(await answer.arrayBuffer());
};
const readJson = async <T>(url: string, token: string): Promise<T> =>
  JSON.parse((await bytesOf(url, token)).toString()) as T;

const makeBatch = async ({ url, key }: Subject, rows: number): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  const lines = Array.from(
    { length: rows },
    (_, i) => `{"data":"https://example.com/${i}","dynamic":true}\n`,
  );
  const sent = await fetch(`${url}/api/v1/batches`, { method: 'POST', headers, body: lines.join('') });
  const { id } = (await sent.json()) as { id: string };
  await until(
    async () => (await readJson<{ state: string }>(`${url}/api/v1/batches/${id}`, key)).state === 'done',
    { pauseMs: 200, deadlineMs: 600_000 },
  );
};

const usageOf = async ({ url, id }: Subject): Promise<number> => {
  const { usage } = await readJson<{ usage: { usage_count: number } }>(
    `${url}/admin/v1/accounts/${id}`,
    ADMIN_TOKEN,
  );
  return usage.usage_count;
};

/** Returns paths that must give the same answer before and after. */
const lastingPaths = async ({ url, key }: Subject): Promise<readonly string[]> => {
  type Batches = { data: readonly { id: string; state: string }[] };
  const { data } = await readJson<Batches>(`${url}/api/v1/batches`, key);
  const parts = data.filter(({ state }) => state === 'done').map(({ id }) => `/api/v1/batches/${id}/parts/1`);
  return ['/.well-known/tessera-receipts', ...parts];
};

/** How long before a moment the oldest of the last calls was answered whose units add up to `units`. */
const ageOfMissing = (answered: readonly Answered[], missing: number, ms: number): number => {
  let left = missing;
  for (const { atMs, units } of answered.filter(({ atMs }) => atMs < ms).toReversed()) {
    if (left <= 0) return 0;
    left -= units;
    if (left <= 0) return ms - atMs;
  }
  return 0;
};

/** Checks the data after a restore. Returns figures and faults. */
const compare = async (
  before: Subject,
  restored: Subject,
  dump: { readonly startedMs: number; readonly asked: number; readonly answered: readonly Answered[] },
) => {
  const faults: string[] = [];
  const answeredBeforeDump = unitsBefore(dump.answered, dump.startedMs);
  const used = await usageOf(restored);
  if (used > dump.asked) faults.push(`${used} units are charged, and only ${dump.asked} were asked for`);
  const slugs = dump.answered.filter(({ atMs }) => atMs < dump.startedMs).flatMap((one) => one.slugs);
  for (const slug of slugs) {
    const { status } = await fetch(`${restored.url}/l/${slug}`, { method: 'HEAD', redirect: 'manual' });
    if (status !== 302) faults.push(`the short link ${slug}, of ${slugs.length}, is gone`);
  }
  const hashOf = async ({ url, key }: Subject, path: string) =>
    createHash('sha256')
      .update(await bytesOf(url + path, key))
      .digest('hex');
  for (const path of await lastingPaths(before))
    if ((await hashOf(before, path)) !== (await hashOf(restored, path)))
      faults.push(`${path} has a different answer`);
  const headers = { authorization: `Bearer ${before.key}`, 'content-type': 'application/json' };
  const call = await fetch(`${restored.url}/api/v1/qr`, { method: 'POST', headers, body: '{"data":"x"}' });
  if (call.status !== 200) faults.push(`a call with the key of the account is answered with ${call.status}`);
  const missing = Math.max(0, answeredBeforeDump - used);
  const missingMs = ageOfMissing(dump.answered, missing, dump.startedMs);
  return { answeredBeforeDump, missing, missingMs, slugs: slugs.length, faults };
};

await inScope(async (scope) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-drill-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  // Postgres runs as another user, who must have access to its folder.
  await chmod(folder, 0o755);
  const redis = await startRedis(scope, { args: REDIS_ARGS });
  const databaseUrl = await startOwned(scope, join(folder, 'server'));
  const { url } = await startGateway(scope, folder, { DATABASE_URL: databaseUrl, REDIS_URL: redis.url });
  const subject = { url, ...(await createAccount(url, ADMIN_TOKEN, 'drill')) };
  await makeBatch(subject, Number(values.rows));

  const { callers, loadMs } = loadOf(values);
  const already = await usageOf(subject);
  const load = startLoad([url], subject.key, callers);
  await sleep(loadMs);
  await until(() => load.answered.filter(({ slugs }) => slugs.length > 0).length >= BULK_CALLS_MIN);
  const file = join(folder, 'tessera.dump');
  const startedMs = Date.now();
  await runPostgresProgram('pg_dump', ['--format=custom', `--file=${file}`, databaseUrl]);
  const dumpMs = Date.now() - startedMs;
  const asked = already + load.asked();
  await sleep(loadMs);
  await load.stop();

  const restoredUrl = await startOwned(scope, join(folder, 'new-server'));
  const restoringMs = Date.now();
  const args = ['--exit-on-error', '--no-owner', `--dbname=${restoredUrl}`, file];
  await runPostgresProgram('pg_restore', args);
  const restoreMs = Date.now() - restoringMs;
  const empty = await startRedis(scope, { args: REDIS_ARGS });
  const stores = { DATABASE_URL: restoredUrl, REDIS_URL: empty.url };
  const env = environment(folder, stores);
  const ttl = { QUOTA_RESERVATION_TTL_MS: String(TTL_MS) };
  const restored = { ...subject, url: (await startGateway(scope, folder, stores, ttl)).url };
  // Units that were reserved at the time of the dump are refunded when their reservations expire.
  await sleep(TTL_MS);
  await until(async () =>
    (await examine(env)).every(({ check, state }) => check !== 'drain' || state === 'ok'),
  );
  const answered = [{ atMs: 0, units: already, slugs: [] }, ...load.answered];
  const { faults, ...figures } = await compare(subject, restored, { startedMs, asked, answered });
  const troubles = (await examine(env))
    .filter(({ state }) => state !== 'ok')
    .map(({ check, message }) => `doctor: ${check}: ${message}`);
  const { missingMs } = figures;
  const late = missingMs > Number(values.missing) ? [`usage of the last ${missingMs} ms is missing`] : [];
  say(JSON.stringify({ ...figures, dumpMs, restoreMs }));
  conclude(
    [...load.failures, ...faults, ...troubles, ...late],
    'Everything that was answered is there, doctor finds nothing, and no unit is charged twice.',
  );
});
