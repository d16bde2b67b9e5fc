/** Gateways whose scans wait in Redis while ClickHouse is away. */
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { openClickHouse } from '../../../src/clickhouse/client.ts';
import { startClickHouse } from '../../servers/clickhouse/clickhouse.ts';
import { startRedis } from '../../servers/redis.ts';
import { until } from '../../servers/until.ts';
import { startApp } from '../../support/app/app.ts';
import { newClient } from '../../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../../support/database/database.ts';
import { fieldsOf } from '../../support/fields-of.ts';

const DATABASE_URL = await realDatabaseUrl();
const server = await startClickHouse(t);
const redis = await startRedis(t);
const client = new Redis(redis.url).on('error', () => {});
t.teardown(() => client.disconnect());
const env = { DATABASE_URL, REDIS_URL: redis.url, CLICKHOUSE_URL: server.url, METRICS_PUBLIC: 'true' };
const { sql } = await openFor(t, { url: DATABASE_URL, dataDir: '' });
const clickhouse = await openClickHouse(server.url);
t.teardown(clickhouse.close);

const SOON = { deadlineMs: 60_000 };
const VISITOR = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

type App = Awaited<ReturnType<typeof startApp>>;

const visit = async ({ app }: App, slug: string) =>
  (await app.gateway.inject({ url: `/l/${slug}`, headers: { 'user-agent': VISITOR } })).statusCode;

const newLink = async (app: App): Promise<string> => {
  const { results } = await (await newClient(app)).bulk(['https://example.com/']);
  return (fieldsOf(results, 'slug') as [string])[0];
};

const stored = async (slug: string): Promise<number> =>
  (
    await clickhouse.read<{ n: number }>('select count() as n from scans where slug = {slug:String}', {
      slug,
    })
  )[0]!.n;

const total = async (slug: string): Promise<number> =>
  (await sql<{ people: number }[]>`select people::int from scan_totals where slug = ${slug}`)[0]?.people ?? 0;

const metric = async ({ app }: App, name: string): Promise<number> => {
  const { payload } = await app.gateway.inject('/metrics');
  return Number(
    payload
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );
};

const waiting = () => client.xlen('{scans}:groups');

const arrives = async (t: Test, slug: string, scans: number) => {
  await until(async () => (await stored(slug)) >= scans && (await waiting()) === 0, SOON);
  t.strictSame([await stored(slug), await total(slug)], [scans, scans]);
};

t.test('visits go through Redis to ClickHouse, and count once', async (t) => {
  const app = await startApp(t, env);
  const slug = await newLink(app);
  for (let n = 0; n < 3; n += 1) t.equal(await visit(app, slug), 302);
  await arrives(t, slug, 3);
  await until(
    async () => (await metric(app, 'tessera_scan_stream_bytes{state="left"}')) === 268_435_456,
    SOON,
  );
  t.equal(await metric(app, 'tessera_scan_stream_oldest_seconds'), 0);
  t.equal(await metric(app, 'tessera_scans_total{outcome="recorded"}'), 3);
});

t.test('while ClickHouse is away scans wait in Redis, and outlive their gateway', async (t) => {
  const app = await startApp(t, env);
  const slug = await newLink(app);
  await visit(app, slug);
  await arrives(t, slug, 1);
  await server.stop();
  for (let n = 0; n < 3; n += 1) {
    t.equal(await visit(app, slug), 302);
    await until(async () => (await total(slug)) === n + 2, SOON);
  }
  t.equal(await waiting(), 3);
  await until(async () => (await metric(app, 'tessera_scan_stream_oldest_seconds')) > 0, SOON);
  t.equal(await metric(app, 'tessera_scans_buffered'), 0);
  await app.app.close();
  t.equal(await waiting(), 3);
  await server.start();
  await startApp(t, env);
  await arrives(t, slug, 4);
});

t.test('while Redis is away scans wait in memory, and links redirect', async (t) => {
  const app = await startApp(t, env);
  const slug = await newLink(app);
  await visit(app, slug);
  await arrives(t, slug, 1);
  await redis.stop();
  t.equal(await visit(app, slug), 302);
  await until(async () => (await metric(app, 'tessera_loop_failures_total{loop="scans"}')) > 0, SOON);
  t.equal(await metric(app, 'tessera_scans_buffered'), 1);
  await redis.start();
  await arrives(t, slug, 2);
});

t.test('what Redis may not hold waits in memory', async (t) => {
  const app = await startApp(t, { ...env, SCAN_STREAM_MAX_BYTES: '16777216' });
  const slug = await newLink(app);
  await visit(app, slug);
  await arrives(t, slug, 1);
  await server.stop();
  await client.set('{scans}:bytes', 16_777_216);
  t.equal(await visit(app, slug), 302);
  await until(async () => (await metric(app, 'tessera_loop_failures_total{loop="scans"}')) > 0, SOON);
  t.equal(await metric(app, 'tessera_scans_buffered'), 1);
  t.equal(await waiting(), 0);
  await client.del('{scans}:bytes');
  await server.start();
  await arrives(t, slug, 2);
});

t.test('a redirect gateway can have a user of its own in Redis, who reaches nothing else', async (t) => {
  const commands =
    '+@connection +info +cluster +eval +evalsha +script +xadd +xack +xdel +xlen +xrange +xreadgroup +xautoclaim +xpending +xinfo +xgroup +get +incrby +decrby +del +exists';
  await client.call(
    'ACL',
    'SETUSER',
    'tessera_redirect',
    'on',
    '>secret',
    'resetkeys',
    '~{scans}:*',
    ...commands.split(' '),
  );
  const url = redis.url.replace('//', '//tessera_redirect:secret@');
  const whole = await startApp(t, env);
  const slug = await newLink(whole);
  await whole.app.close();
  const app = await startApp(t, { ...env, REDIS_URL: url, ROLE: 'redirect' });
  t.equal(await visit(app, slug), 302);
  await arrives(t, slug, 1);
  t.equal(await metric(app, 'tessera_dependency_up{dependency="redis"}'), 1);
  const theirs = new Redis(url);
  t.teardown(() => theirs.disconnect());
  await t.rejects(theirs.get('{q:00}:open'), /NOPERM/);
  await t.rejects(theirs.flushall(), /NOPERM/);
});
