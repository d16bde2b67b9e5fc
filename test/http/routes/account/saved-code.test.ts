/** One call that makes a code and saves it. */
import t from 'tap';
import { prefersMinimal } from '../../../../src/http/protocol/headers.ts';
import { sharedApp, sharedPeer } from '../../../support/app/app.ts';
import { newClient, RANDOM_ID, UUID } from '../../../support/app/client.ts';
import { patiently } from '../../../support/app/patient.ts';
import { fieldsOf } from '../../../support/fields-of.ts';
import { decodePng } from '../../../support/pictures/decode.ts';

const gateway = await sharedApp();
const other = await sharedPeer();

const newAccount = (wanted: Parameters<typeof newClient>[1] = { plan: 'free' }) => newClient(gateway, wanted);
type Client = Awaited<ReturnType<typeof newAccount>>;

const codesOf = async ({ get }: Client) => (await get('/codes')).json.data;

t.test('a code is saved on every plan for one unit, and later calls return the same', async (t) => {
  for (const plan of ['free', 'pro'] as const) {
    const client = await newAccount({ plan });
    const { get, post, used } = client;
    const request = {
      ...{ data: 'https://example.com/menu', width: 400, height: 400, dotsOptions: { type: 'rounded' } },
      ...{ name: '  Menu ', folder_name: 'Tables', external_id: 'table-7', tags: ['summer'] },
    };
    const { status, json, headers } = await post('/codes', request);
    t.equal(status, 201);
    t.match(json, {
      ...{ content: request.data, name: 'Menu', external_id: 'table-7', tags: ['summer'], dynamic: false },
      ...{ width: 400, grade: 4, design: { width: 400, dotsOptions: { type: 'rounded' } } },
    });
    t.match(headers, { location: `codes/${json.id}`, 'tessera-grade': '4', 'x-qr-usage': '1' });
    t.match(headers.ratelimit, 'monthly');
    t.strictSame((await get(`/codes/${json.id}`)).json, json);
    t.equal((await get(`/folders/${json.folder_id}`)).json.name, 'Tables');
    t.equal(await decodePng((await get(`/codes/${json.id}/image`)).bytes), request.data);
    t.equal(await used(), 1);
    const { data } = (await get('/usage/history?group=kind')).json;
    t.match(data, [{ kind: 'code', calls: 1, units: 1 }]);
  }
});

t.test('Accept decides whether the answer is the code or its picture', async (t) => {
  const client = await newAccount();
  const { get, post, used } = client;
  const ask = (accept: string) => post('/codes', { data: 'accepted', name: 'Poster' }, { accept });
  for (const accept of ['*/*', 'application/json', 'application/json, image/png'])
    t.match((await ask(accept)).json, { content: 'accepted' }, accept);
  const single = await post('/qr', { data: 'accepted' });
  for (const [type, start] of Object.entries({
    'image/png': '\x89PNG',
    'image/svg+xml': '<svg',
    'application/pdf': '%PDF',
    'application/postscript': '%!PS',
    'image/webp': 'RIFF',
  })) {
    const { status, headers, bytes } = await ask(type);
    t.equal(status, 201, type);
    t.match(headers, { 'content-type': type, 'tessera-grade': '4', vary: 'Accept, Prefer' });
    t.match(bytes.toString('latin1', 0, 8), start, type);
    const id = String(headers.location).replace('codes/', '');
    t.match((await get(`/codes/${id}`)).json, { content: 'accepted', name: 'Poster' });
    const image = String(single.json.data).replace('data:image/png;base64,', '');
    if (type === 'image/png') t.equal(bytes.toString('base64'), image, 'the same picture as a single call');
  }
  t.equal((await ask('text/html')).status, 406);
  t.equal(await used(), 9, 'a refused call costs nothing');
});

t.test('with Prefer: return=minimal the answer has no body', async (t) => {
  const { get, post } = await newAccount();
  const minimal = { prefer: 'return=minimal' };
  const { status, headers, text } = await post('/codes', { data: 'small' }, minimal);
  t.strictSame([status, text], [201, '']);
  t.match(headers, { 'preference-applied': 'return=minimal', 'tessera-grade': '4' });
  t.equal((await get(`/${headers.location}`)).json.content, 'small');
  const picture = await post('/codes', { data: 'small' }, { ...minimal, accept: 'image/png' });
  t.strictSame([picture.status, picture.text], [201, '']);
  const wishes: Readonly<Record<string, boolean>> = {
    'return=minimal': true,
    'Return = "minimal"': true,
    'respond-async, return=minimal; x=1': true,
    'wait=10,return=minimal,handling=lenient': true,
    'return=representation': false,
    'return=representation, return=minimal': false,
    'return=minimalist': false,
    'xreturn=minimal': false,
    '': false,
  };
  for (const [prefer, isMinimal] of Object.entries(wishes))
    t.equal(prefersMinimal({ headers: { prefer } }), isMinimal, prefer);
  t.equal(prefersMinimal({ headers: {} }), false);
});

