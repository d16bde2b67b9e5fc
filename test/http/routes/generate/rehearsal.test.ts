/** Load tests with sandbox keys: the pictures and the work of live calls, of which nothing is left. */
import sharp from 'sharp';
import t from 'tap';
import { startRedis } from '../../../servers/redis.ts';
import { until } from '../../../servers/until.ts';
import { ADMIN_TOKEN, pictureOf, pngOf, startApp, type TestApp } from '../../../support/app/app.ts';
import { clientOf, newClient, RANDOM_ID } from '../../../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../../../support/database/database.ts';

const MARK = { 'tessera-load-test': 'night' };

/** An account, and functions that make marked calls with a sandbox key of it. */
const start = async (app: TestApp, wanted: Parameters<TestApp['account']>[0] = {}) => {
  const live = await newClient(app, wanted);
  const body = { name: 'load', sandbox: true, load_tests: true };
  const { key } = (await app.admin('POST', `/accounts/${live.id}/keys`, body)).json;
  const sandbox = clientOf(app, key);
  const post = (path: string, body: unknown, headers = {}) =>
    sandbox.post(path, body, { ...MARK, ...headers });
  const render = (query: Record<string, string>, headers = {}) =>
    sandbox.render(query, { ...MARK, ...headers });
  return { live, sandbox, post, render };
};

const LEDGERS = {
  SQL: async () => ({}),
  Redis: async () => ({ REDIS_URL: (await startRedis(t)).url, SHUTDOWN_GRACE_MS: '0' }),
};

/** Everything that calls that make codes leave in the database. */
const TABLES = [
  ...['codes', 'links', 'folders', 'designs', 'logos', 'saved_calls', 'events', 'claims', 'long_answers'],
  'quota_corrections',
];

