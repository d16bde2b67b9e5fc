/** An `Idempotency-Key` creates a resource once, or is refused; bodies under one key are compared by value. */
import fc from 'fast-check';
import postgres from 'postgres';
import t from 'tap';
import { deleteOldMade } from '../../../src/db/tables/made-once.ts';
import { createTimeSlices } from '../../../src/execution/time-limits.ts';
import { canonicalOf, hashValue } from '../../../src/http/bodies/json-body.ts';
import { signPath } from '../../../src/signed/address.ts';
import { ADMIN_TOKEN, sharedApp, sharedPeer } from '../../support/app/app.ts';
import { newClient, RANDOM_ID } from '../../support/app/client.ts';
import { documentedCalls } from '../../support/app/conformance.ts';
import { cookieOf, SAME_ORIGIN, signIn } from '../../support/app/session.ts';

const [gateway, other] = [await sharedApp(), await sharedPeer()];
const { app, call, admin } = gateway;
const client = await newClient(gateway);
const { post, get, patch, bulk } = client;
const named = (key: string) => ({ 'idempotency-key': key });
const signInOperator = async (): Promise<string> =>
  cookieOf(
    await call({
      ...{ method: 'POST', url: '/dashboard/operator/session' },
      ...{ headers: SAME_ORIGIN, body: { token: ADMIN_TOKEN } },
    }),
  );

t.test('equal values have the same hash, however they are written', async (t) => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, inner]) => [name, shuffled(inner)]),
    );
  };
  const slices = createTimeSlices(0);
  const plain = fc.jsonValue({ noUnicodeString: false } as fc.JsonSharedConstraints);
  await fc.assert(
    fc.asyncProperty(plain, plain, async (one, two) => {
      const again: unknown = JSON.parse(JSON.stringify(shuffled(one), null, 3));
      t.equal(await hashValue(again, slices), await hashValue(one, slices));
      t.equal(
        canonicalOf(one) === canonicalOf(two),
        canonicalOf(shuffled(one)) === canonicalOf(shuffled(two)),
      );
    }),
  );
  const different = [
    [],
    {},
    '',
    0,
    null,
    false,
    [[]],
    [{}],
    ['', ''],
    [''],
    { a: 1 },
    { b: 1 },
    { a: '1' },
    [1, 1],
    [11],
    ['1', 1],
  ];
  t.equal(new Set(different.map(canonicalOf)).size, different.length);
  const zeros = Array.from({ length: 19 }, () => 0);
  const [one, other] = [
    [5, [12, 7], ...zeros],
    [15, [2, 7, ...zeros]],
  ];
  t.not(canonicalOf(one), canonicalOf(other), 'a length is not confused with the number that follows it');
  const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  t.match(await hashValue(deep, slices), /^[0-9a-f]{64}$/, 'deep nesting does not overflow the stack');
  const large = { items: Array.from({ length: 50 }, (_, i) => ({ data: `${i}`, image: 'x'.repeat(5000) })) };
  t.equal(await hashValue(large, slices), await hashValue(structuredClone(large), createTimeSlices()));
});

t.test('white space, escapes and the order of fields do not make another body', async (t) => {
  const qr = (body: string) => post('/qr', body, named('by-value'));
  const first = await qr('{"data":"caf\u00e9","width":200,"dotsOptions":{"type":"dots","color":"#000"}}');
  t.equal(first.status, 200);
  const again = await qr(
    '{ "dotsOptions": { "color": "\\u0023000", "type": "dots" },\n "width": 2e2, "data": "caf\\u00e9" }',
  );
  t.match(again, { status: 200, headers: { 'idempotent-replayed': 'true' }, json: first.json });
  t.equal(
    (await qr('{"data":"caf\u00e9","width":201,"dotsOptions":{"type":"dots","color":"#000"}}')).status,
    422,
  );
  t.equal(await client.used(), 1);

  const items = (one: object) => post('/qr/bulk', { items: [one] }, named('items'));
  t.equal((await items({ data: 'a', width: 200 })).status, 200);
  t.match(await items({ width: 200, data: 'a' }), {
    status: 200,
    headers: { 'idempotent-replayed': 'true' },
  });
});

