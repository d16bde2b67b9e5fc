/** The ledgers that the contract is checked against, each on stores of its own. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';
import type { Database } from '../../src/db/database.ts';
import type { Balance, Quota, Reserve, Reserved, Use } from '../../src/quota/quota.ts';
import { type Difference, reconcile } from '../../src/quota/reconcile.ts';
import { createCalls } from '../../src/quota/redis/calls.ts';
import { createDrain } from '../../src/quota/redis/drain.ts';
import { keysFor, SERVER_KEYS } from '../../src/quota/redis/keys.ts';
import { createRedisQuota, type RedisQuota } from '../../src/quota/redis/redis-quota.ts';
import { parseReservation, toAdmitted, toRefused } from '../../src/quota/redis/replies.ts';
import type { QuotaRedis } from '../../src/quota/redis/scripts.ts';
import { connectLedger } from '../../src/quota/redis/scripts.ts';
import { createSqlQuota } from '../../src/quota/sql-quota.ts';
import { whenReady } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import type { TestScope } from '../servers/server-process.ts';
import { until } from '../servers/until.ts';
import { realDatabase } from '../support/database/database.ts';
import { DATABASES } from '../support/database/kinds.ts';
import { silent } from '../support/silent-log.ts';

export const PLANS = { free: 5, pro: 50 };
/** Nothing expires by itself, however slow the machine. */
const TTL_MS = 3_600_000;

export interface Ledger<Q extends Quota = Quota> {
  readonly sql: Database['sql'];
  /** Its calls wait for a busy machine, as `patiently` does. */
  readonly quota: Q;
  /** Makes a reservation that expires after a millisecond. */
  reserveBriefly(request: Reserve): Promise<Reserved>;
  /**
   * Another gateway's ledger on the same stores; closed with the test. It waits as `quota` does, unless that is what a
   * test is about.
   */
  open(options?: { reservationTtlMs?: number; waits?: boolean }): Promise<Q>;
  /** Shifts stored times by this many months, so that the account's activity lies in the past or the future. */
  shiftMonths(accountId: string, months: number): Promise<void>;
  /** Deletes what can be restored from Postgres; returns whether there was anything of that kind. */
  forget(): Promise<boolean>;
  /** Resolves when everything so far is recorded in Postgres. */
  drained(): Promise<void>;
  /** Where the stores disagree. */
  differences(): Promise<readonly Difference[]>;
}

const shiftPostgres = async (sql: Database['sql'], accountId: string, months: number): Promise<void> => {
  const by = `${months} months`;
  await sql`update quota_balances set period = period + ${by}::interval where account_id = ${accountId}`;
  await sql`
    update quota_reservations set period = period + ${by}::interval,
      answer = jsonb_set(answer, '{balance,period}', to_jsonb((period + ${by}::interval)::date))
    where account_id = ${accountId}`;
  // In two steps, by way of another century, so that moved hours do not collide with those not yet moved.
  await sql`update usage_hours set hour = hour - interval '100 years' where account_id = ${accountId}`;
  await sql`
    update usage_hours set hour = hour + interval '100 years' + ${by}::interval where account_id = ${accountId}`;
  await sql`update quota_holds set period = period + ${by}::interval where account_id = ${accountId}`;
};

/** Repeats the call while a busy machine does not bring the account to Redis in time. It changed nothing by then. */
export const patiently = async <T>(call: () => Promise<T>): Promise<T> => {
  let result: { readonly value: T } | null = null;
  await until(async () => {
    result = await call().then(
      (value) => ({ value }),
      (error: { code?: string }) => {
        if (error.code !== 'LEDGER_UNAVAILABLE') throw error;
        return null;
      },
    );
    return result !== null;
  });
  return (result as unknown as { readonly value: T }).value;
};

