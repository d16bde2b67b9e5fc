import { parse } from 'csv-parse/sync';
import t from 'tap';
import { until } from '../../servers/until.ts';
import { ndjson, newSender, sharedBatchApp } from '../support.ts';

const { app, sql } = await sharedBatchApp();
const sender = await newSender(app, { monthlyQuota: 5000 });
const { key, send, make, ended, entriesOf, errorsOf } = sender;

const put = (name: string, next: number, of = key) =>
  app.call({ method: 'PUT', url: `/api/v1/counters/${name}`, key: of, body: { next } });
const nextOf = async (name: string): Promise<number> =>
  Number(JSON.parse((await app.call({ url: `/api/v1/counters/${name}`, key })).text).next);
const blocksOf = async (name: string) =>
  (await app.call({ url: `/api/v1/counters/${name}/blocks`, key })).json.data as unknown as Record<
    string,
    unknown
  >[];
const CSV = { 'content-type': 'text/csv' };
const design = (options: object) => ({ design: JSON.stringify(options) });
const contentsOf = async (id: string): Promise<readonly string[]> => {
  const manifest = (await entriesOf(id)).find(({ name }) => name === 'manifest.csv')!;
  const lines = parse(manifest.bytes, { columns: true }) as { content: string }[];
  return lines.map(({ content }) => content);
};
const sendCsv = async (text: string, options: object, query = '') => {
  const sent = await send(text, { query, headers: { ...CSV, ...design(options) } });
  if (sent.status !== 202) throw new Error(sent.text);
  return ended(sent.json.id);
};

t.test('a template joins columns and a counter, and the next batch continues the numbers', async (t) => {
  await put('serial', 98);
  const options = { template: 'https://example.com/{sku}/{serial:06}?n={Nice Name}' };
  const text = 'SKU,nice_name\nA/1,ü\nB 2,x\nC,y\n';
  const batch = await sendCsv(text, options);
  t.match(batch, { state: 'done', made: 3 });
  t.strictSame(await contentsOf(batch.id), [
    'https://example.com/A%2F1/000098?n=%C3%BC',
    'https://example.com/B%202/000099?n=x',
    'https://example.com/C/000100?n=y',
  ]);
  const second = await make([{ values: { n: 'z' } }], { headers: design({ template: '{n} {serial}' }) });
  t.strictSame(await contentsOf(second.id), ['z 101']);
  t.match(await blocksOf('serial'), [
    { first: 101, last: 101, batch_id: second.id, made: 1, failed: 0 },
    { first: 98, last: 100, batch_id: batch.id, made: 3, failed: 0 },
  ]);
});

t.test('dynamic rows lead where the template says, and rows of one batch may use two counters', async (t) => {
  await put('up', 7);
  await put('down', 0);
  const options = { template: 'https://example.com/{external_id}/{x}/{down}', counters: { x: 'up' } };
  const batch = await make(
    [
      { external_id: 'one', dynamic: true },
      { external_id: 'two', dynamic: true },
    ],
    { headers: design(options) },
  );
  t.strictSame(await contentsOf(batch.id), ['https://example.com/one/7/0', 'https://example.com/two/8/1']);
  t.strictSame(
    (
      await sql`select destination from links l join codes c using (slug) where c.folder_id = ${batch.folder_id} order by destination`
    ).map(({ destination }) => destination),
    ['https://example.com/one/7/0', 'https://example.com/two/8/1'],
  );
});

t.test('GS1 columns become Digital Link URIs and element strings, with a counter as serial', async (t) => {
  await put('till', 1);
  const text = 'EAN,Batch,use by,(3103)\n9521321000018,A/7,2027-12-31,\n96385074,,,000195\n';
  const link = await sendCsv(text, {
    qrOptions: { gs1: 'digital-link' },
    gs1: { stem: 'https://brand.example', columns: { serial: '{till:04}' } },
  });
  t.match(link, { state: 'done', made: 2 });
  t.strictSame(await contentsOf(link.id), [
    'https://brand.example/01/09521321000018/10/A%2F7/21/0001?17=271231',
    'https://brand.example/01/00000096385074/21/0002?3103=000195',
  ]);
  const rows = [{ gtin: '09521321000018', lot: 'A', values: { '(3103)': '000195' } }];
  const elements = await make(rows, { headers: design({ qrOptions: { gs1: 'element-string' } }) });
  t.strictSame(await contentsOf(elements.id), ['(01)09521321000018(3103)000195(10)A']);
});

