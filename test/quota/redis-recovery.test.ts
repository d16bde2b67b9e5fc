import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { reconcile } from '../../src/quota/reconcile.ts';
import { createDrain } from '../../src/quota/redis/drain.ts';
import { accountKey, grantKey, openKey, shardOf, streamKey } from '../../src/quota/redis/keys.ts';
import type { QuotaRedis } from '../../src/quota/redis/scripts.ts';
import { until } from '../servers/until.ts';
import { realServer } from '../support/database.ts';
import { silent } from '../support/silent-log.ts';
import { eventually, newAccount, PLANS, type RedisLedger, redisLedger, reserve, take } from './ledgers.ts';

const eventCount = async ({ sql }: RedisLedger, accountId: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*) from quota_events where account_id = ${accountId} and kind <> 'grant'`;
  return row.count;
};

/** Everything in Redis, to be put back later: what a replica that lagged behind would have. */
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

  t.test('an event is recorded once, however often it is delivered', async (t) => {
    const accountId = await newAccount(sql, 100);
    const { id } = await take(quota, accountId, 7);
    await quota.settle({ id, accountId, refundUnits: 3 });
    await ledger.drained();
    const view = (await quota.read(accountId)).monthlyUsed;
    const [row] = await sql<[{ answer: { balance: { resetsAtMs: number; period: string } } }]>`
      select jsonb_build_object('balance', quota_read(${accountId}, 0, 0)) as answer`;
    const { period, resetsAtMs } = row.answer.balance;
    const record = `o${accountId}|12345678|${resetsAtMs}|7|0|${period}|${resetsAtMs}|100|7|0|0|`;
    const stream = streamKey(shardOf(accountId));
    for (let i = 0; i < 3; i += 1) await redis.xadd(stream, '*', 'reserve', '', id, record, id, record);
    await redis.xadd(stream, '*', 'settle', '', id, record);
    await ledger.drained();
    t.equal(await eventCount(ledger, accountId), 2);
    t.match(await sql`select monthly_used from quota_balances where account_id = ${accountId}`, [
      { monthlyUsed: view },
    ]);
  });

  for (const [when, dies] of [
    ['the commit and the deletion', 'xdel'],
    ['the deletion and the acknowledgement', 'xack'],
  ] as const) {
    t.test(`a gateway that dies between ${when} changes nothing`, async (t) => {
      const accountId = await newAccount(sql, 100);
      let deaths = 0;
      const dying = new Proxy(redis, {
        get: (target, name: keyof QuotaRedis) => {
          if (name !== dies)
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
      t.ok(deaths > 0, `${deaths} deaths`);
      t.equal(await eventCount(ledger, accountId), 20);
      t.strictSame(await ledger.differences(), []);
    });
  }

  t.test('events that a killed gateway read and did not commit are read again', async (t) => {
    const accountId = await newAccount(sql, 100);
    const stream = streamKey(shardOf(accountId));
    await take(quota, accountId, 1);
    await ledger.drained();
    await take(quota, accountId, 1);
    await redis.xreadgroup('GROUP', 'postgres', 'holder-of-the-shard', 'STREAMS', stream, '>');
    await ledger.drained();
    t.equal(await eventCount(ledger, accountId), 2);
    const [group] = (await redis.xinfo('GROUPS', stream)) as [unknown[]];
    t.match(group, ['name', 'postgres', 'consumers', 1, 'pending', 0], 'the group shows it');
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
      const [row] = await sql<[{ count: number }]>`
        select count(*) from quota_events where account_id = any (${accountIds}::uuid[])`;
      return row.count === accountIds.length * 24;
    });
    t.strictSame(await ledger.differences(), []);
    t.equal(quota.stats().corrections, 0);
  });

  t.test('an entry that is not an event is skipped', async (t) => {
    const accountId = await newAccount(sql, 100);
    await take(quota, accountId, 1);
    const stream = streamKey(shardOf(accountId));
    await redis.xadd(stream, '*', 'e', 'r|x');
    for (const text of ['', 'o', 'b', `o${accountId}`, 'ox|y|z|1', '\u0000']) {
      await redis.xadd(stream, '*', 'reserve', '', randomUUID(), text, 'no-id', text);
    }
    await take(quota, accountId, 1);
    await ledger.drained();
    t.equal(await eventCount(ledger, accountId), 2);
  });

  t.test('soon nothing is left to drain, and the lag is reported', async (t) => {
    await take(quota, await newAccount(sql, 100), 1);
    await eventually(t, 'the stream is empty', async () => {
      const { lagMs, streamLength } = quota.stats();
      return lagMs === 0 && streamLength === 0;
    });
    t.strictSame(Object.keys(quota.stats()).sort(), [
      'corrections',
      'lagMs',
      'settlesDropped',
      'settlesWaiting',
      'streamLength',
    ]);
  });
});

t.test('losing Redis', async (t) => {
  const ledger = await redisLedger(t);
  const { quota, redis, sql } = ledger;

  t.test('an emptied Redis gets its counters from Postgres, and the first call is not free', async (t) => {
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

  t.test('open reservations come back, and are settled or expire', async (t) => {
    const accountId = await newAccount(sql, 10);
    const hasty = await ledger.open({ reservationTtlMs: 50 });
    const kept = await take(quota, accountId, 4);
    const overdue = await take(hasty, accountId, 5);
    await ledger.forget();
    t.match(await reserve(quota, accountId, 4, kept.id), { outcome: 'admitted', balance: kept.balance });
    t.match(await quota.settle({ id: kept.id, accountId, refundUnits: 1 }), { outcome: 'settled' });
    await sleep(60);
    await quota.reap();
    t.match(await quota.settle({ id: overdue.id, accountId, refundUnits: 0 }), {
      outcome: 'expired',
      balance: { monthlyUsed: 3, remaining: 7 },
    });
    await ledger.drained();
    t.strictSame(await ledger.differences(), []);
  });

  t.test('reservations of accounts without further calls expire too', async (t) => {
    const accountId = await newAccount(sql, 10);
    await take(quota, accountId, 4);
    await ledger.forget();
    await sql`update quota_reservations set expires_at = now() - interval '1 minute' where account_id = ${accountId}`;
    await eventually(t, 'the units are back in Postgres', async () => {
      await quota.reap();
      const [row] = await sql<[{ monthlyUsed: number }]>`
        select monthly_used from quota_balances where account_id = ${accountId}`;
      return row.monthlyUsed === 0;
    });
    t.equal(await redis.hlen(openKey(shardOf(accountId))), 0);
  });

  t.test("events not drained are lost in the customer's favour, and the stores agree then", async (t) => {
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

  t.test('a replica that lagged behind is found by the next event and follows Postgres', async (t) => {
    const accountId = await newAccount(sql, 100);
    const { id } = await take(quota, accountId, 10);
    await ledger.drained();
    const restore = await snapshot(redis);
    await take(quota, accountId, 20);
    await quota.settle({ id, accountId, refundUnits: 2 });
    await ledger.drained();
    await restore();
    t.match(await quota.read(accountId), { monthlyUsed: 10 }, 'Redis went back');
    const corrections = quota.stats().corrections;
    await take(quota, accountId, 5);
    await eventually(
      t,
      'Redis tells what Postgres has',
      async () => (await quota.read(accountId)).monthlyUsed === 33,
    );
    t.ok(quota.stats().corrections >= corrections);
    t.match(await quota.settle({ id, accountId, refundUnits: 10 }), { balance: { monthlyUsed: 33 } });
    await ledger.drained();
    t.strictSame(await ledger.differences(), []);
    const notes =
      await sql`select note from quota_events where account_id = ${accountId} and kind = 'correction'`;
    t.equal(notes.length, 1);
  });

  t.test('credits that were given out twice are forgiven by a correction, and never negative', async (t) => {
    const accountId = await newAccount(sql, 0);
    await quota.addCredits({ accountId, amount: 5, reference: null });
    await ledger.drained();
    const restore = await snapshot(redis);
    await take(quota, accountId, 5);
    await ledger.drained();
    await restore();
    t.match(await reserve(quota, accountId, 4), { outcome: 'admitted' });
    await eventually(
      t,
      'Redis tells what Postgres has',
      async () => (await quota.read(accountId)).credits === 0,
    );
    t.match(await reserve(quota, accountId, 1), { outcome: 'exhausted' });
    t.strictSame(await ledger.differences(), []);
    t.match(
      await sql`select credits from quota_events where account_id = ${accountId} and kind = 'correction'`,
      [{ credits: 4 }],
    );
  });

  t.test('counters changed by hand follow Postgres after the next event', async (t) => {
    const accountId = await newAccount(sql, 100);
    await take(quota, accountId, 10);
    await ledger.drained();
    await redis.hset(accountKey(accountId), 'mu', 90);
    t.strictSame(
      (await ledger.differences()).map(({ compared }) => compared),
      ['balance with redis'],
    );
    await take(quota, accountId, 1);
    await eventually(
      t,
      'Redis tells what Postgres has',
      async () => (await quota.read(accountId)).monthlyUsed === 11,
    );
    t.strictSame(await ledger.differences(), []);
  });
});

t.test('from Postgres to Redis', async (t) => {
  const ledger = await redisLedger(t);
  const { quota, redis, sql } = ledger;

  t.test(
    'a plan or quota changed in the database counts within moments, and an older change never wins',
    async (t) => {
      const accountId = await newAccount(sql, null, 'free');
      t.match(await quota.read(accountId), { monthlyQuota: PLANS.free });
      await sql`update accounts set plan = 'pro' where id = ${accountId}`;
      await eventually(
        t,
        'the plan counts',
        async () => (await quota.read(accountId)).monthlyQuota === PLANS.pro,
      );
      await sql`update accounts set monthly_quota = 77 where id = ${accountId}`;
      await quota.refreshLimit(accountId);
      t.equal(await redis.quotaLimit(accountKey(accountId), '1', 1), 'known');
      t.match(await quota.read(accountId), { monthlyQuota: 77 });
    },
  );

  t.test('bought credits that never reached Redis are added once', async (t) => {
    const accountId = await newAccount(sql, 0);
    await quota.read(accountId);
    await sql`insert into credit_grants (account_id, amount, reference) values (${accountId}, 10, 'order')`;
    await Promise.all([ledger.open(), ledger.open(), ledger.open()]);
    await eventually(t, 'they are there', async () => (await quota.read(accountId)).credits === 10);
    await quota.addCredits({ accountId, amount: 10, reference: 'order' });
    await ledger.drained();
    await sleep(1000);
    t.match(await quota.read(accountId), { credits: 10 });
    t.strictSame(await ledger.differences(), []);
  });

  t.test('bought credits that Redis lost before they were drained are added again', async (t) => {
    const accountId = await newAccount(sql, 0);
    for (let i = 1; i <= 5; i += 1) {
      await quota.addCredits({ accountId, amount: 10, reference: `order ${i}` });
      await redis.flushall();
      await eventually(t, 'they are there', async () => (await quota.read(accountId)).credits === 10 * i);
      await ledger.drained();
    }
    t.strictSame(await ledger.differences(), []);
  });

  t.test('credits that a slow gateway adds after a rebuild are not added twice', async (t) => {
    const accountId = await newAccount(sql, 0);
    await quota.read(accountId);
    const epoch = String(await redis.hget(accountKey(accountId), 'epoch'));
    await quota.addCredits({ accountId, amount: 10, reference: 'order' });
    const [grant] = await sql<[{ id: string }]>`select id from credit_grants where account_id = ${accountId}`;
    await ledger.forget();
    t.match(await quota.read(accountId), { credits: 10 });
    const keys = [
      accountKey(accountId),
      streamKey(shardOf(accountId)),
      grantKey(accountId, grant.id),
    ] as const;
    t.equal(await redis.quotaGrant(...keys, grant.id, accountId, epoch, 10, 1000), 'stale');
    t.match(await quota.read(accountId), { credits: 10 });
  });

  t.test('a change made while an account is brought to Redis is not missed', async (t) => {
    const accountId = await newAccount(sql, 1);
    for (let quotaNow = 2; quotaNow < 22; quotaNow += 1) {
      await redis.del(accountKey(accountId));
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
  const [known, unknown] = [await newAccount(sql, 1000), await newAccount(sql, 1000)];
  await take(quota, known, 1);
  const postgres = await realServer();
  await postgres.stop();
  const taken = await Promise.all(Array.from({ length: 50 }, () => take(quota, known, 2)));
  for (const { id } of taken) quota.settleLater({ id, accountId: known, refundUnits: 1 });
  await t.rejects(reserve(quota, unknown, 1), { code: 'LEDGER_UNAVAILABLE' });
  await eventually(
    t,
    'the lag is told',
    async () => quota.stats().lagMs > 0 && quota.stats().streamLength > 0,
  );
  await postgres.start();
  await eventually(
    t,
    'all of it is recorded',
    async () => (await eventCount(ledger, known).catch(() => 0)) === 101,
  );
  t.match(await reserve(quota, unknown, 1), { outcome: 'admitted' });
  await ledger.drained();
  t.strictSame(await ledger.differences(), []);
});

const GATEWAY = fileURLToPath(new URL('./ledger-process.ts', import.meta.url));

t.test('gateways killed at any moment leak nothing and count nothing twice', async (t) => {
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
  const [open] = await sql<[{ count: number }]>`select count(*) from quota_reservations`;
  t.equal(open.count, 0, 'nothing is open in Postgres');
  for (const id of accountIds) t.equal(await redis.hlen(openKey(shardOf(id))), 0, 'nothing is open in Redis');
  t.equal(overspent, 0);
  t.strictSame(await ledger.differences(), []);
  const [twice] = await sql<[{ count: number }]>`
    select count(*) from (
      select reservation_id from quota_events where kind in ('reserve', 'settle')
      group by reservation_id having count(*) <> 2 or sum(monthly) < 0
    ) odd`;
  t.equal(twice.count, 0, 'each reservation was taken once and closed once');
});

t.test('an account that was read too long ago is not seeded', async (t) => {
  const { redis, sql, quota } = await redisLedger(t);
  const accountId = await newAccount(sql, 5);
  const keys = [accountKey(accountId), openKey(shardOf(accountId))] as const;
  const seed = (notAfterMs: number, epoch: string) =>
    redis.quotaSeed(...keys, notAfterMs, accountId, epoch, Date.now() + 86_400_000, 1, 0, 0, '5', 0);
  t.equal(await seed(Date.now() - 1, 'too-late'), 'late');
  t.equal(await redis.exists(keys[0]), 0);
  t.equal(await seed(Date.now() + 60_000, 'in--time'), 'seeded');
  t.equal(await seed(Date.now() + 60_000, 'again---'), 'known');
  t.equal(await redis.hget(keys[0], 'epoch'), 'in--time');
  t.match(await quota.read(accountId), { monthlyUsed: 1 });
});

t.test('a change while a shard is compared is not a difference', async (t) => {
  const { quota, redis, sql } = await redisLedger(t);
  const accountId = await newAccount(sql, 100);
  await take(quota, accountId, 1);
  const drain = createDrain(redis, sql, silent);
  let reads = 0;
  const busy = {
    ...drain,
    /** A call comes in between, right after Redis was read. */
    catchUp: async (...args: Parameters<typeof drain.catchUp>) => {
      reads += 1;
      if (reads === 2) await take(quota, accountId, 1);
      return drain.catchUp(...args);
    },
  };
  t.strictSame(await reconcile(sql, { redis, drain: busy }), []);
  t.ok(reads > 2, 'it was compared again');
});