t.test('a dynamic code gets a short link, with a custom slug if the call names one', async (t) => {
  const { get, post, used } = await newAccount({ monthlyQuota: 3 });
  const data = 'https://example.com/a';
  const random = (await post('/codes', { data, dynamic: true })).json;
  t.match(random, { dynamic: true, destination: data });
  const slug = `menu-${random.slug}`;
  t.equal((await gateway.call({ url: `/l/${slug}` })).status, 404, 'a visit before the slug exists');
  const chosen = (await post('/codes', { data, dynamic: true, slug })).json;
  t.equal(chosen.slug, slug);
  t.match(await gateway.call({ url: `/l/${slug}` }), { status: 302, headers: { location: data } });
  t.equal(await decodePng((await get(`/codes/${chosen.id}/image`)).bytes), `http://qr.test/l/${slug}`);

  const taken = await post('/codes', { data, dynamic: true, slug: slug.toUpperCase() });
  t.match(taken, { status: 409, json: { error: 'Name already taken', details: /^slug: is taken/ } });
  t.equal(await used(), 2, 'a refused call costs nothing');
  t.equal((await get('/codes')).json.data.length, 2, 'and saves nothing');
});

t.test('a code is saved in the folder that the call names, or else in Codes', async (t) => {
  const { get, post } = await newAccount();
  const { folder_id: usual } = (await post('/codes', { data: 'a' })).json;
  t.equal((await get(`/folders/${usual}`)).json.name, 'Codes');
  t.equal((await post('/codes', { data: 'b' })).json.folder_id, usual);
  const { id } = (await post('/folders', { name: 'Mine' })).json;
  t.equal((await post('/codes', { data: 'c', folder_id: id })).json.folder_id, id);
  t.equal((await post('/codes', { data: 'd', folder_name: ' Mine ' })).json.folder_id, id);
  t.match(
    (await post('/codes', { data: 'e', folder_id: id, folder_name: 'x' })).json.details,
    /^folder_name: /,
  );
  const theirs = (await (await newAccount()).post('/folders', { name: 'Theirs' })).json.id;
  for (const folder of [theirs, RANDOM_ID])
    t.match((await post('/codes', { data: 'f', folder_id: folder })).json.details, /^folder_id: must be/);
});

t.test('a code that cannot be made costs and saves nothing', async (t) => {
  const client = await newAccount({ monthlyQuota: 1 });
  const { post, used } = client;
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{}, /^data: is required/],
    [{ data: '' }, /^data: /],
    [{ data: 'x', title: 'x' }, /^title: is not a known field/],
    [{ data: 'x', folderId: RANDOM_ID }, /^folderId: is not a known field/],
    [{ data: 'not a URL', dynamic: true }, /^data: /],
    [{ data: 'x', slug: 'spring' }, /^slug: needs dynamic/],
    [{ data: 'https://example.com/', dynamic: true, slug: 'admin' }, /^slug: is reserved/],
    [{ data: 'x', name: ' ' }, /^name: /],
    [{ data: 'x', external_id: '' }, /^external_id: must not be empty/],
    [{ data: 'x', external_id: 'a\nb' }, /^external_id: must be one line/],
    [{ data: 'x', external_id: 'x'.repeat(201) }, /^external_id: /],
    [{ data: 'x', external_id_unique: true }, /^external_id_unique: needs external_id/],
    [{ data: 'x'.repeat(3000) }, /^data: /],
    [{ data: 'x', image: 'data:image/png;base64,AAAA' }, /^image: /],
    [{ data: 'x', dotsOptions: { color: 'nothing' } }, /^dotsOptions.color: /],
  ];
  for (const [body, details] of wrong) {
    const { status, json } = await post('/codes', body);
    t.equal(status, 400, JSON.stringify(body).slice(0, 100));
    t.match(json.details, details);
  }
  const low = { data: 'x', dotsOptions: { color: '#dddddd' } };
  const graded = await post('/codes', low, { 'tessera-min-grade': '3' });
  t.match(graded.json.details, /asks for 3/);
  t.strictSame([await used(), (await codesOf(client)).length], [0, 0]);

  const repaired = await post('/codes', { data: 'x', margin: 0 }, { 'tessera-repair': 'true' });
  t.match(repaired, { status: 201, headers: { 'tessera-repaired': /quiet-zone/ }, json: { grade: 4 } });
  t.match(await post('/codes', { data: 'one more' }), { status: 429, json: { error: 'Quota exhausted' } });
  t.equal((await codesOf(client)).length, 1);
  const { key } = await gateway.account({ scopes: ['manage', 'render'] });
  t.equal(
    (await gateway.call({ method: 'POST', url: '/api/v1/codes', key, body: { data: 'x' } })).status,
    403,
  );
});

