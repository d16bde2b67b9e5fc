/** The header `Tessera-Load-Test`: who may send it, and where the mark shows. */
import t from 'tap';
import { createAccount } from '../servers/account.ts';
import { startGateway } from '../servers/gateway-process.ts';
import { until } from '../servers/until.ts';
import { ADMIN_TOKEN, sharedApp, startApp, type TestApp } from '../support/app/app.ts';
import { clientOf, newClient } from '../support/app/client.ts';
import { realDatabaseUrl } from '../support/database/database.ts';

const app = await sharedApp();
const { admin, call } = app;
const MARK = { 'tessera-load-test': 'night-7.a' };

/** An account, and a key of it that may mark load tests. */
const start = async (by: TestApp = app, wanted: object = {}) => {
  const live = await newClient(by);
  const body = { name: 'load', load_tests: true, ...wanted };
  const made = (await by.admin('POST', `/accounts/${live.id}/keys`, body)).json;
  return { live, made, marking: clientOf(by, made.key) };
};

t.test('a key for load tests', async (t) => {
  const { live, made, marking } = await start();

  t.test('is made by the operator, and listed as one', async (t) => {
    t.match(made, { load_tests: true });
    t.match((await live.get('/keys')).json.data, [{ id: made.id, load_tests: true }, { load_tests: false }]);
  });

  t.test('is made only with a key of the same kind, and only when it is asked for', async (t) => {
    t.match(await live.post('/keys', { name: 'x', load_tests: true }), {
      status: 403,
      json: { error: 'Load tests not allowed', details: /^load_tests: your key lacks it/ },
    });
    t.match((await live.post('/keys', { name: 'x', load_tests: false })).json, { load_tests: false });
    t.match((await marking.post('/keys', { name: 'x', load_tests: true })).json, { load_tests: true });
    t.match((await marking.post('/keys', { name: 'x' })).json, { load_tests: false });
    t.match((await marking.post('/keys', { name: 'x', load_tests: 'yes' })).json, {
      details: /^load_tests: /,
    });
  });

  t.test('marks calls of every kind', async (t) => {
    for (const answer of [
      await marking.post('/qr', { data: 'x' }, MARK),
      await marking.post('/qr/check', { data: 'x' }, MARK),
      await marking.render({ content: 'x' }, MARK),
      await marking.get('/usage', MARK),
      await marking.post('/folders', { name: 'Marked' }, MARK),
    ])
      t.ok(answer.status < 300, answer.text);
  });

  t.test('gives a name of 1 to 64 letters, digits, dots and hyphens', async (t) => {
    t.equal((await marking.get('/usage', { 'tessera-load-test': 'x'.repeat(64) })).status, 200);
    for (const name of ['', 'x'.repeat(65), 'a b', 'a_b', 'a"b', 'ä', made.key]) {
      t.match(await marking.get('/usage', { 'tessera-load-test': name }), {
        status: 400,
        json: {
          error: 'Invalid request header',
          details: 'Tessera-Load-Test: must be 1 to 64 letters, digits, dots and hyphens',
        },
      });
    }
  });
});

t.test('a call of another key with the header is refused, before its body is read', async (t) => {
  const { live } = await start();
  const refused = await live.post('/qr', '{', MARK);
  t.match(refused, {
    status: 403,
    json: { error: 'Load tests not allowed', details: /made with "load_tests": true/ },
  });
  t.match(await live.render({ content: 'x' }, MARK), { status: 403, text: /^Load tests not allowed: / });
  t.equal(await live.used(), 0);
});

t.test(
  'the operator and probes have no load tests, and visitors of short links may send what they like',
  async (t) => {
    const { live } = await start();
    const { results } = await live.bulk(['https://example.com/']);
    const asked = (url: string, key?: string) => call({ url, headers: MARK, ...(key && { key }) });
    t.match(await asked('/admin/v1/accounts', ADMIN_TOKEN), {
      status: 400,
      json: { details: /^Tessera-Load-Test: is not supported by this call; send it without one/ },
    });
    t.equal((await asked('/api/v1/usage')).status, 401);
    t.equal((await asked(`/l/${results[0]!.slug}`)).status, 302);
    t.equal((await asked('/healthz')).status, 200);
  },
);

