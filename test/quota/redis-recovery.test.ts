import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { usageHistory } from '../../src/db/tables/accounts/usage.ts';
import type { Use } from '../../src/quota/quota.ts';
import { reconcile } from '../../src/quota/reconcile.ts';
import { createCalls } from '../../src/quota/redis/calls.ts';
import { createDrain } from '../../src/quota/redis/drain.ts';
import { SERVER_KEYS as KEYS } from '../../src/quota/redis/keys.ts';
import { parseReservation } from '../../src/quota/redis/replies.ts';
import type { QuotaRedis } from '../../src/quota/redis/scripts.ts';
import { startRedis } from '../servers/redis.ts';
import { until } from '../servers/until.ts';
import { realServer } from '../support/database/database.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { silent } from '../support/silent-log.ts';
import {
  agrees,
  balanceBecomes,
  eventually,
  ledgerAt,
  newAccount,
  PLANS,
  type RedisLedger,
  redisLedger,
  reserve,
  take,
} from './ledgers.ts';

/** The number of recorded calls of the account. */
const callCount = async ({ sql }: RedisLedger, accountId: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(calls), 0)::int as count from usage_hours where account_id = ${accountId}`;
  return row.count;
};

/** The account's history of this month, by kind of call. */
const historyOf = ({ sql }: Pick<RedisLedger, 'sql'>, accountId: string) =>
  usageHistory(sql, {
    accountId,
    group: 'kind',
    limit: 10,
    from: new Date(Date.now() - 31 * 86_400_000),
    to: new Date(Date.now() + 86_400_000),
    interval: 'month',
  });

const STREAM = KEYS.stream(0);

/** Everything in Redis, to be restored later: the state of a replica that lagged behind. */
const snapshot = async (redis: QuotaRedis): Promise<() => Promise<void>> => {
  const keys = await redis.keys('*');
  const values = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  return async () => {
    await redis.flushall();
    await Promise.all(keys.map((key, i) => redis.restore(key, 0, values[i]!)));
  };
};

t.test('draining', async (t) => {
  const ledger = await redisLedger(t);
  const { quota, redis, sql } = ledger;

  t.test('a gateway killed between commit and deletion of entries counts nothing twice', async (t) => {
    const accountId = await newAccount(sql, 100);
    let deaths = 0;
    const dying = new Proxy(redis, {
      get: (target, name: keyof QuotaRedis) => {
        if (name !== 'xtrim')
          return (...args: never[]) => (target[name] as (...all: never[]) => unknown)(...args);
        return () => {
          deaths += 1;
          return Promise.reject(new Error('killed'));
        };
      },
    });
    const drain = createDrain(dying, sql, silent);
    for (let i = 0; i < 20; i += 1) {
      await take(quota, accountId, 1);
      await drain.round().catch(() => undefined);
    }
    await ledger.drained();
    t.ok(deaths > 0, `${deaths} kills`);
    t.equal(await callCount(ledger, accountId), 20);
    t.strictSame(await ledger.differences(), []);
  });

  t.test('entries that are delivered again after they were deleted are skipped', async (t) => {
    const accountId = await newAccount(sql, 100);
    await take(quota, accountId, 7);
    const entries = await redis.xrange(STREAM, '-', '+');
    await ledger.drained();
    await redis.del(STREAM);
    for (const [id, fields] of entries) await redis.xadd(STREAM, id, ...fields);
    await take(quota, accountId, 1);
    await ledger.drained();
    t.equal(await callCount(ledger, accountId), 2);
    t.strictSame(await ledger.differences(), []);
    t.equal(await redis.xlen(STREAM), 0, 'they are deleted again');
  });

  t.test('entries that a killed gateway read and did not commit are read again', async (t) => {
    const accountId = await newAccount(sql, 100);
    const drain = createDrain(redis, sql, silent);
    await take(quota, accountId, 1);
    const killed = sql.begin(async (tx) => {
      const { positions } = await drain.catchUp(tx, await drain.lock(tx, [0]));
      t.ok(positions[0]!.ms > 0);
      throw new Error('killed');
    });
    await t.rejects(killed, { message: 'killed' });
    await ledger.drained();
    t.equal(await callCount(ledger, accountId), 1);
    t.strictSame(await ledger.differences(), []);
  });

  t.test('an account that is seeded again in the middle of a stream keeps every unit', async (t) => {
    const accountId = await newAccount(sql, 100);
    await take(quota, accountId, 3);
    const before = await redis.hget(KEYS.account(accountId), 'epoch');
    // Seeding drains the existing entries; those after it belong to the next epoch.
    await redis.del(KEYS.account(accountId));
    const { id } = await take(quota, accountId, 4);
    t.not(await redis.hget(KEYS.account(accountId), 'epoch'), before);
    const keptMs = await redis.pttl(KEYS.account(accountId));
    t.ok(keptMs > 30 * 86_400_000 && keptMs < 63 * 86_400_000, 'it is kept a month beyond its period');
    await quota.settle({ id, accountId, refundUnits: 1 });
    await ledger.drained();
    t.match(await quota.read(accountId), { monthlyUsed: 6 });
    t.equal(await callCount(ledger, accountId), 2);
    t.strictSame(await ledger.differences(), []);
  });

  t.test('new entries come after the saved position, even if the clock of Redis is behind', async (t) => {
    const accountId = await newAccount(sql, 100);
    await take(quota, accountId, 1);
    await ledger.forget();
    // So little that the next month has seldom begun by then.
    const aheadMs = Date.now() + 10_000;
    await sql`update quota_streams set ms = ${aheadMs}, seq = 5 where shard = 0`;
    await take(quota, accountId, 2);
    await eventually(t, 'the entries are recorded', async () => (await callCount(ledger, accountId)) === 2);
    await agrees(t, ledger);
    await ledger.forget();
    await sql`update quota_streams set ms = 0, seq = 0`;
  });

  t.test('parallel drains share the work and record everything once', async (t) => {
    const accountIds = await Promise.all(Array.from({ length: 40 }, () => newAccount(sql, 1000)));
    const drains = Array.from({ length: 4 }, () => createDrain(redis, sql, silent));
    let busy = true;
    const draining = drains.map(async (drain) => {
      while (busy) await drain.round();
    });
    for (let i = 0; i < 12; i += 1) {
      const taken = await Promise.all(
        accountIds.map(async (accountId) => ({ accountId, ...(await take(quota, accountId, 3)) })),
      );
      for (const { accountId, id } of taken) quota.settleLater({ id, accountId, refundUnits: i % 3 });
    }
    busy = false;
    await Promise.all(draining);
    await eventually(t, 'all settles are recorded', async () => {
      await ledger.drained();
      const [row] = await sql<[{ calls: number; open: number }]>`
        select (select sum(calls) from usage_hours where account_id = any (${accountIds}::uuid[]))::int as calls,
          (select sum(open_monthly) from quota_balances where account_id = any (${accountIds}::uuid[]))::int as open`;
      return row.calls === accountIds.length * 12 && row.open === 0;
    });
    t.strictSame(await ledger.differences(), []);
    t.equal(quota.stats().reseeded, 0);
  });

  t.test('a malformed entry is skipped', async (t) => {
    const accountId = await newAccount(sql, 100);
    await take(quota, accountId, 1);
    await redis.xadd(STREAM, '*', 'e', 'r|x');
    for (const text of ['', 'o', 'b', `epoch--1;`, 'epoch--1;z', 'epoch--1|2026-11-01|1;u', '\u0000'])
      await redis.xadd(STREAM, '*', accountId, text, 'no-id', 'epoch--1');
    await take(quota, accountId, 1);
    await ledger.drained();
    t.equal(await callCount(ledger, accountId), 2);
    t.strictSame(await ledger.differences(), []);
  });

  t.test('the stream is soon empty, and the lag is reported', async (t) => {
    await take(quota, await newAccount(sql, 100), 1);
    await eventually(t, 'the stream is empty', async () => {
      const { lagMs, streamLength } = quota.stats();
      return lagMs === 0 && streamLength === 0;
    });
    t.strictSame(Object.keys(quota.stats()).sort(), [
      'lagMs',
      'lookedThrough',
      'lostShards',
      'maxBytes',
      'reseeded',
      'settlesDropped',
      'settlesWaiting',
      'streamLength',
      'usedBytes',
    ]);
  });
});

t.test('losing Redis', async (t) => {
  const ledger = await redisLedger(t);
  const { quota, redis, sql } = ledger;

  t.test('an emptied Redis gets its counters from Postgres before the first call is answered', async (t) => {
    const accountId = await newAccount(sql, 3);
    await quota.addCredits({ accountId, amount: 2, reference: null });
    await take(quota, accountId, 4);
    const before = await quota.read(accountId);
    await ledger.forget();
    t.strictSame(await quota.read(accountId), before);
    t.match(await reserve(quota, accountId, 2), { outcome: 'exhausted' });
    await ledger.forget();
    const many = await Promise.all(Array.from({ length: 20 }, () => reserve(quota, accountId, 1)));
    t.equal(many.filter(({ outcome }) => outcome === 'admitted').length, 1);
    t.strictSame(await ledger.differences(), []);
  });

  t.test("units not drained are lost in the customer's favour, and then the stores agree", async (t) => {
    const accountId = await newAccount(sql, 100);
    await take(quota, accountId, 10);
    await ledger.drained();
    await Promise.all(Array.from({ length: 30 }, () => take(quota, accountId, 1)));
    await redis.flushall();
    const { monthlyUsed } = await quota.read(accountId);
    t.ok(monthlyUsed >= 10 && monthlyUsed <= 40, `${monthlyUsed} of 40 units are known`);
    await take(quota, accountId, 1);
    await ledger.drained();
    t.match(await quota.read(accountId), { monthlyUsed: monthlyUsed + 1 });
    t.strictSame(await ledger.differences(), []);
  });

  t.test('an outdated replica is detected by the next call and corrected from Postgres', async (t) => {
    const accountId = await newAccount(sql, 100);
    const { id } = await take(quota, accountId, 10);
    await ledger.drained();
    const restore = await snapshot(redis);
    await take(quota, accountId, 20);
    await quota.settle({ id, accountId, refundUnits: 2 });
    await ledger.drained();
    await restore();
    t.match(await quota.read(accountId), { monthlyUsed: 10 }, 'Redis is outdated');
    await take(quota, accountId, 5);
    await balanceBecomes(t, quota, accountId, { monthlyUsed: 33 });
    t.match(await quota.settle({ id, accountId, refundUnits: 10 }), { balance: { monthlyUsed: 33 } });
    await agrees(t, ledger);
    t.equal((await sql`select from quota_corrections where account_id = ${accountId}`).length, 1);
  });

  t.test('credits that were spent twice are forgiven by a correction, and never negative', async (t) => {
    const accountId = await newAccount(sql, 0);
    await quota.addCredits({ accountId, amount: 5, reference: null });
    await ledger.drained();
    const restore = await snapshot(redis);
    await take(quota, accountId, 5);
    await ledger.drained();
    await restore();
    t.match(await reserve(quota, accountId, 4), { outcome: 'admitted' });
    await balanceBecomes(t, quota, accountId, { credits: 0 });
    t.match(await reserve(quota, accountId, 1), { outcome: 'exhausted' });
    t.strictSame(await ledger.differences(), []);
    t.match(await sql`select credits from quota_corrections where account_id = ${accountId}`, [
      { credits: 4 },
    ]);
  });

  t.test('units given back twice do not make usage negative, in the balance or the history', async (t) => {
    const accountId = await newAccount(sql, 10);
    await quota.addCredits({ accountId, amount: 5, reference: null });
    const { id } = await take(quota, accountId, 12);
    await ledger.drained();
    const restore = await snapshot(redis);
    await quota.settle({ id, accountId, refundUnits: 12 });
    await ledger.drained();
    await restore();
    t.match(await quota.settle({ id, accountId, refundUnits: 12 }), { outcome: 'settled' });
    await ledger.drained();
    t.match(await quota.read(accountId), { usageCount: 0, credits: 7 });
    t.match(await historyOf(ledger, accountId), [{ monthly: 0, credits: 0 }]);
    t.strictSame(await ledger.differences(), []);
  });

  t.test('counters that were changed by hand are corrected from Postgres after the next call', async (t) => {
    const accountId = await newAccount(sql, 100);
    await take(quota, accountId, 10);
    await ledger.drained();
    await redis.hset(KEYS.account(accountId), 'mu', 90);
    t.strictSame(fieldsOf(await ledger.differences(), 'compared'), ['balance with redis']);
    await take(quota, accountId, 1);
    await balanceBecomes(t, quota, accountId, { monthlyUsed: 11 });
    t.strictSame(await ledger.differences(), []);
  });
});

t.test('open reservations survive the loss of Redis', async (t) => {
  const server = await startRedis(t);
  const ledger = await ledgerAt(t, server.url, { reservationTtlMs: 2000 });
  const { quota, redis, sql } = ledger;

  const isBack = (accountId: string) =>
    eventually(t, 'the units are back in Postgres', async () => {
      await quota.reap();
      const [row] = await sql<[{ monthlyUsed: number }]>`
        select monthly_used from quota_balances where account_id = ${accountId}`;
      return row.monthlyUsed === 0;
    });

  t.test('their gateway settles them once, and those never settled expire and are given back', async (t) => {
    const accountId = await newAccount(sql, 3);
    await quota.addCredits({ accountId, amount: 9, reference: null });
    const [kept, left, early] = [
      await take(quota, accountId, 4),
      await take(quota, accountId, 5),
      await take(quota, accountId, 1),
    ];
    await quota.settle({ id: early.id, accountId, refundUnits: 0 });
    await ledger.forget();
    t.match(await quota.settle({ id: kept.id, accountId, refundUnits: 2 }), {
      outcome: 'settled',
      balance: { usageCount: 8, credits: 3 },
    });
    t.match(await quota.settle({ id: kept.id, accountId, refundUnits: 2 }), { outcome: 'unknown' });
    t.match(await quota.settle({ id: early.id, accountId, refundUnits: 1 }), { outcome: 'unknown' });
    t.match(await quota.read(accountId), { usageCount: 8 });
    await eventually(t, 'the rest is back', async () => {
      await quota.reap();
      return (await quota.read(accountId)).usageCount === 3;
    });
    t.match(await quota.settle({ id: left.id, accountId, refundUnits: 0 }), { outcome: 'unknown' });
    await ledger.drained();
    t.match(await quota.read(accountId), { usageCount: 3, monthlyUsed: 2, credits: 8 });
    t.match(await historyOf(ledger, accountId), [{ monthly: 2, credits: 1, refunded: 7 }]);
    t.strictSame(await ledger.differences(), []);
  });

  t.test('units given back are subtracted from the usage of the key that has used most', async (t) => {
    const accountId = await newAccount(sql, 100);
    const [busy, idle] = [randomUUID(), randomUUID()];
    const reserveBy = (keyId: string, units: number, kind: Use['kind']) =>
      quota.reserve({ id: randomUUID(), accountId, units, use: { keyId, kind } });
    await reserveBy(idle, 2, 'single');
    await reserveBy(busy, 7, 'bulk');
    await ledger.forget();
    await quota.read(accountId);
    await reserveBy(idle, 1, 'single');
    await eventually(t, 'the lost units are back', async () => {
      await quota.reap();
      return (await quota.read(accountId)).usageCount <= 1;
    });
    await eventually(t, 'the others are back', async () => {
      await quota.reap();
      return (await quota.read(accountId)).usageCount === 0;
    });
    await ledger.drained();
    t.match((await historyOf(ledger, accountId)).map(({ kind, monthly }) => [kind, monthly]).sort(), [
      ['bulk', -2],
      ['single', 2],
    ]);
    t.strictSame(await ledger.differences(), []);
  });

  t.test('even those of accounts that make no further calls are given back', async (t) => {
    const accountId = await newAccount(sql, 10);
    await take(quota, accountId, 4);
    await ledger.forget();
    await isBack(accountId);
    t.equal(await redis.hlen(KEYS.open(0)), 0);
    t.strictSame(await ledger.differences(), []);
  });

  t.test('they are found among many accounts, which are read page by page', async (t) => {
    await sql`
      with made as (
        insert into accounts (name, plan) select 'many', 'free' from generate_series(1, 12000) returning id
      )
      insert into quota_balances (account_id, period) select id, quota_month() from made`;
    const accountId = await newAccount(sql, 10);
    await take(quota, accountId, 4);
    const before = quota.stats().lookedThrough;
    await ledger.forget();
    await eventually(t, 'the walk ends', async () => quota.stats().lookedThrough >= before + 12_000);
    await isBack(accountId);
    t.equal(quota.stats().lostShards, 0);
  });

  t.test('one that is settled twice after the loss is counted once', async (t) => {
    const accountId = await newAccount(sql, 10);
    const [mine] = [await take(quota, accountId, 3), await take(quota, accountId, 3)];
    await ledger.forget();
    await quota.read(accountId);
    const calls = createCalls(redis, {
      planMonthly: PLANS,
      reservationTtlMs: 2000,
      keepAnswerMs: 1,
      onRun: () => {},
    });
    const opened = {
      accountId,
      epoch: 'before--',
      expiresMs: Date.now() + 60_000,
      fromMonthly: 3,
      fromCredits: 0,
      period: mine.balance.period,
      view: '',
      use: `single:${randomUUID()}`,
    };
    const closing = { refundUnits: 3, told: false, kept: '', isPatient: false };
    t.equal(await calls.settleRemainder(mine.id, accountId, opened, closing), 'settled|');
    t.equal(await calls.settleRemainder(mine.id, accountId, opened, closing), 'unknown|');
    t.match(await quota.read(accountId), { monthlyUsed: 3 });
    const { epoch } = parseReservation((await redis.hget(KEYS.open(0), accountId))!)!;
    t.equal(
      await calls.settleRemainder(randomUUID(), accountId, { ...opened, epoch }, closing),
      'unknown|',
      'a reservation of the current epoch',
    );
  });
});

t.test('from Postgres to Redis', async (t) => {
  const ledger = await redisLedger(t);
  const { quota, redis, sql } = ledger;

  t.test('a changed plan or quota soon applies, and an older one never replaces it', async (t) => {
    const accountId = await newAccount(sql, null, 'free');
    t.match(await quota.read(accountId), { monthlyQuota: PLANS.free });
    await sql`update accounts set plan = 'pro' where id = ${accountId}`;
    await balanceBecomes(t, quota, accountId, { monthlyQuota: PLANS.pro });
    await sql`update accounts set monthly_quota = 77 where id = ${accountId}`;
    await quota.refreshLimit(accountId);
    t.equal(await redis.quotaLimit(KEYS.account(accountId), '1', 1), 'known');
    t.match(await quota.read(accountId), { monthlyQuota: 77 });
  });

  t.test('credits that were bought but never reached Redis are added once', async (t) => {
    const accountId = await newAccount(sql, 0);
    await quota.read(accountId);
    await sql`insert into credit_grants (account_id, amount, reference) values (${accountId}, 10, 'order')`;
    await Promise.all([ledger.open(), ledger.open(), ledger.open()]);
    await balanceBecomes(t, quota, accountId, { credits: 10 });
    await quota.addCredits({ accountId, amount: 10, reference: 'order' });
    await ledger.drained();
    await sleep(1000);
    t.match(await quota.read(accountId), { credits: 10 });
    t.strictSame(await ledger.differences(), []);
  });

  t.test('credits that Redis lost before they were drained are added again', async (t) => {
    const accountId = await newAccount(sql, 0);
    for (let i = 1; i <= 5; i += 1) {
      await quota.addCredits({ accountId, amount: 10, reference: `order ${i}` });
      await redis.flushall();
      await balanceBecomes(t, quota, accountId, { credits: 10 * i });
      await ledger.drained();
    }
    t.strictSame(await ledger.differences(), []);
  });

  t.test('credits that a slow gateway adds after a rebuild are not added twice', async (t) => {
    const accountId = await newAccount(sql, 0);
    await quota.read(accountId);
    const epoch = String(await redis.hget(KEYS.account(accountId), 'epoch'));
    await quota.addCredits({ accountId, amount: 10, reference: 'order' });
    const [grant] = await sql<[{ id: string }]>`select id from credit_grants where account_id = ${accountId}`;
    await ledger.forget();
    t.match(await quota.read(accountId), { credits: 10 });
    const keys = [KEYS.account(accountId), STREAM, KEYS.marker(accountId, 'grant', grant.id)] as const;
    t.equal(await redis.quotaGive(...keys, grant.id, epoch, 1000, 10), 'stale');
    t.match(await quota.read(accountId), { credits: 10 });
  });

  t.test('a change made while an account is being seeded in Redis is not missed', async (t) => {
    const accountId = await newAccount(sql, 1);
    for (let quotaNow = 2; quotaNow < 22; quotaNow += 1) {
      await redis.del(KEYS.account(accountId));
      const seeding = quota.read(accountId);
      await sql`update accounts set monthly_quota = ${quotaNow} where id = ${accountId}`;
      await quota.refreshLimit(accountId);
      await seeding;
      t.match(await quota.read(accountId), { monthlyQuota: quotaNow });
    }
  });
});

t.test('during an outage of Postgres accounts in Redis keep working, and nothing is lost', async (t) => {
  const ledger = await redisLedger(t);
  const { quota, sql } = ledger;
  const hurried = await ledger.open({ waits: false });
  const [known, unknown] = [await newAccount(sql, 1000), await newAccount(sql, 1000)];
  await take(quota, known, 1);
  const postgres = await realServer();
  await postgres.stop();
  const taken = await Promise.all(Array.from({ length: 50 }, () => take(quota, known, 2)));
  for (const { id } of taken) quota.settleLater({ id, accountId: known, refundUnits: 1 });
  await t.rejects(reserve(hurried, unknown, 1), { code: 'LEDGER_UNAVAILABLE' });
  await eventually(
    t,
    'the lag is reported',
    async () => quota.stats().lagMs > 0 && quota.stats().streamLength > 0,
  );
  await postgres.start();
  await eventually(
    t,
    'all of it is recorded',
    async () => (await callCount(ledger, known).catch(() => 0)) === 51,
  );
  t.match(await reserve(quota, unknown, 1), { outcome: 'admitted' });
  await agrees(t, ledger);
});

const GATEWAY = fileURLToPath(new URL('./ledger-process.ts', import.meta.url));

t.test('gateways killed at any moment leave no units open and count nothing twice', async (t) => {
  const ledger = await redisLedger(t);
  const { quota, sql, server, redis } = ledger;
  const limit = 5000;
  const ttlMs = 1500;
  const accountIds = await Promise.all(Array.from({ length: 12 }, () => newAccount(sql, limit)));
  const [row] = await sql<[{ name: string }]>`select current_database() as name`;
  const databaseUrl = new URL((await realServer()).url);
  databaseUrl.pathname = `/${row.name}`;

  let admitted = 0;
  const start = () => {
    const args = [GATEWAY, databaseUrl.href, server.url, String(ttlMs), ...accountIds];
    const child = spawn(process.execPath, [...process.execArgv, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    child.stdout.on('data', (lines: Buffer) => {
      admitted += lines.toString().split('\n').length - 1;
    });
    return child;
  };

  let kills = 0;
  let overspent = 0;
  for (let round = 0; round < 4; round += 1) {
    const gateways = [start(), start(), start()];
    const before = admitted;
    await until(() => admitted >= before + 200, { deadlineMs: 60_000 });
    for (const gateway of gateways) {
      await sleep(Math.random() * 100);
      const gone = once(gateway, 'close');
      gateway.kill('SIGKILL');
      await gone;
      kills += 1;
      for (const id of accountIds) overspent += (await quota.read(id)).monthlyUsed > limit ? 1 : 0;
    }
  }
  await sleep(ttlMs);
  const reaped = await quota.reap();
  await ledger.drained();
  t.comment(`${kills} kills, ${admitted} reservations admitted, ${reaped} left open and given back`);
  const [open] = await sql<[{ units: number }]>`
    select sum(open_monthly + open_credits)::int as units from quota_balances`;
  t.equal(open.units, 0, 'nothing is open in Postgres');
  t.equal(await redis.hlen(KEYS.open(0)), 0, 'nothing is open in Redis');
  t.equal(overspent, 0);
  t.strictSame(await ledger.differences(), []);
});

t.test('an account whose balance was read too long ago is not seeded', async (t) => {
  const { redis, sql, quota } = await redisLedger(t);
  const accountId = await newAccount(sql, 5);
  const keys = [KEYS.account(accountId), KEYS.open(0), STREAM] as const;
  const counts = [Date.now() + 86_400_000, 1, 0, 0, '5', 0, '2026-11-01', 0, 0, 60_000, 0, 0] as const;
  const seed = (notAfterMs: number, epoch: string) => redis.quotaSeed(...keys, notAfterMs, epoch, ...counts);
  t.equal(await seed(Date.now() - 1, 'too-late'), 'late');
  t.equal(await redis.exists(keys[0]), 0);
  t.equal(await seed(Date.now() + 60_000, 'in--time'), 'seeded');
  t.equal(await seed(Date.now() + 60_000, 'again---'), 'known');
  t.equal(await redis.hget(keys[0], 'epoch'), 'in--time');
  t.match(await quota.read(accountId), { monthlyUsed: 1 });
});

t.test('a call while a shard is compared is not a difference, and nothing is drained', async (t) => {
  const { quota, redis, sql } = await redisLedger(t);
  const accountId = await newAccount(sql, 100);
  await take(quota, accountId, 1);
  const drain = createDrain(redis, sql, silent);
  const readBalance = () => sql`select monthly_used from quota_balances where account_id = ${accountId}`;
  const busy = {
    ...drain,
    /** A call arrives right after Redis was read. The comparison must not write what it drained. */
    catchUp: async (...args: Parameters<typeof drain.catchUp>) => {
      const before = await readBalance();
      await take(quota, accountId, 1);
      const drained = await drain.catchUp(...args);
      t.same(await readBalance(), before);
      return drained;
    },
  };
  t.strictSame(await reconcile(sql, { redis, drain: busy }), {
    accounts: 1,
    differences: [],
    isSample: false,
  });
  t.strictSame((await reconcile(sql, null, { accountId })).accounts, 1);
  t.strictSame(
    (await reconcile(sql, null, { accountId: randomUUID() })).accounts,
    0,
    'another account is not compared',
  );
});