t.test('a call without units creates its resource once per key, and repeats its answer', async (t) => {
  const { folderId, codes } = await bulk(['a', 'b']);
  const calls: [string, object | undefined, object | undefined, string][] = [
    ['/folders', { name: 'Once' }, { name: 'Twice' }, '/folders?search=Once'],
    [
      '/presets',
      { name: 'Once', options: { width: 300 } },
      { name: 'Once', options: { width: 301 } },
      '/presets',
    ],
    [
      '/print-profiles',
      { name: 'Once', options: { width: 300 } },
      { name: 'Once', options: { width: 301 } },
      '/print-profiles',
    ],
    [`/folders/${folderId}/verifications`, undefined, undefined, `/folders/${folderId}/verifications`],
    [
      '/resolver/items',
      { key: '(01)09521321000018', links: [{ rel: 'gs1:pip', href: 'https://a.example/', title: 'a' }] },
      { key: '(01)09521321000018', links: [{ rel: 'gs1:pip', href: 'https://b.example/', title: 'b' }] },
      '/resolver/items',
    ],
    ['/code-verifications', { ids: [codes[0]!.id] }, { ids: [codes[1]!.id] }, '/code-verifications'],
  ];
  for (const [path, body, another, list] of calls) {
    const first = await post(path, body, named('once'));
    t.ok(first.status === 201 || first.status === 202, path);
    t.notOk('idempotent-replayed' in first.headers);
    const later = body === undefined ? undefined : Object.fromEntries(Object.entries(body).reverse());
    const again = await call({
      ...{ method: 'POST', url: `/api/v1${path}`, key: client.key, headers: named('once') },
      body: later,
    });
    const { status, headers, json } = again;
    t.match({ status, headers }, { status: first.status, headers: { 'idempotent-replayed': 'true' } }, path);
    t.strictSame(json, first.json, path);
    t.equal((await get(list)).json.data.length, 1, `${path}: nothing is created twice`);
    if (another === undefined) continue;
    t.match(await post(path, another, named('once')), {
      status: 422,
      json: { error: 'Idempotency-Key reused' },
    });
  }
  t.equal(
    (await post('/presets', { name: 'Other' }, named('once'))).status,
    400,
    'an invalid body is reported first',
  );
  t.match(await post('/folders', { name: 'x' }, named('\u00fc')), { status: 400 });
  const stranger = await newClient(gateway);
  t.equal(
    (await stranger.post('/folders', { name: 'Other' }, named('once'))).status,
    201,
    'keys belong to an account',
  );
});

t.test('of concurrent calls with one key one creates the resource; keys last a day', async (t) => {
  const sql = postgres(gateway.databaseUrl, { max: 1 });
  t.teardown(() => sql.end());
  const { post: there } = await newClient(other);
  const wanted = { name: 'Lost answer' };
  const [first, ...racing] = await Promise.all(
    [0, 1, 2, 3].map(() => there('/folders', wanted, named('lost'))),
  );
  const answers = [first!, ...racing];
  t.ok(
    answers.every(({ status }) => status === 201 || status === 409),
    'one creates it while others wait or are refused',
  );
  const made = answers.filter(({ status }) => status === 201).map(({ json }) => json.id);
  t.equal(new Set(made).size, 1);
  for (const { status, json, headers } of answers.filter(({ status }) => status === 409))
    t.match(
      { status, json, headers },
      { json: { error: 'Request still running' }, headers: { 'retry-after': '1' } },
    );
  const again = await there('/folders', wanted, named('lost'));
  t.strictSame([again.status, again.json.id], [201, made[0]]);

  await sql`update idempotent_answers set created_at = now() - interval '25 hours' where key = 'lost'`;
  t.match(await there('/folders', wanted, named('lost')), {
    status: 409,
    json: { error: 'Name already taken' },
  });
  t.equal(
    (await there('/folders', { name: 'Next day' }, named('lost'))).status,
    201,
    'a day later the key is free',
  );
  const [row] = await sql`select count(*)::int as count from idempotent_answers where key = 'lost'`;
  t.equal(row!.count, 1);
});

t.test('failures are not stored under the key', async (t) => {
  await post('/folders', { name: 'Taken' });
  t.equal((await post('/folders', { name: 'Taken' }, named('later'))).status, 409);
  t.equal((await post('/folders', { name: 'Free' }, named('later'))).status, 201);
});

