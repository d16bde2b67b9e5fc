/** One call that makes the code with an id of the account's own, or changes it. */
import fc from 'fast-check';
import t from 'tap';
import { type Answer, sharedApp, sharedPeer } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { fieldsOf } from '../../../support/fields-of.ts';

const gateway = await sharedApp();
const other = await sharedPeer();

const newAccount = (wanted: Parameters<typeof newClient>[1] = { plan: 'free' }) => newClient(gateway, wanted);

const at = (externalId: string) => `/codes/by-external-id/${encodeURIComponent(externalId)}`;

const MENU = {
  data: 'https://example.com/menu',
  dynamic: true,
  name: 'Menu',
  folder_name: 'Tables',
  tags: ['a'],
};

t.test(
  'the first call makes the code for one unit, and the same call again changes and costs nothing',
  async (t) => {
    const { get, put, used } = await newAccount();
    const made = await put(at('table-7'), MENU);
    t.match(made, {
      status: 201,
      headers: { location: `../${made.json.id}`, 'x-qr-usage': '1', 'tessera-grade': '4' },
      json: { external_id: 'table-7', destination: MENU.data, name: 'Menu', tags: ['a'] },
    });
    const again = await put(at('table-7'), MENU);
    t.match(again, { status: 200, headers: { 'x-qr-usage': undefined, etag: made.headers.etag } });
    t.strictSame(again.json, made.json);
    t.strictSame((await get(at('table-7'))).json, made.json);
    t.strictSame((await get(`/links/${made.json.slug}/history`)).json.data.length, 1);
    t.equal(await used(), 1);
  },
);

t.test('a later body changes what it says, and what it leaves out stays', async (t) => {
  const { get, put, used } = await newAccount();
  const { json: made } = await put(at('a'), { ...MENU, width: 400, dotsOptions: { color: '#1a4b8c' } });
  t.match(await gateway.call({ url: `/l/${made.slug}` }), { headers: { location: MENU.data } });
  const moved = await put(at('a'), { data: 'https://example.com/autumn' });
  t.match(moved, {
    status: 200,
    json: {
      id: made.id,
      destination: 'https://example.com/autumn',
      content: MENU.data,
      name: 'Menu',
      tags: ['a'],
    },
  });
  t.strictSame(moved.json.design, made.design);
  t.equal(moved.json.folder_id, made.folder_id);
  t.match((await get(`/links/${made.slug}/history`)).json.data, [
    { destination: 'https://example.com/autumn' },
    { destination: MENU.data },
  ]);

  const labelled = await put(at('a'), { ...MENU, name: ' Table ', tags: ['b', 'c'], folder_name: 'Terrace' });
  t.match(labelled.json, { name: 'Table', tags: ['b', 'c'], destination: MENU.data });
  t.equal((await get(`/folders/${labelled.json.folder_id}`)).json.name, 'Terrace');
  const back = await put(at('a'), { ...MENU, folder_name: undefined, folder_id: made.folder_id });
  t.equal(back.json.folder_id, made.folder_id);

  const drawn = await put(at('a'), { data: MENU.data, dotsOptions: { color: '#dddddd' } });
  t.match(drawn, { status: 200, headers: { 'tessera-grade': String(drawn.json.grade) } });
  t.match(drawn.json.design, { width: 400, dotsOptions: { color: '#dddddd' } });
  t.not(drawn.json.grade, 4);
  const low = await put(
    at('a'),
    { data: MENU.data, dotsOptions: { color: '#eeeeee' } },
    { 'tessera-min-grade': '3' },
  );
  t.match(low, { status: 400, json: { details: /asks for 3/ } });
  t.equal(await used(), 1, 'changes cost nothing');
});

t.test('what is in print does not change: the call says what to do instead', async (t) => {
  const { get, put, used } = await newAccount();
  const still = { data: 'Serial 1', name: 'Plate' };
  const { json: plate } = await put(at('plate'), still);
  const { json: menu } = await put(at('menu'), { ...MENU, slug: `menu-${plate.id.slice(-8)}` });
  t.match(menu, { slug: /^menu-/ });
  const refused: readonly (readonly [string, object, RegExp])[] = [
    [
      'plate',
      { ...still, data: 'Serial 2' },
      /^data: the code .* encodes something else, .*another external_id/,
    ],
    ['plate', { ...still, data: 'https://example.com/', dynamic: true }, /^dynamic: .* is not dynamic/],
    ['menu', { ...MENU, dynamic: false }, /^dynamic: .* is dynamic/],
    ['menu', { ...MENU, slug: 'another-menu' }, /^slug: .*PATCH \/api\/v1\/links\/\w{8}$/],
  ];
  for (const [id, body, details] of refused) {
    const answer = await put(at(id), { ...body, name: 'Changed' });
    t.match(answer, { status: 409, json: { error: 'Content cannot change', details } });
  }
  t.match(await put(at('menu'), { ...MENU, data: 'no address' }), {
    status: 400,
    json: { details: /^data: / },
  });
  t.match(await put(at('menu'), { ...MENU, external_id: 'x' }), {
    status: 400,
    json: { details: /^external_id: / },
  });
  t.strictSame(
    [(await get(at('plate'))).json, (await get(at('menu'))).json],
    [plate, menu],
    'nothing changed',
  );
  t.equal((await put(at('menu'), { ...MENU, slug: menu.slug })).status, 200);
  t.equal(await used(), 2);
});