t.test('numbers changed by a spreadsheet are errors of their rows, and cost nothing', async (t) => {
  const before = await nextOf('till');
  const batch = await sendCsv('gtin\n9521321000018\n12345678905\n9.52E+12\n', {
    qrOptions: { gs1: 'digital-link' },
    gs1: { columns: { serial: '{till}' } },
  });
  t.match(batch, { state: 'failed', made: 0, errors: 2 });
  t.match(await errorsOf(batch.id), [
    { row: 2, field: 'gtin', message: /removed leading zeros; write 012345678905/ },
    { row: 3, field: 'gtin', message: /shortened/ },
  ]);
  t.equal(await nextOf('till'), before, 'a refused batch takes no number');
});

t.test('impossible templates and columns are refused by the call', async (t) => {
  const refusals: readonly (readonly [object, RegExp])[] = [
    [{ template: 'a{b' }, /^Design.template: has a single "{"/],
    [{ template: 'https://{a}/' }, /^Design.template: must give its host as text/],
    [{ template: '{id}' }, /^Design.template: names id; your own id of a row is external_id/],
    [{ template: '{width}' }, /^Design.template: names width, which is an option of rows/],
    [{ template: '{a}', counters: { b: 'serial' } }, /^Design.counters.b: is not used in any template/],
    [
      { template: '{a}', counters: { a: 'none' } },
      /^Design.counters.a: you have no counter "none"; make it with PUT/,
    ],
    [{ template: '{a}', counters: { a: ' ' } }, /^Design.counters.a: must be 1 to 64 letters/],
    [{ gs1: { stem: 'https://a.example' } }, /^Design.gs1: needs qrOptions.gs1/],
    [
      { gs1: {}, template: '{a}', qrOptions: { gs1: 'digital-link' } },
      /^Design.gs1: must be absent when there is a template/,
    ],
    [
      { gs1: { stem: 'https://a.example' }, qrOptions: { gs1: 'element-string' } },
      /^Design.gs1.stem: works only with qrOptions.gs1: digital-link/,
    ],
    [{ gs1: { stem: 'a.example' }, qrOptions: { gs1: 'digital-link' } }, /^Design.gs1.stem: must be an http/],
    [
      { gs1: { columns: { price: '1' } }, qrOptions: { gs1: 'digital-link' } },
      /^Design.gs1.columns.price: is not a GS1 column/,
    ],
    [
      { gs1: { columns: { serial: '{' } }, qrOptions: { gs1: 'digital-link' } },
      /^Design.gs1.columns.serial: has a single/,
    ],
  ];
  for (const [options, details] of refusals)
    t.match(
      await send('{}\n', { headers: design(options) }),
      { status: 400, json: { details } },
      JSON.stringify(options),
    );
  const form = `--x\r\nContent-Disposition: form-data; name="design"\r\n\r\n{"template":"{"}\r\n--x\r\nContent-Disposition: form-data; name="rows"; filename="a"\r\nContent-Type: application/x-ndjson\r\n\r\n{}\n\r\n--x--\r\n`;
  const sent = await send(form, { headers: { 'content-type': 'multipart/form-data; boundary=x' } });
  t.match(sent, { status: 400, json: { error: 'Invalid request body', details: /^Design.template/ } });
});