t.test('a mark does not change what an Idempotency-Key replays', async (t) => {
  const { marking } = await start();
  for (const [path, body] of [
    ['/folders', { name: 'Once' }],
    ['/qr', { data: 'once' }],
  ] as const) {
    const once = { 'idempotency-key': 'k' };
    const first = await marking.post(path, body, once);
    const again = await marking.post(path, body, { ...once, ...MARK });
    t.match([again.status, again.headers['idempotent-replayed']], [first.status, 'true'], path);
  }
});

t.test('marked calls have metrics of their own, which no name of a load test reaches', async (t) => {
  const own = await startApp(t);
  const { marking } = await start(own);
  await marking.post('/qr', { data: 'x' }, MARK);
  await marking.post('/qr', { data: 'x', size: 5 }, { 'tessera-load-test': 'night-8' });
  await marking.post('/qr', { data: 'x' });
  const { text } = await own.call({ url: '/metrics', key: ADMIN_TOKEN });
  for (const line of [
    'tessera_http_requests_total{route="single",outcome="ok"} 1',
    'tessera_http_request_duration_seconds_count{route="single"} 1',
    'tessera_load_test_requests_total{route="single",outcome="ok"} 1',
    'tessera_load_test_requests_total{route="single",outcome="invalid_body"} 1',
    'tessera_load_test_request_duration_seconds_count{route="single"} 2',
  ])
    t.ok(text.includes(`${line}\n`), line);
  t.notMatch(text, /night-/);
});

t.test('usage says how much of it is of load tests, by key, kind and account', async (t) => {
  const { live, made, marking } = await start();
  await live.post('/qr', { data: 'x' });
  await marking.post('/qr', { data: 'x' });
  await marking.post('/qr', { data: 'y' }, MARK);
  await marking.render({ content: 'y' }, MARK);
  await marking.render({ content: 'y' }, MARK);
  await marking.post('/codes', { data: 'z' }, MARK);
  await marking.post('/qr/bulk', { items: [{ data: 'x' }, { data: '' }, { data: 'y' }] }, MARK);
  const marked = { load_test_calls: 5, load_test_units: 6 };
  const { total } = (await live.get('/usage/history')).json;
  t.match(total, { calls: 7, units: 8, refunded: 1, ...marked });
  const rows = async (group: string) =>
    (await live.get(`/usage/history?group=${group}`)).json.data as never[];
  t.match(
    (await rows('kind')).map(({ kind, units, load_test_units }) => [kind, units, load_test_units]).sort(),
    [
      ['bulk', 2, 2],
      ['code', 1, 1],
      ['image', 2, 2],
      ['single', 3, 1],
    ],
  );
  t.match(
    (await rows('key'))
      .map(({ key, load_test_units }) => [(key as { id: string }).id, load_test_units])
      .sort(),
    [
      [live.keyId, 0],
      [made.id, 6],
    ].sort(),
  );
  t.match((await admin('GET', `/accounts/${live.id}/usage`)).json.total, marked);
  const month = new Date().toISOString().slice(0, 7);
  const { text } = await call({ url: `/admin/v1/usage?from=${month}-01`, key: ADMIN_TOKEN });
  const line = text.split('\r\n').find((row) => row.startsWith(live.id))!;
  t.match(line, /,5,6$/);
});

t.test('log lines of marked calls have the name, and others do not', async (t) => {
  const gateway = await startGateway(t, {
    DATABASE_URL: await realDatabaseUrl(),
    ADMIN_TOKEN,
    LOG_LEVEL: 'info',
  });
  const { id } = await createAccount(gateway.url, ADMIN_TOKEN, 'test', {});
  const made = await fetch(`${gateway.url}/admin/v1/accounts/${id}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'load', load_tests: true }),
  });
  const { key } = (await made.json()) as { key: string };
  const ask = (headers: object) =>
    fetch(`${gateway.url}/api/v1/usage`, { headers: { authorization: `Bearer ${key}`, ...headers } });
  await ask(MARK);
  await ask({});
  const lines = () =>
    gateway
      .output()
      .split('\n')
      .filter((line) => line.includes('"/api/v1/usage"'))
      .map((line) => JSON.parse(line) as { readonly load_test?: string });
  await until(() => lines().length === 2);
  t.strictSame(
    lines().map((line) => line.load_test),
    ['night-7.a', undefined],
  );
});