t.test('an Idempotency-Key that the call does not support is refused, and nothing is created', async (t) => {
  const refused = 'Idempotency-Key: is not supported by this call; send it without one';
  const { id } = await gateway.account();
  const hook = { url: 'https://example.com/hook', events: [] };
  for (const [path, body] of [
    ['/keys', { name: 'x' }],
    ['/webhooks', hook],
    ['/signing-secrets', undefined],
    [`/webhooks/${(await post('/webhooks', hook)).json.id}/secrets`, undefined],
  ] as const) {
    t.match(await post(path, body, named('secret')), { status: 400, json: { details: refused } }, path);
    const before = (await get(path)).json.data.length;
    t.equal((await post(path, body)).status, 201, path);
    t.equal((await get(path)).json.data.length, before + 1);
  }
  const credits = { method: 'POST', url: `/admin/v1/accounts/${id}/credits`, key: ADMIN_TOKEN } as const;
  t.match(await call({ ...credits, body: { amount: 1 }, headers: named('x') }), {
    status: 400,
    json: { details: refused },
  });
  t.equal((await admin('GET', `/accounts/${id}`)).json.credits, 0);
});

t.test('a change is made once per key, and a repeat answers as the first did', async (t) => {
  const { codes } = await bulk(['https://example.com/a', 'https://example.com/b'], 'Changes');
  const slugs = codes.map(({ slug }: { slug: string }) => slug);
  const to = (n: number) => ({ destination: `https://example.com/${n}` });
  const destination = async () => (await get(`/links/${slugs[0]}`)).json.destination;

  const edit = () => patch(`/links/${slugs[0]}`, to(1), named('edit'));
  const first = await edit();
  t.equal((await patch(`/links/${slugs[0]}`, to(2))).status, 200);
  t.match(await edit(), {
    ...{ status: 200, json: first.json },
    headers: { 'idempotent-replayed': 'true', etag: first.headers.etag },
  });
  t.equal(await destination(), 'https://example.com/2', 'the repeat changes nothing');
  t.match(await patch(`/links/${slugs[0]}`, to(3), named('edit')), { status: 422 });
  t.match(await patch(`/links/${slugs[1]}`, to(1), named('edit')), { status: 422 }, 'another path');
  const matching = { ...named('edit'), 'if-match': String(first.headers.etag) };
  t.match(await patch(`/links/${slugs[0]}`, to(1), matching), { status: 422 }, 'another If-Match');

  const many = () => patch('/links', { slugs, change: to(4) }, named('many'));
  const changed = await many();
  t.match(changed, { status: 200, json: { links: 2, changed: 2 } });
  t.strictSame((await many()).json, changed.json, 'with the same change_id');
  const undo = () => post(`/links/changes/${changed.json.change_id}/undo`, undefined, named('undo'));
  const undone = await undo();
  t.strictSame((await undo()).json, undone.json);
  t.equal(await destination(), 'https://example.com/2', 'it was not undone twice');

  const drop = () => client.del(`/codes/${codes[0]!.id}`, named('drop'));
  t.match(await drop(), { status: 204 });
  t.match(await drop(), { status: 204, headers: { 'idempotent-replayed': 'true' } });
  t.equal((await client.del(`/codes/${codes[0]!.id}`)).status, 404);
});

t.test('a key is for one path, also where only capitals tell two apart', async (t) => {
  for (const name of ['Serial', 'serial']) await client.put(`/counters/${name}`, { next: 1 });
  const take = (name: string) => post(`/counters/${name}/take`, { count: 5 }, named('take'));
  t.match(await take('Serial'), { status: 200 });
  t.match(await take('serial'), { status: 422 }, 'not the numbers of the other counter');
});

t.test('of an account, only so many answers are kept, and only the newest', async (t) => {
  const sql = postgres(gateway.databaseUrl, { max: 1 });
  t.teardown(() => sql.end());
  const { post, id: accountId } = await newClient(gateway);
  for (const n of [1, 2, 3]) await post('/folders', { name: `Kept ${n}` }, named(`kept-${n}`));
  await deleteOldMade(sql, 10, { answers: 2, bytes: 1_000_000 });
  const rows = await sql`select key from idempotent_answers where account_id = ${accountId} order by key`;
  t.strictSame(
    rows.map(({ key }) => key),
    ['kept-2', 'kept-3'],
  );
  const [{ length }] = await sql<[{ length: number }]>`
    select octet_length(answer) as length from idempotent_answers where account_id = ${accountId} and key = 'kept-3'`;
  await deleteOldMade(sql, 10, { answers: 2, bytes: length + 1 });
  const left = await sql`select key from idempotent_answers where account_id = ${accountId}`;
  t.strictSame(
    left.map(({ key }) => key),
    ['kept-3'],
    'nor more bytes of them',
  );
});