t.test('table columns that do not fit the design are reported before any row', async (t) => {
  const gs1 = { qrOptions: { gs1: 'digital-link' } };
  const refusals: readonly (readonly [string, object, RegExp])[] = [
    [
      'sku\nA\n',
      { template: '{sku}{colour}' },
      /the template names "colour", which is neither a column nor one of your counters; the columns are: "sku"/,
    ],
    [
      'sku,data\nA,b\n',
      { template: '{sku}' },
      /a column "data" for data, which nothing uses; leave it out with other_columns=skip/,
    ],
    ['sku,serial\nA,1\n', { template: '{sku}{serial}' }, /the column "serial" has the name of a counter/],
    ['data,gtin\nA,9521321000018\n', {}, /a column "gtin" for gtin, which nothing uses/],
    ['gtin\n9521321000018\n', {}, /columns of GS1 data, for which the design needs qrOptions.gs1/],
    ['name\nA\n', gs1, /no column of GS1 data such as gtin/],
    ['gtin,price\n9521321000018,1\n', gs1, /a column "price" that is not a field/],
  ];
  for (const [text, options, message] of refusals) {
    const batch = await sendCsv(text, options);
    t.match(batch, { state: 'failed', made: 0 }, text);
    t.match(await errorsOf(batch.id), [{ field: 'row', message }], text);
  }
  const skipped = await sendCsv('sku,data,gtin\nA,b,1\n', { template: '{sku}' }, '?other_columns=skip');
  t.strictSame(await contentsOf(skipped.id), ['A'], 'with other_columns=skip they are left out');
  const columns = encodeURIComponent('{"sku":"Article","(10)":"Charge"}');
  const byHand = await sendCsv('Article,Charge\nA,b\n', { template: '{sku}/{(10)}' }, `?columns=${columns}`);
  t.strictSame(await contentsOf(byHand.id), ['A/b']);
});

t.test('NDJSON values that are unused or set by a counter or template are row errors', async (t) => {
  const errorOf = async (row: object, options: object) => {
    const batch = await make([row], { headers: design(options) });
    t.equal(batch.state, 'failed');
    const [error] = await errorsOf(batch.id);
    return `${error?.field}: ${error?.message}`;
  };
  t.match(await errorOf({ data: 'a', gtin: '9521321000018' }, {}), /^gtin: is not used/);
  t.match(await errorOf({ values: { a: 'x', b: 'y' } }, { template: '{a}' }), /^b: is not used/);
  t.match(await errorOf({ values: { a: 'x' }, data: 'y' }, { template: '{a}' }), /^data: must be absent/);
  t.match(await errorOf({ values: {} }, { template: '{a}' }), /^template: \{a\} has no value here/);
  t.match(await errorOf({ serial: '5' }, { template: '{serial}' }), /^serial: is a counter here/);
  t.match(await errorOf({}, {}), /^data: is required/);
  const gs1 = { qrOptions: { gs1: 'digital-link' } };
  t.match(await errorOf({}, gs1), /^data: is required, unless there are GS1 columns/);
  t.match(
    await errorOf({ gtin: '9521321000018', values: { '(01)': '9521321000018' } }, gs1),
    /is \(01\), and so is another column/,
  );
  t.match(await errorOf({ gtin: 9521321000018 }, gs1), /^gtin: must be a text/);
  const made = { ...gs1, gs1: { columns: { serial: '{till}' } } };
  t.match(
    await errorOf({ gtin: '9521321000018', serial: '1' }, made),
    /^serial: must be absent: gs1.columns/,
  );
  t.match(
    await errorOf({ gtin: '12345678905' }, { template: 'https://example.com/{gtin}' }),
    /^gtin: has 11 digits/,
  );
});

t.test('numbers that do not fit their width are refused, before or when they are assigned', async (t) => {
  await put('narrow', 998);
  const options = { template: 'a{narrow:03}' };
  const long = await make([{}, {}, {}], { headers: design(options) });
  t.match(long, { state: 'failed', made: 0, refunded: 0 });
  t.match(await errorsOf(long.id), [
    {
      field: 'template',
      message: /The counter "narrow" would reach 1000, which does not fit into \{narrow:03\}/,
    },
  ]);
  t.equal(await nextOf('narrow'), 998);
  const fits = await make([{}, {}], { headers: design(options) });
  t.strictSame(await contentsOf(fits.id), ['a998', 'a999']);
});

