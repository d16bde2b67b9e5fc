/** What `Tessera-Results: full` adds to the results of a bulk call. */
import t from 'tap';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';

const gateway = await sharedApp();

/** The keys of a result according to the specification. */
const SPECIFIED = [
  ['data', 'success'],
  ['data', 'slug', 'success'],
  ['error', 'success'],
];
const FULL = ['external_id', 'grade', 'id', 'name', 'short_url'];
const ITEMS = [{ data: 'plain' }, { data: 'https://example.com/', dynamic: true }, { data: '' }];
const keysOf = (results: readonly object[]) => results.map((result) => Object.keys(result).sort());

t.test('results have the keys of the specification, and more on request', async (t) => {
  const { get, post } = await newClient(gateway);
  const call = (headers: Readonly<Record<string, string>> = {}) =>
    post('/qr/bulk', { items: ITEMS }, headers);
  t.strictSame(keysOf((await call()).json.results), SPECIFIED);
  const once = { 'idempotency-key': 'full' };
  const full = (await call({ ...once, 'tessera-results': 'full' })).json.results as unknown as readonly [
    ...Record<'id' | 'slug' | 'short_url' | 'name' | 'grade' | 'external_id', unknown>[],
  ];
  t.strictSame(
    keysOf(full),
    SPECIFIED.map((keys) => [...keys, ...FULL].sort()),
  );
  const [plain, dynamic, failed] = full;
  const none = { name: null, external_id: null };
  t.match(plain, { ...none, grade: 4, short_url: null });
  t.match(dynamic, { ...none, grade: 4, short_url: `http://qr.test/l/${dynamic!.slug}` });
  t.match(failed, { ...none, id: null, grade: null, short_url: null });
  t.equal((await get(`/codes/${plain!.id}`)).json.content, 'plain');
  t.equal((await get(`/codes/${dynamic!.id}`)).json.slug, dynamic!.slug);

  const again = await call({ ...once, 'tessera-results': 'full' });
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.strictSame(again.json.results, full, 'a replay names the same codes');
  t.strictSame(keysOf((await call(once)).json.results), SPECIFIED, 'the same answer in the short form');
  for (const value of ['', 'Full', 'all', 'full, full'])
    t.match(await call({ 'tessera-results': value }), {
      status: 400,
      json: { error: 'Invalid request header', details: /^tessera-results: /i },
    });
});

t.test('items that failed do not shift the ids of those behind them, also in a replay', async (t) => {
  const { get, post } = await newClient(gateway);
  const items = [{ data: '' }, { data: 'first' }, { data: '' }, { data: 'second' }];
  const call = () => post('/qr/bulk', { items }, { 'idempotency-key': 'shift', 'tessera-results': 'full' });
  const made = (await call()).json.results as unknown as readonly { readonly id: string | null }[];
  t.strictSame(
    made.map(({ id }) => id === null),
    [true, false, true, false],
  );
  for (const index of [1, 3])
    t.equal((await get(`/codes/${made[index]!.id}`)).json.content, items[index]!.data);
  t.strictSame((await call()).json.results, made);
});

t.test('a large, streamed answer has the same keys', async (t) => {
  const { post } = await newClient(gateway);
  const gradient = {
    type: 'linear',
    colorStops: [
      { offset: 0, color: 'navy' },
      { offset: 1, color: 'black' },
    ],
  };
  const item = { width: 2000, height: 2000, dotsOptions: { type: 'dots', gradient } };
  const items = Array.from({ length: 12 }, (_, i) => ({ ...item, data: `streamed ${i}` }));
  const { text, json } = await post('/qr/bulk', { items }, { 'tessera-results': 'full' });
  t.ok(text.length > 2_000_000, String(text.length));
  for (const keys of keysOf(json.results)) t.strictSame(keys, [...SPECIFIED[0]!, ...FULL].sort());
});