t.test('every call that changes something takes an Idempotency-Key or refuses it', (t) => {
  const writing = documentedCalls(app.gateway).filter(
    ({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method),
  );
  const isSafe = ({ operation }: (typeof writing)[number]) => 'x-safe' in operation;
  const others = writing
    .filter(({ operation }) => !operation.parameters?.some(({ name }) => name === 'idempotency-key'))
    .filter((call) => !isSafe(call));
  t.strictSame(
    others.map(({ operation }) => operation.operationId).sort(),
    [
      ...['addCredits', 'createAccount', 'createAccountKey', 'revokeAccountKey', 'updateAccount'],
      ...['updateAccountKey', 'rotateAccountKey', 'signIn', 'signInOperator', 'signOut', 'signOutOperator'],
      // Their answers have a secret, which is not stored.
      ...['createKey', 'rotateKey', 'createSigningSecret', 'createWebhook', 'createWebhookSecret'],
      // The offset of a chunk says whether it was stored.
      ...['appendToUpload', 'deleteUpload', 'drawCode', 'explainLink'],
      // Looking for a proof again doubles nothing.
      'verifyDomain',
      // Its answer is a file, and each that was given out is listed.
      'createReprint',
      // The id in its path makes it once.
      'putCodeByExternalId',
    ].sort(),
    'these refuse it',
  );
  for (const { path, operation } of others) t.ok('400' in operation.responses, path);
  t.strictSame(
    writing
      .filter(isSafe)
      .map(({ operation }) => operation.operationId)
      .sort(),
    [
      ...['checkCode', 'checkCodes', 'checkDesign', 'checkGsData', 'checkScan', 'createCodesSheets'],
      'createSheets',
      ...['getCodesArchive', 'getLinksSummary', 'previewBatch', 'previewCode', 'signUrl'],
    ],
    'these change nothing',
  );
  t.end();
});

t.test(
  'no call ignores a header that decides what it does: it takes it, or refuses it by name',
  async (t) => {
    const [cookie, operator] = await Promise.all([signIn(gateway, client.key), signInOperator()]);
    const secret = (await post('/signing-secrets')).json;
    const signed = signPath(secret, { data: 'a' }, 'png');
    const calls = documentedCalls(app.gateway).filter(({ method }) => (method as string) !== 'OPTIONS');
    const takenBy = ({ operation }: (typeof calls)[number]): readonly string[] =>
      (operation.parameters ?? []).flatMap(({ in: place, name }) => (place === 'header' ? [name] : []));
    const own = new Set(calls.flatMap(takenBy).filter((name) => /^tessera-|^design$/.test(name)));
    t.ok(own.size >= 5, [...own].join());
    let refused = 0;
    for (const made of calls) {
      const { path, method, operation } = made;
      const schemes = new Set((operation.security ?? []).flatMap((scheme) => Object.keys(scheme)));
      const isOpen = /^\/(healthz|readyz|metrics|tls\/ask|openapi\.json|l\/|\.well-known\/)/.test(path);
      const isPaid = path === '/api/v1/render' || path.startsWith('/i/');
      const changes = method !== 'GET' && !('x-safe' in operation);
      const names = [
        ...own,
        'tessera-min-grad',
        ...(changes || isPaid ? ['idempotency-key', 'if-match'] : []),
      ];
      const url = path.startsWith('/i/') ? signed : path.replace(/\{[^}]+\}/g, RANDOM_ID);
      for (const name of names.filter((name) => !takenBy(made).includes(name))) {
        const answer = await call({
          ...{ method, url: isPaid && path.endsWith('render') ? `${url}?content=a` : url },
          ...(schemes.has('adminToken')
            ? { key: ADMIN_TOKEN }
            : schemes.has('apiKey') && { key: client.key }),
          headers: {
            ...{ [name]: name === 'design' ? '{}' : '4', ...SAME_ORIGIN },
            ...(!schemes.has('apiKey') && { cookie: schemes.has('operator') ? operator : cookie }),
          },
        });
        const said = `${answer.status} ${answer.text.slice(0, 200)}`;
        if (isOpen)
          t.notMatch(said, 'is not supported by this call', `${method} ${path}: visitors send anything`);
        else
          t.match(
            said,
            new RegExp(`^400 .*Invalid request header[\\s\\S]*${name}: is not supported`, 'i'),
            `${method} ${path}`,
          );
        refused += isOpen ? 0 : 1;
      }
    }
    t.ok(refused > 500, `${refused} refusals`);
    t.match(await post('/qr', { data: 'a' }, { 'tessera-results': 'full' }), {
      json: { details: /it supports Tessera-Min-Grade, Tessera-Repair, Tessera-Preset$/ },
    });
  },
);