t.test('a preview shows the contents of the first codes, and takes no numbers', async (t) => {
  const preview = async (text: string, options: object, query = '') =>
    (
      await app.call({
        method: 'POST',
        url: `/api/v1/batches/preview${query}`,
        key,
        headers: { ...CSV, ...design(options) },
        body: text,
      })
    ).json;
  const next = await nextOf('serial');
  const shown = await preview(
    'sku,x\nA B,1\n,2\n',
    { template: 'https://example.com/{sku}/{serial}' },
    '?other_columns=skip',
  );
  t.match(shown, {
    fault: null,
    composed: [
      { data: `https://example.com/A%20B/${next}`, fault: null },
      { data: null, fault: 'template: {sku} has no value here' },
    ],
  });
  t.equal(await nextOf('serial'), next);
  t.match(await preview('sku\nA\n', { template: '{colour}' }), {
    composed: null,
    fault: /the template names "colour"/,
  });
  t.match(await preview('gtin\n9521321000018\n', { qrOptions: { gs1: 'digital-link' } }), {
    columns: [{ name: 'gtin', field: 'gtin' }],
    composed: [{ data: 'https://id.gs1.org/01/09521321000018', fault: null }],
  });
  t.match(await preview('data\n(01)1\n', { qrOptions: { gs1: 'element-string' } }), {
    composed: [{ fault: /^data: AI \(01\)/ }],
  });
  const plain = await app.call({
    method: 'POST',
    url: '/api/v1/batches/preview',
    key,
    headers: CSV,
    body: 'EAN\n1\n',
  });
  t.match(plain.json, {
    columns: [{ name: 'EAN', field: 'gtin' }],
    composed: null,
    fault: /needs qrOptions.gs1/,
  });
});

t.test('a counter can be created and raised, never lowered, and other accounts do not see it', async (t) => {
  t.match(await put('own', 5), { status: 200, json: { name: 'own', next: 5 } });
  t.match(await put('own', 5), { status: 200 });
  t.match(await put('own', 4), {
    status: 400,
    json: { details: 'next: must be at least 5: a number is never given twice' },
  });
  t.match(await put('own', 7), { json: { next: 7 } });
  t.match(await put('no%20name', 7), { status: 400 });
  t.match(await put('own', 1e15), { status: 400 });
  const other = await newSender(app);
  t.match(await app.call({ url: '/api/v1/counters/own', key: other.key }), { status: 404 });
  t.match(await app.call({ url: '/api/v1/counters', key: other.key }), { json: { data: [] } });
  t.match(await put('own', 1, other.key), { json: { next: 1 } }, 'names belong to the account');
  const take = (count: number, name = 'own', headers = {}) =>
    app.call({ method: 'POST', url: `/api/v1/counters/${name}/take`, key, headers, body: { count } });
  t.match(await take(3), { json: { first: 7, last: 9 } });
  const once = { 'idempotency-key': 'k1' };
  t.match(await take(2, 'own', once), { json: { first: 10, last: 11 } });
  t.match(await take(2, 'own', once), { json: { first: 10, last: 11 } }, 'repeating it changes nothing');
  t.match(await take(1, 'nobody'), { status: 404 });
  await put('own', 999_999_999_999_999);
  t.match(await take(2), { status: 400, json: { details: /^count: must be at most 1/ } });
  t.match(await take(1), { json: { last: 999_999_999_999_999 } });
  t.match(await take(1), { status: 400 });
  const first = await app.call({ url: '/api/v1/counters/own/blocks?limit=2', key });
  t.match(first.json, {
    data: [{ first: 999_999_999_999_999, batch_id: null, made: null, failed: null }, { first: 10 }],
  });
  const rest = await app.call({
    url: `/api/v1/counters/own/blocks?limit=2&cursor=${first.json.next_cursor}`,
    key,
  });
  t.match(rest.json, { data: [{ first: 7, last: 9 }], next_cursor: null });
});

t.test('an account has a limited number of counters', async (t) => {
  const { id, key: full } = await newSender(app);
  await sql`
    insert into counters (account_id, name, next) select ${id}, 'c' || i, 1 from generate_series(1, 99) i`;
  t.match(await put('last', 1, full), { status: 200 });
  t.match(await put('more', 1, full), { status: 409, json: { error: 'Limit reached' } });
  t.match(await put('c7', 9, full), { status: 200 });
});

