/** Where callers see the grade of a picture: headers, the minimum grade that they accept, and checks. */
import t from 'tap';
import { PARAMETERS } from '../../../../workers/lists.ts';
import { startRedis } from '../../../servers/redis.ts';
import { type Answer, startApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { fieldsOf } from '../../../support/fields-of.ts';
import { readZip } from '../../../support/files/zip.ts';
import { rectUri } from '../../../support/pictures/svg-uri.ts';

const { url: REDIS_URL } = await startRedis(t);
const app = await startApp(t, { REDIS_URL, QUOTA_REFUND: 'server', METRICS_PUBLIC: 'true' });
const frugal = await startApp(t, { QUOTA_REFUND: 'none', FREE_WORK_MS_PER_SECOND: '1' });
const { call, account } = app;

const DATA = 'https://example.com/';
/** Designs of grade 4, and of grade 0 because of the finder centres or the colours. */
const GOOD = { data: DATA };
const DISCS = { data: DATA, cornersDotOptions: { type: 'dots' } };
const PALE = { data: DATA, dotsOptions: { color: '#ddd' } };
/** Grade 2: two pixels per module. */
const SMALL = { data: DATA, width: 70, height: 70 };

const newAccount = () => newClient(app, { monthlyQuota: 1000 });

const gradeOf = ({ headers }: Pick<Answer, 'headers'>) => [
  headers['tessera-grade'],
  headers['tessera-warnings'],
];
/** RFC 8941: a list of tokens, each with a decimal parameter `v`. */
const LIST = /^[a-z-]+(;v=-?\d+(\.\d{1,2})?)?(, [a-z-]+(;v=-?\d+(\.\d{1,2})?)?)*$/;

t.test('an answer with a picture has its grade, and its warnings when that is below 4', async (t) => {
  const { post, render } = await newAccount();
  t.strictSame(gradeOf(await post('/qr', GOOD)), ['4', undefined]);
  t.strictSame(gradeOf(await post('/qr', DISCS)), ['0', 'finder-centre;v=0.5']);
  const pale = await post('/qr', PALE);
  t.match(pale.headers['tessera-warnings'], LIST);
  t.match(pale.headers['tessera-warnings'], /^contrast;v=0\.13/, 'the worst warning first');
  t.strictSame(gradeOf(await post('/qr', PALE)), gradeOf(pale), 'also from the cache');

  const image = await render({ content: 'x', dark: '#ddd' });
  t.match(gradeOf(image), ['0', /^contrast/]);
  t.match(gradeOf(await render({ content: 'x', dark: '#ddd' })), gradeOf(image), 'also from the cache');
  t.strictSame(gradeOf(await render({ content: 'x' })), ['4', undefined]);
  t.match(image.headers['access-control-expose-headers'], /Tessera-Grade, Tessera-Warnings/);
  const { etag } = (await render({ content: 'x' })).headers;
  const known = await render({ content: 'x' }, { 'if-none-match': String(etag) });
  t.strictSame([known.status, ...gradeOf(known)], [304, undefined, undefined], 'a 304 has no picture');
  t.match(
    (await call({ method: 'OPTIONS', url: '/api/v1/render' })).headers['access-control-allow-headers'],
    /Tessera-Min-Grade/,
  );
});

t.test('a replay has the headers of the first answer', async (t) => {
  const { post } = await newAccount();
  const key = { 'idempotency-key': 'graded' };
  const first = await post('/qr', PALE, key);
  const again = await post('/qr', PALE, key);
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.strictSame(gradeOf(again), gradeOf(first));
  const items = [PALE, GOOD, { data: '' }];
  const bulk = await post('/qr/bulk', { items }, key);
  const replay = await post('/qr/bulk', { items }, key);
  t.equal(replay.headers['idempotent-replayed'], 'true');
  t.strictSame(gradeOf(replay), gradeOf(bulk));
  t.equal(replay.headers['tessera-grades'], bulk.headers['tessera-grades']);
});

t.test('a bulk call returns its lowest grade, all warnings, and the grade of each item', async (t) => {
  const { post } = await newAccount();
  const items = [SMALL, GOOD, { data: '' }, DISCS, { ...PALE, ...SMALL, dotsOptions: { color: '#bbb' } }];
  const { headers, json } = await post('/qr/bulk', { items });
  t.equal(headers['tessera-grades'], '2, 4, none, 0, 1');
  t.equal(headers['tessera-grade'], '0');
  const names = String(headers['tessera-warnings']).replaceAll(/;v=[\d.]+/g, '');
  t.equal(
    names,
    'finder-centre, contrast, small-modules, red-light',
    'those of the lowest grade first, each once',
  );
  t.strictSame(Object.keys(json.results[0]!), ['success', 'data'], 'the body is that of the specification');
  const empty = await post('/qr/bulk', { items: [{ data: '' }] });
  t.strictSame([...gradeOf(empty), empty.headers['tessera-grades']], [undefined, undefined, 'none']);
});

t.test('a saved code keeps its grade: in lists, on its own, and in the manifest', async (t) => {
  const { post, get } = await newAccount();
  const bulk = await post('/qr/bulk', {
    folderName: 'Graded',
    items: [GOOD, SMALL, DISCS, { ...GOOD, data: 'y' }],
  });
  const folder = bulk.json.meta.folder_id;
  const { json: list } = await get(`/folders/${folder}/codes`);
  const grades = list.data.map(({ grade, warnings }) => ({ grade, warnings }));
  t.strictSame(grades, [
    { grade: 4, warnings: '' },
    { grade: 2, warnings: 'small-modules;v=2' },
    { grade: 0, warnings: 'finder-centre;v=0.5' },
    { grade: 4, warnings: '' },
  ]);
  const [, small, discs] = list.data;
  t.match((await get(`/codes/${small!.id}`)).json, { grade: 2, warnings: 'small-modules;v=2' });

  const drawn = await get(`/codes/${small!.id}/image`);
  t.strictSame(gradeOf(drawn), ['2', 'small-modules;v=2']);
  const larger = await get(`/codes/${small!.id}/image?width=700`);
  t.strictSame(gradeOf(larger), ['4', undefined], 'the grade of the picture at that size');
  t.strictSame(gradeOf(await get(`/codes/${discs!.id}/image?format=svg`)), ['0', 'finder-centre;v=0.5']);

  const files = await readZip((await get(`/folders/${folder}/archive`)).bytes);
  const lines = files.at(-1)!.bytes.toString().split('\r\n');
  t.match(lines[0], /,sha256,grade,warnings,error$/);
  t.match(lines[1], /,4,,$/);
  t.match(lines[3], /,0,finder-centre;v=0\.5,$/);
});

t.test('codes are filtered by their grade', async (t) => {
  const { post, get } = await newAccount();
  const make = async (folderName: string, items: readonly object[]) =>
    (await post('/qr/bulk', { folderName, items })).json.meta.folder_id;
  const one = await make('one', [
    GOOD,
    SMALL,
    { ...SMALL, data: 'needle small' },
    { ...GOOD, data: 'needle good' },
  ]);
  await make('two', [DISCS, { ...SMALL, data: 'x' }]);
  const contents = async (query: string) =>
    (await get(`/codes?${query}`)).json.data.map(({ content, grade }) => `${grade} ${content}`);
  t.strictSame(
    await contents('max_grade=3'),
    ['2 x', `0 ${DATA}`, '2 needle small', `2 ${DATA}`],
    'newest first',
  );
  t.strictSame(await contents('max_grade=1'), [`0 ${DATA}`]);
  t.equal((await contents('max_grade=4')).length, 6);
  t.equal((await contents('limit=100')).length, 6);
  t.strictSame(await contents(`max_grade=3&folder_id=${one}`), ['2 needle small', `2 ${DATA}`]);
  t.strictSame(await contents('max_grade=3&search=needle'), ['2 needle small']);
  t.strictSame(await contents('max_grade=0&search=needle'), []);
  const first = (await get('/codes?max_grade=3&limit=3')).json;
  t.equal(first.data.length, 3);
  const second = (await get(`/codes?max_grade=3&limit=3&cursor=${first.next_cursor}`)).json;
  t.strictSame([second.data.map(({ content }) => content), second.next_cursor], [[DATA], null]);
  t.match((await get('/codes?max_grade=5')).json.details, /^max_grade: /);
});

t.test('Tessera-Min-Grade refuses a picture below it, which costs nothing', async (t) => {
  const { post, render, used } = await newAccount();
  const least = { 'tessera-min-grade': '3' };
  const refused = await post('/qr', DISCS, least);
  t.match(refused, {
    status: 400,
    json: {
      error: 'Invalid request body',
      details: /^cornersDotOptions\.type: .*grade 0.*Tessera-Min-Grade.*3.*finder-centre.*`rounded`/,
    },
  });
  t.match((await post('/qr', PALE, least)).json.details, /^dotsOptions\.color: /);
  t.equal((await post('/qr', SMALL, { 'tessera-min-grade': '2' })).status, 200);
  t.equal((await post('/qr', SMALL, least)).status, 400, 'also when the picture is cached');
  t.equal((await post('/qr', DISCS, { 'tessera-min-grade': '0' })).status, 200);
  t.equal(await used(), 2);

  const image = await render({ content: 'pale', dark: '#ddd' }, least);
  t.strictSame([image.status, image.headers['cache-control']], [400, 'no-store']);
  t.match(image.text, /^Invalid query parameters: dark: /);
  const tiny = await render({ content: 'x'.repeat(300), width: '50' }, least);
  t.match(tiny.text, /^Invalid query parameters: width: /);
  t.equal((await render({ content: 'pale', dark: '#ddd' })).status, 200);
  const cached = await render({ content: 'pale', dark: '#ddd' }, least);
  t.equal(cached.status, 400, 'also when it is cached');
  t.equal(await used(), 3);
});

t.test('a wrong Tessera-Min-Grade is a 400', async (t) => {
  const { post, render, used } = await newAccount();
  for (const wrong of ['5', '-1', '2.5', 'best', '3, 4', '']) {
    const headers = { 'tessera-min-grade': wrong };
    for (const [path, body] of [
      ['/qr', GOOD],
      ['/qr/bulk', { items: [GOOD] }],
    ] as const)
      t.match(await post(path, body, headers), {
        status: 400,
        json: { error: 'Invalid request header', details: /^tessera-min-grade: / },
      });
    t.match((await render({ content: 'x' }, headers)).text, /^Invalid request header: tessera-min-grade: /);
  }
  t.equal(await used(), 0);
});

t.test('an item below Tessera-Min-Grade fails alone, and its unit is given back', async (t) => {
  const { post, get, used } = await newAccount();
  const { json, headers } = await post(
    '/qr/bulk',
    { items: [GOOD, DISCS, SMALL] },
    { 'tessera-min-grade': '3' },
  );
  t.strictSame(fieldsOf(json.results, 'success'), [true, false, false]);
  t.match(json.results[1]!.error, /^cornersDotOptions\.type: /);
  t.match(json.meta, { total: 3, successful: 1, usage_count: 1 });
  t.strictSame([headers['tessera-grade'], headers['tessera-grades']], ['4', '4, none, none']);
  t.equal(await used(), 1);
  t.equal((await get(`/folders/${json.meta.folder_id}/codes`)).json.data.length, 1);
});

t.test('whatever QUOTA_REFUND says, an item below Tessera-Min-Grade costs nothing', async (t) => {
  for (const [policy, by] of Object.entries({ server: app, none: frugal })) {
    const { post } = await newClient(by);
    const items = [GOOD, DISCS, { data: '' }];
    const { json } = await post('/qr/bulk', { items }, { 'tessera-min-grade': '4' });
    t.equal(json.meta.usage_count, 2, `${policy}: an empty item is paid for, a refused one is not`);
  }
});

t.test('the minimum grade is part of a request with an Idempotency-Key', async (t) => {
  const { post, used } = await newAccount();
  for (const [path, body] of [
    ['/qr', DISCS],
    ['/qr/bulk', { items: [DISCS, GOOD] }],
  ] as const) {
    const send = (key: string, least?: string) =>
      post(path, body, {
        'idempotency-key': key,
        ...(least === undefined ? {} : { 'tessera-min-grade': least }),
      });
    await send('free');
    t.equal((await send('free')).headers['idempotent-replayed'], 'true');
    t.equal((await send('free', '0')).headers['idempotent-replayed'], 'true', '0 is the same as no minimum');
    const other = await send('free', '3');
    t.match([other.status, other.json.error], [422, 'Idempotency-Key reused']);
    const first = await send('bound', '3');
    const replay = await send('bound', '3');
    t.strictSame([replay.status, replay.json], [first.status, first.json]);
    for (const least of [undefined, '4']) t.equal((await send('bound', least)).status, 422);
  }
  t.equal(await used(), 1 + 2 + 1);
});

t.test('a check grades what a single call would draw, and costs nothing', async (t) => {
  const { post, used } = await newAccount();
  const { status, json } = await post('/qr/check', { ...DISCS, width: 330, height: 330 });
  t.equal(status, 200);
  t.strictSame(Object.keys(json), ['grade', 'parameters', 'warnings', 'symbol', 'print']);
  t.match(json, {
    grade: 0,
    parameters: { 'finder-centre': 0, contrast: 4 },
    warnings: [{ name: 'finder-centre', value: 0.5, advice: /^cornersDotOptions\.type: .*`rounded`/ }],
    symbol: { version: 2, level: 'Q', modules: 25 },
    // 33 modules of 10 pixels.
    print: { min_width_mm: { '0.33': 10.89, '0.5': 16.5 } },
  });
  t.strictSame(Object.keys(json.parameters).sort(), Object.keys(PARAMETERS).sort());
  t.equal(await used(), 0);

  const dots = { data: DATA, dotsOptions: { type: 'dots' } };
  for (const body of [GOOD, DISCS, PALE, SMALL, dots, { ...GOOD, margin: 0 }, { ...GOOD, shape: 'circle' }]) {
    const made = await post('/qr', body);
    const { json } = await post('/qr/check', body);
    t.equal(String(json.grade), made.headers['tessera-grade']);
    const names = (json.warnings as unknown as readonly { name: string }[]).map(({ name }) => name);
    t.equal(names.join(', '), String(made.headers['tessera-warnings'] ?? '').replaceAll(/;v=[\d.]+/g, ''));
  }
  t.match((await post('/qr/check', { data: '' })).json.details, /^data: /);
  t.match(
    (await post('/qr/check', { data: 'x', image: 'data:image/png;base64,AAAA' })).json.details,
    /^image: /,
  );
  t.equal((await post('/qr/check', { data: 'x', width: 50, qrOptions: { typeNumber: 40 } })).status, 400);
});

t.test('a check of many items has a result or an error for each item', async (t) => {
  const { post, get, used } = await newAccount();
  const items = [GOOD, { data: '' }, DISCS, { data: DATA, dynamic: true }, { data: 'x', dynamic: true }];
  const { status, json } = await post('/qr/bulk/check', { folderName: 'None', items });
  t.equal(status, 200);
  t.match(json.results, [
    { grade: 4, warnings: [] },
    { error: 'Missing or invalid data' },
    { grade: 0 },
    { grade: 4, symbol: { modules: 29 } },
    { error: /^data: / },
  ]);
  t.equal(await used(), 0);
  t.strictSame((await get('/folders')).json.data, [], 'nothing is saved');
  t.equal((await post('/qr/bulk/check', { items: Array(101).fill(GOOD) })).status, 400);
  const free = await account({ plan: 'free' });
  const body = { items: [GOOD] };
  t.equal((await call({ method: 'POST', url: '/api/v1/qr/bulk/check', key: free.key, body })).status, 403);
});

t.test('checks and refused pictures count as free work', async (t) => {
  const { key, post } = await newClient(frugal);
  const until429 = async (send: (index: number) => Promise<Answer>) => {
    for (let index = 0; index < 100; index += 1) {
      const answer = await send(index);
      if (answer.status === 429) return answer;
    }
    return null;
  };
  const spend = () =>
    until429((index) =>
      post('/qr', { ...DISCS, data: `${index}`, width: 500, height: 500 }, { 'tessera-min-grade': '4' }),
    );
  const refusal = await spend();
  t.match(refusal?.json.details, /processor time for calls that cost no units/);
  // The allowance grows a little between any two calls.
  t.ok(await until429(() => post('/qr/check', GOOD)));
  t.ok(await until429(() => post('/qr/bulk/check', { items: [GOOD] })));
  t.equal((await post('/qr', GOOD)).status, 200, 'paid calls continue');
  const image = (index: number, minGrade: string) =>
    frugal.call({
      url: `/api/v1/render?content=${index}&key=${key}`,
      headers: { 'tessera-min-grade': minGrade },
    });
  for (let index = 0; index < 5; index += 1) t.equal((await image(index, '0')).status, 200);
  const graded = await until429(async (index) => {
    await spend();
    return image(20 + index, '4');
  });
  t.ok(graded, 'a picture that may be refused for its grade counts as free work');
});

t.test('the metrics count pictures by grade', async (t) => {
  const { key } = await account();
  const countsOf = async () =>
    [
      ...(await call({ url: '/metrics' })).text.matchAll(/^tessera_pictures_total\{grade="\d"\} (\d+)$/gm),
    ].map(([, count]) => Number(count));
  const before = await countsOf();
  for (const body of [GOOD, DISCS, PALE])
    await call({ method: 'POST', url: '/api/v1/qr', key, body: { ...body, data: 'not in the cache' } });
  await call({ method: 'POST', url: '/api/v1/qr/check', key, body: SMALL });
  const made = (await countsOf()).map((count, grade) => count - before[grade]!);
  t.strictSame(made, [2, 0, 0, 0, 1], 'a check makes no picture');
});

t.test('a picture with a logo has the same grade in a check as in a call', async (t) => {
  const { post } = await newAccount();
  const image = rectUri(20, 10);
  for (const imageSize of [0.2, 0.4, 1]) {
    const body = { data: DATA, image, imageOptions: { imageSize } };
    const { grade } = (await post('/qr/check', body)).json;
    t.equal((await post('/qr', body)).headers['tessera-grade'], String(grade), String(imageSize));
  }
});
