/** Sandbox keys: marked pictures, nothing paid, nothing saved, no access to the account. */
import { Resvg } from '@resvg/resvg-js';
import t, { type Test } from 'tap';
import { until } from '../../../servers/until.ts';
import { pictureOf, pngOf, sharedApp, startApp, type TestApp } from '../../../support/app/app.ts';
import { clientOf, newClient, RANDOM_ID } from '../../../support/app/client.ts';
import { documentedCalls } from '../../../support/app/conformance.ts';
import { SAME_ORIGIN } from '../../../support/app/session.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { ghostscript, type Print, printOf } from '../../../support/pictures/print.ts';

const gateway = await sharedApp();
const { admin, app, call } = gateway;

/** An account, and a sandbox key of it. */
const start = async (by: TestApp = gateway, wanted: Parameters<TestApp['account']>[0] = {}) => {
  const live = await newClient(by, wanted);
  const { json } = await live.post('/keys', { name: 'trying', sandbox: true });
  return { live, made: json, sandbox: clientOf(by, json.key) };
};

/** Whether a picture is tinted by the mark. */
const isMarked = ({ rgb }: Print): boolean => {
  let tinted = 0;
  for (let at = 0; at < rgb.length; at += 3) if (rgb[at]! - rgb[at + 1]! > 40) tinted += 1;
  return tinted > 0.05 * (rgb.length / 3);
};

const checkMarked = async (t: Test, png: Buffer, text: string): Promise<void> => {
  t.ok(isMarked(await printOf(png)), 'it says TEST');
  t.equal(await decodePng(png), text, 'it is readable');
};

t.test('a sandbox key', async (t) => {
  const { live, made } = await start();

  t.test('has a prefix of its own, and is listed as a sandbox key', async (t) => {
    t.match(made.key, /^tsr_test_[0-9A-Za-z]{38}$/);
    t.match(made.prefix, /^tsr_test_\w{6}$/);
    t.match(made, { sandbox: true, scopes: ['generate', 'render'], monthly_quota: null });
    const { data } = (await live.get('/keys')).json;
    t.match(data, [{ id: made.id, sandbox: true }, { sandbox: false }]);
    t.equal((await live.get('/keys')).text.includes(made.key), false);
    const mistyped = `${made.key.slice(0, -1)}${made.key.endsWith('0') ? '1' : '0'}`;
    t.match(await clientOf(gateway, mistyped).post('/qr', { data: 'x' }), {
      status: 401,
      json: { details: /a key is tsr_ or tsr_test_ followed by 38 letters and digits/ },
    });
  });

  t.test('has no quota and no scope manage', async (t) => {
    const path = `/accounts/${live.id}/keys`;
    t.match((await admin('POST', path, { name: 'x', sandbox: true })).json.scopes, ['generate', 'render']);
    for (const [wrong, details] of [
      [{ scopes: ['manage'] }, /^scopes: must be "generate", "render" or both for a sandbox key/],
      [{ scopes: ['generate', 'manage'] }, /^scopes: /],
      [{ monthly_quota: 5 }, /^monthly_quota: must be null, because a sandbox key pays nothing/],
      [{ sandbox: 'yes' }, /^sandbox: /],
    ] as const) {
      const body = { name: 'x', sandbox: true, ...wrong };
      t.match(await live.post('/keys', body), { status: 400, json: { details } });
      t.match(await admin('POST', path, body), { status: 400, json: { details } });
    }
    const quota = { monthly_quota: 5 };
    const refused = { status: 400, json: { details: /^monthly_quota: / } };
    t.match(await live.patch(`/keys/${made.id}`, quota), refused);
    t.match(await admin('PATCH', `/keys/${made.id}`, quota), refused);
    t.equal((await live.patch(`/keys/${RANDOM_ID}`, quota)).status, 404);
    t.match((await live.patch(`/keys/${made.id}`, { name: 'y', monthly_quota: null })).json, { name: 'y' });
  });

  t.test('needs a creating key with one of its scopes, and inherits its other limits', async (t) => {
    const bounds = { rate_limit_per_second: 7, monthly_quota: 3 };
    const maker = (await live.post('/keys', { name: 'maker', ...bounds })).json;
    const child = await clientOf(gateway, maker.key).post('/keys', { name: 'child', sandbox: true });
    t.match(child.json, { sandbox: true, rate_limit_per_second: 7, monthly_quota: null });
    const manager = (await live.post('/keys', { name: 'manager', scopes: ['manage'] })).json;
    t.match(await clientOf(gateway, manager.key).post('/keys', { name: 'child', sandbox: true }), {
      status: 400,
      json: { details: /^scopes: .* your key must have them/ },
    });
  });
});