t.test('failed rows keep their numbers, and the block lists how many failed', async (t) => {
  await put('kept', 1);
  const slugs = ['first-one', 'first-one', 'other-one'];
  const rows = slugs.map((slug) => ({ dynamic: true, slug }));
  const batch = await make(rows, { headers: design({ template: 'https://example.com/{kept}' }) });
  t.match(batch, { state: 'done', made: 2, failed: 1 });
  t.strictSame(await contentsOf(batch.id), ['https://example.com/1', 'https://example.com/3']);
  t.match(await blocksOf('kept'), [{ first: 1, last: 3, made: 2, failed: 1 }]);
  await sql`delete from batches where id = ${batch.id}`;
  t.match(
    await blocksOf('kept'),
    [{ batch_id: batch.id, made: 2, failed: 1 }],
    'even after the batch is deleted',
  );
});

/** Sends a row, and raises the counter after the row is validated and before it gets its number. */
const sendBeforeRaise = (counter: string, next: number, options: object) =>
  sql.begin(async (tx) => {
    await tx`select from counters where name = ${counter} for update`;
    const { json } = await send(ndjson([{}]), { headers: design(options) });
    await until(async () => {
      const [{ held }] = await sql<[{ held: number }]>`
        select count(*)::int as held from quota_holds where id = ${json.id}`;
      return held === 1;
    });
    await tx`update counters set next = ${next} where name = ${counter}`;
    return json.id;
  });
const isRechecked = async (id: string) =>
  (await sql<{ isRechecked: boolean }[]>`select is_rechecked from batches where id = ${id}`)[0]!.isRechecked;

t.test('a number that makes GS1 data invalid fails its row, even after a valid number', async (t) => {
  await put('day', 27);
  const template = '(01)09521321000018(17)2702{day}';
  const id = await sendBeforeRaise('day', 30, { template, qrOptions: { gs1: 'element-string' } });
  t.match(await ended(id), { state: 'done', made: 0, failed: 1 });
  t.match(await errorsOf(id), [{ field: 'data', message: /day 30 does not exist/ }]);
  t.match(await blocksOf('day'), [{ first: 30, last: 30, failed: 1 }]);
});

t.test('rows are validated again when their numbers become longer, unless they have a width', async (t) => {
  await put('long', 7);
  const longer = await sendBeforeRaise('long', 100, { template: 'no {long}' });
  t.match(await ended(longer), { state: 'done', made: 1, refunded: 0 });
  t.strictSame(await contentsOf(longer), ['no 100']);
  t.equal(await isRechecked(longer), true);
  const padded = await sendBeforeRaise('long', 1000, { template: 'no {long:04}' });
  t.match(await ended(padded), { state: 'done', made: 1 });
  t.strictSame(await contentsOf(padded), ['no 1000']);
  t.equal(await isRechecked(padded), false);
  const before = await sql`select from quota_holds where released_at is null`;
  const unfit = { template: `{long}${'9'.repeat(3053)}`, qrOptions: { errorCorrectionLevel: 'H' } };
  const refused = await sendBeforeRaise('long', 10_000, unfit);
  t.match(await ended(refused), { state: 'failed', made: 0 });
  t.equal(await nextOf('long'), 10_000, 'a batch that is refused at this point takes no number');
  t.strictSame(
    await sql`select from quota_holds where released_at is null`,
    before,
    'its units are given back',
  );
});

t.test('a counter whose next numbers are not all valid is refused', async (t) => {
  await put('digit', 18);
  const message = /valid with some numbers only/;
  for (const options of [
    { template: '(01)095213210000{digit}', qrOptions: { gs1: 'element-string' } },
    { gs1: { columns: { gtin: '095213210000{digit}' } }, qrOptions: { gs1: 'element-string' } },
  ]) {
    const batch = await make([{}], { headers: design(options) });
    t.match(batch, { state: 'failed', made: 0 });
    t.match(await errorsOf(batch.id), [{ field: 'template', message }]);
  }
});
