/** Query parameters are understood or refused, never silently ignored. */
import t from 'tap';
import { ADMIN_TOKEN, sharedApp } from '../../support/app/app.ts';
import { newClient, RANDOM_ID } from '../../support/app/client.ts';
import { documentedCalls } from '../../support/app/conformance.ts';
import { refusesAll } from '../../support/app/refusals.ts';

const gateway = await sharedApp();
const { app, call, admin } = gateway;
const client = await newClient(gateway);
const { key, get, post, patch, bulk, render } = client;

t.test('an unknown parameter is a 400 on every call that takes a key', async (t) => {
  const calls = documentedCalls(app.gateway).filter(({ operation: { security = [] } }) =>
    security.some((scheme) => 'apiKey' in scheme || 'adminToken' in scheme),
  );
  t.ok(calls.length > 70, `${calls.length}`);
  for (const { path, method, operation } of calls) {
    if (path === '/metrics') continue;
    const isAdmin = operation.security?.some((scheme) => 'adminToken' in scheme);
    const url = `${path.replace(/\{(\w+)\}/g, (_, name) => (name === 'n' ? '1' : RANDOM_ID))}?content=x&surprise=1`;
    const [type = '', media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const sent =
      media === undefined ? {} : { headers: { 'content-type': type }, body: media.example ?? 'data' };
    const { status, text } = await call({ method, url, key: isAdmin ? ADMIN_TOKEN : key, ...sent });
    t.equal(status, 400, `${method} ${path}`);
    t.match(text, /(surprise|content): is not a parameter of this call/, `${method} ${path}`);
  }
});

t.test('probes, documents and short links ignore unknown parameters', async (t) => {
  const { codes } = await bulk(['https://example.com/menu']);
  for (const url of ['/healthz', '/readyz', '/openapi.json', '/.well-known/tessera-receipts', '/docs/json'])
    t.equal((await call({ url: `${url}?utm_source=x&_=1` })).status, 200, url);
  t.equal((await call({ url: '/metrics?collect[]=x', key: ADMIN_TOKEN })).status, 200);
  const scan = await call({ url: `/l/${codes[0]!.slug}?utm_source=poster` });
  t.match(scan, { status: 302, headers: { location: 'https://example.com/menu' } });
});

t.test('invalid percent-encoding and repeated parameters are reported by name', async (t) => {
  const image = (query: string) => call({ url: `/api/v1/render?key=${key}&${query}` });
  const wrong = 'is not percent-encoded correctly; write UTF-8, and % itself as %25';
  for (const query of ['content=%zz', 'content=100%', 'content=%ff', 'content=a&con%74ent=%e2%82']) {
    const { status, text } = await image(query);
    t.strictSame([status, text], [400, `Invalid query parameters: content: ${wrong}\n`], query);
  }
  t.equal((await image('content=x&dark=%F')).text, `Invalid query parameters: dark: ${wrong}\n`);
  t.equal((await image('content=100%25')).status, 200);
  t.match(await image('content=a&content=b'), { status: 400, text: /content: must be sent only once/ });
  t.match(await get('/folders?search=%'), { status: 400, json: { details: `search: ${wrong}` } });
  t.match(await get('/folders?%zz=1'), { status: 400, json: { details: `%zz: ${wrong}` } });
});

t.test('/render also takes the key in the header', async (t) => {
  const url = '/api/v1/render?content=x';
  t.equal((await call({ url, key })).status, 200);
  t.equal((await call({ method: 'HEAD', url, key })).status, 200);
  t.equal((await render({ content: 'x' }, { authorization: 'Bearer nonsense' })).status, 200);
  t.match(await call({ url }), { status: 401, text: /The API key is missing/ });
  const asked = await call({ method: 'OPTIONS', url });
  t.match(asked.headers['access-control-allow-headers'], /Authorization/, 'also for scripts of other sites');
});

t.test('a cursor works only for the list that returned it', async (t) => {
  for (let i = 0; i < 3; i += 1) {
    await post('/folders', { name: `Folder ${i}` });
    await post('/presets', { name: `Preset ${i}`, options: {} });
  }
  await bulk(['a', 'b', 'c']);
  const cursorOf = async (path: string) => (await get(path)).json.next_cursor as string;
  const folders = await cursorOf('/folders?limit=1');
  t.equal((await get(`/folders?limit=2&cursor=${folders}`)).status, 200, 'with another limit');
  t.equal((await get(`/folders?search=&cursor=${folders}`)).status, 200, 'with an empty filter');
  const codes = await cursorOf('/codes?limit=1&max_grade=4');
  t.equal((await get(`/codes?max_grade=4&sort=newest&cursor=${codes}`)).status, 200, 'the default order');
  const foreign = /^cursor: must be the cursor that the previous page returned, and belongs to one account/;
  const { get: getThere } = await newClient(gateway);
  const cases: [string, RegExp][] = [
    [`/presets?cursor=${folders}`, foreign],
    [`/keys?cursor=${folders}`, foreign],
    [`/folders?search=x&cursor=${folders}`, foreign],
    [`/codes?max_grade=3&cursor=${codes}`, foreign],
    [`/codes?max_grade=4&sort=oldest&cursor=${codes}`, foreign],
    [`/folders/${RANDOM_ID}/codes?cursor=${codes}`, foreign],
    ['/folders?cursor=nonsense', foreign],
    [`/folders?cursor=${folders.slice(0, -4)}`, foreign],
    [`/folders?cursor=${folders.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))}`, foreign],
    ['/folders?cursor=', /^cursor: must be the cursor that/],
  ];
  await refusesAll(t, get, cases, { error: 'Invalid query parameters' });
  t.match((await getThere(`/folders?cursor=${folders}`)).json.details, foreign, 'of another account');
  const { id, created_at } = (await get('/folders?limit=1')).json.data[0]!;
  const inside = ['base64url', 'latin1', 'utf8'] as const;
  for (const encoding of inside) {
    const text = encoding === 'utf8' ? folders : Buffer.from(folders, 'base64url').toString(encoding);
    const hidden = [id, String(Date.parse(created_at as string))];
    t.notOk(
      hidden.some((part) => text.includes(part)),
      'it tells nothing of the row',
    );
  }
});

t.test('spans accept dates and times alike, with one message for anything else', async (t) => {
  const { codes } = await bulk(['https://example.com/']);
  const paths = ['/usage/history', '/scans', `/links/${codes[0]!.slug}/scans`];
  const rule =
    'must be a date such as 2026-11-01, or a date and time such as 2026-11-01T09:00:00Z, from 2000 to 2100';
  for (const path of paths) {
    for (const [from, to] of [
      ['2026-01-05', '2026-01-08'],
      ['2026-01-05T00:00:00Z', '2026-01-07T12:00:00%2B01:00'],
      ['2026-01-05T00:00:00.000000Z', '2026-01-07T12:00:00.123456Z'],
    ]) {
      const { status, json } = await get(`${path}?from=${from}&to=${to}`);
      t.equal(status, 200, path);
      t.strictSame([json.from, json.to], ['2026-01-05T00:00:00.000Z', '2026-01-08T00:00:00.000Z'], path);
    }
    for (const odd of [
      'yesterday',
      '2026-13-01',
      '2026-01-01T00:00:00',
      '1999-12-31',
      '2026-06-30T23:59:60Z',
    ])
      for (const field of ['from', 'to'])
        t.match(await get(`${path}?${field}=${odd}`), {
          status: 400,
          json: { details: `${field}: ${rule}` },
        });
  }
});

t.test('a date means the start of that day in the time zone of the series', async (t) => {
  for (const [zone, from, to] of [
    ['America/New_York', '2026-10-31T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['Asia/Tokyo', '2026-10-30T15:00:00.000Z', '2026-11-01T15:00:00.000Z'],
  ] as const) {
    const { json } = await get(`/scans?from=2026-10-31&to=2026-11-02&time_zone=${zone}`);
    t.strictSame([json.from, json.to, json.series.length, json.time_zone], [from, to, 2, zone]);
  }
  const details = 'time_zone: must be the name of a time zone, for example Europe/Berlin';
  t.match(await get('/scans?from=2026-10-31&time_zone=Mars/Olympus'), { status: 400, json: { details } });
});

t.test('requests use the field names of answers, and no other spelling', async (t) => {
  const zone = await get('/scans?timeZone=Asia/Tokyo');
  t.match(zone, { status: 400, json: { details: 'timeZone: is not a parameter of this call' } });
  const { id } = (await admin('POST', '/accounts', { name: 'x', plan: 'free', monthly_quota: 5 })).json;
  for (const [field, answer] of [
    ['rateLimitPerSecond', await post('/keys', { name: 'x', rateLimitPerSecond: 1 })],
    ['deadLinkUrl', await patch('/account', { dead_link_url: null, deadLinkUrl: null })],
    ['secretId', await post('/signed-urls', { data: 'x', secretId: id })],
    ['monthlyQuota', await admin('POST', '/accounts', { name: 'x', plan: 'free', monthlyQuota: 5 })],
    ['monthlyQuota', await admin('PATCH', `/accounts/${id}`, { monthlyQuota: 8 })],
  ] as const)
    t.match(answer, { status: 400, json: { details: `${field}: is not a known field` } });
});

t.test('a list of ids is refused with the position of the first wrong one', async (t) => {
  const { folderId, codes } = await bulk(['a', 'b']);
  const own = codes.map(({ id }) => id);
  for (const path of [
    '/codes/delete',
    '/codes/restore',
    '/codes/move',
    '/codes/tags',
    '/codes/archive',
    '/codes/links-summary',
    '/code-verifications',
  ]) {
    const also = { '/codes/move': { folder_id: folderId }, '/codes/tags': { add: ['a'] } }[path] ?? {};
    const missing = await post(path, { ids: [own[0]!.toUpperCase(), own[0], RANDOM_ID, own[1]], ...also });
    t.match(missing, { status: 404, json: { details: 'ids.2: there is no such code' } }, path);
    const wrong = await post(path, { ids: [own[0], '7'], ...also });
    t.match(wrong, { status: 400, json: { details: 'ids.1: must be a UUID' } }, path);
  }
  t.match(await patch('/links', { slugs: ['nowhere'], change: { destination: 'https://a.example/' } }), {
    status: 400,
    json: { details: 'slugs.0: there is no such short link' },
  });
});
