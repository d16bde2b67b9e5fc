/** Presets: the calls that manage them, and the calls that draw with them. */
import fc from 'fast-check';
import t from 'tap';
import { createPresetLookup } from '../../../../src/presets/lookup.ts';
import { createSender } from '../../../batches/support.ts';
import { until } from '../../../servers/until.ts';
import { pictureOf, sharedApp, sharedPeer } from '../../../support/app/app.ts';
import { clientOf, newClient } from '../../../support/app/client.ts';
import { refusesAll } from '../../../support/app/refusals.ts';
import { openFor } from '../../../support/database/database.ts';
import { fieldsOf } from '../../../support/fields-of.ts';
import { rectUri } from '../../../support/pictures/svg-uri.ts';
import { silent } from '../../../support/silent-log.ts';

const first = await sharedApp();
const { call, account } = first;

const DATA = 'https://example.com/';
const LOGO = rectUri(20, 10);
const GRADIENT = { colorStops: [{ offset: 0, color: 'navy' }] };
const HOUSE = { width: 200, height: 200, dotsOptions: { type: 'rounded', gradient: GRADIENT } };
const DISCS = { dotsOptions: { type: 'dots' }, cornersDotOptions: { type: 'dots' } };
const byPreset = (name: string) => ({ 'tessera-preset': name });

const newAccount = (wanted?: Parameters<typeof account>[0]) =>
  newClient(first, { monthlyQuota: 5000, ...wanted });

t.test('brackets within brackets are refused before anything follows them', async (t) => {
  const { post } = await newAccount();
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `${open.repeat(5000)}1${close.repeat(5000)}`;
    for (const options of [deep, `{"dotsOptions":${deep}}`]) {
      const { status, json } = await post('/presets', `{"name":"Deep","options":${options}}`);
      t.match([status, json.details], [400, /nested too deeply/]);
    }
  }
});

t.test('a preset is stored as it was sent, changed and deleted', async (t) => {
  const { post, patch, get, del } = await newAccount();
  const made = await post('/presets', { name: '  Haus Café ', options: { ...HOUSE, image: LOGO } });
  t.equal(made.status, 201, made.text);
  t.match(made.json, { name: 'Haus Café', is_default: false, options: { ...HOUSE, image: LOGO } });
  t.strictSame(
    Object.keys(made.json).sort(),
    ['created_at', 'domain', 'etag', 'id', 'is_default', 'name', 'options', 'updated_at'],
    'no defaults are added to what was sent',
  );
  t.strictSame(made.json.options, { ...HOUSE, image: LOGO });
  const path = `/presets/${made.json.id}`;
  t.strictSame((await get(path)).json, made.json);
  const { options } = (await get('/presets')).json.data[0] as unknown as { options: object };
  t.strictSame(options, HOUSE, 'a list leaves logos out');

  t.equal((await post('/presets', { name: 'Haus Café', options: {} })).status, 409);
  const renamed = await patch(path, { name: 'House', is_default: true });
  t.match(renamed.json, { name: 'House', is_default: true, options: { image: LOGO } });
  const other = await post('/presets', { name: 'Other', options: {}, is_default: true });
  t.equal((await get(path)).json.is_default, false, 'an account has one default preset');
  const [own, others] = [path, `/presets/${other.json.id}`];
  await patch(own, { name: 'House' });
  t.equal((await get(others)).json.is_default, true, 'changing another preset keeps the default');
  t.equal((await patch(own, { is_default: true })).status, 200);
  t.equal((await get(others)).json.is_default, false, 'and a preset that becomes the default replaces it');
  t.equal((await patch(`/presets/${other.json.id}`, { name: 'House' })).status, 409);
  t.strictSame((await patch(path, { options: { margin: 3 } })).json.options, { margin: 3 });

  t.equal((await del(path)).status, 204);
  t.equal((await get(path)).status, 404);
});

t.test('a preset that cannot be drawn is refused', async (t) => {
  const { post, get } = await newAccount();
  const cases: [object, RegExp][] = [
    [{ width: 10 }, /^options\.width: /],
    [{ dotsOptions: { colour: 'red' } }, /^options\.dotsOptions\.colour: is not a known field/],
    [{ data: 'x' }, /^options\.data: is not a known field/],
    [{ width: 50, height: 50, margin: 100 }, /^options\.\w+: /],
    [{ image: 'data:image/png;base64,AAAA' }, /^options\.image: /],
    [{ image: 'http://127.0.0.1:1/logo.png' }, /^options\.image: /],
    [{ qrOptions: { mode: 'Byte', segments: 'optimal' } }, /^options\.qrOptions\.mode: /],
  ];
  const error = 'Invalid request body';
  await refusesAll(t, (options) => post('/presets', { name: 'x', options }), cases, { error });
  for (const name of ['', ' ', '\n', 'x'.repeat(201)])
    t.match((await post('/presets', { name, options: {} })).json, { details: /^name: / });
  t.strictSame((await get('/presets')).json.data, []);
});