t.test('its pictures are marked and readable, even when they are cached without the mark', async (t) => {
  const { live, sandbox } = await start();
  const data = 'https://example.com/both';
  const plain = pictureOf(await live.post('/qr', { data }));
  t.notOk(isMarked(await printOf(plain)));
  await checkMarked(t, pictureOf(await sandbox.post('/qr', { data })), data);
  t.ok(pictureOf(await live.post('/qr', { data })).equals(plain), 'other keys get it without the mark');

  t.equal((await live.render({ content: data })).status, 200);
  const shown = await sandbox.render({ content: data });
  await checkMarked(t, shown.bytes, data);
  t.equal(shown.headers['cache-control'], 'no-store');
  const { etag } = (await live.render({ content: data })).headers;
  t.equal((await sandbox.render({ content: data }, { 'if-none-match': String(etag) })).status, 200);

  const repair = { 'tessera-repair': 'true', 'tessera-min-grade': '4' };
  const styled = { data, dotsOptions: { type: 'dots' }, cornersDotOptions: { type: 'dots' } };
  const repaired = await sandbox.post('/qr', styled, repair);
  t.not(repaired.headers['tessera-repaired'], undefined);
  await checkMarked(t, pictureOf(repaired), data);

  for (const [accept, judge] of [
    ['image/png', printOf],
    ['image/webp', printOf],
    ['image/svg+xml', (bytes: Buffer) => printOf(new Resvg(String(bytes)).render().asPng())],
    ['application/pdf', (bytes: Buffer) => ghostscript(bytes, 96)],
    ['application/postscript', (bytes: Buffer) => ghostscript(bytes, 96)],
  ] as const) {
    for (const query of ['', '?module_mm=0.508&bleed_mm=1']) {
      const { bytes, status } = await sandbox.post(`/qr/file${query}`, { data }, { accept });
      t.equal(status, 200, accept);
      t.ok(isMarked(await judge(bytes)), `${accept} ${query}`);
    }
    const ean = { symbology: 'ean-13', data: '9521321000018' };
    const { bytes, status } = await sandbox.post('/barcodes/file', ean, { accept });
    t.equal(status, 200, accept);
    t.ok(isMarked(await judge(bytes)), `${accept} of a barcode`);
  }
});

t.test('its calls cost and save nothing', async (t) => {
  const { live, sandbox } = await start(gateway, { monthlyQuota: 1 });
  t.equal((await live.post('/qr', { data: 'the only unit' })).status, 200);
  const before = await live.get('/usage');
  const single = await sandbox.post('/qr', { data: 'x' });
  t.match(single, { status: 200, json: { meta: { usage_count: 1, remaining: 0, strategy: 'monthly' } } });
  t.equal((await sandbox.render({ content: 'x' })).status, 200);

  const items = [{ data: 'https://example.com/', dynamic: true }, { data: 'plain' }, { data: '' }];
  const bulk = await sandbox.post('/qr/bulk', { items, folderName: 'Sandbox' });
  t.match(bulk.json, {
    results: [{ success: true }, { success: true }, { success: false, error: 'Missing or invalid data' }],
    meta: { total: 3, successful: 2, usage_count: 1, remaining: 0 },
  });
  const [dynamic, plain] = bulk.json.results;
  await checkMarked(t, pngOf(String(dynamic!.data)), `http://qr.test/l/${dynamic!.slug}`);
  await checkMarked(t, pngOf(String(plain!.data)), 'plain');
  t.equal((await call({ url: `/l/${dynamic!.slug}` })).status, 404, 'its short link leads nowhere');
  t.equal((await live.get(`/folders/${bulk.json.meta.folder_id}`)).status, 404);
  t.strictSame((await live.get('/folders')).json.data, []);

  t.strictSame((await live.get('/usage')).json, before.json);
  const history = await live.get('/usage/history');
  t.match(history.json.total, { calls: 1, units: 1 });
  t.equal((await live.get('/keys')).json.data[0]?.usage_count, 0);
});