const patientQuota = <Q extends Quota>(quota: Q): Q => ({
  ...quota,
  reserve: (request) => patiently(() => quota.reserve(request)),
  take: (request) => patiently(() => quota.take(request)),
  settle: (request) => patiently(() => quota.settle(request)),
  hold: (request) => patiently(() => quota.hold(request)),
  release: (request) => patiently(() => quota.release(request)),
  read: (accountId) => patiently(() => quota.read(accountId)),
  // Of an account that is not in Redis in time, credits are recorded and come later.
  addCredits: async (grant) => {
    await patiently(() => quota.read(grant.accountId));
    return quota.addCredits(grant);
  },
});

export const sqlLedger = async (scope: TestScope, database: Database): Promise<Ledger> => {
  const { sql } = database;
  const open = async ({ reservationTtlMs = TTL_MS } = {}) => {
    const quota = createSqlQuota({ sql, planMonthly: PLANS, reservationTtlMs }, silent);
    scope.teardown(() => quota.close());
    return quota;
  };
  const brief = await open({ reservationTtlMs: 1 });
  return {
    sql,
    quota: await open(),
    reserveBriefly: brief.reserve,
    open,
    shiftMonths: (accountId, months) => shiftPostgres(sql, accountId, months),
    forget: async () => false,
    drained: async () => {},
    differences: async () => (await reconcile(sql, null)).differences,
  };
};

/** Does what `shiftPostgres` does to the keys that `lua/ledger.lua` describes. */
const shiftRedis = async (redis: QuotaRedis, accountId: string, months: number): Promise<void> => {
  const shift = (ms: number) => {
    const end = new Date(ms);
    return Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + months, 1);
  };
  const account = SERVER_KEYS.account(accountId);
  const ends = await redis.hget(account, 'ends');
  if (ends !== null) await redis.hset(account, 'ends', shift(Number(ends)));
  const open = SERVER_KEYS.open(SERVER_KEYS.shardOf(accountId));
  for (const [id, record] of Object.entries(await redis.hgetall(open))) {
    const parts = record.split('|');
    if (parts[0] !== `o${accountId}`) continue;
    for (const at of [3, 6]) parts[at] = new Date(shift(Date.parse(parts[at]!))).toISOString().slice(0, 10);
    await redis.hset(open, id, parts.join('|'));
  }
};

export interface LedgerOnRedis extends Ledger<RedisQuota> {
  /** A client of the same Redis. */
  readonly redis: QuotaRedis;
}

export interface RedisLedger extends LedgerOnRedis {
  readonly server: TestRedis;
}

const streamLength = async (redis: QuotaRedis): Promise<number> => {
  const lengths = await Promise.all(
    Array.from({ length: keysFor(redis).shards }, (_, shard) => redis.xlen(keysFor(redis).stream(shard))),
  );
  return lengths.reduce((sum, length) => sum + length, 0);
};

export const ledgerAt = async (
  scope: TestScope,
  url: string,
  more: { readonly database?: Database; readonly reservationTtlMs?: number } = {},
): Promise<LedgerOnRedis> => {
  const { sql } = more.database ?? (await realDatabase(scope));
  const redis = connectLedger(parseRedisUrl(url), 5000, silent);
  scope.teardown(() => redis.disconnect());
  await whenReady(redis, 5000);
  const open = async ({ reservationTtlMs = more.reservationTtlMs ?? TTL_MS, waits = true } = {}) => {
    const quota = await createRedisQuota({ url, sql, planMonthly: PLANS, reservationTtlMs }, silent);
    scope.teardown(() => quota.close());
    return waits ? patientQuota(quota) : quota;
  };
  const quota = await open();
  const drain = createDrain(redis, sql, silent);
  // Without a gateway, whose time to live would also apply to the accounts that it seeds in Redis.
  const briefly = createCalls(redis, {
    planMonthly: PLANS,
    reservationTtlMs: 1,
    keepAnswerMs: 60_000,
    onRun: () => {},
  });
  const drained = async () => {
    await until(async () => (await drain.round()) === 'idle' && (await streamLength(redis)) === 0, {
      deadlineMs: 60_000,
      pauseMs: 1,
    });
  };
  return {
    sql,
    quota,
    async reserveBriefly(request) {
      await quota.read(request.accountId);
      const text = await briefly.reserve(request);
      const reservation = parseReservation(text);
      return reservation ? toAdmitted(reservation) : toRefused(text);
    },
    open,
    redis,
    drained,
    async shiftMonths(accountId, months) {
      await drained();
      await shiftRedis(redis, accountId, months);
      await shiftPostgres(sql, accountId, months);
    },
    async forget() {
      await drained();
      await redis.flushdb();
      return true;
    },
    differences: async () => (await quota.reconcile()).differences,
  };
};

