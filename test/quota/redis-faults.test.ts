import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { SERVER_KEYS as KEYS } from '../../src/quota/redis/keys.ts';
import { createRedisQuota } from '../../src/quota/redis/redis-quota.ts';
import { describeMemory } from '../../src/quota/redis/room.ts';
import { startProxy, through } from '../servers/proxies/proxy.ts';
import { startRedis } from '../servers/redis.ts';
import { until } from '../servers/until.ts';
import { embeddedDatabase, realDatabase } from '../support/database/database.ts';
import { silent } from '../support/silent-log.ts';
import {
  agrees,
  balanceBecomes,
  eventually,
  ledgerAt,
  newAccount,
  PLANS,
  patiently,
  redisLedger,
  reserve,
  take,
  USE,
} from './ledgers.ts';

t.test('units whose answer was lost because Redis was killed are given back', async (t) => {
  const ledger = await redisLedger(t, ['--appendonly', 'yes', '--appendfsync', 'always']);
  const { sql, server } = ledger;
  const proxy = await startProxy(t, { port: server.port });
  const options = { sql, planMonthly: PLANS, reservationTtlMs: 3_600_000 };
  const quota = await createRedisQuota({ ...options, url: through(server.url, proxy) }, silent);
  t.teardown(() => quota.close());
  const accountId = await newAccount(sql, 10);
  const calls = [1, 2, 3];
  await patiently(() => quota.take({ accountId, use: USE }));
  await eventually(t, 'nothing is open', async () => (await ledger.redis.hlen(KEYS.open(0))) === 0);
  // The script has run and its answer is on its way.
  proxy.delay(100);
  const taking = Promise.allSettled(calls.map(() => quota.take({ accountId, use: USE })));
  await until(async () => (await ledger.redis.hlen(KEYS.open(0))) > 0, { pauseMs: 1 });
  proxy.cut();
  process.kill(server.pid, 'SIGKILL');
  await server.stop();
  t.ok((await taking).every(({ status }) => status === 'rejected'));
  await server.start();
  proxy.heal();
  await balanceBecomes(t, ledger.quota, accountId, { usageCount: 1 });
  t.strictSame(await ledger.differences(), []);
});

t.test('the system of record may be the embedded database', async (t) => {
  const { url } = await startRedis(t);
  const ledger = await ledgerAt(t, url, { database: await embeddedDatabase(t) });
  const { quota, sql } = ledger;
  const accountIds = await Promise.all(Array.from({ length: 20 }, () => newAccount(sql, 20)));
  const taken = await Promise.all(
    accountIds.flatMap((accountId) =>
      Array.from({ length: 10 }, async () => ({ accountId, ...(await take(quota, accountId, 2)) })),
    ),
  );
  for (const { accountId, id } of taken) await quota.settle({ id, accountId, refundUnits: 1 });
  await ledger.forget();
  for (const accountId of accountIds) {
    t.match(await patiently(() => quota.read(accountId)), { monthlyUsed: 10 });
  }
  t.strictSame(await ledger.differences(), []);
});

t.test('a warning is logged when Redis may evict', async (t) => {
  const { url } = await startRedis(t, { args: ['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'] });
  const { sql } = await realDatabase(t);
  const warnings: string[] = [];
  const log = { ...silent, warn: (_: object, message: string) => warnings.push(message) };
  const quota = await createRedisQuota({ url, sql, planMonthly: PLANS, reservationTtlMs: 60_000 }, log);
  await quota.close();
  t.match(warnings, [/noeviction/]);
});