t.test('calls at the same time, at two gateways, make one code', async (t) => {
  const client = await newAccount({ monthlyQuota: 100 });
  const apps = [gateway, other, gateway, other, gateway, other];
  const put = async (app: typeof other, turn: number): Promise<Answer> => {
    const body = { ...MENU, name: `Turn ${turn}` };
    const answer = await app.call({ method: 'PUT', url: `/api/v1${at('one')}`, key: client.key, body });
    // On a busy machine the database may not answer within a second.
    return answer.status === 503 ? put(app, turn) : answer;
  };
  const answers = await Promise.all(apps.map(put));
  t.strictSame(fieldsOf(answers, 'status').sort(), [200, 200, 200, 200, 200, 201]);
  t.equal(new Set(answers.map(({ json }) => json.id)).size, 1);
  t.equal((await client.get('/codes?external_id=one')).json.data.length, 1);
  t.equal(await client.used(), 1, 'the others gave their units back');
});

t.test('an id that several codes have, or none, names no code', async (t) => {
  const { get, put, post, del, used } = await newAccount();
  t.equal((await get(at('twice'))).status, 404);
  for (const data of ['a', 'b']) await post('/codes', { data, external_id: 'twice' });
  const refused = { status: 409, json: { details: /^external_id: several of your codes have it/ } };
  t.match([await get(at('twice')), await put(at('twice'), { data: 'a' })], [refused, refused]);
  const [newest] = (await get('/codes?external_id=twice')).json.data;
  await del(`/codes/${newest!.id}`);
  t.match(
    await put(at('twice'), { data: 'a' }),
    { status: 200, json: { content: 'a' } },
    'the bin does not count',
  );
  t.equal(await used(), 2);
  t.equal((await (await newAccount()).get(at('twice'))).status, 404, 'ids are of one account');
});

t.test('If-Match refuses a change of what was changed meanwhile, and an id that nothing has', async (t) => {
  const { get, put } = await newAccount();
  t.equal((await put(at('v'), MENU, { 'if-match': '"gone"' })).status, 412);
  t.equal((await get(at('v'))).status, 404);
  const { headers } = await put(at('v'), MENU);
  const ifMatch = { 'if-match': String(headers.etag) };
  t.equal((await put(at('v'), { ...MENU, name: 'B' }, ifMatch)).status, 200);
  t.equal((await put(at('v'), { ...MENU, name: 'C' }, ifMatch)).status, 412);
  t.equal((await get(at('v'))).json.name, 'B');
});

t.test('a call that makes a code needs the unit, and both scopes', async (t) => {
  const { put, key } = await newAccount({ monthlyQuota: 1 });
  t.equal((await put(at('1'), MENU)).status, 201);
  t.match(await put(at('2'), MENU), { status: 429, json: { error: 'Quota exhausted' } });
  t.equal((await put(at('1'), { ...MENU, name: 'free' })).status, 200);
  for (const scopes of [['generate'], ['manage']] as const) {
    const body = { name: scopes[0], scopes };
    const made = await gateway.call({ method: 'POST', url: '/api/v1/keys', key, body });
    const called = await gateway.call({
      method: 'PUT',
      url: `/api/v1${at('1')}`,
      key: made.json.key,
      body: MENU,
    });
    t.match(called, { status: 403, json: { error: 'API key lacks a scope' } }, scopes[0]);
  }
});

t.test('a preset, a repair and a logo give the same code again', async (t) => {
  const { post, put } = await newAccount();
  const options = { width: 500, dotsOptions: { color: '#1a4b8c' } };
  await post('/presets', { name: 'House', options });
  const logo =
    'data:image/svg+xml;base64,' +
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
    ).toString('base64');
  const body = { data: 'drawn', margin: 0, image: logo };
  const headers = { 'tessera-preset': 'House', 'tessera-repair': 'true' };
  const first = await put(at('p'), body, headers);
  t.match(first, {
    status: 201,
    json: { width: 500, grade: 4 },
    headers: { 'tessera-repaired': /quiet-zone/ },
  });
  const again = await put(at('p'), body, headers);
  t.equal(again.status, 200);
  t.strictSame(again.json, first.json);
  const bare = await put(at('p'), { data: 'drawn' });
  t.strictSame(bare.json, first.json, 'the logo stays');
});

t.test('any external id that a code may have finds it', async (t) => {
  const client = await newAccount({ monthlyQuota: 100 });
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, async (externalId) => {
      const made = await client.post('/codes', { data: 'x', external_id: externalId });
      fc.pre(made.status === 201);
      const found = await client.get(at(externalId));
      t.equal(found.json.id, made.json.id, JSON.stringify(externalId));
      await client.del(`/codes/${made.json.id}`);
    }),
    { numRuns: 30 },
  );
});
