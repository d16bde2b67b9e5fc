/** The three endpoints that make codes, as defined by section 4 of the specification and the contract. */
import t from 'tap';
import type { ItemResult } from '../../../support/app/answer-body.ts';
import { pictureOf, pngOf, startApp } from '../../../support/app/app.ts';
import { newClient, UUID } from '../../../support/app/client.ts';
import { refusesAll } from '../../../support/app/refusals.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { pixelsOf } from '../../../support/pictures/pictures.ts';

const app = await startApp(t, { PLAN_FREE_MONTHLY: '3' });
const limited = await startApp(t, { RATE_LIMIT_PER_SECOND: '5', QUOTA_REFUND: 'server' });
const { call, account, admin } = app;
const PNG_LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const single = (key: string, body: unknown, headers = {}) =>
  call({ method: 'POST', url: '/api/v1/qr', key, body, headers });
const bulk = (key: string, body: unknown, headers = {}) =>
  call({ method: 'POST', url: '/api/v1/qr/bulk', key, body, headers });
const image = (key: string, query: Record<string, string>, headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
  call({ method, url: `/api/v1/render?${new URLSearchParams({ key, ...query })}`, headers });

t.test('POST /api/v1/qr', async (t) => {
  const { key } = await account({ monthlyQuota: 1000 });

  t.test('returns a PNG data URL that reads as the content, and the state of the quota', async (t) => {
    const answer = await single(key, { data: 'https://example.com/first' });
    t.equal(answer.status, 200);
    t.strictSame(Object.keys(answer.json), ['success', 'data', 'meta']);
    t.strictSame(answer.json.meta, { usage_count: 1, remaining: 999, strategy: 'monthly' });
    t.equal(await decodePng(pictureOf(answer)), 'https://example.com/first');
    t.match(answer.headers['content-type'], 'application/json');
    t.match(answer.headers['server-timing'], /^quota;dur=.+, queue;dur=.+, render;dur=.+$/);
    t.match(answer.headers['ratelimit-policy'], /^"monthly";q=1000;w=\d+$/);
    t.match(answer.headers.ratelimit, /^"monthly";r=999;t=\d+$/);
  });

  t.test('draws 300 x 300 by default', async (t) => {
    const size = async (body: object) => {
      const { widthPx, heightPx } = await pixelsOf(pictureOf(await single(key, { data: 'x', ...body })));
      return [widthPx, heightPx];
    };
    t.strictSame(await size({}), [300, 300]);
    t.strictSame(await size({ width: 50, height: 2000 }), [50, 2000]);
  });

  t.test('leaves a quiet zone of four modules by default, and none with margin 0', async (t) => {
    const firstDark = async (body: object) => {
      const { rgba: data, widthPx: width } = await pixelsOf(
        pictureOf(await single(key, { data: 'x', ...body })),
      );
      for (let x = 0; x < width; x += 1) if (data[(x * width + x) * 4]! < 128) return x;
      return -1;
    };
    // Version 1 has 21 modules: 29 with the quiet zone.
    t.equal(await firstDark({ width: 290, height: 290 }), 40);
    t.equal(await firstDark({ width: 210, height: 210, margin: 0 }), 0);
  });

  t.test('accepts every option of a design', async (t) => {
    const gradient = {
      type: 'radial',
      rotation: 1,
      colorStops: [
        { offset: 0, color: 'navy' },
        { offset: 1, color: '#036' },
      ],
    };
    const answer = await single(key, {
      data: 'all of it',
      width: 600,
      height: 500,
      margin: 10,
      shape: 'square',
      image: PNG_LOGO,
      qrOptions: { typeNumber: 6, mode: 'Byte', errorCorrectionLevel: 'H' },
      imageOptions: {
        hideBackgroundDots: true,
        imageSize: 0.3,
        margin: 2,
        crossOrigin: 'anonymous',
        saveAsBlob: true,
      },
      dotsOptions: { type: 'classy-rounded', color: 'rgb(1, 2, 3)', gradient, roundSize: true },
      cornersSquareOptions: { type: 'extra-rounded', color: 'hsl(210 80% 25%)' },
      cornersDotOptions: { type: 'dot', gradient },
      backgroundOptions: { color: 'transparent', round: 0.1 },
    });
    t.equal(answer.status, 200, answer.text.slice(0, 200));
    t.equal(await decodePng(pictureOf(answer)), 'all of it');
  });

  t.test('segments, eci and boost change the picture, and their defaults do not', async (t) => {
    const data = 'Grüße 0123456789 HTTPS';
    const draw = async (extras: object, headers = {}) => {
      const answer = await single(
        key,
        { data, qrOptions: { errorCorrectionLevel: 'L', ...extras } },
        headers,
      );
      t.equal(answer.status, 200, answer.text.slice(0, 200));
      t.equal(await decodePng(pictureOf(answer)), data);
      return pictureOf(answer).toString('base64');
    };
    const plain = await draw({});
    t.equal(await draw({ segments: 'single', eci: false, boost: false }), plain);
    const extras = [{ segments: 'optimal' }, { eci: true }, { boost: true }];
    const pictures = [];
    for (const extra of extras) pictures.push(await draw(extra));
    t.equal(new Set([plain, ...pictures]).size, 4);
    const all = { segments: 'optimal', eci: true, boost: true };
    const headers = { 'idempotency-key': 'extras' };
    t.equal(await draw(all, headers), await draw(all, headers), 'a replay is drawn the same');
  });

  t.test('encodes any text unchanged', async (t) => {
    for (const data of ['\u0000 NUL', 'Grüße, мир, 世界 😀', ' ', '\r\n\t', '9'.repeat(4296)]) {
      const answer = await single(key, { data, width: 600, height: 600 });
      t.equal(answer.status, 200, answer.text.slice(0, 200));
      t.equal(await decodePng(pictureOf(answer)), data);
    }
  });

  t.test('stores nothing in the account', async (t) => {
    const { post, contents } = await newClient(app);
    t.equal((await post('/qr', { data: 'x' })).status, 200);
    t.strictSame(await contents('/codes'), []);
  });

  t.test('names the first offending field of a body', async (t) => {
    const cases: [object, string | RegExp][] = [
      [{}, 'data: is required'],
      [{ data: '' }, /^data: /],
      [{ data: 7 }, 'data: must be a text'],
      [{ data: 'x'.repeat(4297) }, /^data: must have at most 4296 characters/],
      [{ data: 'ü'.repeat(4000) }, /^data: .*\d/],
      [{ data: '\ud800' }, 'data: must be well-formed Unicode'],
      [{ data: 'x', width: 49 }, 'width: must be at least 50'],
      [{ data: 'x', width: 2001 }, 'width: must be at most 2000'],
      [{ data: 'x', width: '300' }, 'width: must be a whole number'],
      [{ data: 'x', height: 50.5 }, 'height: must be a whole number'],
      [{ data: 'x', margin: 101 }, 'margin: must be at most 100'],
      [{ data: 'x', margin: null }, 'margin: must be a whole number'],
      [{ data: 'x', shape: 'hexagon' }, 'shape: must be one of square, circle'],
      [{ data: 'x', foo: 1 }, 'foo: is not a known field'],
      [{ data: 'x', dynamic: true }, 'dynamic: is not a known field'],
      [{ data: 'x', type: 'svg' }, 'type: is not a known field'],
      [{ data: 'x', dotsOptions: { foo: 1 } }, 'dotsOptions.foo: is not a known field'],
      [{ data: 'x', dotsOptions: { color: 'bleu' } }, /^dotsOptions\.color: must be a CSS colour/],
      [{ data: 'x', dotsOptions: { color: '#12' } }, /^dotsOptions\.color: /],
      [{ data: 'x', dotsOptions: { gradient: { colorStops: [] } } }, /^dotsOptions\.gradient\.colorStops: /],
      [
        { data: 'x', dotsOptions: { gradient: { colorStops: [{ offset: 2, color: 'red' }] } } },
        'dotsOptions.gradient.colorStops.0.offset: must be at most 1',
      ],
      [{ data: 'x', backgroundOptions: { round: 2 } }, 'backgroundOptions.round: must be at most 1'],
      [{ data: 'x', qrOptions: { typeNumber: 41 } }, 'qrOptions.typeNumber: must be at most 40'],
      [{ data: 'abc', qrOptions: { mode: 'Numeric' } }, /^qrOptions\.mode: /],
      [{ data: 'abc', qrOptions: { mode: 'Byte', segments: 'optimal' } }, /^qrOptions\.mode: must be absent/],
      [{ data: 'x', qrOptions: { segments: 'best' } }, 'qrOptions.segments: must be one of single, optimal'],
      [{ data: 'x', qrOptions: { eci: 26 } }, 'qrOptions.eci: must be true or false'],
      [{ data: 'x', qrOptions: { boost: 'H' } }, 'qrOptions.boost: must be true or false'],
      [{ data: 'x'.repeat(100), qrOptions: { typeNumber: 1 } }, /^qrOptions\.typeNumber: /],
      [{ data: 'x'.repeat(2000), width: 60, height: 60 }, /^width: .*\d/],
      [{ data: 'x', width: 50, height: 50, margin: 25 }, /^margin: /],
      [{ data: 'x', image: 'ftp://example.com/a.png' }, /^image: /],
      [{ data: 'x', image: '' }, /^image: /],
      [{ data: 'x', image: 'http://127.0.0.1/a.png' }, /^image: URL /],
      [{ data: 'x', image: `data:image/png;base64,${'A'.repeat(2_000_000)}` }, /^image: must have at most/],
    ];
    await refusesAll(t, (body) => single(key, body), cases, { error: 'Invalid request body' });
  });

  t.test('refuses bodies that are not JSON objects, with the common error format', async (t) => {
    const bodies = ['{', '', '[]', 'null', '"text"', '7', '{"data":"x","__proto__":{}}'];
    for (const body of [...bodies, '{"data":"x","__proto__":{"a":1}}', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const answer = await single(key, body);
      t.equal(answer.status, 400, String(body));
      t.strictSame(Object.keys(answer.json), ['error', 'details']);
      t.match(answer.json.details, /^body: /);
    }
    const form = await single(key, 'data=x', { 'content-type': 'application/x-www-form-urlencoded' });
    t.strictSame([form.status, Object.keys(form.json)], [415, ['error', 'details']]);
  });

  t.test('charges nothing for a refused call', async (t) => {
    const { key: fresh, id } = await account({ monthlyQuota: 5 });
    await single(fresh, { data: '' });
    await single(fresh, { data: 'ü'.repeat(4000) });
    await single(fresh, { data: 'x', image: 'data:image/png;base64,AAAA' });
    const { usage } = (await admin('GET', `/accounts/${id}`)).json;
    t.match(usage, { usage_count: 0, remaining: 5 });
  });
});

t.test('POST /api/v1/qr/bulk', async (t) => {
  const { key, id } = await account({ monthlyQuota: 10_000 });

  t.test('returns one result for each item in order, and saves into a folder of the day', async (t) => {
    const items = Array.from({ length: 20 }, (_, i) => ({ data: `item ${i}` }));
    const answer = await bulk(key, { items });
    t.equal(answer.status, 200, answer.text.slice(0, 300));
    t.equal(answer.json.results.length, 20);
    const counts = { total: 20, successful: 20, usage_count: 20, remaining: 9980 };
    t.match(answer.json.meta, { ...counts, folder_id: UUID });
    for (const [i, result] of answer.json.results.entries()) {
      t.strictSame(Object.keys(result), ['success', 'data']);
      t.equal(await decodePng(pngOf(result.data)), `item ${i}`);
    }
    const again = await bulk(key, { items: [{ data: 'x' }] });
    t.equal(again.json.meta.folder_id, answer.json.meta.folder_id, 'the same day uses the same folder');
  });

  t.test('gives a dynamic item a short link that leads to its data', async (t) => {
    const { json } = await bulk(key, {
      items: [
        { data: 'https://example.com/a?b=c', dynamic: true },
        { data: 'x', dynamic: false },
      ],
    });
    const [dynamic, fixed] = json.results as [ItemResult, ItemResult];
    t.match(dynamic.slug, /^[0-9A-Za-z]{8}$/);
    t.notOk('slug' in fixed);
    t.equal(await decodePng(pngOf(dynamic.data)), `http://qr.test/l/${dynamic.slug}`);
    for (const method of ['GET', 'HEAD'] as const)
      t.match(await call({ method, url: `/l/${dynamic.slug}` }), {
        status: 302,
        headers: {
          location: 'https://example.com/a?b=c',
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
        },
      });
  });

  t.test('fails only the item without usable content, and gives its unit back', async (t) => {
    const before = (await admin('GET', `/accounts/${id}`)).json.usage.usage_count;
    const digits = ['9'.repeat(4297), 'x'.repeat(4297)];
    const long = [...digits, '😀'.repeat(2149), `https://example.com/${'😀'.repeat(2140)}`];
    const wrong = [{}, ...[7, '', ' \n', null].map((data) => ({ data }))];
    const bad = [...wrong, ...long.flatMap((data) => [{ data }, { data, dynamic: true }])];
    const { status, json } = await bulk(key, { items: [{ data: 'good' }, ...bad] });
    t.equal(status, 200);
    t.equal(json.results[0]!.success, true);
    for (const result of json.results.slice(1)) {
      t.strictSame(result, { success: false, error: 'Missing or invalid data' });
    }
    t.match(json.meta, { total: 14, successful: 1, usage_count: before + 1 });
  });

  t.test('also fails only the item for faults that show when it is drawn', async (t) => {
    const { status, json } = await bulk(key, {
      items: [
        { data: 'ü'.repeat(4000) },
        { data: '\ud800' },
        { data: 'not a url', dynamic: true },
        { data: 'javascript:alert(1)', dynamic: true },
        { data: 'x', image: 'data:image/png;base64,iVBORw0KGgo=' },
        { data: 'fine' },
      ],
    });
    t.equal(status, 200);
    const errors = json.results.map((result: { error?: string }) => result.error);
    for (const error of errors.slice(0, 4)) t.match(error, /^data: /);
    t.match(errors[4], /^image: /);
    t.equal(errors[5], undefined);
  });

  t.test('refuses the whole request for every other fault of an item, and names the item', async (t) => {
    const items = [{ data: 'x' }];
    const cases: [object, string | RegExp][] = [
      [{ items: [] }, /^items: /],
      [{}, 'items: is required'],
      [{ items: Array(101).fill({ data: 'x' }) }, 'items: must have at most 100 items'],
      [{ items: [...items, { data: 'x', width: 1 }] }, 'items.1.width: must be at least 50'],
      [{ items: [{ data: 'x', foo: 1 }] }, 'items.0.foo: is not a known field'],
      [{ items: [{ data: 'x', dotsOptions: { foo: 1 } }] }, 'items.0.dotsOptions.foo: is not a known field'],
      [{ items: [{ data: 'x', dynamic: 'yes' }] }, 'items.0.dynamic: must be true or false'],
      [{ items: [7] }, 'items.0: must be an object'],
      [{ items, foo: 1 }, 'foo: is not a known field'],
      [{ items, folderId: 'x' }, 'folderId: must be a UUID'],
      [{ items, folderName: ' ' }, /^folderName: /],
      [{ items, folderName: 'a\u0000b' }, /^folderName: /],
      [{ items, folderName: 'x'.repeat(201) }, /^folderName: /],
    ];
    await refusesAll(t, (body) => bulk(key, body), cases, { error: 'Invalid request body' });
  });

  t.test('saves into the requested folder', async (t) => {
    const named = await bulk(key, { items: [{ data: 'x' }], folderName: '  Cafe\u0301 ' });
    const composed = await bulk(key, { items: [{ data: 'x' }], folderName: 'Caf\u00e9' });
    t.equal(composed.json.meta.folder_id, named.json.meta.folder_id, 'names are trimmed and in NFC');
    const folderId = named.json.meta.folder_id;
    t.equal((await bulk(key, { items: [{ data: 'x' }], folderId })).json.meta.folder_id, folderId);
    const both = await bulk(key, { items: [{ data: 'x' }], folderId, folderName: 'y' });
    t.match(both, { status: 400, json: { details: /^folderName: / } });
  });

  t.test('refuses a call above the remaining quota as a whole', async (t) => {
    const { key: small, id: smallId } = await account({ monthlyQuota: 3, credits: 2 });
    const refused = await bulk(small, { items: Array.from({ length: 6 }, () => ({ data: 'x' })) });
    t.match(refused, {
      status: 429,
      json: { error: 'Quota exhausted' },
      headers: { 'retry-after': /^[1-9]/ },
    });
    t.equal((await admin('GET', `/accounts/${smallId}`)).json.usage.remaining, 5);
    const all = await bulk(small, { items: Array.from({ length: 5 }, () => ({ data: 'x' })) });
    t.match(all.json.meta, { usage_count: 5, remaining: 0 });
  });

  t.test('refuses a key of a Free account with a 403 before the body is checked', async (t) => {
    const { key: free } = await account({ plan: 'free' });
    const answer = await bulk(free, 'no JSON');
    t.equal(answer.status, 403);
    t.strictSame(Object.keys(answer.json), ['error', 'details']);
  });
});

t.test('QUOTA_REFUND', async (t) => {
  // The policy `none` is tested in `grade.test.ts`.
  for (const [policy, by, used] of [
    ['server', limited, 2],
    ['failed, the default', app, 1],
  ] as const) {
    const { post } = await newClient(by);
    const answer = await post('/qr/bulk', { items: [{ data: 'x' }, { data: '' }] });
    t.equal(answer.json.meta.usage_count, used, policy);
  }
});

t.test('GET /api/v1/render', async (t) => {
  const { key, id } = await account({ monthlyQuota: 1000 });

  t.test('returns a PNG that may be cached forever', async (t) => {
    const answer = await image(key, { content: 'https://example.com/?a=1&b=2' });
    t.match(answer, {
      status: 200,
      headers: {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-qr-usage': '1',
        etag: /^"[\w-]+"$/,
      },
    });
    const { widthPx: width, heightPx: height } = await pixelsOf(answer.bytes);
    t.strictSame([width, height], [300, 300]);
    t.equal(await decodePng(answer.bytes), 'https://example.com/?a=1&b=2');
  });

  t.test('accepts width and colours', async (t) => {
    const answer = await image(key, { content: 'x', width: '500', dark: '#ff0000', light: 'rgb(0 0 255)' });
    const { widthPx: width, rgba: data } = await pixelsOf(answer.bytes);
    t.equal(width, 500);
    t.strictSame([...data.subarray(0, 4)], [0, 0, 255, 255]);
    const colors = new Set(
      Array.from({ length: data.length / 4 }, (_, i) => data.subarray(i * 4, i * 4 + 4).join()),
    );
    t.strictSame([...colors].sort(), ['0,0,255,255', '255,0,0,255']);
  });

  t.test('accepts a content of 4296 digits', async (t) => {
    const answer = await image(key, { content: '8'.repeat(4296), width: '600' });
    t.equal(answer.status, 200);
    t.equal(await decodePng(answer.bytes), '8'.repeat(4296));
  });

  t.test('charges a unit for a cached picture too, but not for a 304 or a HEAD', async (t) => {
    const used = async () => (await admin('GET', `/accounts/${id}`)).json.usage.usage_count;
    const before = await used();
    const first = await image(key, { content: 'again' });
    const second = await image(key, { content: 'again' });
    t.strictSame(second.bytes, first.bytes);
    t.equal(await used(), before + 2);
    const etag = String(first.headers.etag);
    const unchanged = await image(key, { content: 'again' }, { 'if-none-match': `"other", W/${etag}` });
    t.strictSame([unchanged.status, unchanged.headers.etag, unchanged.text], [304, etag, '']);
    const head = await image(key, { content: 'again' }, {}, 'HEAD');
    const headers = { 'content-type': 'image/png', etag, 'x-qr-usage': String(before + 2) };
    t.match(head, { status: 200, headers, text: '' });
    t.equal(await used(), before + 2);
  });

  t.test('serves exactly 12 of 30 concurrent calls for a cached picture from 12 units', async (t) => {
    const query = { content: 'kept for all', width: '120' };
    await image(key, query);
    const { key: poor, id: poorId } = await account({ monthlyQuota: 12 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => image(poor, query)));
    const good = answers.filter(({ status }) => status === 200);
    t.equal(new Set(good.map(({ headers }) => headers['x-qr-usage'])).size, 12);
    t.equal(good.length, 12);
    for (const answer of answers.filter((answer) => !good.includes(answer)))
      t.match(answer, { status: 429, text: /^Quota exhausted: / });
    t.match((await admin('GET', `/accounts/${poorId}`)).json.usage, { usage_count: 12, remaining: 0 });
  });

  t.test('has another ETag for every change of the picture', async (t) => {
    const pictures = [
      { content: 'etag' },
      { content: 'etag 2' },
      { content: 'etag', width: '301' },
      { content: 'etag', dark: '#000001' },
      { content: 'etag', light: '#fffffe' },
    ];
    const answers = await Promise.all(pictures.map((query) => image(key, query)));
    t.equal(new Set(answers.map(({ headers }) => headers.etag)).size, pictures.length);
    const defaults = { content: 'etag', width: '300', dark: '#000000', light: '#ffffff' };
    t.equal((await image(key, defaults)).headers.etag, answers[0]!.headers.etag, 'the defaults');
  });

  t.test('answers errors as plain text that must not be cached', async (t) => {
    const cases: [Record<string, string>, RegExp][] = [
      [{}, /content: is required/],
      [{ content: '' }, /content: /],
      [{ content: 'x'.repeat(4297) }, /content: /],
      [{ content: 'ü'.repeat(4000) }, /content: /],
      [{ content: 'x', width: '49' }, /width: must be at least 50/],
      [{ content: 'x', width: '2001' }, /width: must be at most 2000/],
      [{ content: 'x', width: 'wide' }, /width: must be a whole number/],
      [{ content: 'x', dark: 'bleu' }, /dark: must be a CSS colour/],
      [{ content: 'x', light: '' }, /light: must be a CSS colour/],
      [{ content: 'x', foo: '1' }, /foo: is not a parameter of this call/],
      [{ content: 'x'.repeat(1000), width: '50' }, /width: /],
    ];
    const plain = { 'content-type': /^text\/plain/, 'cache-control': 'no-store' };
    for (const [query, text] of cases)
      t.match(
        await image(key, query),
        { status: 400, headers: plain, text },
        JSON.stringify(query).slice(0, 99),
      );
    const { key: poor } = await account({ monthlyQuota: 0 });
    t.match(await image(poor, { content: 'x' }), {
      status: 429,
      headers: { ...plain, ratelimit: /^"monthly";r=0;t=\d+$/ },
    });
    t.equal((await image('tsr_wrong', { content: 'x' })).status, 401);
    t.equal((await call({ url: '/api/v1/render?content=x' })).status, 401);
  });
});

t.test('authentication', async (t) => {
  t.test('an unusable key is a 401 on every endpoint, before the body is parsed', async (t) => {
    const { key, keyId } = await account();
    t.equal((await single(key, { data: 'x' })).status, 200);
    t.equal((await admin('DELETE', `/keys/${keyId}`)).status, 204);
    t.equal((await admin('DELETE', `/keys/${keyId}`)).status, 404);
    const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const unknown = 'tsr_00000000000000000000000000000000';
    for (const wrong of [key, mistyped, unknown, '', 'Bearer', `${key} ${key}`]) {
      for (const answer of [await single(wrong, '{'), await bulk(wrong, '{')]) {
        t.equal(answer.status, 401, wrong);
        t.strictSame(Object.keys(answer.json), ['error', 'details']);
        t.equal(answer.headers['www-authenticate'], 'Bearer');
      }
      const refused = await image(wrong, {});
      t.equal(refused.status, 401);
      t.notOk('www-authenticate' in refused.headers, 'a challenge would make a browser ask for a password');
    }
    t.equal((await call({ method: 'POST', url: '/api/v1/qr', body: { data: 'x' } })).status, 401);
    t.equal((await call({ method: 'POST', url: `/api/v1/qr?key=${key}`, body: { data: 'x' } })).status, 401);
  });

  t.test('a key can do only what its scopes allow', async (t) => {
    const embed = await account({ scopes: ['render'] });
    t.equal((await image(embed.key, { content: 'x' })).status, 200);
    t.equal((await single(embed.key, { data: 'x' })).status, 403);
    t.equal((await bulk(embed.key, { items: [{ data: 'x' }] })).status, 403);
    const maker = await account({ scopes: ['generate'] });
    t.equal((await single(maker.key, { data: 'x' })).status, 200);
    t.match(await image(maker.key, { content: 'x' }), {
      status: 403,
      headers: { 'content-type': /^text\/plain/ },
    });
  });

  t.test('a change of plan applies at once', async (t) => {
    const { key, id } = await account({ plan: 'free' });
    t.equal((await bulk(key, { items: [{ data: 'x' }] })).status, 403);
    t.equal((await admin('PATCH', `/accounts/${id}`, { plan: 'pro' })).status, 200);
    t.equal((await bulk(key, { items: [{ data: 'x' }] })).status, 200);
  });
});

t.test('quota', async (t) => {
  t.test('30 concurrent calls on 12 units: exactly 12 succeed, with 12 distinct counts', async (t) => {
    const { key } = await account({ monthlyQuota: 12 });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => single(key, { data: `${i}` })));
    const won = answers.filter((answer) => answer.status === 200);
    t.equal(won.length, 12);
    t.equal(new Set(won.map((answer) => answer.json.meta.usage_count)).size, 12);
    t.ok(answers.every((answer) => answer.status === 200 || answer.status === 429));
  });

  t.test('the monthly quota pays first, then credits; then a 429 says when to retry', async (t) => {
    const { key } = await account({ monthlyQuota: 2, credits: 1 });
    const metas = [];
    for (let i = 0; i < 3; i += 1) metas.push((await single(key, { data: 'x' })).json.meta);
    t.strictSame(metas, [
      { usage_count: 1, remaining: 2, strategy: 'monthly' },
      { usage_count: 2, remaining: 1, strategy: 'monthly' },
      { usage_count: 3, remaining: 0, strategy: 'credits' },
    ]);
    const refused = await single(key, { data: 'x' });
    t.match(refused, {
      status: 429,
      json: { error: 'Quota exhausted' },
      headers: { 'retry-after': /^[1-9]/ },
    });
    t.match(refused.headers['ratelimit-policy'], /^"monthly";q=\d+;w=\d+$/);
    t.match(refused.headers.ratelimit, `"monthly";r=0;t=${refused.headers['retry-after']}`);
    t.equal((await single(key, { data: '' })).status, 400, 'validation comes before the quota');
  });

  t.test('a Free account gets the quota of its plan', async (t) => {
    const { key } = await account({ plan: 'free' });
    t.equal((await single(key, { data: 'x' })).json.meta.remaining, 2);
  });
});

