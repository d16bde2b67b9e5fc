/** Postgres and ClickHouse give the same answers about the same scans. */
import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { openClickHouse } from '../../src/clickhouse/client.ts';
import { createClickHouseScans } from '../../src/clickhouse/scans/store.ts';
import { migrateClickHouse } from '../../src/clickhouse/schema.ts';
import { type Cursor, decodeCursor } from '../../src/db/cursor.ts';
import type { RawScan } from '../../src/db/tables/scans/raw.ts';
import type { Scanned } from '../../src/db/tables/scans/scanned.ts';
import type { ScanRow } from '../../src/db/tables/scans/scans.ts';
import { bucketSpan, type Interval } from '../../src/db/tables/scans/series.ts';
import { createPostgresScans, type ScanStore } from '../../src/db/tables/scans/store.ts';
import { startClickHouse } from '../servers/clickhouse/clickhouse.ts';
import { startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';
import { fieldsOf } from '../support/fields-of.ts';

const url = await realDatabaseUrl();
const app = await startApp(t, { DATABASE_URL: url });
const database = await openFor(t, { url, dataDir: '' });
const { sql } = database;
const server = await startClickHouse(t);
const clickhouse = await openClickHouse(server.url);
t.teardown(clickhouse.close);
await migrateClickHouse(clickhouse);

const stores: readonly ScanStore[] = [
  createPostgresScans(database),
  createClickHouseScans(clickhouse, database),
];

const withLinks = async (name: string) => {
  const made = await newClient(app);
  const urls = [0, 1, 2].map((i) => `https://example.com/${name}${i}`);
  const { folderId, results, codes } = await made.bulk(urls, name);
  return { ...made, folderId, slugs: fieldsOf(results, 'slug') as string[], codes };
};

const mine = await withLinks('mine');
const theirs = await withLinks('theirs');
const binned = mine.slugs[2]!;
await mine.del(`/codes/${mine.codes.find(({ slug }) => slug === binned)!.id}`);
const accountId = mine.id;

const QUARTER_MS = 900_000;
const START_MS = Date.UTC(2026, 9, 23);
const QUARTERS = 4 * 24 * 5;

const scan = fc
  .record({
    atMs: fc
      .tuple(fc.nat(QUARTERS), fc.constantFrom(0, 1, 899_999))
      .map(([n, ms]) => START_MS + n * QUARTER_MS + ms),
    slug: fc.constantFrom(...mine.slugs, ...theirs.slugs),
    kind: fc.constantFrom('person', 'person', 'bot', 'preview'),
    visitor: fc.constantFrom('00000000000000aa', 'ffffffffffffffff', '8000000000000001'),
    device: fc.constantFrom('', 'mobile', 'desktop'),
    os: fc.constantFrom('', 'iOS'),
    browser: fc.constantFrom('', 'Safari', 'Chrome'),
    country: fc.constantFrom('', 'DE', 'FR'),
    referrerHost: fc.constantFrom('', 'example.com', 'xn--caf-dma.example'),
    rule: fc.constantFrom('', 'app', `it's "a" \\ rule`),
    id: fc.uuid(),
  })
  .map(({ atMs, ...row }) => ({ ...row, at: new Date(atMs) }) as ScanRow);

/** Groups of scans in the order of their times, each of which is written as often as it says. */
const groups = fc
  .tuple(
    fc.uniqueArray(scan, { maxLength: 60, selector: ({ id }) => id }),
    fc.array(fc.integer({ min: 1, max: 25 })),
  )
  .map(([rows, sizes]) => {
    const left = rows.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
    return [...sizes, left.length].map((size) => left.splice(0, size)).filter((group) => group.length > 0);
  });

const scanned: fc.Arbitrary<Scanned> = fc.oneof(
  fc.record({ slug: fc.constantFrom(...mine.slugs) }),
  fc.record({ slugs: fc.subarray([...mine.slugs]) }),
  fc.record({ accountId: fc.constant(accountId) }),
  fc.record({ accountId: fc.constant(accountId), except: fc.constant([binned]) }),
  fc.record({
    accountId: fc.constant(accountId),
    slugs: fc.option(fc.subarray([...mine.slugs])),
    rule: fc.constantFrom('app', `it's "a" \\ rule`, 'none'),
  }),
);

const asked = fc.record({
  scanned,
  fromQuarter: fc.nat(QUARTERS),
  quarters: fc.integer({ min: 1, max: QUARTERS }),
  interval: fc.constantFrom<Interval>('hour', 'day', 'month'),
  timeZone: fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'asia/kolkata',
    'Australia/Lord_Howe',
    'America/New_York',
  ),
  limit: fc.integer({ min: 1, max: 20 }),
  isOfFolder: fc.boolean(),
});

