import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { SILENT } from '../../src/log.ts';
import { createRedisQuota, type RedisQuota } from '../../src/quota/redis/redis-quota.ts';
import { type Backends, startBackends } from '../../test/servers/testbed.ts';
import { until } from '../../test/servers/until.ts';
import { type Spent, spentMs, usOfEach } from '../cpu.ts';
import { atMost, measured } from '../say.ts';
import { quantile } from '../stats.ts';
import { openOn } from './databases.ts';
import type { Part } from './part.ts';

const ACCOUNTS = 20;
const QUOTA = 1_000_000_000;
const CALLS = 1_000_000;
const RATE_PER_S = 5000;
const RATE_SECONDS = 20;
const TURN_MS = 10;
const AT_ONCE = 64;
const LAG_EVERY_MS = 50;

interface Ledger {
  readonly quota: RedisQuota;
  readonly accountIds: readonly string[];
  readonly backends: Backends;
}

const KEY_ID = randomUUID();

/** Takes one unit for a cached picture. */
const hit = async ({ quota, accountIds }: Ledger, i: number): Promise<void> => {
  const use = { keyId: KEY_ID, kind: 'image' } as const;
  const { outcome } = await quota.take({ accountId: accountIds[i % ACCOUNTS]!, use });
  if (outcome !== 'admitted') throw new Error(outcome);
};

/** Reserves one unit and settles it in the background. */
const miss = async ({ quota, accountIds }: Ledger, i: number): Promise<void> => {
  const reserved = { id: randomUUID(), accountId: accountIds[i % ACCOUNTS]! };
  const use = { keyId: KEY_ID, kind: 'single' } as const;
  const { outcome } = await quota.reserve({ ...reserved, units: 1, use });
  if (outcome !== 'admitted') throw new Error(outcome);
  quota.settleLater({ ...reserved, refundUnits: 0 });
};

/** Waits until every change has reached Postgres. */
const drained = ({ quota }: Ledger) =>
  until(() => quota.stats().streamLength + quota.stats().settlesWaiting === 0);

/** Makes `count` calls, always `AT_ONCE` at a time. */
const callAll = async (count: number, call: (i: number) => Promise<unknown>): Promise<void> => {
  let started = 0;
  const client = async () => {
    while (started < count) await call(started++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
};

/** Makes `count` calls at an even rate. */
const spread = async (count: number, call: (i: number) => Promise<unknown>): Promise<void> => {
  const pending: Promise<unknown>[] = [];
  const beganMs = performance.now();
  while (pending.length < count) {
    const due = Math.min(count, ((performance.now() - beganMs) * RATE_PER_S) / 1000);
    while (pending.length < due) pending.push(call(pending.length));
    await sleep(TURN_MS);
  }
  await Promise.all(pending);
};

/** Returns the average microseconds that one of `calls` calls costs the stores, and the lags of the drain. */
const costOf = async (
  ledger: Ledger,
  calls: number,
  run: () => Promise<unknown>,
): Promise<{ readonly us: Spent; readonly lagP99Ms: number }> => {
  await drained(ledger);
  const before = spentMs(process.pid, ledger.backends);
  const lagsMs: number[] = [];
  const timer = setInterval(() => lagsMs.push(ledger.quota.stats().lagMs), LAG_EVERY_MS);
  await run();
  clearInterval(timer);
  await sleep(2 * LAG_EVERY_MS);
  await drained(ledger);
  const us = usOfEach(before, spentMs(process.pid, ledger.backends), calls);
  return { us, lagP99Ms: quantile(lagsMs, 0.99) };
};

/** Bytes that Redis uses, once the last settlements are made. */
const redisBytes = async (ledger: Ledger): Promise<number> => {
  await drained(ledger);
  await sleep(1500);
  return ledger.quota.stats().usedBytes;
};

/** The cost of the ledger on Redis for its stores. */
export const quota: Part = async (scope, { share }) => {
  const backends = await startBackends(scope);
  const { sql } = await openOn(scope, await backends.postgres.createDatabase('quota'));
  const accountIds: string[] = [];
  for (let i = 0; i < ACCOUNTS; i += 1)
    accountIds.push((await createAccount(sql, { name: `${i}`, plan: 'pro', monthlyQuota: QUOTA })).id);
  const { url } = backends.redis;
  const options = { url, sql, planMonthly: { free: 0, pro: 0 }, reservationTtlMs: 60_000 };
  const ledger = { quota: await createRedisQuota(options, SILENT), accountIds, backends };
  scope.teardown(() => ledger.quota.close());
  const calls = Math.ceil(CALLS * share);

  await callAll(calls / 50, (i) => hit(ledger, i));
  const before = await redisBytes(ledger);
  const hits = await costOf(ledger, calls, () => callAll(calls, (i) => hit(ledger, i)));
  const left = ((await redisBytes(ledger)) - before) / calls;
  const misses = await costOf(ledger, calls / 5, () => callAll(calls / 5, (i) => miss(ledger, i)));
  const few = Math.ceil(RATE_SECONDS * RATE_PER_S * share);
  const steady = await costOf(ledger, few, () => spread(few, (i) => hit(ledger, i)));
  return [
    atMost('Redis: a hit', hits.us.redis, 6, 'us'),
    measured('Redis: a miss', misses.us.redis, 'us'),
    atMost('Redis: memory per finished call', left, 40, 'bytes'),
    atMost(`Postgres: a hit at ${RATE_PER_S} a second`, steady.us.postgres, 2, 'us'),
    measured('Postgres: a hit at full load', hits.us.postgres, 'us'),
    measured('Postgres: a miss at full load', misses.us.postgres, 'us'),
    atMost('drain lag at full load, p99', hits.lagP99Ms, 1000, 'ms'),
  ];
};
