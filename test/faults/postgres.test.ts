/**
 * Postgres stops, hangs, or goes during a bulk call: known keys and links keep working, and no scan is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createApiKey } from '../../src/accounts/api-key.ts';
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
const { postgres, postgresProxy, sql } = stores;
const app = await startOn(stores, t);
const { call } = app;

const scanCount = async (slug: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`select count(*) as count from scans where slug = ${slug}`;
  return row.count;
};

/**
 * Whether the app hears of changes again. Its cache is outdated when it hears its first heartbeat, and then it waits
 * longer for Postgres. It repeats LISTEN a second after a heartbeat.
 */
const listens = async (): Promise<boolean> =>
  (
    await sql`
      select from pg_stat_activity
      where datname = current_database() and state = 'idle' and query like 'listen %'
        and query_start > backend_start + interval '1 second'`
  ).length > 0;

/** An account with a key and a link that have been used, and one whose key and link have not. */
const accounts = async () => {
  await until(t, 'the app listens for changes', listens);
  const [known, unknown] = [await app.account({ monthlyQuota: 1000 }), await app.account()];
  const paid = paidCalls(app, known.key);
  const items = [{ data: 'https://example.com/', dynamic: true }];
  const slug = findLinkedSlug(await paid.bulk(items));
  const unvisited = findLinkedSlug(await paid.bulk(items));
  t.equal((await call(scanOf(slug))).status, 302);
  await until(t, 'the first scan is recorded', async () => (await scanCount(slug)) === 1);
  return { known, unknown, paid, slug, unvisited };
};

type Accounts = Awaited<ReturnType<typeof accounts>>;

const SCANS = 40;

/** A preset that is not cached is looked up in Postgres, after the key is checked and before units are reserved. */
const refusesPresets = async (t: Test, { paid }: Accounts): Promise<void> => {
  const byPreset = { 'tessera-preset': 'House' };
  for (const call of [() => paid.single(byPreset), () => paid.bulk([{ data: 'x' }], byPreset)]) {
    const refused = await timed(call);
    t.match(refused, { status: 503, json: { error: 'Service unavailable' } });
    t.ok(Number(refused.headers['retry-after']) >= 1);
  }
  t.equal(await stores.openReservations(), 0, 'no units are reserved; usage is checked at the end');
};

const goesOn = async (t: Test, { known, unknown, paid, slug, unvisited }: Accounts): Promise<number> => {
  const served = await Promise.all(
    Array.from({ length: 10 }, () => [timed(paid.single), timed(paid.image)]).flat(),
  );
  t.ok(
    served.every(({ status }) => status === 200),
    `single and image calls of a known key are served: ${served.map(({ status }) => status)}`,
  );
  t.comment(`known key: ${rounded(served.map(({ ms }) => ms))}`);

  const bulk = await timed(() => paid.bulk(slowItems(5)));
  t.equal(bulk.status, 503, bulk.text);
  t.ok(Number(bulk.headers['retry-after']) >= 1);
  t.comment(`bulk refused after ${Math.round(bulk.ms)} ms`);

  const scans = await Promise.all(Array.from({ length: SCANS }, () => timed(() => call(scanOf(slug)))));
  t.ok(
    scans.every(({ status }) => status === 302),
    'a visited link still redirects',
  );
  const slowestMs = Math.max(...scans.map(({ ms }) => ms));
  t.ok(slowestMs < 1000, `visitors do not wait: answered after ${Math.round(slowestMs)} ms at the latest`);
  t.comment(`redirects: ${rounded(scans.map(({ ms }) => ms))}`);

  const other = await timed(() => call(scanOf(unvisited)));
  t.match(other, { status: 503, headers: { 'cache-control': 'no-store', 'retry-after': /^\d+$/ } });
  const others = await Promise.all(
    [unknown.key, createApiKey()].map((key) => timed(paidCalls(app, key).single)),
  );
  for (const { status, headers } of others) {
    t.equal(status, 503, 'an unknown key gets a 503, because it may be valid');
    t.ok(Number(headers['retry-after']) >= 1);
  }
  t.comment(
    `unknown link refused after ${Math.round(other.ms)} ms, unknown keys: ${rounded(others.map(({ ms }) => ms))}`,
  );
  const mistyped = `${known.key.slice(0, -1)}${known.key.endsWith('0') ? '1' : '0'}`;
  t.equal((await paidCalls(app, mistyped).single()).status, 401, 'a malformed key is refused as usual');
  t.equal((await call({ url: '/readyz' })).status, 200);
  return served.length;
};

const comesBack = async (t: Test, { known, unknown, paid, slug, unvisited }: Accounts, used: number) => {
  const bulkMs = await until(
    t,
    'bulk calls are served again',
    async () => (await paid.bulk()).status === 200,
  );
  const keyMs = await until(t, 'and unknown keys are accepted again', async () => {
    return (await paidCalls(app, unknown.key).single()).status === 200;
  });
  t.comment(`bulk calls are back after ${Math.round(bulkMs)} ms, unknown keys ${Math.round(keyMs)} ms later`);
  await until(t, 'and links', async () => (await call(scanOf(unvisited))).status === 302);
  await until(t, 'every scan is in Postgres', async () => (await scanCount(slug)) === SCANS + 1);
  await until(t, 'no reservation is open', async () => (await stores.openReservations()) === 0);
  t.equal(await usedOf(app, known.id), 2 + used + 1, 'exactly the answered calls are paid');
  await until(t, 'all usage has reached Postgres', async () => (await stores.undrained()) === 0);
  t.strictSame(await stores.differences(), []);
};

t.test('while Postgres is stopped, known keys and links keep working', async (t) => {
  const some = await accounts();
  await postgres.stop();
  await refusesPresets(t, some);
  const used = await goesOn(t, some);
  await postgres.start();
  await comesBack(t, some, used);
});

t.test('known keys and links work while Postgres is unreachable and changes are missed', async (t) => {
  const some = await accounts();
  postgresProxy.hold();
  const used = await goesOn(t, { ...some, slug: some.slug });
  await sleep(4000);
  const later = await Promise.all(Array.from({ length: 10 }, () => timed(some.paid.single)));
  t.ok(later.every(({ status }) => status === 200));
  t.comment(`known key, 4 s later: ${rounded(later.map(({ ms }) => ms))}`);
  const bulk = await timed(() => some.paid.bulk(slowItems(5)));
  t.equal(bulk.status, 503);
  t.comment(`bulk refused after ${Math.round(bulk.ms)} ms`);
  postgresProxy.heal();
  await comesBack(t, some, used + later.length);
});

t.test('if Postgres stops during a bulk call, nothing is saved and all units are refunded', async (t) => {
  const { known, paid } = await accounts();
  const answering = timed(() => paid.bulk(slowItems(30)));
  await until(t, 'the bulk call has begun', () => isDrawing(app));
  postgresProxy.cut();
  const answer = await answering;
  t.equal(answer.status, 503, 'the bulk call could not be saved');
  t.equal((await paid.single()).json.meta.usage_count, 3, 'all of its units are refunded');
  postgresProxy.heal();
  await until(t, 'bulk calls are served again', async () => (await paid.bulk()).status === 200);
  await until(t, 'no reservation is open', async () => (await stores.openReservations()) === 0);
  t.equal(await usedOf(app, known.id), 4);
  const [row] = await sql<
    [{ count: number }]
  >`select count(*) as count from codes where account_id = ${known.id}`;
  t.equal(row.count, 3, 'none of its codes were saved');
});