t.test('its calls are validated like those of other keys', async (t) => {
  const { live, sandbox } = await start();
  const tooMany = Array.from({ length: 101 }, () => ({ data: 'x' }));
  for (const [path, body, field] of [
    ['/qr', { data: 'x', size: 5 }, 'size'],
    ['/qr', { data: 'x'.repeat(4296) }, 'data'],
    ['/qr/bulk', { items: tooMany }, 'items'],
    ['/qr/bulk', { items: [{ data: 'x' }], folderId: RANDOM_ID }, 'folderId'],
  ] as const) {
    const refused = await sandbox.post(path, body);
    t.match(refused, { status: 400, json: { details: new RegExp(`^${field}`) } });
    t.strictSame(refused.json, (await live.post(path, body)).json, 'with the same messages');
  }
  for (const path of ['/qr', '/qr/file', '/qr/bulk']) {
    const body = path === '/qr/bulk' ? { items: [{ data: 'x' }] } : { data: 'x' };
    // Clients send one with every call that costs units, whatever their key is.
    for (const _ of [1, 2]) {
      const made = await sandbox.post(path, body, { 'idempotency-key': 'k' });
      t.match([made.status, made.headers['idempotent-replayed']], [200, undefined], path);
    }
    t.equal((await sandbox.post(path, body, { 'idempotency-key': 'ä' })).status, 400);
  }
  t.match((await sandbox.post('/qr/check', { data: 'x' })).json, { grade: 4 });
  t.match((await sandbox.post('/qr/bulk/check', { items: [{ data: 'x' }] })).json.results, [{ grade: 4 }]);
  t.match((await sandbox.post('/gs1/check', { value: '(01)09521321000018' })).json, { valid: true });
  const free = await start(gateway, { plan: 'free' });
  t.match(await free.sandbox.post('/qr/bulk', { items: [{ data: 'x' }] }), { status: 403 });
});

t.test('every other call with a sandbox key is a 403 that says so', async (t) => {
  const { made } = await start();
  await app.gateway.ready();
  const its = [
    '/api/v1/qr',
    '/api/v1/barcodes/file',
    '/api/v1/qr/file',
    '/api/v1/qr/bulk',
    '/api/v1/render',
    '/api/v1/qr/check',
    '/api/v1/qr/bulk/check',
    '/api/v1/gs1/check',
  ];
  const others = documentedCalls(app.gateway).filter(
    ({ path, operation }) => operation.security?.some((way) => 'apiKey' in way) && !its.includes(path),
  );
  t.ok(others.length > 60);
  for (const { path, method } of others) {
    const url = path
      .replace('{n}', '1')
      .replace('{slug}', 'zzzzZZZ9')
      .replace(/\{\w+\}/g, RANDOM_ID);
    const { status, json } = await call({ method, url, key: made.key });
    t.match(
      { status, json },
      { status: 403, json: { error: 'Not for sandbox keys', details: /can only make and check codes/ } },
      `${method} ${path}`,
    );
  }
  const signIn = { method: 'POST', url: '/dashboard/session', headers: SAME_ORIGIN } as const;
  t.match(await call({ ...signIn, body: { key: made.key } }), {
    status: 403,
    json: { error: 'Not for sandbox keys' },
  });
});

t.test('its pictures count as free work, and its requests against the rate limit', async (t) => {
  const busy = await startApp(t, { FREE_WORK_MS_PER_SECOND: '1', RATE_LIMIT_PER_SECOND: '20' });
  const { live, sandbox } = await start(busy);
  const large = { width: 600, height: 600 };
  await until(async () => {
    const { status, json } = await sandbox.post('/qr', { data: 'x', ...large });
    return status === 429 && /processor time/.test(json.details);
  });
  t.equal((await live.post('/qr', { data: 'x' })).status, 200, 'paid calls continue');
  const checks = await Promise.all(Array.from({ length: 40 }, () => sandbox.post('/qr', { data: 'x' })));
  t.ok(checks.some(({ json }) => /may send 20 requests a second/.test(json.details)));
});