type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

const emptyAll = async () => {
  await sql`truncate scans, scan_visitors, scan_series, scan_account_series, scan_breakdowns, scan_totals, scan_groups`;
  for (const table of ['scans', 'scan_account_series', 'scan_account_visitors'])
    await clickhouse.run(`truncate table ${table}`);
};

/** As answers have it: `isEnd` is of the query in Postgres. */
const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, each) => (key === 'isEnd' ? undefined : each)));

const pagesOf = async (store: ScanStore, filter: Parameters<ScanStore['list']>[0], limit: number) => {
  const rows: RawScan[] = [];
  let after: Cursor | null = null;
  for (;;) {
    const page = await store.list(filter, { after, limit });
    rows.push(...page.rows);
    if (page.next === null) return rows;
    after = decodeCursor(page.next)!;
  }
};

/** Everything that a store answers. */
const answersOf = async (store: ScanStore, query: Asked) => {
  const { timeZone, interval, limit, isOfFolder } = query;
  const from = new Date(START_MS + query.fromQuarter * QUARTER_MS);
  const found = await bucketSpan(sql, {
    ...{ from, to: new Date(from.getTime() + query.quarters * QUARTER_MS), interval, timeZone },
  });
  if (!found.ok) throw new Error(found.fault.message);
  const span = found.value;
  const of = { ...span, ...query.scanned };
  const isAccount = 'accountId' in of && !('rule' in of || 'except' in of);
  const { folderId, slugs } = mine;
  return plain({
    series: await store.series(sql, { ...of, interval, timeZone }),
    hours: await store.hours(sql, { ...of, timeZone }),
    breakdowns: isAccount ? null : await store.breakdowns(sql, of as Parameters<ScanStore['breakdowns']>[1]),
    byLink: isAccount ? null : [...(await store.byLink(sql, of))].sort(([a], [b]) => (a < b ? -1 : 1)),
    busiest: isAccount ? null : await store.busiest(sql, of, limit),
    countOf: await store.countOf(sql, accountId, span),
    recent: await store.recent(sql, { accountId, folderId }, span),
    raw: await pagesOf(
      store,
      {
        ...{ ...span, timeZone, accountId, firstSlug: 'slug' in of ? slugs[0]! : null },
        ...(isOfFolder && { folderId }),
        ...('rule' in of && { rule: of.rule }),
      },
      limit,
    ),
  });
};

t.test('the same random scans, with retries, give the same answers to all queries', async (t) => {
  await fc.assert(
    fc.asyncProperty(groups, fc.array(asked, { minLength: 1, maxLength: 3 }), async (written, queries) => {
      await emptyAll();
      for (const store of stores)
        for (const group of written) {
          await store.insert(group, (count) => count());
          await store.insert(group, (count) => count());
        }
      for (const query of queries) {
        const [postgres, other] = [await answersOf(stores[0]!, query), await answersOf(stores[1]!, query)];
        deepStrictEqual(other, postgres);
      }
    }),
    { numRuns: 60 },
  );
  t.pass('no difference');
});