t.test('rate limit', async (t) => {
  const { post } = await newClient(limited);
  const answers = await Promise.all(Array.from({ length: 30 }, () => post('/qr', { data: 'x' })));
  const refused = answers.find((answer) => answer.status === 429);
  const headers = { 'retry-after': '1', ratelimit: /^"burst";r=0;t=1/ };
  t.match(refused, { json: { error: 'Rate limit exceeded' }, headers });
  const served = answers.find((answer) => answer.status === 200)!;
  t.match(served.headers['ratelimit-policy'], /^"burst";q=5;w=1, "monthly";q=10000;w=\d+$/);
});

t.test('Idempotency-Key', async (t) => {
  const { key, id } = await account();
  const used = async () => (await admin('GET', `/accounts/${id}`)).json.usage.usage_count;

  t.test('the same key and body replay the first answer free of charge', async (t) => {
    const headers = { 'idempotency-key': 'order-1' };
    const body = { data: 'https://example.com/1', dotsOptions: { type: 'dots' } };
    const first = await single(key, body, headers);
    const before = await used();
    const second = await single(key, body, headers);
    t.equal(second.status, 200);
    t.strictSame(second.json, first.json);
    t.equal(first.headers['idempotent-replayed'], undefined);
    t.equal(second.headers['idempotent-replayed'], 'true');
    t.match(second.headers['ratelimit-policy'], /^"monthly";q=\d+;w=\d+$/);
    t.match(second.headers.ratelimit, /^"monthly";r=\d+;t=\d+$/, 'as in every other answer');
    t.equal(await used(), before);
  });

  t.test('a 400 that was found after its unit was taken is replayed, and says so', async (t) => {
    const headers = { 'idempotency-key': 'order-6', 'tessera-min-grade': '4' };
    const body = { data: 'https://example.com/1', cornersDotOptions: { type: 'dots' } };
    const first = await single(key, body, headers);
    const second = await single(key, body, headers);
    t.match(first, { status: 400, headers: { 'idempotent-replayed': undefined } });
    t.match(second, { status: 400, headers: { 'idempotent-replayed': 'true' }, json: first.json });
  });

  t.test('a replayed bulk call returns the same short links', async (t) => {
    const headers = { 'idempotency-key': 'order-2' };
    const body = {
      folderName: 'Replay',
      items: [{ data: 'https://example.com/', dynamic: true }, { data: '' }, { data: 'x', image: PNG_LOGO }],
    };
    const first = await bulk(key, body, headers);
    t.equal(first.json.meta.successful, 2);
    const second = await bulk(key, body, headers);
    t.strictSame(second.json, first.json);
    t.equal(second.headers['idempotent-replayed'], 'true');
    t.match(second.headers.ratelimit, /^"monthly";r=\d+;t=\d+$/);
  });

  t.test('another body under the same key is a 422, and keys of different routes are separate', async (t) => {
    const headers = { 'idempotency-key': 'order-3' };
    t.equal((await single(key, { data: 'a' }, headers)).status, 200);
    const mismatch = await single(key, { data: 'b' }, headers);
    t.strictSame([mismatch.status, Object.keys(mismatch.json)], [422, ['error', 'details']]);
    t.equal((await bulk(key, { items: [{ data: 'a' }] }, headers)).status, 200);
  });

  t.test('of concurrent calls at least one succeeds and the others get a 409 with Retry-After', async (t) => {
    const headers = { 'idempotency-key': 'order-4' };
    const before = await used();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => single(key, { data: 'x', width: 500, height: 500 }, headers)),
    );
    for (const answer of answers) {
      t.ok(answer.status === 200 || answer.status === 409);
      if (answer.status === 409) t.equal(answer.headers['retry-after'], '1');
    }
    t.ok(answers.some((answer) => answer.status === 200));
    t.equal(await used(), before + 1);
  });

  t.test('a malformed key is a 400', async (t) => {
    for (const wrong of ['', 'with space', 'x'.repeat(256), 'ü']) {
      const answer = await single(key, { data: 'x' }, { 'idempotency-key': wrong });
      t.match(answer, { status: 400, json: { details: /^Idempotency-Key: / } }, wrong);
    }
  });

  t.test('a 429 is not stored', async (t) => {
    const poor = await account({ monthlyQuota: 0 });
    const headers = { 'idempotency-key': 'order-5' };
    t.equal((await single(poor.key, { data: 'x' }, headers)).status, 429);
    await admin('POST', `/accounts/${poor.id}/credits`, { amount: 1 });
    t.equal((await single(poor.key, { data: 'x' }, headers)).status, 200);
  });
});

t.test('every answer', async (t) => {
  t.test('echoes a valid X-Request-Id and generates one otherwise', async (t) => {
    const sane = await call({ url: '/healthz', headers: { 'x-request-id': 'abc-123' } });
    t.equal(sane.headers['x-request-id'], 'abc-123');
    for (const insane of ['a b', '<script>', 'x'.repeat(129)]) {
      const { headers } = await call({ url: '/healthz', headers: { 'x-request-id': insane } });
      t.match(headers['x-request-id'], UUID);
    }
  });

  t.test('an unknown path is a JSON 404', async (t) => {
    for (const url of ['/', '/api/v1/nothing', '/%', '/api/v2/qr']) {
      const answer = await call({ url });
      t.equal(answer.status, 404, url);
      t.strictSame(Object.keys(answer.json), ['error', 'details']);
    }
  });
});