/** @param args Arguments of a server that the test stops or kills. */
export const redisLedger = async (scope: TestScope, args?: readonly string[]): Promise<RedisLedger> => {
  const server = await startRedis(scope, args === undefined ? {} : { args });
  return { ...(await ledgerAt(scope, server.url)), server };
};

/** Each creates its stores when it is called. */
export const LEDGERS: Readonly<Record<string, (scope: TestScope) => Promise<Ledger>>> = {
  ...Object.fromEntries(
    Object.entries(DATABASES).map(([kind, open]) => [
      `SQL on ${kind}`,
      async (scope: TestScope) => sqlLedger(scope, await open(scope)),
    ]),
  ),
  Redis: redisLedger,
};

/** The use for which these tests take units. */
export const USE: Use = { keyId: randomUUID(), kind: 'single' };

export const newAccount = async (
  sql: Database['sql'],
  monthlyQuota: number | null = null,
  plan: 'free' | 'pro' = 'free',
): Promise<string> => {
  const [row] = await sql<[{ id: string }]>`
    insert into accounts (name, plan, monthly_quota) values ('test', ${plan}, ${monthlyQuota}) returning id`;
  return row.id;
};

/** A key of an account. @param makers The keys that made it, the nearest first. */
export const newKey = async (
  sql: Database['sql'],
  accountId: string,
  makers: readonly string[] = [],
): Promise<string> => {
  const id = randomUUID();
  await sql`
    insert into api_keys (id, account_id, name, prefix, hash, scopes, makers)
    values (${id}, ${accountId}, 'test', 'tsr_test', sha256(${id}::text::bytea), '{manage}', ${makers as string[]}::uuid[])`;
  return id;
};

/** An account in the same shard of Redis as the other one. */
export const newNeighbour = async (
  sql: Database['sql'],
  accountId: string,
  monthlyQuota: number,
): Promise<string> => {
  const id = accountId.slice(0, 8) + randomUUID().slice(8);
  await sql`insert into accounts (id, name, plan, monthly_quota) values (${id}, 'test', 'free', ${monthlyQuota})`;
  return id;
};

export const reserve = (quota: Quota, accountId: string, units: number, id: string = randomUUID()) =>
  quota.reserve({ id, accountId, units, use: USE });

/** Reserves units that must be available; returns the reservation's id and the answer. */
export const take = async (quota: Quota, accountId: string, units: number) => {
  const id = randomUUID();
  const answer = await patiently(() => reserve(quota, accountId, units, id));
  if (answer.outcome !== 'admitted') throw new Error(`the reservation was ${answer.outcome}`);
  return { id, ...answer };
};

/** Repeats the check until it holds; fails after twenty seconds. */
export const eventually = async (t: Test, message: string, holds: () => Promise<boolean>): Promise<void> => {
  await until(holds);
  t.pass(message);
};

/** Waits until the account has these figures in its balance. */
export const balanceBecomes = async (
  t: Test,
  quota: Pick<Quota, 'read'>,
  accountId: string,
  wanted: Partial<Balance>,
): Promise<void> =>
  eventually(t, `the balance becomes ${JSON.stringify(wanted)}`, async () => {
    const balance = await quota.read(accountId).catch(() => null);
    return balance !== null && isDeepStrictEqual({ ...balance, ...wanted }, balance);
  });

/** Checks that the stores agree when everything is recorded. */
export const agrees = async (t: Test, ledger: Pick<Ledger, 'drained' | 'differences'>): Promise<void> => {
  await ledger.drained();
  t.strictSame(await ledger.differences(), []);
};