const colour = fc.constantFrom('red', '#123456', 'rgb(1 2 3)');
const paint = fc.oneof(
  fc.record({ color: colour }),
  fc.record({
    gradient: fc.record({ rotation: fc.constantFrom(0, 1), colorStops: fc.constant(GRADIENT.colorStops) }),
  }),
);
const types = fc.record({ type: fc.constantFrom('square', 'dots', 'rounded') });
const part = (field: string, inner: fc.Arbitrary<object>) =>
  inner.map((value) => ({ [field]: value }) as Record<string, object>);
/** The options of a design, in the smallest parts that a call replaces as a whole. */
const PARTS = [
  fc.record({ width: fc.integer({ min: 150, max: 300 }) }),
  fc.record({ height: fc.integer({ min: 150, max: 300 }) }),
  fc.record({ margin: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ shape: fc.constantFrom('square', 'circle') }),
  ...['dotsOptions', 'cornersSquareOptions', 'cornersDotOptions'].flatMap((field) => [
    part(field, types),
    part(field, paint),
  ]),
  part('dotsOptions', fc.record({ roundSize: fc.boolean() })),
  part('backgroundOptions', paint),
  part('backgroundOptions', fc.record({ round: fc.constantFrom(0, 0.5) })),
  part('qrOptions', fc.record({ errorCorrectionLevel: fc.constantFrom('L', 'H') })),
  part('qrOptions', fc.record({ eci: fc.boolean() })),
] as fc.Arbitrary<object>[];

const join = (parts: readonly (object | null)[]): Record<string, unknown> => {
  const joined: Record<string, unknown> = {};
  for (const [name, value] of parts.flatMap((one) => Object.entries(one ?? {})))
    joined[name] = typeof value === 'object' ? { ...(joined[name] as object), ...value } : value;
  return joined;
};
/** Of each part: the value in the preset, and the value in the call. */
const sides = fc.tuple(...PARTS.map((one) => fc.tuple(fc.option(one), fc.option(one))));

t.test('a preset and a call draw the same as one call with both', async (t) => {
  const { post, patch } = await newAccount();
  const preset = (await post('/presets', { name: 'any', options: {} })).json;
  await fc.assert(
    fc.asyncProperty(sides, async (parts) => {
      await patch(`/presets/${preset.id}`, { options: join(parts.map(([saved]) => saved)) });
      const own = { data: DATA, ...join(parts.map(([, own]) => own)) };
      const both = { data: DATA, ...join(parts.map(([saved, own]) => own ?? saved)) };
      const [one, other] = [await post('/qr', own, byPreset('any')), await post('/qr', both)];
      if (one.status !== 200 || !pictureOf(one).equals(pictureOf(other)))
        throw new Error(`${one.status} ${other.status} ${JSON.stringify({ own, both })}`);
    }),
    { numRuns: 40 },
  );
  const mode = { qrOptions: { mode: 'Byte' } };
  await patch(`/presets/${preset.id}`, { options: { qrOptions: { segments: 'optimal', eci: true } } });
  t.equal((await post('/qr', { data: 'a', ...mode }, byPreset('any'))).status, 200, 'mode beats segments');
  await patch(`/presets/${preset.id}`, { options: mode });
  const optimal = { data: 'a', qrOptions: { segments: 'optimal' } };
  t.equal((await post('/qr', optimal, byPreset('any'))).status, 200, 'and the reverse');
});

