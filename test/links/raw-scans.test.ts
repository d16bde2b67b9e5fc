/** Single scans: through the API, and page by page in the database. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { type Cursor, decodeCursor, type Page } from '../../src/db/cursor.ts';
import { listRawScans, type RawScan } from '../../src/db/tables/scans/raw.ts';
import { insertScans, type ScanRow } from '../../src/db/tables/scans/scans.ts';
import { startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { scanRow } from '../support/scan.ts';

const url = await realDatabaseUrl();
const app = await startApp(t, { DATABASE_URL: url });
const database = await openFor(t, { url, dataDir: '' });
const { sql } = database;

const SPAN = '?from=2026-11-01&to=2026-12-01';

/** An account with short links, and functions that read its scans. */
const visited = async (links: number) => {
  const made = await newClient(app);
  const urls = Array.from({ length: links }, (_, i) => `https://example.com/${i}`);
  const { folderId, results } = await made.bulk(urls);
  const read = (query: string, headers?: Record<string, string>) => made.get(`/scans/raw${query}`, headers);
  return { ...made, slugs: fieldsOf(results, 'slug'), read, folderId };
};

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const minute = (n: number): Date => new Date(Date.UTC(2026, 10, 21, 12, n));

t.test('scans are listed one by one, oldest first, as NDJSON and CSV', async (t) => {
  const { get, head, slugs, read } = await visited(2);
  const [a, b] = slugs as [string, string];
  const full = { country: 'DE', referrerHost: '-example.com', visitor: '00000000000000aa' };
  const second = scanRow({ slug: b, at: minute(2), kind: 'bot', device: '', os: '', browser: '' });
  const first = scanRow({ slug: a, at: minute(1), ...full });
  await insertScans(sql, [second, first]);
  const { data } = (await get('/codes?sort=oldest')).json;
  const ndjson = await read(SPAN);
  t.match(ndjson.headers, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'private, no-store',
    vary: 'Accept',
  });
  t.notOk('tessera-next-cursor' in ndjson.headers);
  t.strictSame(linesOf(ndjson.text), [
    {
      ...{ id: first.id, at: '2026-11-21T12:01:00.000Z', local_time: '2026-11-21 12:01:00' },
      ...{ slug: a, code_id: data[0]!.id, kind: 'person' },
      ...{ visitor: '00000000000000aa', device: 'mobile', os: 'iOS', browser: 'Safari' },
      ...{ country: 'DE', referrer_host: '-example.com', rule: null },
    },
    {
      ...{ id: second.id, at: '2026-11-21T12:02:00.000Z', local_time: '2026-11-21 12:02:00' },
      ...{ slug: b, code_id: data[1]!.id, kind: 'bot' },
      ...{ visitor: '0101010101010101', device: null, os: null, browser: null },
      ...{ country: null, referrer_host: null, rule: null },
    },
  ]);
  const csv = await read(SPAN, { accept: 'text/csv' });
  t.match(csv.headers['content-type'], /^text\/csv/);
  const rows: Record<string, string>[] = parse(csv.text, { columns: true });
  t.match(rows, [
    { id: first.id, country: 'DE', referrer_host: "'-example.com", rule: '' },
    { id: second.id, country: '', referrer_host: '', rule: '' },
  ]);
  t.equal(
    (await read(`${SPAN}&format=csv`, { accept: 'application/x-ndjson' })).text,
    csv.text,
    'the query parameter format takes precedence',
  );
  t.equal((await read(SPAN, { accept: 'image/png' })).status, 406);
  const { status, text } = await head(`/scans/raw${SPAN}`);
  t.strictSame([status, text], [200, '']);
});

t.test('a link is found by any of its slugs, and a range includes its start but not its end', async (t) => {
  const { patch, slugs, read } = await visited(2);
  const [a, b] = slugs as [string, string];
  await insertScans(
    sql,
    [0, 1, 2, 3].map((n) => scanRow({ slug: a, at: minute(n) })),
  );
  await insertScans(sql, [scanRow({ slug: b, at: minute(1) })]);
  const own = `raw-${a.toLowerCase()}`;
  await patch(`/links/${a}`, { slug: own });
  const times = async (query: string) => linesOf((await read(query)).text).map(({ at, slug }) => [at, slug]);
  const span = '?from=2026-11-21T12:01:00Z&to=2026-11-21T12:03:00Z';
  const expected = [
    ['2026-11-21T12:01:00.000Z', own],
    ['2026-11-21T12:02:00.000Z', own],
  ];
  t.strictSame(await times(`${span}&slug=${a}`), expected);
  t.strictSame(await times(`${span}&slug=${own}`), expected);
  t.equal((await times(span)).length, 3);
});

