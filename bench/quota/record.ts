/** What calls cost Redis and Postgres, with the whole ledger and its drain. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { createAccount } from '../../src/db/tables/accounts.ts';
import { SILENT } from '../../src/log.ts';
import { createRedisQuota, type RedisQuota } from '../../src/quota/redis/redis-quota.ts';
import type { Backends } from '../../test/servers/testbed.ts';
import { until } from '../../test/servers/until.ts';
import { treeCpuMs } from '../cpu.ts';
import { quantile } from '../stats.ts';
import { rate } from './incr.ts';

const ACCOUNTS = 20;
const MONTHLY_QUOTA = 1_000_000_000;
const AT_ONCE = 64;
const LAG_EVERY_MS = 50;

/** Costs of one call, in microseconds of processor time. */
export interface Costs {
  readonly redisUs: number;
  readonly postgresUs: number;
}

/** The ledger on its stores, and accounts to use it. */
export interface Bench {
  readonly sql: Sql;
  readonly quota: RedisQuota;
  readonly accountIds: readonly string[];
  readonly backends: Backends;
  readonly keyId: string;
}

/** Opens the ledger. @param sql The stores' database, with the schema. */
export const openBench = async (sql: Sql, backends: Backends): Promise<Bench> => {
  const accountIds: string[] = [];
  for (let i = 0; i < ACCOUNTS; i += 1)
    accountIds.push(
      (await createAccount(sql, { name: 'bench', plan: 'pro', monthlyQuota: MONTHLY_QUOTA })).id,
    );
  const planMonthly = { free: 0, pro: 0 };
  const quota = await createRedisQuota(
    { url: backends.redis.url, sql, planMonthly, reservationTtlMs: 60_000 },
    SILENT,
  );
  for (const id of accountIds) await quota.read(id);
  return { sql, quota, accountIds, backends, keyId: randomUUID() };
};

/** Takes one unit for a picture that is there. */
export const hit = async ({ quota, accountIds, keyId }: Bench, i: number): Promise<void> => {
  const { outcome } = await quota.take({
    accountId: accountIds[i % ACCOUNTS]!,
    use: { keyId, kind: 'image' },
  });
  if (outcome !== 'admitted') throw new Error(outcome);
};

/** Reserves one unit and settles it in the background. */
const miss = async ({ quota, accountIds, keyId }: Bench, i: number): Promise<void> => {
  const id = randomUUID();
  const accountId = accountIds[i % ACCOUNTS]!;
  const { outcome } = await quota.reserve({ id, accountId, units: 1, use: { keyId, kind: 'single' } });
  if (outcome !== 'admitted') throw new Error(outcome);
  quota.settleLater({ id, accountId, refundUnits: 0 });
};

/** Waits until Postgres has every change. */
export const drained = ({ quota }: Bench) =>
  until(() => quota.stats().streamLength + quota.stats().settlesWaiting === 0, {
    deadlineMs: 60_000,
    pauseMs: 20,
  });

/** Calls, as many at once as there are, and returns what each cost the stores, and the lag of the drain meanwhile. */
const costsOf = async (
  bench: Bench,
  run: () => Promise<number>,
): Promise<Costs & { readonly lagP99Ms: number }> => {
  await drained(bench);
  const { redis, postgres } = bench.backends;
  const before = [treeCpuMs(redis.pid), treeCpuMs(postgres.pid)];
  const lagsMs: number[] = [];
  const timer = setInterval(() => lagsMs.push(bench.quota.stats().lagMs), LAG_EVERY_MS);
  const calls = await run();
  clearInterval(timer);
  await sleep(2 * LAG_EVERY_MS);
  await drained(bench);
  const after = [treeCpuMs(redis.pid), treeCpuMs(postgres.pid)];
  const [redisUs, postgresUs] = after.map((ms, i) => ((ms - before[i]!) / calls) * 1000) as [number, number];
  return { redisUs, postgresUs, lagP99Ms: quantile(lagsMs, 0.99) };
};

/** As fast as possible. */
export const atFullLoad = (bench: Bench, kind: 'hit' | 'miss', calls: number) =>
  costsOf(bench, async () => {
    const call = kind === 'hit' ? hit : miss;
    await rate(calls, AT_ONCE, (i) => call(bench, i));
    return calls;
  });

/** At a steady rate: a fiftieth of a second's calls every 20 ms. */
export const atRate = (bench: Bench, perSecond: number, seconds: number) =>
  costsOf(bench, async () => {
    const untilMs = Date.now() + 1000 * seconds;
    const waiting: Promise<void>[] = [];
    let calls = 0;
    for (let turn = 1; Date.now() < untilMs; turn += 1) {
      for (let i = 0; i < perSecond / 50; i += 1) waiting.push(hit(bench, calls++));
      await sleep(Math.max(0, untilMs - 1000 * seconds + 20 * turn - Date.now()));
    }
    await Promise.all(waiting);
    return calls;
  });

/** Bytes of the tables that calls are written to, with their indexes. */
export const recordBytes = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ bytes: number }]>`
    select sum(pg_total_relation_size(name::regclass))::bigint as bytes
    from unnest(array['usage_hours', 'usage_days', 'quota_balances', 'quota_reservations', 'quota_streams']) as name`;
  return row.bytes;
};

/** Bytes that Redis uses, once the last settlements are made. */
export const redisBytes = async (bench: Bench): Promise<number> => {
  await drained(bench);
  await sleep(1500);
  return bench.quota.stats().usedBytes;
};

/** The peer: one row inserted a call, as a simple service would. Bytes and processor time a call. */
export const insertCosts = async (
  { sql, backends }: Pick<Bench, 'sql' | 'backends'>,
  calls: number,
): Promise<{ readonly postgresUs: number; readonly bytes: number }> => {
  await sql`create table peer_calls (id uuid primary key, account_id uuid not null, units int, at timestamptz default now())`;
  const accountId = randomUUID();
  const beforeMs = treeCpuMs(backends.postgres.pid);
  await rate(calls, 8, () => sql`insert into peer_calls values (${randomUUID()}, ${accountId}, 1)`);
  const [row] = await sql<[{ bytes: number }]>`select pg_total_relation_size('peer_calls') as bytes`;
  const usedMs = treeCpuMs(backends.postgres.pid) - beforeMs;
  return { postgresUs: (usedMs / calls) * 1000, bytes: row.bytes / calls };
};