t.test('a preset applies where the request says nothing', async (t) => {
  const { post } = await newAccount();
  const options = { width: 500, dotsOptions: { color: '#1a4b8c' } };
  await post('/presets', { name: 'House', options });
  const made = await post('/codes', { data: 'x', width: 200, name: 'n' }, { 'tessera-preset': 'House' });
  t.match(made.json, { width: 200, name: 'n', design: { dotsOptions: { color: '#1a4b8c' } } });
  t.equal((await post('/codes', { data: 'x' }, { 'tessera-preset': 'none' })).status, 400);
});

t.test('a call with an Idempotency-Key is paid and saved once, over all gateways', async (t) => {
  const client = await newAccount();
  const { get, post, patch, del, used } = client;
  const once = { 'idempotency-key': 'code-1' };
  const body = { data: 'https://example.com/', dynamic: true, external_id: 'o', external_id_unique: true };
  const at = (app: typeof other) =>
    patiently(() => app.call({ method: 'POST', url: '/api/v1/codes', key: client.key, headers: once, body }));
  const together = await Promise.all([at(gateway), at(other), at(gateway), at(other)]);
  t.equal((await codesOf(client)).length, 1);
  for (const { status } of together) t.ok([201, 409].includes(status), String(status));
  t.ok(together.some(({ status }) => status === 201));
  for (const { status, json } of together) if (status === 409) t.equal(json.error, 'Request still running');
  const first = together.find(({ status }) => status === 201)!;

  const again = await at(other);
  t.match(again, { status: 201, headers: { 'idempotent-replayed': 'true', 'x-qr-usage': '1' } });
  t.strictSame(again.json, first.json);
  t.equal(again.headers.location, first.headers.location);
  const picture = await post('/codes', body, { ...once, accept: 'image/png' });
  t.match(picture, { status: 201, headers: { 'content-type': 'image/png', 'idempotent-replayed': 'true' } });
  t.equal(await decodePng(picture.bytes), `http://qr.test/l/${first.json.slug}`);
  t.equal((await post('/codes', { ...body, name: 'x' }, once)).status, 422);
  t.equal((await post('/codes', body, { ...once, 'tessera-min-grade': '1' })).status, 422);

  await patch(`/codes/${first.json.id}`, { name: 'Later' });
  t.equal((await post('/codes', body, once)).json.name, 'Later', 'the code as it is by then');
  await del(`/codes/${first.json.id}`);
  t.match(await post('/codes', body, once), { status: 404, json: { details: /was deleted/ } });
  t.equal(await used(), 1);

  const bulkToo = await newAccount({ plan: 'pro' });
  t.equal((await bulkToo.post('/codes', { data: 'a' }, once)).status, 201);
  t.equal((await bulkToo.post('/qr/bulk', { items: [{ data: 'a' }] }, once)).status, 200, 'another endpoint');

  const faulty = { data: 'x', cornersDotOptions: { type: 'dots' } };
  const refused = { 'idempotency-key': 'code-2', 'tessera-min-grade': '4' };
  t.match(await post('/codes', faulty, refused), {
    status: 400,
    headers: { 'idempotent-replayed': undefined },
  });
  t.match(await post('/codes', faulty, refused), { status: 400, headers: { 'idempotent-replayed': 'true' } });
  t.equal((await get('/codes')).json.data.length, 0);
});

t.test('a unique external id is given to one code, and the other calls cost nothing', async (t) => {
  const client = await newAccount({ monthlyQuota: 100 });
  const { get, post, patch, del, used } = client;
  const body = { data: 'x', external_id: 'product-1', external_id_unique: true };
  const apps = [gateway, other, gateway, other, gateway, other, gateway, other];
  const answers = await Promise.all(
    apps.map((app) => app.call({ method: 'POST', url: '/api/v1/codes', key: client.key, body })),
  );
  t.strictSame(fieldsOf(answers, 'status').sort(), [201, ...Array.from({ length: 7 }, () => 409)]);
  const { id } = answers.find(({ status }) => status === 201)!.json;
  t.match(id, UUID);
  for (const { status, json } of answers) {
    if (status === 201) continue;
    t.match(json, {
      error: 'Name already taken',
      details: new RegExp(`^external_id: your code ${id} has it`),
    });
  }
  t.equal(await used(), 1);

  const { external_id_unique: _, ...plain } = body;
  t.equal((await post('/codes', plain)).status, 201, 'a call that does not ask for uniqueness may reuse it');
  t.equal((await get('/codes?external_id=product-1')).json.data.length, 2);
  t.strictSame((await get('/codes?external_id=product')).json.data, []);
  t.equal((await post('/codes', body)).status, 409);
  for (const code of (await get('/codes')).json.data) await del(`/codes/${code.id}`);
  const anew = await post('/codes', body);
  t.equal(anew.status, 201, 'codes in the bin do not count');
  const changed = await patch(`/codes/${anew.json.id}`, { external_id: null });
  t.match(changed, { status: 200, json: { external_id: null } });
  t.not(changed.json.etag, anew.json.etag);
  t.equal((await (await newAccount()).post('/codes', body)).status, 201, 'accounts may share an id');
});