t.test('a page is sent in chunks of some rows', async (t) => {
  const { slugs, read } = await visited(1);
  const scans = Array.from({ length: 130 }, (_, n) => scanRow({ slug: slugs[0]!, at: minute(n % 60) }));
  await insertScans(sql, scans);
  const ids = scans.map(({ id }) => id).sort();
  const [csv, ndjson] = [await read(`${SPAN}&format=csv`), await read(`${SPAN}&format=ndjson`)];
  const rows: Record<string, string>[] = parse(csv.text, { columns: true });
  t.strictSame(rows.map(({ id }) => id).sort(), ids);
  t.strictSame(
    linesOf(ndjson.text)
      .map(({ id }) => id)
      .sort(),
    ids,
  );
  for (const { headers } of [csv, ndjson]) t.notOk('content-length' in headers, 'it is not written at once');
});

t.test('the pages together are the whole list, and CSV has one header row', async (t) => {
  const { slugs, read } = await visited(1);
  const at = minute(0);
  await insertScans(
    sql,
    Array.from({ length: 7 }, () => scanRow({ slug: slugs[0]!, at })),
  );
  for (const format of ['ndjson', 'csv']) {
    const query = `${SPAN}&format=${format}`;
    const texts: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await read(`${query}&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      t.equal(page.status, 200, page.text);
      texts.push(page.text);
      cursor = (page.headers['tessera-next-cursor'] as string | undefined) ?? null;
    }
    t.equal(texts.length, 3);
    t.equal(texts.join(''), (await read(query)).text);
  }
});

t.test('invalid requests for scans are refused', async (t) => {
  const { slugs, read } = await visited(1);
  await insertScans(
    sql,
    [1, 2].map((n) => scanRow({ slug: slugs[0]!, at: minute(n) })),
  );
  const page = await read(`${SPAN}&limit=1`);
  const cursor = page.headers['tessera-next-cursor'] as string;
  t.match(await read(`?from=2026-11-02&to=2026-12-01&cursor=${cursor}`), {
    status: 400,
    json: { details: /^cursor: must be the cursor/ },
  });
  for (const query of [
    '?from=2026-12-01&to=2026-11-01',
    '?limit=0',
    '?limit=5001',
    '?format=xml',
    '?cursor=x',
  ])
    t.equal((await read(query)).status, 400, query);
  t.equal((await read('?slug=unknown0')).status, 404);
});

t.test("another account's scans, and those of deleted links, are left out", async (t) => {
  const mine = await visited(2);
  const other = await visited(1);
  const all = [...mine.slugs, ...other.slugs].map((slug) => scanRow({ slug, at: minute(1) }));
  await insertScans(sql, all);
  t.equal((await mine.read(`${SPAN}&slug=${other.slugs[0]}`)).status, 404);
  t.equal(linesOf((await mine.read(SPAN)).text).length, 2);
  await mine.del(`/folders/${mine.folderId}`);
  t.equal((await mine.read(SPAN)).text, '');
  t.equal(linesOf((await other.read(SPAN)).text).length, 1);
});

t.test(
  'however few rows a page may examine, and a query return, the pages contain every scan once and in order',
  async () => {
    const mine = await visited(2);
    const other = await visited(1);
    const slugs = [...mine.slugs, ...other.slugs];
    const accountOf = async () => {
      const [row] = await sql<
        { accountId: string }[]
      >`select account_id from links where slug = ${slugs[0]!}`;
      return row!.accountId;
    };
    const accountId = await accountOf();
    const from = new Date('2026-11-21');
    const to = new Date('2026-11-22');
    const scan = fc.record({
      slug: fc.constantFrom(...slugs),
      at: fc.integer({ min: 0, max: 90 }).map(minute),
    });
    const asked = fc.record({
      scans: fc.array(scan, { maxLength: 25 }),
      limit: fc.integer({ min: 1, max: 4 }),
      bounds: fc.record({
        lookedAt: fc.integer({ min: 1, max: 6 }),
        atOnce: fc.integer({ min: 1, max: 4 }),
      }),
      isOfOne: fc.boolean(),
    });
    const inOrder = (a: ScanRow, b: ScanRow) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1);
    await fc.assert(
      fc.asyncProperty(asked, async ({ scans, limit, bounds, isOfOne }) => {
        await sql`truncate scans, scan_visitors, scan_series, scan_breakdowns, scan_totals`;
        const rows = scans.map(scanRow);
        await insertScans(sql, rows);
        const filter = { accountId, from, to, firstSlug: isOfOne ? slugs[0]! : null, timeZone: 'UTC' };
        const wanted = isOfOne ? slugs.slice(0, 1) : mine.slugs;
        const expected = rows.filter(({ slug }) => wanted.includes(slug)).sort(inOrder);
        const found: string[] = [];
        let after: Cursor | null = null;
        for (let pages = 0; pages <= 30; pages += 1) {
          const page: Page<RawScan> = await listRawScans(database, filter, { after, limit }, bounds);
          if (page.rows.length > limit) return false;
          found.push(...page.rows.map(({ id }) => id));
          if (page.next === null) return found.join() === expected.map(({ id }) => id).join();
          after = decodeCursor(page.next)!;
        }
        return false;
      }),
      { numRuns: 60 },
    );
  },
);