t.test('every call with a design in its body takes the header', async (t) => {
  const { key, post, get } = await newAccount();
  const options = { ...DISCS, width: 250, height: 250, image: LOGO };
  const { id } = (await post('/presets', { name: 'Küche', options })).json;
  const asBytes = Buffer.from('Küche').toString('latin1');
  for (const name of ['Küche', asBytes, id, id.toUpperCase()])
    t.ok(
      pictureOf(await post('/qr', { data: DATA }, byPreset(name))).equals(
        pictureOf(await post('/qr', { data: DATA, ...options })),
      ),
      name,
    );
  const file = { accept: 'image/svg+xml' };
  const [svg, same] = [
    await post('/qr/file', { data: DATA }, { ...byPreset(id), ...file }),
    await post('/qr/file', { data: DATA, ...options }, file),
  ];
  t.equal(svg.text, same.text);
  t.match(svg.text, /<path[^>]+(red|#ff0000|#f00)/, 'the logo stays paths');
  const checked = await post('/qr/check', { data: DATA }, byPreset(id));
  t.strictSame(checked.json, (await post('/qr/check', { data: DATA, ...options })).json);
  const items = [{ data: 'a' }, { data: 'b', width: 400 }];
  const bulkChecked = await post('/qr/bulk/check', { items }, byPreset(id));
  t.match(bulkChecked.json, { results: [{ grade: 0 }, { grade: 0 }] });

  const bulk = await post('/qr/bulk', { items }, byPreset(id));
  t.match(bulk.json, { results: [{ success: true }, { success: true }] });
  const codes = await get(`/folders/${(bulk.json.meta as { folder_id: string }).folder_id}/codes`);
  const [one, two] = codes.json.data as unknown as { id: string; width: number; height: number }[];
  t.match([one, two], [{ width: 250 }, { width: 400, height: 250 }], "an item's own options win");
  const { design } = (await call({ url: `/api/v1/codes/${one!.id}`, key })).json as never;
  t.match(design, { dotsOptions: { type: 'dots' }, image: /^data:image\/svg\+xml/ });
});

t.test('the name "default" means the default preset, unless a preset has that name', async (t) => {
  const { post } = await newAccount();
  const widthBy = async (name: string) => {
    const drawn = await post('/qr', { data: 'x' }, byPreset(name));
    return drawn.status === 200 ? pictureOf(drawn).readUInt32BE(16) : drawn.json;
  };
  const unknown = { error: 'Invalid request header', details: /^Tessera-Preset: must be / };
  t.match(await widthBy('default'), unknown);
  await post('/presets', { name: 'wide', options: { width: 500 }, is_default: true });
  t.equal(await widthBy('default'), 500);
  await post('/presets', { name: 'default', options: { width: 120 } });
  t.equal(await widthBy('default'), 120);
  t.equal(
    pictureOf(await post('/qr', { data: 'x' })).readUInt32BE(16),
    300,
    'without the header no preset is used',
  );
  for (const name of ['Wide', '', '\u0001', 'x'.repeat(300), '00000000-0000-4000-8000-000000000000'])
    t.match(await widthBy(name), unknown, name);
  const { post: strange } = await newAccount();
  t.match((await strange('/qr', { data: 'x' }, byPreset('wide'))).json, unknown);
});

t.test('a key with only the scope generate may use presets, but not read them', async (t) => {
  const owner = await newAccount();
  await owner.post('/presets', { name: 'p', options: { width: 120 } });
  const made = await owner.post('/keys', { name: 'generating', scopes: ['generate'] });
  const { get, post } = clientOf(first, made.json.key);
  t.equal((await get('/presets')).status, 403);
  t.equal(pictureOf(await post('/qr', { data: 'x' }, byPreset('p'))).readUInt32BE(16), 120);
  t.equal((await post('/qr', { data: 'x' }, byPreset('none'))).status, 400);
});

t.test('a fault of the call itself is reported by the name of its own field', async (t) => {
  const { post } = await newAccount();
  await post('/presets', { name: 'p', options: HOUSE });
  const cases: [unknown, RegExp][] = [
    [{}, /^data: is required/],
    [{ data: 'x', dotsOptions: 5 }, /^dotsOptions: /],
    [{ data: 'x', dotsOptions: { gradient: null } }, /^dotsOptions\.gradient: /],
    [{ data: 'x', preset: 'p' }, /^preset: is not a known field/],
    [[], /./],
    [null, /./],
  ];
  await refusesAll(t, (body) => post('/qr', body, byPreset('p')), cases);
  for (const items of [5, [5], Array.from({ length: 101 }, () => ({ data: 'x' }))])
    t.equal((await post('/qr/bulk', { items }, byPreset('p'))).status, 400);
});

t.test('a retry is replayed with the same preset, and refused after the preset has changed', async (t) => {
  const { post, patch } = await newAccount();
  const { id } = (await post('/presets', { name: 'p', options: HOUSE })).json;
  const again = { 'idempotency-key': 'once', ...byPreset('p') };
  const made = await post('/qr', { data: 'x' }, again);
  const replayed = await post('/qr', { data: 'x' }, { ...again, ...byPreset(id) });
  t.equal(replayed.headers['idempotent-replayed'], 'true');
  t.equal(replayed.json.data, made.json.data);
  t.equal((await post('/qr', { data: 'x' }, { 'idempotency-key': 'once' })).status, 422);
  await patch(`/presets/${id}`, { options: { width: 400 } });
  t.equal((await post('/qr', { data: 'x' }, again)).status, 422);
});

t.test('a preset is looked up once for many calls', async (t) => {
  const { id, post } = await newAccount();
  await post('/presets', { name: 'p', options: { image: LOGO } });
  const database = await openFor(t, { url: first.databaseUrl, dataDir: '' });
  let queries = 0;
  const sql = new Proxy(database.sql, {
    apply: (target, self, args) => {
      queries += 1;
      return Reflect.apply(target as never, self, args);
    },
  });
  const { find } = createPresetLookup({ sql, changes: database.changes }, silent);
  await find(id, 'p');
  const before = queries;
  for (let calls = 0; calls < 1000; calls += 1) await find(id, 'p');
  t.equal(queries, before);
});

t.test('a change applies on every gateway', async (t) => {
  const second = await sharedPeer();
  const { key, post, patch, del } = await newAccount();
  const { post: draw } = clientOf(second, key);
  const { id } = (await post('/presets', { name: 'p', options: { width: 200 } })).json;
  const drawnBySecond = async () => {
    const drawn = await draw('/qr', { data: 'x' }, byPreset('p'));
    return drawn.status === 200 ? pictureOf(drawn).readUInt32BE(16) : drawn.status;
  };
  t.equal(await drawnBySecond(), 200);
  for (const width of [210, 220]) {
    await patch(`/presets/${id}`, { options: { width } });
    await until(async () => (await drawnBySecond()) === width);
  }
  await del(`/presets/${id}`);
  await until(async () => (await drawnBySecond()) === 400);
});

t.test('a batch uses the preset as it was when the batch was sent', async (t) => {
  const { key, post, patch } = await newAccount();
  const { send, begin, ended, entriesOf } = createSender(first, key);
  const options = { ...HOUSE, image: LOGO };
  const { id } = (await post('/presets', { name: 'cups', options })).json;
  const sent = await begin('{"data":"x"}\n{"data":"y","width":150,"height":150}\n', {
    query: '?preset=cups',
    headers: { design: JSON.stringify({ dotsOptions: { color: 'red' } }) },
  });
  await patch(`/presets/${id}`, { options: {} });
  const batch = await ended(sent);
  t.match(batch, { state: 'done', made: 2 });
  const [x, y] = await entriesOf(batch.id);
  const body = { ...options, dotsOptions: { type: 'rounded', color: 'red' } };
  t.ok(x!.bytes.equals(pictureOf(await post('/qr', { data: 'x', ...body }))));
  t.ok(y!.bytes.equals(pictureOf(await post('/qr', { data: 'y', ...body, width: 150, height: 150 }))));
  const wrong = await send('{"data":"x"}\n', { query: '?preset=cup' });
  t.match(wrong.json, { error: 'Invalid query parameters', details: /^preset: must be / });
  const twice = await send('{"data":"x"}\n', { query: '?preset=cups', headers: byPreset('cups') });
  t.match(twice.json, { details: /^preset: must not be given together/ });
  t.equal((await send('{"data":"x"}\n', { headers: byPreset('cups') })).status, 202);
});

t.test('a batch repairs its designs, and rows below its minimum grade fail and cost nothing', async (t) => {
  const { key, post, get, used } = await newAccount();
  const { make, errorsOf, entriesOf } = createSender(first, key);
  const pale = { dotsOptions: { color: '#ddd' } };
  const rows = [{ data: 'good' }, { data: 'discs', ...DISCS }, { data: 'pale', ...pale }];
  const graded = await make(rows, { headers: { 'tessera-min-grade': '3' } });
  t.match(graded, { state: 'done', made: 1, failed: 2, refunded: 2, grades: [0, 0, 0, 0, 1] });
  t.equal(await used(), 1);
  const bulk = await post('/qr/bulk', { items: rows }, { 'tessera-min-grade': '3' });
  const errors = fieldsOf(bulk.json.results, 'error');
  t.strictSame(
    (await errorsOf(graded.id)).map(({ row, field, message }) => [row, `${field}: ${message}`]),
    [
      [2, errors[1]],
      [3, errors[2]],
    ],
    'with the same messages as a bulk call',
  );

  const before = await used();
  const repaired = await make(rows, { query: '?folder_name=Mended', headers: { 'tessera-repair': 'true' } });
  t.match(repaired, { state: 'done', made: 2, failed: 1, refunded: 1, grades: [0, 0, 0, 0, 2] });
  t.equal((await used()) - before, 2);
  const byCall = await post('/qr', rows[1], { 'tessera-repair': 'true' });
  t.ok((await entriesOf(repaired.id))[1]!.bytes.equals(pictureOf(byCall)));
  const [, second] = (await get(`/folders/${repaired.folder_id}/codes`)).json.data;
  const { design } = (await get(`/codes/${second!.id}`)).json as never;
  t.match(design, { cornersDotOptions: { type: 'rounded' } }, 'the repaired design is saved');
});