t.test('a ledger on Redis', async (t) => {
  const ledger = await redisLedger(t);
  const { sql, server, redis } = ledger;
  const quota = await ledger.open({ waits: false });

  t.test('fails calls while Redis hangs, and gives unanswered units back afterwards', async (t) => {
    const accountId = await newAccount(sql, 10);
    const kept = await take(quota, accountId, 1);
    process.kill(server.pid, 'SIGSTOP');
    const calls = Array.from({ length: 5 }, () => reserve(quota, accountId, 1));
    const results = await Promise.allSettled(calls);
    await t.rejects(quota.settle({ id: kept.id, accountId, refundUnits: 1 }));
    quota.settleLater({ id: kept.id, accountId, refundUnits: 0 });
    process.kill(server.pid, 'SIGCONT');
    t.ok(
      results.every(({ status }) => status === 'rejected'),
      'no call was admitted',
    );
    await eventually(t, 'nothing is open', async () => {
      const open = await redis.hlen(KEYS.open(0)).catch(() => 1);
      return open === 0 && quota.stats().settlesWaiting === 0;
    });
    const { usageCount } = await quota.read(accountId);
    t.ok(usageCount <= 1, 'at most the settled unit is used');
    await agrees(t, ledger);
  });

  t.test('keeps working after the script cache of Redis was emptied', async (t) => {
    const accountId = await newAccount(sql, 10);
    await take(quota, accountId, 1);
    await redis.script('FLUSH');
    t.match(await take(quota, accountId, 1), { balance: { monthlyUsed: 2 } });
    await redis.script('FLUSH');
    await quota.ping();
  });

  t.test('refuses new reservations when Redis is full, and still settles open ones', async (t) => {
    const accountId = await newAccount(sql, 10);
    const { id } = await take(quota, accountId, 3);
    await redis.config('SET', 'maxmemory', '1mb');
    const refused = (call: Promise<unknown>) =>
      call.then(
        () => false,
        (error: { code?: string }) => error.code === 'LEDGER_UNAVAILABLE',
      );
    await eventually(t, 'it refuses', () => refused(reserve(quota, accountId, 1)));
    t.ok(await refused(quota.take({ accountId, use: USE })));
    const { monthlyUsed } = await quota.read(accountId);
    t.match(await quota.settle({ id, accountId, refundUnits: 2 }), {
      outcome: 'settled',
      balance: { monthlyUsed: monthlyUsed - 2 },
    });
    t.ok(quota.stats().usedBytes > quota.stats().maxBytes);
    t.match(describeMemory(quota.stats()), /Redis uses .* refused until it has room/);
    await redis.config('SET', 'maxmemory', '0');
    await eventually(t, 'it takes again', async () => !(await refused(reserve(quota, accountId, 1))));
    t.equal(describeMemory(quota.stats()), null);
    await agrees(t, ledger);
  });

  t.test('frees Redis before it is full, by moving finished Idempotency-Keys to Postgres', async (t) => {
    const accountId = await newAccount(sql, 100_000);
    const claimOf = (name: string) => ({ route: 'file', key: name, bodyHash: 'b'.repeat(64) }) as const;
    const answer = 'a'.repeat(2000);
    const ask = (name: string) =>
      quota.reserve({ id: randomUUID(), accountId, units: 1, use: USE, claim: claimOf(name) });
    const finish = async (name: string) => {
      const id = randomUUID();
      const claim = claimOf(name);
      const { outcome } = await patiently(() => quota.reserve({ id, accountId, units: 1, use: USE, claim }));
      if (outcome === 'admitted') await quota.settle({ id, accountId, refundUnits: 0, answer });
      return outcome;
    };
    await finish('first');
    t.match(await ask('open'), { outcome: 'admitted' });
    const { usedBytes } = quota.stats();
    await redis.config('SET', 'maxmemory', String(usedBytes + 4 * 1024 ** 2));
    await eventually(t, 'the gateway knows the limit', async () => quota.stats().maxBytes > 0);
    // Far more than fits; calls that are faster than the memory check are refused.
    let refused = 0;
    for (let i = 0; i < 60; i += 1) {
      const all = Array.from({ length: 100 }, (_, n) => finish(`${i} ${n}`).catch(() => 'refused'));
      refused += (await Promise.all(all)).filter((outcome) => outcome === 'refused').length;
      await sleep(20);
    }
    t.comment(`${refused} of 6000 were refused`);
    await eventually(t, 'finished keys are in Postgres', async () => {
      const [moved] = await sql<[{ count: number }]>`select count(*)::int as count from claims`;
      return moved.count > 1000;
    });
    await eventually(t, 'there is room', async () => quota.stats().usedBytes < 0.8 * quota.stats().maxBytes);
    t.match(await patiently(() => ask('first')), { outcome: 'replay', answer }, 'its answer is still known');
    const other = { ...claimOf('first'), bodyHash: 'c'.repeat(64) };
    t.match(await quota.reserve({ id: randomUUID(), accountId, units: 1, use: USE, claim: other }), {
      outcome: 'mismatch',
    });
    t.match(await ask('open'), { outcome: 'running' }, 'an unfinished key stays');
    t.equal(await finish('new'), 'admitted');
    await redis.config('SET', 'maxmemory', '0');
    await agrees(t, ledger);
  });

  t.test('reports a damaged account without affecting the others in the batch', async (t) => {
    const [good, bad] = [await newAccount(sql, 10), await newAccount(sql, 10)];
    await Promise.all([quota.read(good), quota.read(bad)]);
    await redis.hset(KEYS.account(bad), 'mu', 'damaged');
    const [first, second] = await Promise.allSettled([reserve(quota, good, 1), reserve(quota, bad, 1)]);
    t.match(first, { status: 'fulfilled', value: { outcome: 'admitted' } });
    t.match(second, { status: 'rejected', reason: { code: 'LEDGER_FAULT' } });
  });
});

t.test('a blocked event loop of the gateway does not count as a timeout of Redis', async (t) => {
  const { quota, sql } = await redisLedger(t);
  const accountId = await newAccount(sql, 10);
  await reserve(quota, accountId, 1);
  const reserved = reserve(quota, accountId, 2);
  // The call is sent in the next turn of the event loop. After a pause started by an immediate, timers run first.
  await sleep(1);
  await setImmediate();
  const untilMs = performance.now() + 800;
  while (performance.now() < untilMs);
  t.match(await reserved, { outcome: 'admitted', balance: { usageCount: 3 } });
});

t.test('a Redis that is stopped and started again is used again', async (t) => {
  const ledger = await redisLedger(t, ['--appendonly', 'yes', '--appendfsync', 'always']);
  const { sql, server } = ledger;
  const quota = await ledger.open({ waits: false });
  const accountId = await newAccount(sql, 100);
  const { id } = await take(quota, accountId, 10);
  await server.stop();
  await eventually(t, 'calls fail at once', async () =>
    reserve(quota, accountId, 1).then(
      () => false,
      (error: { code?: string }) => error.code === 'LEDGER_UNAVAILABLE',
    ),
  );
  quota.settleLater({ id, accountId, refundUnits: 4 });
  const started = await ledger.open({ waits: false });
  await t.rejects(
    reserve(started, accountId, 1),
    { code: 'LEDGER_UNAVAILABLE' },
    'a gateway starts without Redis',
  );
  await server.start();
  await balanceBecomes(t, quota, accountId, { monthlyUsed: 6 });
  t.match(await take(quota, accountId, 1), { balance: { monthlyUsed: 7 } });
  await agrees(t, ledger);
});
