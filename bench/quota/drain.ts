/** What draining costs Postgres, with a long record and without one. */
import type { Sql } from 'postgres';
import { openDatabase } from '../../src/db/database.ts';
import { SILENT } from '../../src/log.ts';
import { createDrain, type Drain } from '../../src/quota/redis/drain/drain.ts';
import { connectLedger } from '../../src/quota/redis/scripts.ts';
import { whenReady } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { startRedis } from '../../test/servers/redis.ts';
import type { Scope } from '../../test/servers/scope.ts';
import type { Backends } from '../../test/servers/testbed.ts';
import { treeCpuMs } from '../cpu.ts';
import { median } from '../stats.ts';
import { rate } from './incr.ts';
import { type Bench, drained, hit, openBench } from './record.ts';

const CALLS = 1000;
const AT_ONCE = 64;
const ROUNDS = 60;

/** Opens a second ledger, with a Redis and a database of its own on the same Postgres. */
const openSecond = async (scope: Scope, backends: Backends): Promise<Bench> => {
  const url = await backends.postgres.createDatabase('record');
  const database = await openDatabase({ url, dataDir: '' }, SILENT);
  scope.teardown(() => database.close());
  const bench = await openBench(database.sql, { ...backends, redis: await startRedis(scope, { args: [] }) });
  scope.teardown(() => bench.quota.close());
  return bench;
};

/** Adds rows as of other accounts: an hour after the other, for each of a thousand accounts. */
const fillRecord = async (sql: Sql, rows: number): Promise<void> => {
  await sql`insert into accounts (name, plan) select 'filler', 'pro' from generate_series(1, 1000)`;
  // The clean-up of what is filled in would count as the drain's.
  await sql`alter table usage_hours set (autovacuum_enabled = off)`;
  for (let hour = 1; hour <= rows / 1000; hour += 1)
    await sql`
      insert into usage_hours (account_id, hour, key_id, kind, calls, monthly)
      select id, date_trunc('hour', now(), 'UTC') - ${hour} * interval '1 hour', gen_random_uuid(), 'image', 50, 50
      from accounts where name = 'filler'`;
  await sql`checkpoint`;
};

/** A drain of the ledger's Redis beside its own, which waits for its next turn. */
const openDrain = async (scope: Scope, { backends, sql }: Bench): Promise<Drain> => {
  const redis = connectLedger(parseRedisUrl(backends.redis.url), 10_000, SILENT);
  scope.teardown(() => redis.disconnect());
  await whenReady(redis, 10_000);
  return createDrain(redis, sql, SILENT);
};

/** Milliseconds of Postgres to drain a thousand calls, by processor time. */
const drainMs = async (bench: Bench, drain: Drain): Promise<number> => {
  await drained(bench);
  await rate(CALLS, AT_ONCE, (i) => hit(bench, i));
  const beforeMs = treeCpuMs(bench.backends.postgres.pid);
  while ((await drain.round()) === 'more');
  await drained(bench);
  return treeCpuMs(bench.backends.postgres.pid) - beforeMs;
};

/**
 * Compares the cost of a drain with that of one whose record has so many rows more. The rounds of the two alternate, as
 * the same drain costs up to a quarter more a minute later.
 */
export const compareDrains = async (scope: Scope, bench: Bench, rows: number): Promise<number> => {
  const second = await openSecond(scope, bench.backends);
  await fillRecord(second.sql, rows);
  const firstDrain = await openDrain(scope, bench);
  const secondDrain = await openDrain(scope, second);
  const emptyMs: number[] = [];
  const fullMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    emptyMs.push(await drainMs(bench, firstDrain));
    fullMs.push(await drainMs(second, secondDrain));
  }
  return median(fullMs) / median(emptyMs);
};
