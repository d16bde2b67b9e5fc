/** Gateways whose scans are in ClickHouse: what is counted, removed and refused, and what happens when it is away. */
import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { openClickHouse } from '../../src/clickhouse/client.ts';
import { createClickHouseScans } from '../../src/clickhouse/scans/store.ts';
import { scanTotals } from '../../src/db/tables/scans/scans.ts';
import { scansKeptSince } from '../../src/db/tables/scans/series.ts';
import { examine } from '../../src/doctor/doctor.ts';
import { run } from '../cli/support.ts';
import { startClickHouse } from '../servers/clickhouse/clickhouse.ts';
import type { TestScope } from '../servers/server-process.ts';
import { until } from '../servers/until.ts';
import { startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { scanRow } from '../support/scan.ts';

const DATABASE_URL = await realDatabaseUrl();
const server = await startClickHouse(t);
const app = await startApp(t, { DATABASE_URL, CLICKHOUSE_URL: server.url });
const database = await openFor(t, { url: DATABASE_URL, dataDir: '' });
const { sql } = database;
const clickhouse = await openClickHouse(server.url);
t.teardown(clickhouse.close);
const store = createClickHouseScans(clickhouse, database);

const SOON = { deadlineMs: 60_000 };
const VISITOR = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const withLinks = async (links: number) => {
  const made = await newClient(app);
  const { results } = await made.bulk(Array.from({ length: links }, (_, i) => `https://example.com/${i}`));
  return { ...made, slugs: fieldsOf(results, 'slug') as string[] };
};

const visit = async (slug: string) =>
  (await app.app.gateway.inject({ url: `/l/${slug}`, headers: { 'user-agent': VISITOR } })).statusCode;

const insert = (rows: Parameters<typeof store.insert>[0]) => store.insert(rows, (count) => count());

const count = async (condition: string): Promise<number> =>
  (await clickhouse.read<{ n: number }>(`select count() as n from scans where ${condition}`))[0]!.n;

const byKind = async (client: Awaited<ReturnType<typeof withLinks>>, path: string) =>
  (await client.get(path)).json.totals;

t.test('visits are in all reports of their account, and in none of another', async (t) => {
  const [mine, theirs] = [await withLinks(2), await withLinks(1)];
  const [slug] = mine.slugs as [string];
  t.equal(await visit(slug), 302);
  t.equal(await visit(slug), 302);
  await until(async () => (await byKind(mine, '/scans')).people === 2, SOON);
  t.match(await byKind(mine, `/links/${slug}/scans`), {
    people: 2,
    bots: 0,
    previews: 0,
    unique_visitors: 1,
  });
  t.equal((await mine.get(`/links/${slug}`)).json.scan_count, 2);
  const { breakdowns, links, hours } = (await mine.get('/scans/breakdowns')).json;
  t.match(breakdowns.browser, [{ value: 'Firefox', people: 2 }]);
  t.match(links, [{ slug, people: 2 }]);
  t.equal(hours.length, 1);
  const raw = (await mine.get('/scans/raw')).text.trim().split('\n');
  t.equal(raw.length, 2);
  t.match(JSON.parse(raw[0]!), { slug, browser: 'Firefox', kind: 'person' });
  t.match((await mine.get('/scans/export?by=link')).text, new RegExp(slug));
  t.equal((await theirs.get(`/links/${slug}/scans`)).status, 404);
  t.match(await byKind(theirs, '/scans'), { people: 0 });
  t.equal((await theirs.get('/scans/raw')).text, '');
  t.strictSame((await theirs.get('/scans/breakdowns')).json.breakdowns.browser, []);
  const [row] = await sql<[{ n: number }]>`select count(*)::int as n from scans`;
  t.equal(row.n, 0, 'Postgres has no single scan');
});

t.test(
  'a link in the bin is left out of what is broken down, but not of the counts of the account',
  async (t) => {
    const mine = await withLinks(2);
    const now = new Date();
    await insert(mine.slugs.map((slug) => scanRow({ slug, at: now })));
    const [code] = (await mine.get('/codes')).json.data;
    await mine.del(`/codes/${code!.id}`);
    t.match((await mine.get('/scans/breakdowns')).json.breakdowns.device, [{ value: 'mobile', people: 1 }]);
    t.match(await byKind(mine, '/scans'), { people: 2 });
  },
);

t.test(
  'while ClickHouse is away links redirect, reports are refused, and visits are counted later',
  async (t) => {
    const mine = await withLinks(1);
    const [slug] = mine.slugs as [string];
    await server.stop();
    t.equal(await visit(slug), 302);
    t.match(await mine.get('/scans'), { status: 503, headers: { 'retry-after': /^\d+$/ } });
    t.equal((await mine.get(`/links/${slug}`)).status, 200);
    await server.start();
    await until(async () => (await byKind(mine, '/scans')).people === 1, SOON);
    t.equal((await mine.get(`/links/${slug}`)).json.scan_count, 1);
  },
);

t.test('groups that are tried again after ClickHouse was killed count once everywhere', async (t) => {
  const mine = await withLinks(3);
  const kinds = ['person', 'bot', 'preview'] as const;
  const GROUPS = 5;
  const ROWS = 2000;
  for (let group = 0; group < GROUPS; group += 1) {
    const rows = Array.from({ length: ROWS }, (_, i) =>
      scanRow({
        ...{ slug: mine.slugs[i % 3]!, kind: kinds[i % 4 === 3 ? i % 3 : 0]! },
        at: new Date(Date.UTC(2026, 9, 31, 23, 0) + i * 4000),
      }),
    );
    const first = insert(rows).catch(() => 'failed');
    await sleep(10 + group * 15);
    process.kill(server.pid, 'SIGKILL');
    await first;
    await server.stop();
    await server.start();
    await insert(rows);
    await insert(rows);
  }
  const all = `account_id = '${mine.id}'`;
  t.equal(await count(all), GROUPS * ROWS);
  const totals = [...(await scanTotals(sql, mine.slugs)).values()];
  const people = totals.reduce((sum, one) => sum + one.people, 0);
  t.equal(
    totals.reduce((sum, one) => sum + one.people + one.bots + one.previews, 0),
    GROUPS * ROWS,
  );
  t.equal(await count(`${all} and kind = 'person'`), people);
  const span = 'from=2026-10-31&to=2026-11-03';
  t.match(await byKind(mine, `/scans?${span}`), { people, unique_visitors: 6 }, 'also in the counts');
});

t.test('scans of purged codes go, and the counts of the account stay', async (t) => {
  const mine = await withLinks(2);
  const [gone, kept] = mine.slugs as [string, string];
  const now = new Date();
  await insert(mine.slugs.map((slug) => scanRow({ slug, at: now })));
  await sql`insert into gone_scans (slug, account_id) values (${gone}, ${mine.id})`;
  t.equal(await store.removeGone(new Date(now.getTime() + 11 * 60_000)), true);
  t.strictSame([await count(`slug = '${gone}'`), await count(`slug = '${kept}'`)], [0, 1]);
  t.match(await byKind(mine, '/scans'), { people: 2 });
  t.notOk((await scanTotals(sql, mine.slugs)).has(gone));
});

t.test('months whose last scan is older than the retention are dropped, and answers say so', async (t) => {
  const mine = await withLinks(1);
  const [slug] = mine.slugs as [string];
  const at = (text: string) => scanRow({ slug, at: new Date(text) });
  await insert([at('2024-03-31T23:59:59Z'), at('2024-04-01T00:00:00Z')]);
  await store.keep(new Date('2026-04-30T23:00:00Z'), 24);
  t.equal(await count(`slug = '${slug}'`), 1);
  t.match(await byKind(mine, '/scans?interval=month&from=2024-01-01&to=2024-12-31'), { people: 1 });
  t.strictSame(await scansKeptSince(sql), new Date('2024-04-01'));
});

/** A proxy that notes how many rows the server has read for each query. */
const startCounter = async (t: TestScope): Promise<{ readonly url: string; readonly read: number[] }> => {
  const read: number[] = [];
  const { port } = new URL(server.url);
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url: path } = incoming;
    const passed = request({ port, method, headers, path }, (answer) => {
      read.push(JSON.parse(String(answer.headers['x-clickhouse-summary'] ?? '{}')).read_rows ?? 0);
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => proxy.close());
  return { url: `http://127.0.0.1:${(proxy.address() as { port: number }).port}/tessera`, read };
};

t.test('an account with a thousandth of the rows reads only its own', async (t) => {
  const mine = await withLinks(2);
  const span = { from: new Date('2026-09-01'), to: new Date('2026-10-01') };
  await clickhouse.run(`
    insert into scans select generateUUIDv4(rand(2) % 50), toString(10000000 + rand(3) % 100000),
      toDateTime64('2026-09-01', 3, 'UTC') + rand(4) % 2592000, rand64(5), 'person', rand64(6), 'mobile', 'iOS', 'Safari', 'DE', '', ''
    from numbers(1000000)`);
  await insert(
    Array.from({ length: 1000 }, (_, i) =>
      scanRow({ slug: mine.slugs[i % 2]!, at: new Date(span.from.getTime() + i * 1000) }),
    ),
  );
  const counter = await startCounter(t);
  const counted = await openClickHouse(counter.url);
  t.teardown(counted.close);
  const scans = createClickHouseScans(counted, database);
  const filter = { ...span, accountId: mine.id, firstSlug: null, timeZone: 'UTC' };
  const page = await scans.list(filter, { after: null, limit: 5000 });
  t.equal(page.rows.length, 1000);
  await scans.breakdowns(sql, { ...span, slugs: mine.slugs });
  // Blocks of the index have 8,192 rows, of which the first and the last may be those of others.
  t.equal(counter.read.length, 2);
  for (const rows of counter.read) t.ok(Number(rows) <= 5 * 8192, `${rows} of a million rows read`);
});

t.test('a gateway that would look for scans in Postgres does not start', async (t) => {
  await t.rejects(startApp(t, { DATABASE_URL, DEMO_ACCOUNT: 'false' }), { message: /set CLICKHOUSE_URL/ });
});

t.test('doctor says whether ClickHouse is as gateways need it', async (t) => {
  const about = async (some: Readonly<Record<string, string>>) =>
    (await examine({ DATABASE_URL, ...some }))
      .filter(({ check }) => check === 'clickhouse')
      .map(({ state, message }) => `${state}: ${message}`);
  t.match(await about({ CLICKHOUSE_URL: server.url }), [
    /^ok: ClickHouse 26\.\S+ answers and has its tables\.$/,
  ]);
  t.match(await about({}), [/^fail: .*set CLICKHOUSE_URL/]);
  t.match(await about({ CLICKHOUSE_URL: 'http://u:a-secret@127.0.0.1:1/tessera' }), [/^fail: ClickHouse: /]);
  const empty = server.url.replace(/tessera$/, 'default');
  t.match(await about({ CLICKHOUSE_URL: empty }), [/^warn: ClickHouse lacks 0001_scans/]);
  const environment = { DATABASE_URL, CLICKHOUSE_URL: empty };
  t.match((await run(['migrate', '--dry-run'], environment)).out, /clickhouse\/0001_scans/);
  t.match((await run(['migrate'], environment)).out, /Applied clickhouse\/0001_scans\./);
  t.match((await run(['migrate'], environment)).out, /No migration is missing/);
});