for (const [ledger, open] of Object.entries(LEDGERS)) {
  t.test(`a load test with a sandbox key, with the ledger in ${ledger}`, async (t) => {
    const databaseUrl = await realDatabaseUrl();
    const app = await startApp(t, { DATABASE_URL: databaseUrl, ...(await open()) });
    const { sql } = await openFor(t, { url: databaseUrl, dataDir: '' });
    /** Counts rows, once no call waits for its settlement. */
    const rows = async () => {
      await until(async () => (await sql`select from quota_reservations`).length === 0);
      const counts = TABLES.map((table) => sql`select count(*)::int as count from ${sql(table)}`);
      return (await Promise.all(counts)).map(([row]) => row!.count as number);
    };
    const metric = async (series: string) => {
      const { text } = await app.call({ url: '/metrics', key: ADMIN_TOKEN });
      const line = text.split('\n').find((line) => line.startsWith(`${series} `));
      return Number(line?.split(' ')[1] ?? 0);
    };
    const logo = `data:image/png;base64,${(
      await sharp({ create: { width: 40, height: 40, channels: 3, background: '#147' } })
        .png()
        .toBuffer()
    ).toString('base64')}`;

    await t.test('makes the pictures of a live key', async (t) => {
      const { live, post, render } = await start(app);
      for (const body of [
        { data: 'plain' },
        { data: 'plain' },
        { data: 'styled', dotsOptions: { type: 'rounded' }, image: logo },
      ]) {
        const marked = await post('/qr', body);
        t.same(pictureOf(marked), pictureOf(await live.post('/qr', body)));
      }
      for (const accept of ['image/webp', 'image/svg+xml', 'application/pdf']) {
        const [marked, own] = [
          await post('/qr/file', { data: 'f' }, { accept }),
          await live.post('/qr/file', { data: 'f' }, { accept }),
        ];
        t.same(marked.bytes, own.bytes, accept);
      }
      const barcode = { symbology: 'gs1-datamatrix', data: '(01)09521321000018' };
      const drawn = await post('/barcodes/file', barcode);
      t.same(drawn.bytes, (await live.post('/barcodes/file', barcode)).bytes);
      const [marked, own] = [await render({ content: 'shown' }), await live.render({ content: 'shown' })];
      t.same(marked.bytes, own.bytes);
      t.equal(marked.headers.etag, own.headers.etag);
      t.equal(marked.headers['cache-control'], 'no-store', 'since the address has the key, and not the mark');
      t.equal(
        (await render({ content: 'shown' }, { 'if-none-match': String(own.headers.etag) })).status,
        304,
      );
      const items = [{ data: 'one', image: logo }, { data: '' }, { data: 'two' }];
      const [bulk, ownBulk] = [await post('/qr/bulk', { items }), await live.post('/qr/bulk', { items })];
      t.strictSame(
        bulk.json.results.map(({ success, data, error }) => ({ success, data, error })),
        ownBulk.json.results.map(({ success, data, error }) => ({ success, data, error })),
      );
    });

    await t.test('costs and saves nothing, whether its calls succeed or fail', async (t) => {
      const { live, post, render } = await start(app, { monthlyQuota: 2, credits: 3 });
      t.equal((await live.post('/qr', { data: 'one unit' })).status, 200);
      const usage = (await live.get('/usage')).json;
      const [before, admitted] = [
        await rows(),
        await metric('tessera_quota_reservations_total{outcome="admitted"}'),
      ];
      const balance = { usage_count: 1, remaining: 4 };
      const givenBack = () => until(async () => (await live.get('/usage')).json.remaining === 4);
      t.match((await post('/qr', { data: 'x', margin: 1 })).json.meta, { ...balance, strategy: 'monthly' });
      await givenBack();
      t.match((await post('/qr', { data: 'x', margin: 1 })).json.meta, balance, 'from the cache');
      await givenBack();
      t.equal((await render({ content: 'x' })).headers['x-qr-usage'], '1');
      await givenBack();
      const items = [
        { data: 'https://example.com/', dynamic: true, image: logo },
        { data: 'plain', dotsOptions: { color: '#123' } },
        { data: '' },
      ];
      const bulk = await post('/qr/bulk', { items, folderName: 'Marked' });
      t.match(bulk.json.meta, { total: 3, successful: 2, ...balance });
      t.equal((await live.get(`/folders/${bulk.json.meta.folder_id}`)).status, 404);
      const { slug } = bulk.json.results[0]!;
      t.equal((await app.call({ url: `/l/${slug}` })).status, 404, 'its short link leads nowhere');
      const low = { dotsOptions: { color: '#eee' } };
      t.equal((await post('/qr', { data: 'x', ...low }, { 'tessera-min-grade': '4' })).status, 400);
      t.equal((await post('/qr/bulk', { items, folderId: RANDOM_ID })).status, 400);
      const five = Array.from({ length: 5 }, () => ({ data: 'x' }));
      await givenBack();
      t.match(
        await post('/qr/bulk', { items: five }),
        { status: 429, json: { error: 'Quota exhausted' } },
        'units are there for as long as a call takes, as for a live key',
      );

      await givenBack();
      t.strictSame((await live.get('/usage')).json, usage);
      await until(async () => (await rows()).join() === before.join());
      t.pass('nothing is left in the database');
      const asked = (await metric('tessera_quota_reservations_total{outcome="admitted"}')) - admitted;
      t.equal(asked, 5, 'the ledger was asked for each call');
      const sums = async () => (await live.get('/usage/history')).json.total;
      await until(async () => (await sums()).load_test_calls === 5 && (await sums()).units === 1);
      t.match(await sums(), { calls: 6, units: 1, refunded: 7, load_test_units: 0 });
      t.equal((await live.get('/keys')).json.data[0]?.usage_count, 0);
    });

    await t.test('claims no Idempotency-Key of other calls', async (t) => {
      const { live, post } = await start(app);
      const once = { 'idempotency-key': 'k' };
      for (const [path, own, marked] of [
        ['/qr', { data: 'x' }, { data: 'y' }],
        ['/qr/file', { data: 'x' }, { data: 'y' }],
        ['/qr/bulk', { items: [{ data: 'x' }] }, { items: [{ data: 'y' }] }],
      ] as const) {
        t.equal((await live.post(path, own, once)).status, 200);
        const before = await rows();
        for (const _ of [1, 2]) {
          const { status, headers } = await post(path, marked, once);
          t.strictSame([status, headers['idempotent-replayed']], [200, undefined], path);
        }
        t.equal((await live.post(path, own, once)).headers['idempotent-replayed'], 'true', path);
        await until(async () => (await rows()).join() === before.join());
      }
    });

    await t.test('does not make its calls wait for each other, or lose a unit', async (t) => {
      const { live, post } = await start(app, { monthlyQuota: 1000 });
      const items = Array.from({ length: 5 }, (_, index) => ({
        ...{ data: `https://example.com/${index}`, dynamic: true, image: logo },
        dotsOptions: { color: '#246' },
      }));
      const send = () => post('/qr/bulk', { items, folderName: 'Folder' });
      // Each call gets as far as its codes, when their table is locked.
      const held = await sql.begin(async (tx) => {
        await tx`lock table codes in share mode`;
        const sent = Array.from({ length: 4 }, send);
        await until(async () => {
          const waiting = await sql`select from pg_locks where relation = 'codes'::regclass and not granted`;
          return waiting.length === 4;
        });
        return { sent };
      });
      const calls = await Promise.all([...held.sent, ...Array.from({ length: 20 }, send)]);
      t.ok(calls.every(({ json }) => json.meta.successful === 5));
      for (const { json } of calls.slice(0, 2)) t.ok(pngOf(String(json.results[0]!.data)).length > 0);
      await until(async () => (await live.get('/usage')).json.remaining === 1000);
      t.equal(await live.used(), 0);
      t.strictSame((await live.get('/folders')).json.data, []);
    });
  });
}

t.test('without the header the same key makes pictures that say TEST', async (t) => {
  const app = await startApp(t);
  const { live, sandbox, post } = await start(app);
  const plain = pictureOf(await live.post('/qr', { data: 'x' }));
  t.notSame(pictureOf(await sandbox.post('/qr', { data: 'x' })), plain);
  t.same(pictureOf(await post('/qr', { data: 'x' })), plain);
});

t.test('drawings, and the time of the database, count as free work', async (t) => {
  const busy = await startApp(t, { FREE_WORK_MS_PER_SECOND: '1', RATE_LIMIT_PER_SECOND: '50' });
  const untilSpent = async (make: () => ReturnType<TestApp['call']>) => {
    await until(async () => {
      // Several at once, so that a slow machine spends faster than time gives back.
      const answers = await Promise.all(Array.from({ length: 10 }, make));
      return answers.some(({ status, json }) => status === 429 && /processor time/.test(json.details));
    });
    t.pass('the budget is spent');
  };
  const single = await start(busy);
  let n = 0;
  await untilSpent(() => single.post('/qr', { data: `${n++}`, width: 600, height: 600 }));
  await until(async () => (await single.live.post('/qr', { data: 'x' })).status === 200);
  t.pass('paid calls continue');
  const bulk = await start(busy);
  await untilSpent(() => bulk.post('/qr/bulk', { items: [{ data: '' }] }));
  const checks = await Promise.all(Array.from({ length: 80 }, () => bulk.post('/qr', { data: 'x' })));
  t.ok(checks.some(({ json }) => /may send 50 requests a second/.test(json.details)));
});
