/** Redis hangs, stops, comes back empty, or is slow: what callers see and what their accounts have paid. */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import {
  findLinkedSlug,
  isDrawing,
  paidCalls,
  rounded,
  scanOf,
  slowItems,
  startOn,
  startStores,
  timed,
  until,
  usedOf,
} from './stack.ts';

const stores = await startStores(t);
const { redis, redisProxy } = stores;
const app = await startOn(stores, t);
const { call } = app;

/** An account whose key and link are known, with one unit used. */
const usedAccount = async () => {
  const account = await app.account({ monthlyQuota: 1000 });
  const paid = paidCalls(app, account.key);
  const answer = await paid.bulk([{ data: 'https://example.com/', dynamic: true }]);
  return { ...account, paid, slug: findLinkedSlug(answer) };
};

const refusesAtOnce = async (t: Test, account: Awaited<ReturnType<typeof usedAccount>>) => {
  const { paid, slug, key } = account;
  const calls = Array.from({ length: 20 }, () => [paid.single, paid.image, () => paid.bulk()]).flat();
  const answers = await Promise.all(calls.map(timed));
  for (const { status, headers, text } of answers) {
    if (status === 503 && Number(headers['retry-after']) >= 1) continue;
    t.fail(`a paid call was answered ${status}, Retry-After ${headers['retry-after']}: ${text}`);
  }
  const ms = answers.map((answer) => answer.ms);
  t.comment(`paid calls refused: ${rounded(ms)}`);
  t.ok(Math.max(...ms) < 3000, 'no call waits long for Redis');

  t.equal((await call({ url: '/api/v1/usage', key })).status, 503);
  t.equal((await call({ method: 'HEAD', url: `/api/v1/render?key=${key}&content=x` })).status, 503);
  const redirect = await timed(() => call(scanOf(slug)));
  t.equal(redirect.status, 302);
  t.comment(`redirect in ${redirect.ms.toFixed(1)} ms`);
  t.equal((await call({ url: '/api/v1/folders', key })).status, 200, 'calls without units keep working');
  t.equal((await call({ url: '/healthz' })).status, 200);
  t.equal((await call({ url: '/readyz' })).status, 200, 'or all gateways would be unready at once');
};

const isServed = async ({ paid }: Awaited<ReturnType<typeof usedAccount>>): Promise<boolean> =>
  (await paid.single()).status === 200;

const hasPaidFor = async (t: Test, accountId: string, units: number): Promise<void> => {
  await until(t, 'no reservation is open', async () => (await stores.openReservations()) === 0);
  t.equal(await usedOf(app, accountId), units, 'exactly the answered calls are paid');
  await until(t, 'all usage has reached Postgres', async () => (await stores.undrained()) === 0);
  t.strictSame(await stores.differences(), []);
};

t.test('while Redis hangs, paid calls are refused quickly and cost nothing', async (t) => {
  const account = await usedAccount();
  process.kill(redis.pid, 'SIGSTOP');
  await refusesAtOnce(t, account);
  await sleep(1000);
  await refusesAtOnce(t, account);
  process.kill(redis.pid, 'SIGCONT');
  const ms = await until(t, 'the paid call is served again', () => isServed(account));
  t.comment(`back after ${Math.round(ms)} ms`);
  await hasPaidFor(t, account.id, 2);
});

t.test('paid calls work again after Redis was unreachable until its connections were given up', async (t) => {
  const account = await usedAccount();
  redisProxy.hold();
  await refusesAtOnce(t, account);
  await sleep(6000);
  await refusesAtOnce(t, account);
  redisProxy.heal();
  const ms = await until(t, 'the paid call is served again', () => isServed(account));
  t.comment(`back after ${Math.round(ms)} ms`);
  await hasPaidFor(t, account.id, 2);
});

t.test('when Redis is killed and comes back empty, usage is restored from Postgres', async (t) => {
  const account = await usedAccount();
  for (let i = 0; i < 5; i += 1) t.equal((await account.paid.single()).status, 200);
  await until(t, 'all usage has reached Postgres', async () => (await stores.undrained()) === 0);
  process.kill(redis.pid, 'SIGKILL');
  await redis.stop();
  await refusesAtOnce(t, account);
  await redis.start();
  const ms = await until(t, 'the paid call is served again', () => isServed(account));
  t.comment(`back after ${Math.round(ms)} ms`);
  const next = await account.paid.single();
  t.equal(next.json.meta.usage_count, 8, 'usage continues from where it was');
  await hasPaidFor(t, account.id, 8);
});

t.test('a reservation whose answer came too late is refunded', async (t) => {
  const account = await usedAccount();
  redisProxy.delay(400);
  const answers = await Promise.all(Array.from({ length: 5 }, () => timed(account.paid.single)));
  t.strictSame(
    answers.map(({ status }) => status),
    [503, 503, 503, 503, 503],
  );
  await until(t, 'a failed call has units', async () => (await stores.openReservations()) > 0);
  redisProxy.heal();
  const ms = await until(t, 'the units are refunded', async () => (await stores.openReservations()) === 0);
  t.comment(`refunded ${Math.round(ms)} ms after the delay ended; reservations live for 60 s`);
  await hasPaidFor(t, account.id, 1);
});

t.test('when Redis hangs during a bulk call, the saved codes are returned', async (t) => {
  const account = await usedAccount();
  const items = [...slowItems(60), { data: '' }];
  const key = { 'idempotency-key': 'a-bulk-call' };
  const answering = account.paid.bulk(items, key);
  await until(t, 'the bulk call has begun', () => isDrawing(app));
  redisProxy.hold();
  const answer = await answering;
  t.equal(answer.status, 200, `the saved codes are returned: ${answer.text.slice(0, 200)}`);
  t.match(answer.json.meta, { total: 61, successful: 60, usage_count: 61, remaining: 939 });

  redisProxy.heal();
  await until(t, 'the same call succeeds again', async () => {
    const again = await account.paid.bulk(items, key);
    if (again.status !== 200) t.match(again.status, /^(409|503)$/);
    return again.status === 200 && again.headers['idempotent-replayed'] === 'true';
  });
  await hasPaidFor(t, account.id, 61);
});
