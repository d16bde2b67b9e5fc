/** An account's own API: usage, folders, codes and their pictures, links, scans and keys; and who may not see them. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Resvg } from '@resvg/resvg-js';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { scaleDesign } from '../../../../src/generate/redraw.ts';
import { toDesign } from '../../../../src/generate/request/design.ts';
import { toOptions } from '../../../../src/generate/request/options.ts';
import { CORNERS_LEFT_OUT } from '../../../../workers/lists.ts';
import { until } from '../../../servers/until.ts';
import { type Answer, type Call, pictureOf, pngOf, sharedApp, startApp } from '../../../support/app/app.ts';
import { clientOf, newClient, RANDOM_ID, TIME, UUID } from '../../../support/app/client.ts';
import { bodyOf, documentedCalls } from '../../../support/app/conformance.ts';
import { refusesAll } from '../../../support/app/refusals.ts';
import { PHONE_BROWSER } from '../../../support/browser/phone-browser.ts';
import { fieldsOf } from '../../../support/fields-of.ts';
import { readZip } from '../../../support/files/zip.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { ANY_SHADES, DEFAULT_DESIGN, holds, legalDesigns } from '../../../support/pictures/designs.ts';
import { pixelsOf } from '../../../support/pictures/pictures.ts';
import { svgUri } from '../../../support/pictures/svg-uri.ts';

const gateway = await sharedApp();
/** On the same database, with a longer public address over HTTPS. */
const there = await startApp(t, {
  DATABASE_URL: gateway.databaseUrl,
  PUBLIC_URL: `https://${'long.'.repeat(40)}test/codes`,
});
const { app, call, account } = gateway;
const RANDOM_SLUG = 'zzzzZZZ9';

const svgLogo = (width: number, height: number) =>
  svgUri(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="5" cy="4" r="4" fill="#b00"/></svg>`,
  );
const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
const photo = await sharp({ create: { width: 280, height: 200, channels: 3, background: '#fff', noise } })
  .png()
  .toBuffer();
const PHOTO = `data:image/png;base64,${photo.toString('base64')}`;

const newAccount = (wanted: Parameters<typeof account>[0] = {}) => newClient(gateway, wanted);

/** Follows the cursors; each page has at most `limit` rows. */
const allPages = async (t: Test, get: (path: string) => Promise<Answer>, path: string, limit: number) => {
  const rows = [];
  let cursor: string | null = null;
  do {
    const { json } = await get(`${path}?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
    const isLast = json.next_cursor === null;
    if (isLast ? json.data.length > limit : json.data.length !== limit)
      t.fail('a page before the last one is not full', { path, limit, length: json.data.length });
    rows.push(...json.data);
    cursor = json.next_cursor;
  } while (cursor !== null);
  return rows;
};

t.test('GET /api/v1/usage returns the quota of the account', async (t) => {
  const { get, post } = await newAccount({ monthlyQuota: 3, credits: 2 });
  for (let i = 0; i < 4; i += 1) await post('/qr', { data: 'x' });
  const { json, headers } = await get('/usage');
  t.match(json, {
    plan: 'pro',
    period: /^\d{4}-\d\d-01$/,
    monthly_quota: 3,
    monthly_used: 3,
    credits: 1,
    usage_count: 4,
    remaining: 1,
    resets_at: TIME,
  });
  t.match(headers.ratelimit, /^"monthly";r=1;t=\d+$/);
});

t.test('folders', async (t) => {
  const { get, post, patch, del, bulk } = await newAccount();

  t.test('are created, found, renamed and deleted', async (t) => {
    const made = await post('/folders', { name: '  Cafe\u0301 ' });
    t.match(made, { status: 201, json: { id: UUID, name: 'Caf\u00e9', code_count: 0, created_at: TIME } });
    const { id } = made.json;
    await bulk([{ data: 'x' }, { data: 'y' }], 'Caf\u00e9');
    t.strictSame((await get(`/folders/${id}`)).json, { ...made.json, code_count: 2 });
    const renamed = (await patch(`/folders/${id}`, { name: 'Bar' })).json;
    t.strictSame(renamed, { ...made.json, name: 'Bar', code_count: 2, etag: renamed.etag });
    t.equal((await patch(`/folders/${id}`, { name: 'Bar' })).status, 200, 'a folder may keep its own name');
    t.match((await patch(`/folders/${id}`, { keep: true })).json, { name: 'Bar', keep: true });
    t.match((await get('/folders')).json.data, [{ id, keep: true }]);
    t.match((await patch(`/folders/${id}`, { name: 'Bar' })).json, { keep: true });
    t.match((await patch(`/folders/${id}`, { keep: false })).json, { name: 'Bar', keep: false });
    t.equal((await patch(`/folders/${id}`, {})).status, 400, 'an empty change');
    t.equal((await del(`/folders/${id}`)).status, 204);
    for (const again of [await get(`/folders/${id}`), await del(`/folders/${id}`)])
      t.equal(again.status, 404);
  });

  t.test('have unique names that must be readable text', async (t) => {
    const { json: one } = await post('/folders', { name: 'One' });
    await post('/folders', { name: 'Two' });
    const answers = [
      await post('/folders', { name: 'Two ' }),
      await patch(`/folders/${one.id}`, { name: 'Two' }),
    ];
    for (const taken of answers)
      t.match(taken, { status: 409, json: { error: 'Name already taken', details: /^name: / } });
    for (const name of [undefined, '', ' ', 'a\u0000', '\ud800', 'x'.repeat(201), 7]) {
      t.match(await post('/folders', { name }), { status: 400, json: { details: /^name: / } }, String(name));
      t.equal((await patch(`/folders/${one.id}`, { name })).status, 400);
    }
    const unknown = await post('/folders', { name: 'x', parent: 'y' });
    t.equal(unknown.json.details, 'parent: is not a known field');
    t.equal((await patch('/folders/7', { name: 'x' })).json.details, 'id: must be a UUID');
  });
});

t.test('pages', async (t) => {
  const { get, post, patch, del, bulk } = await newAccount();
  /** Lists are sorted by milliseconds. */
  const oneByOne = async <T>(things: readonly T[], run: (thing: T) => Promise<unknown>) => {
    for (const thing of things) {
      await run(thing);
      await sleep(2);
    }
  };
  await oneByOne([0, 1, 2, 3, 4, 5, 6], (i) => post('/folders', { name: `Folder ${i}` }));
  await oneByOne([0, 1, 2, 3, 4, 5], (i) => post('/keys', { name: `Key ${i}` }));
  const { folderId, results } = await bulk(
    Array.from({ length: 11 }, (_, i) => ({ data: `https://example.com/${i}`, dynamic: i === 0 })),
    'Many',
  );
  await bulk([{ data: 'one more' }], 'Many');
  const { slug } = results[0]!;
  for (let i = 0; i < 5; i += 1) await patch(`/links/${slug}`, { destination: `https://example.com/v${i}` });
  const deleted = ['d', 'e', 'f', 'g'];
  const gone = await bulk(deleted, 'Gone');
  await oneByOne(gone.codes, ({ id }) => del(`/codes/${id}`));
  await del(`/folders/${gone.folderId}`);
  const lists = {
    '/folders': ['Many', ...Array.from({ length: 7 }, (_, i) => `Folder ${6 - i}`)],
    '/bin': ['Gone', ...deleted.toReversed()],
    '/keys': [...Array.from({ length: 6 }, (_, i) => `Key ${5 - i}`), 'test'],
    [`/folders/${folderId}/codes`]: [
      ...Array.from({ length: 11 }, (_, i) => `https://example.com/${i}`),
      'one more',
    ],
    [`/links/${slug}/history`]: [
      ...Array.from({ length: 5 }, (_, i) => `https://example.com/v${4 - i}`),
      'https://example.com/0',
    ],
  };

  for (const [path, expected] of Object.entries(lists)) {
    t.test(`of ${path.replace(/[^/]{8,}/, ':id')} have each row once, in order, at any size`, async (t) => {
      for (const limit of [1, 2, 5, 7, 100]) {
        const rows = await allPages(t, get, path, limit);
        t.strictSame(
          rows.map((row) => row.name ?? row.content ?? row.destination),
          expected,
        );
      }
      t.equal((await get(path)).status, 200);
    });

    t.test(`of ${path.replace(/[^/]{8,}/, ':id')} answer a forged cursor with a page or a 400`, async (t) => {
      const forged = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 100 }),
        fc
          .tuple(fc.bigInt({ min: 0n, max: 10n ** 16n }), fc.nat(99_999), fc.uuid())
          .map((parts) => Buffer.from(parts.join('.')).toString('base64url')),
        fc.bigInt({ min: 0n, max: 10n ** 20n }).map((id) => Buffer.from(`n${id}`).toString('base64url')),
      );
      await fc.assert(
        fc.asyncProperty(forged, async (cursor) => {
          const { status, json } = await get(`${path}?cursor=${encodeURIComponent(cursor)}`);
          return status === 200 || (status === 400 && json.details.startsWith('cursor: '));
        }),
        { numRuns: 60 },
      );
      for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=1']) {
        t.equal((await get(`${path}?${query}`)).status, 400, query);
      }
    });
  }
});

t.test('codes', async (t) => {
  const { get, post, put, head, bulk, used } = await newAccount();
  const gradient = {
    type: 'linear',
    rotation: 0.5,
    colorStops: [
      { offset: 0, color: 'navy' },
      { offset: 1, color: '#0369' },
    ],
  };
  const items = [
    { data: 'plain' },
    {
      data: 'https://example.com/',
      dynamic: true,
      width: 500,
      height: 400,
      margin: 20,
      dotsOptions: { type: 'dots' },
    },
    {
      data: 'with a photo',
      image: PHOTO,
      width: 400,
      height: 400,
      imageOptions: { imageSize: 0.3, margin: 3 },
    },
    { data: 'with a drawing', image: svgLogo(10.5, 7.25), qrOptions: { errorCorrectionLevel: 'H' } },
    { data: 'with a tiny drawing', image: svgLogo(0.5, 0.4) },
    {
      data: 'round',
      shape: 'circle',
      dotsOptions: { type: 'classy', gradient },
      backgroundOptions: { color: '#fff8', round: 1 },
    },
    {
      data: '</text><script>alert(1)</script>',
      dotsOptions: { color: 'rgb(1 2 3)' },
      cornersDotOptions: { type: 'dot' },
    },
    {
      data: 'Prüfung 20260131004711 漢字',
      qrOptions: { errorCorrectionLevel: 'L', segments: 'optimal', eci: true, boost: true },
    },
  ];
  const { folderId, results, codes } = await bulk(items, 'Designs');

  t.test('are listed with the fields of the contract', async (t) => {
    t.equal(
      Object.keys(codes[0]!).join(' '),
      'id name external_id tags content dynamic slug domain short_url destination scan_count width height grade warnings created_at etag folder_id',
    );
    const none = { slug: null, short_url: null, destination: null, scan_count: 0 };
    t.match(codes[0], { id: UUID, content: 'plain', dynamic: false, ...none });
    const { slug } = results[1]!;
    const link = { dynamic: true, slug, destination: 'https://example.com/' };
    t.match(codes[1], { ...link, width: 500, height: 400, created_at: TIME });
  });

  t.test('are redrawn as the same picture, for free', async (t) => {
    const before = await used();
    for (const [i, code] of codes.entries()) {
      const { bytes, headers } = await get(`/codes/${code.id}/image`);
      t.strictSame(bytes, pngOf(results[i]!.data), items[i]!.data);
      t.equal(headers['content-type'], 'image/png');
      t.match(headers['server-timing'], /queue;dur=/);
    }
    t.equal(
      await decodePng((await get(`/codes/${codes[1]!.id}/image`)).bytes),
      `http://qr.test/l/${codes[1]!.slug}`,
    );
    t.equal(await used(), before);
  });

  t.test('return their design as a request that makes the same picture', async (t) => {
    for (const [i, code] of codes.entries()) {
      const { json } = await get(`/codes/${code.id}`);
      t.match(json, { ...code, folder_id: folderId });
      // The stored logo has whole pixels; an SVG is placed by its exact size, which a PNG cannot have.
      if (code.dynamic || /drawing/.test(code.content)) continue;
      const again = await post('/qr', { data: code.content, ...json.design });
      t.equal(again.status, 200, again.text.slice(0, 200));
      t.strictSame(pictureOf(again), pngOf(results[i]!.data), code.content);
    }
    holds(
      t,
      fc.property(legalDesigns(ANY_SHADES, ANY_SHADES), (legal) => {
        const levels = legal.symbol.levels.length > 1 ? DEFAULT_DESIGN.symbol.levels : legal.symbol.levels;
        // No request gives lone discs their centres without naming them.
        const centre = legal.cornersDot.type ?? CORNERS_LEFT_OUT[legal.dots.type]?.centre ?? null;
        const cornersDot = { ...legal.cornersDot, type: centre };
        const design = { ...legal, cornersDot, symbol: { ...legal.symbol, levels } };
        // An opaque colour may be written with an alpha value; it is stored without one.
        const kept = JSON.parse(JSON.stringify(design).replace(/(#\w{6})ff"/g, '$1"'));
        return isDeepStrictEqual(JSON.parse(JSON.stringify(toDesign(toOptions(design)))), kept);
      }),
    );
  });

  t.test('are drawn at other widths, in proportion', async (t) => {
    const size = async (id: string, width: number) => {
      const { bytes } = await get(`/codes/${id}/image?width=${width}`);
      const { widthPx, heightPx } = await pixelsOf(bytes);
      return { size: [widthPx, heightPx], text: await decodePng(bytes) };
    };
    t.strictSame(await size(codes[0]!.id, 600), { size: [600, 600], text: 'plain' });
    t.strictSame(await size(codes[1]!.id, 250), {
      size: [250, 200],
      text: `http://qr.test/l/${codes[1]!.slug}`,
    });
    t.strictSame(await size(codes[2]!.id, 250), { size: [250, 250], text: 'with a photo' });
    holds(
      t,
      fc.property(
        legalDesigns(ANY_SHADES, ANY_SHADES),
        fc.integer({ min: 50, max: 2000 }),
        (design, widthPx) => {
          const scaled = scaleDesign(design, widthPx);
          const share = (margin: number | null, width: number) => (margin ?? 0) / width;
          return (
            scaled.widthPx === widthPx &&
            Math.abs(scaled.heightPx - (design.heightPx * widthPx) / design.widthPx) <= 0.5 &&
            (scaled.marginPx === null) === (design.marginPx === null) &&
            Math.abs(share(scaled.marginPx, widthPx) - share(design.marginPx, design.widthPx)) <=
              0.5 / widthPx + 1e-9 &&
            Math.abs(share(scaled.image.marginPx, widthPx) - share(design.image.marginPx, design.widthPx)) <
              1e-9
          );
        },
      ),
    );
  });

  t.test('refuse sizes at which they cannot be read or drawn', async (t) => {
    const { codes: odd } = await bulk(
      [
        { data: 'x'.repeat(1000), width: 400, height: 400 },
        { data: 'x', width: 2000, height: 100 },
      ],
      'Odd',
    );
    const cases: [string, RegExp][] = [
      [`${codes[0]!.id}/image?width=49`, /^width: must be at least 50/],
      [`${codes[0]!.id}/image?width=2001`, /^width: must be at most 2000/],
      [`${codes[0]!.id}/image?width=wide`, /^width: must be a whole number/],
      [`${codes[0]!.id}/image?format=gif`, /^format: must be one of png, svg/],
      [`${codes[0]!.id}/image?width=400&module_mm=0.5`, /^width: /],
      [`${codes[0]!.id}/image?height=100`, /^height: is not a parameter of this call/],
      [`${odd[0]!.id}/image?width=60`, /^width: must be at least \d+ for this content/],
      [`${odd[1]!.id}/image?width=500`, /^width: gives a height of 25 pixels/],
    ];
    await refusesAll(t, (path) => get(`/codes/${path}`), cases, { error: 'Invalid query parameters' });
  });

  t.test('have a strong ETag that changes with the width and the format', async (t) => {
    const path = `/codes/${codes[0]!.id}/image`;
    const { headers } = await get(path);
    const etag = String(headers.etag);
    t.match(etag, /^"[\w-]+"$/);
    t.equal(headers['cache-control'], 'private, no-cache');
    const unchanged = await get(path, { 'if-none-match': etag });
    t.strictSame([unchanged.status, unchanged.headers.etag, unchanged.text], [304, etag, '']);
    for (const tag of [etag, '*', `"x", W/${etag}`]) {
      const { status, headers } = await head(path, { 'if-none-match': tag });
      t.strictSame([status, headers.etag, headers['content-length']], [304, etag, undefined], tag);
    }
    for (const other of [`${path}?width=301`, `${path}?format=svg`]) {
      t.equal((await get(other, { 'if-none-match': etag })).status, 200);
    }
    const same = await head(path);
    t.strictSame(
      [same.status, same.headers.etag, same.headers['content-type'], same.bytes.length],
      [200, etag, 'image/png', 0],
    );
  });

  t.test('as SVG contain only our own markup and PNG logos, and cannot run scripts', async (t) => {
    for (const code of codes) {
      const { text, headers } = await get(`/codes/${code.id}/image?format=svg&width=400`);
      t.equal(headers['content-type'], 'image/svg+xml');
      t.equal(
        headers['content-security-policy'],
        "default-src 'none'; style-src 'unsafe-inline'; sandbox; img-src data:",
      );
      t.equal(headers['x-content-type-options'], 'nosniff');
      t.match(headers['content-disposition'], /^inline; filename="[\w-]+\.svg"$/);
      const elements = [...text.matchAll(/<([^\s/>]+)/g)].map((match) => match[1]!);
      const ours = new Set('svg defs rect path image linearGradient radialGradient stop'.split(' '));
      t.ok(
        elements.every((name) => ours.has(name)),
        elements.join(),
      );
      t.equal(elements.includes('image'), /photo/.test(code.content), 'an SVG logo stays paths');
      for (const [, href] of text.matchAll(/href="([^"]*)"/g))
        t.match(href, /^data:image\/png;base64,[\w+/=]+$/);
      // The base64 of a picture may contain any word.
      t.notMatch(text.replace(/base64,[\w+/=]+/g, ''), /\son\w+=|javascript:|<script|alert/i);
      t.equal(
        await decodePng(new Resvg(text).render().asPng()),
        code.dynamic ? `http://qr.test/l/${code.slug}` : code.content,
      );
    }
  });

  t.test('get another design for free, and keep their content and link', async (t) => {
    const image = svgLogo(9, 8);
    const { codes: own } = await bulk([{ data: 'https://example.com/', dynamic: true, image }], 'Redesigned');
    const path = `/codes/${own[0]!.id}`;
    const before = (await get(path)).json;
    const units = await used();
    const wanted = {
      ...before.design,
      width: 480,
      height: 480,
      dotsOptions: { type: 'rounded', color: 'navy' },
    };
    const changed = await put(`${path}/design`, wanted);
    t.equal(changed.status, 200, changed.text.slice(0, 200));
    t.strictSame((await get(path)).json, changed.json);
    t.match(changed.json, {
      ...{ id: before.id, content: before.content, slug: before.slug, destination: before.destination },
      ...{ width: 480, design: { dotsOptions: { type: 'rounded', color: '#000080' } } },
    });
    t.equal(changed.headers['tessera-grade'], String(changed.json.grade));
    t.equal(await decodePng((await get(`${path}/image`)).bytes), `http://qr.test/l/${before.slug}`);
    t.match((await get(`${path}/image?format=svg`)).text, '#bb0000', 'its SVG logo stays paths');

    t.match(before.design.image, /^data:image\/svg\+xml;base64,/);
    const copies = await bulk([{ data: 'another', ...before.design }], 'Copies');
    const copied = await get(`/codes/${copies.codes[0]!.id}/image?format=svg`);
    t.match(copied.text, '#bb0000', 'and so does that of another code with the same design');
    t.notMatch(copied.text, '<image');

    const bare = { ...wanted, image: undefined };
    t.notOk('image' in (await put(`${path}/design`, bare)).json.design, 'there is no logo when none is sent');
    const legible = await put(`${path}/design`, { ...bare, margin: 0 }, { 'tessera-repair': 'true' });
    t.match(legible.headers['tessera-repaired'], 'quiet-zone');
    t.equal(legible.json.design.margin, undefined);
    const pale = { ...bare, dotsOptions: { color: '#ddd' } };
    for (const [body, headers, fault] of [
      [{ ...bare, foo: 1 }, {}, 'foo: is not a known field'],
      [{ ...bare, data: 'x' }, {}, 'data: is not a known field'],
      [{ ...bare, qrOptions: { typeNumber: 1, errorCorrectionLevel: 'H' } }, {}, 'typeNumber: '],
      [pale, { 'tessera-min-grade': '3' }, 'Tessera-Min-Grade asks for 3'],
    ] as const)
      t.match(await put(`${path}/design`, body, headers), { status: 400, json: { details: fault } });
    t.strictSame((await get(path)).json, legible.json, 'a refused change changes nothing');
    t.equal((await put(`${path}/design`, pale)).json.grade < 3, true);
    t.equal(await used(), units + 1, 'only the other code was paid for');
  });
});

t.test('archives', async (t) => {
  const { get, head, bulk } = await newAccount();
  const items = [
    { data: '=HYPERLINK("http://evil.example","x")' },
    { data: 'https://example.com/menu', dynamic: true },
    { data: '../../etc/passwd' },
    { data: '../../etc/passwd' },
    { data: 'with, "quotes"\r\nand lines' },
  ];
  const name = 'Früh\u202eling; filename="evil.exe"/..\\%00';
  const { folderId, results, codes } = await bulk(items, name);

  t.test('contain every picture of a folder, and a manifest that lists them', async (t) => {
    const answer = await get(`/folders/${folderId}/archive`);
    t.match(answer.headers, {
      'content-type': 'application/zip',
      'content-disposition': /^attachment; filename="Fruh_ling; filename=_evil\.exe__\.\.__00\.zip"; /,
    });
    const { status, headers, bytes } = await head(`/folders/${folderId}/archive`);
    t.strictSame([status, bytes.length], [200, 0]);
    t.equal(headers['content-disposition'], answer.headers['content-disposition']);
    const files = await readZip(answer.bytes);
    const manifest = parse(files.at(-1)!.bytes, { columns: true }) as Record<string, string>[];
    const columns = ['index', 'name', 'content', 'slug', 'short_url', 'file', 'sha256', 'grade', 'warnings'];
    t.strictSame(Object.keys(manifest[0]!), [...columns, 'error']);
    t.strictSame(
      files.map((file) => file.name),
      [...manifest.map((row) => row.file), 'manifest.csv'],
    );
    for (const [i, row] of manifest.entries()) {
      t.strictSame(files[i]!.bytes, pngOf(results[i]!.data));
      t.equal(row.index, String(i + 1));
      t.equal(row.content?.replace(/^'/, ''), items[i]!.data);
      t.equal(row.sha256, createHash('sha256').update(files[i]!.bytes).digest('hex'));
    }
    t.match(manifest[0]!.content, /^'=/);
    const { slug } = codes[1]!;
    t.match(manifest[1], { slug, short_url: `http://qr.test/l/${slug}`, file: `00002-${slug}.png` });
  });
});

t.test('links', async (t) => {
  const { get, patch, bulk, post } = await newAccount();
  const { codes } = await bulk([{ data: 'https://example.com/first', dynamic: true }], 'Links');
  const { slug, id: codeId } = codes[0]!;
  const follow = async () => (await call({ url: `/l/${slug}` })).headers.location;

  t.test('return their destination', async (t) => {
    const { json } = await get(`/links/${slug}`);
    t.match(json, {
      slug,
      destination: 'https://example.com/first',
      short_url: `http://qr.test/l/${slug}`,
      code_id: codeId,
      scan_count: 0,
      scans: { people: 0, bots: 0, previews: 0 },
      last_scan_at: null,
      created_at: TIME,
      updated_at: TIME,
    });
  });

  t.test('change their destination at once, keep a history, and can be rolled back', async (t) => {
    const { json: created } = await post('/keys', { name: 'Campaigns', scopes: ['manage'] });
    const campaigns = clientOf(gateway, created.key);
    t.equal(await follow(), 'https://example.com/first');
    const edited = await campaigns.patch(`/links/${slug}`, {
      destination: 'HTTPS://Example.com/second path?q=ä',
    });
    t.equal(edited.status, 200);
    t.equal(edited.json.destination, 'https://example.com/second%20path?q=%C3%A4');
    t.equal(await follow(), edited.json.destination);
    t.ok(edited.json.updated_at >= edited.json.created_at);

    const history = (await get(`/links/${slug}/history`)).json;
    t.match(history, {
      data: [
        {
          destination: edited.json.destination,
          at: TIME,
          key: { id: created.id, name: 'Campaigns', prefix: created.prefix },
        },
        { destination: 'https://example.com/first', at: TIME, key: { name: 'test' } },
      ],
      next_cursor: null,
    });
    t.equal((await patch(`/links/${slug}`, { destination: history.data[1]!.destination })).status, 200);
    t.equal(await follow(), 'https://example.com/first');
    await patch(`/links/${slug}`, { destination: 'https://example.com/first' });
    t.equal(
      (await get(`/links/${slug}/history`)).json.data.length,
      3,
      'an edit that changes nothing is not recorded',
    );
    t.equal(
      (await get(`/folders/${(await get(`/codes/${codeId}`)).json.folder_id}/codes`)).json.data[0]!
        .destination,
      'https://example.com/first',
    );
  });

  t.test('lead elsewhere before their start and after their end, with history and rollback', async (t) => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const soon = { active_from: inAnHour, before_destination: 'https://example.com/soon' };
    const first = { active_until: null, destination: 'https://example.com/first' };
    t.match((await patch(`/links/${slug}`, soon)).json, { active_from: inAnHour, ...first });
    t.equal(await follow(), soon.before_destination);
    const elsewhere = { after_destination: 'https://example.com/over' };
    const over = { active_from: null, active_until: anHourAgo, ...elsewhere };
    await patch(`/links/${slug}`, over);
    t.equal(await follow(), over.after_destination);
    const { data } = (await get(`/links/${slug}/history`)).json;
    t.match(data, [over, soon]);
    const { destination, active_from, active_until, before_destination, after_destination } = data[1]!;
    const earlier = { destination, active_from, active_until, before_destination, after_destination };
    const again = await patch(`/links/${slug}`, earlier);
    t.equal(again.status, 200, 'the fields of an earlier entry can be sent again');
    t.equal(await follow(), soon.before_destination);
    await patch(`/links/${slug}`, { before_destination: null });
    t.equal((await call({ url: `/l/${slug}` })).status, 404, 'without one it acts as deleted');
    await patch('/account', { dead_link_url: 'https://example.com/fallback' });
    t.equal(await follow(), 'https://example.com/fallback');
    await patch('/account', { dead_link_url: null });

    const year = 'must be a time in the years 1970 to 9998';
    await refusesAll<object>(t, (body) => patch(`/links/${slug}`, body), [
      [{ active_until: anHourAgo }, 'active_until: must be after active_from'],
      [{ active_from: '9999-12-31T23:59:59-10:00' }, `active_from: ${year}`],
      [{ active_until: '0000-01-01T00:00:00Z' }, `active_until: ${year}`],
      [{ after_destination: 'javascript:alert(1)' }, /^after_destination: /],
      [{ before_destination: `http://qr.test/l/${slug}` }, /^before_destination: /],
      [{ active_from: 'tomorrow' }, /^active_from: /],
    ]);
    await patch(`/links/${slug}`, { active_from: null });
    t.equal(await follow(), 'https://example.com/first');
  });

  t.test('refuse as a new destination what a new link would refuse', async (t) => {
    const long = `https://example.com/${'x'.repeat(8200)}`;
    const own = [`http://qr.test/l/${slug}`, 'http://QR.test./l/x'];
    const refused = ['javascript:alert(1)', 'https://user:secret@example.com/', ...own, '', '\ud800', long];
    for (const destination of [...refused, 7, null]) {
      const answer = await patch(`/links/${slug}`, { destination });
      const expected = { error: 'Invalid request body', details: /^destination: / };
      t.match(answer, { status: 400, json: expected }, String(destination).slice(0, 50));
    }
    for (const body of [{}, { destination: 'https://a.example/', status: 301 }])
      t.equal((await patch(`/links/${slug}`, body)).status, 400);
    t.equal(await follow(), 'https://example.com/first');
    for (const none of ['x', 'a%00b', '..%2f', RANDOM_SLUG, 'ü'.repeat(8)])
      t.equal((await get(`/links/${none}`)).status, 404, none);
  });
});

t.test('custom slugs', async (t) => {
  const { get, patch, bulk, del } = await newAccount();
  const items = ['one', 'two', 'three'].map((name) => ({
    data: `https://example.com/${name}`,
    dynamic: true,
  }));
  const { codes } = await bulk(items, 'Own slugs');
  const [one, two, three] = codes.map(({ id, slug }) => ({ id, slug: String(slug) }));
  const follow = async (slug: string) =>
    (await call({ url: `/l/${slug}`, headers: { 'user-agent': PHONE_BROWSER } })).headers.location;

  t.test('lead to the link beside the earlier slugs, and the picture encodes the latest one', async (t) => {
    t.equal((await call({ url: '/l/Spring-Menu' })).status, 404);
    const renamed = await patch(`/links/${one!.slug}`, { slug: 'Spring-Menu' });
    t.match(renamed, {
      status: 200,
      json: { slug: 'Spring-Menu', short_url: 'http://qr.test/l/Spring-Menu', code_id: one!.id },
    });
    for (const slug of ['Spring-Menu', one!.slug])
      t.equal(await follow(slug), 'https://example.com/one', slug);
    const picture = await get(`/codes/${one!.id}/image`);
    t.equal(await decodePng(picture.bytes), 'http://qr.test/l/Spring-Menu');
    t.match((await get(`/codes/${one!.id}`)).json, { slug: 'Spring-Menu', grade: 4, warnings: '' });
    t.equal((await patch('/links/Spring-Menu', { destination: 'https://example.com/1' })).status, 200);
    for (const slug of ['Spring-Menu', one!.slug]) t.equal(await follow(slug), 'https://example.com/1', slug);
    await until(async () => (await get(`/links/${one!.slug}`)).json.scan_count === 4);
    t.equal((await get('/links/Spring-Menu/scans')).json.totals.people, 4);
    t.equal((await get(`/codes/${one!.id}`)).json.scan_count, 4, 'scans of all slugs count for the link');
    const { data } = (await get('/links/Spring-Menu/history')).json;
    t.strictSame(fieldsOf(data, 'slug'), ['Spring-Menu', 'Spring-Menu', one!.slug]);
    t.equal((await patch('/links/Spring-Menu', { slug: one!.slug })).json.slug, one!.slug, 'rolled back');
    t.equal(await follow('Spring-Menu'), 'https://example.com/1');
  });

  t.test('cannot equal or resemble another slug, and the refusal does not say whose it is', async (t) => {
    const stranger = await newAccount();
    const { codes: theirs } = await stranger.bulk([items[0]!], 'Theirs');
    const answers = [
      await patch(`/links/${two!.slug}`, { slug: 'spring_menu' }),
      await patch(`/links/${two!.slug}`, { slug: one!.slug }),
      await stranger.patch(`/links/${theirs[0]!.slug}`, { slug: 'SPRING-MENU' }),
      await stranger.patch(`/links/${theirs[0]!.slug}`, { slug: 'Spring-Menu' }),
    ];
    for (const { status, json } of answers) {
      t.equal(status, 409);
      t.strictSame(json, {
        error: 'Name already taken',
        details: 'slug: is taken, or looks like one that is; choose another one',
      });
    }
    const [won, lost] = await Promise.all(
      [two!, three!].map(({ slug }) => patch(`/links/${slug}`, { slug: 'both-want-it' })),
    );
    t.strictSame([won!.status, lost!.status].sort(), [200, 409], 'of two concurrent requests one wins');
    for (const slug of ['admin', 'Log-in', 'ab', '-abc', 'a b c', 'x'.repeat(65), 'ümlaut']) {
      t.match(await patch(`/links/${three!.slug}`, { slug }), {
        status: 400,
        json: { details: /^slug: / },
      });
    }
  });

  t.test('are limited to ten per link, and stay reserved when it is deleted', async (t) => {
    for (let i = 0; i < 9; i += 1)
      t.equal((await patch(`/links/${one!.slug}`, { slug: `menu-${'abcdefghj'[i]}` })).status, 200);
    t.match(await patch(`/links/${one!.slug}`, { slug: 'menu-k' }), {
      status: 409,
      json: { error: 'Limit reached' },
    });
    t.equal(
      (await patch(`/links/${one!.slug}`, { slug: 'menu-a' })).status,
      200,
      'one of its own slugs is not a new one',
    );
    await del(`/codes/${one!.id}`);
    for (const slug of ['menu-a', 'Spring-Menu', one!.slug]) {
      t.equal((await call({ url: `/l/${slug}` })).status, 404, slug);
      t.equal((await patch(`/links/${three!.slug}`, { slug })).status, 409, slug);
    }
  });

  t.test('must fit into the symbol of the code', async (t) => {
    const design = { qrOptions: { typeNumber: 3, errorCorrectionLevel: 'L' } };
    const { codes: small } = await bulk([{ ...items[0]!, ...design }], 'Small');
    const { slug } = small[0]!;
    const answer = await patch(`/links/${slug}`, { slug: 'y'.repeat(60) });
    t.match(answer, { status: 400, json: { details: /^slug: the code cannot be drawn with it: / } });
    t.match((await get(`/links/${slug}`)).json, { slug });
  });
});

t.test('many links', async (t) => {
  const { get, patch, bulk, post } = await newAccount();
  const items = ['a', 'b', 'c'].map((name) => ({ data: `https://example.com/${name}`, dynamic: true }));
  const { codes, folderId } = await bulk([...items, { data: 'static' }], 'Many');
  const slugs = codes.flatMap(({ slug }) => slug ?? []);
  const follow = () =>
    Promise.all(slugs.map(async (slug) => (await call({ url: `/l/${slug}` })).headers.location));
  const FIRST = ['https://example.com/a', 'https://example.com/b', 'https://example.com/c'];

  t.test('are changed together, each with a history, and each can be led back by an undo', async (t) => {
    t.strictSame(await follow(), FIRST);
    const sale = 'https://example.com/sale';
    const changed = await patch('/links', { folder_id: folderId, change: { destination: sale } });
    t.match(changed, { status: 200, json: { links: 3, changed: 3 } });
    t.strictSame(await follow(), [sale, sale, sale]);
    const [latest] = (await get(`/links/${slugs[0]}/history`)).json.data;
    t.match(latest, { destination: sale, change_id: changed.json.change_id });
    const again = await patch('/links', { slugs, change: { destination: sale } });
    t.strictSame(again.json, { change_id: null, links: 3, changed: 0 });
    const undone = await post(`/links/changes/${changed.json.change_id}/undo`);
    t.match(undone, { status: 200, json: { links: 3, changed: 3 } });
    t.strictSame(await follow(), FIRST);
    await post(`/links/changes/${undone.json.change_id}/undo`);
    t.strictSame(await follow(), [sale, sale, sale], 'an undo can be undone too');
    await post(`/links/changes/${changed.json.change_id}/undo`);
  });

  t.test('are all changed or none', async (t) => {
    const stranger = await newAccount();
    const { codes: theirs } = await stranger.bulk(items, 'Theirs');
    await patch(`/links/${slugs[2]}`, { active_from: '2030-01-01T00:00:00Z' });
    const change = { destination: 'https://example.com/wrong' };
    await refusesAll<object>(t, (body) => patch('/links', body), [
      [{ slugs: [slugs[0], theirs[0]!.slug], change }, /^slugs\.1: there is no such short link/],
      [{ slugs: [slugs[0], 'a\0b'], change }, /^slugs\.1: there is no such short link/],
      [{ slugs: [slugs[0], RANDOM_SLUG], change }, /^slugs\.1: there is no such short link/],
      [{ slugs, change: { active_until: '2029-01-01T00:00:00Z' } }, /^change\.active_until: must be after/],
      [{ slugs, folder_id: folderId, change }, /^slugs: /],
      [{ change }, /^slugs: /],
      [{ folder_id: RANDOM_ID, change }, /^folder_id: there is no such folder/],
      [{ slugs, change: {} }, /^change: /],
      [{ slugs: Array(1001).fill(slugs[0]), change }, /^slugs: /],
      [{ slugs, change: { destination: 'x' } }, /^change\.destination: /],
    ]);
    t.strictSame((await follow()).slice(0, 2), FIRST.slice(0, 2));
    t.equal((await post(`/links/changes/${RANDOM_ID}/undo`)).status, 404);
  });
});

t.test('scans', async (t) => {
  const { get, bulk } = await newAccount();
  const { codes, folderId } = await bulk([{ data: 'https://example.com/', dynamic: true }], 'Scans');
  const { slug } = codes[0]!;
  const scan = (userAgent: string, headers: Call['headers'] = {}, method: Call['method'] = 'GET') =>
    call({ method: method!, url: `/l/${slug}`, headers: { 'user-agent': userAgent, ...headers } });
  await scan(PHONE_BROWSER, { 'cf-ipcountry': 'DE', referer: 'https://www.instagram.com/x' });
  await scan(PHONE_BROWSER);
  await scan('Googlebot/2.1 (+http://www.google.com/bot.html)');
  await scan('WhatsApp/2.23.20.0');
  await scan(PHONE_BROWSER, {}, 'HEAD');
  await until(async () => {
    const { people, bots, previews } = (await get(`/links/${slug}`)).json.scans;
    return people + bots + previews >= 4;
  });

  t.test('count people, with bots and previews apart, wherever they appear', async (t) => {
    const { json } = await get(`/links/${slug}`);
    t.match(json, { scan_count: 2, scans: { people: 2, bots: 1, previews: 1 }, last_scan_at: TIME });
    t.equal((await get(`/folders/${folderId}/codes`)).json.data[0]!.scan_count, 2);
    t.equal((await get(`/codes/${codes[0]!.id}`)).json.scan_count, 2);
    t.equal((await get('/codes')).json.data[0]!.scan_count, 2);
    t.match((await get('/scans')).json.totals, { people: 2, bots: 1, previews: 1 });
  });

  t.test('are reported as series and breakdowns', async (t) => {
    const { json } = await get(`/links/${slug}/scans`);
    t.match(json, {
      slug,
      interval: 'day',
      time_zone: 'UTC',
      totals: { people: 2, bots: 1, previews: 1, unique_visitors: 1 },
    });
    t.equal(json.series.length, 31);
    t.match(json.series.at(-1), { people: 2, bots: 1, previews: 1, unique_visitors: 1 });
    t.equal(json.series[0]!.start, json.from);
    const { breakdowns } = json;
    t.strictSame(Object.keys(breakdowns), ['device', 'os', 'browser', 'country', 'referrer_host', 'rule']);
    t.match(breakdowns.device, [
      { value: 'mobile', people: 2 },
      { value: null, people: 0, bots: 1, previews: 1 },
    ]);
    t.match(breakdowns.country?.[0], { value: 'DE', people: 1, bots: 0, previews: 0 });
    t.match(breakdowns.referrer_host?.[0], { value: 'instagram.com', people: 1 });
  });
});

t.test('keys', async (t) => {
  const { key, keyId, get, post, del } = await newAccount();

  t.test('are created with scopes, shown once, and revoked at once', async (t) => {
    const made = await post('/keys', { name: 'Embed', scopes: ['render'] });
    t.equal(made.status, 201);
    t.match(made.json, {
      id: UUID,
      key: /^tsr_[0-9A-Za-z]{38}$/,
      prefix: /^tsr_/,
      name: 'Embed',
      scopes: ['render'],
      created_at: TIME,
    });
    const listed = await get('/keys');
    t.strictSame(
      listed.json.data.map((row: { id: string }) => row.id),
      [made.json.id, keyId],
    );
    t.notMatch(listed.text, made.json.key);
    t.notMatch(listed.text, key);
    const render = `/api/v1/render?key=${made.json.key}&content=x`;
    t.equal((await call({ url: render })).status, 200);
    t.equal((await del(`/keys/${made.json.id}`)).status, 204);
    t.equal((await call({ url: render })).status, 401);
    t.equal((await del(`/keys/${made.json.id}`)).status, 404);
  });

  t.test('have all scopes by default, and names that people can read', async (t) => {
    t.strictSame((await post('/keys', { name: 'All' })).json.scopes, ['generate', 'render', 'manage']);
    const nameless = [undefined, '', ' ', 'a\nb', '\udc00'].map((name) => ({ name }));
    const scopes = [[], ['admin'], ['render', 'render']].map((scopes) => ({ name: 'x', scopes }));
    for (const body of [...nameless, ...scopes, { name: 'x', plan: 'pro' }])
      t.equal((await post('/keys', body)).status, 400, JSON.stringify(body));
  });

  t.test('may revoke themselves', async (t) => {
    const { json } = await post('/keys', { name: 'Last', scopes: ['manage'] });
    const last = clientOf(gateway, json.key);
    t.equal((await last.del(`/keys/${json.id}`)).status, 204);
    t.equal((await last.get('/usage')).status, 401);
  });
});

/** Every documented call of an account's own API. */
await app.gateway.ready();
const operations = documentedCalls(app.gateway);
const ownApi = operations.filter(({ operation }) =>
  operation.security?.some((scheme) => scheme.apiKey?.includes('manage')),
);
const withoutRequestId = ({ 'x-request-id': _, date: __, ...headers }: Answer['headers']) => headers;

t.test('ids of another account get the same answers as random ids, in every call', async (t) => {
  const mine = await newAccount();
  const theirs = await newAccount();
  const { codes, folderId } = await theirs.bulk(
    [{ data: 'https://example.com/', dynamic: true, image: svgLogo(8, 8) }],
    'Theirs',
  );
  const { slug, id: codeId } = codes[0]!;
  const verification = (await theirs.post(`/folders/${folderId}/verifications`)).json.id;
  const ofCodes = (await theirs.post('/code-verifications', { ids: [codeId] })).json.id;
  const hook = { url: 'https://example.com/hook', events: ['batch.done'] };
  const webhook = (await theirs.post('/webhooks', hook)).json.id;
  const delivery = (await theirs.post(`/webhooks/${webhook}/test`)).json.id;
  const webhookSecret = (await theirs.post(`/webhooks/${webhook}/secrets`)).json.id;
  const secret = (await theirs.post('/signing-secrets')).json.id;
  const change = { slugs: [slug], change: { destination: 'https://example.com/changed' } };
  const linksChange = (await theirs.patch('/links', change)).json.change_id!;
  const preset = (await theirs.post('/presets', { name: 'Theirs', options: {} })).json.id;
  const profile = (await theirs.post('/print-profiles', { name: 'Theirs', options: {} })).json.id;
  const rule = { name: 'a', when: { visit: 'first' }, destination: 'https://example.com/' };
  const ruleSet = (await theirs.post('/rule-sets', { name: 'Theirs', rules: [rule] })).json.id;
  const host = (await theirs.post('/domains', { host: 'theirs.brand.example' })).json.host;
  const rows = `${JSON.stringify({ slug, destination: 'https://example.com/job' })}\n`;
  const sent = {
    url: '/api/v1/link-jobs?dry_run=true',
    key: theirs.key,
    headers: { 'content-type': 'application/x-ndjson' },
  };
  const linkJob = (await call({ method: 'POST', ...sent, body: rows })).json.id;
  const itemLinks = [{ rel: 'gs1:pip', href: 'https://example.com/', title: 'Page' }];
  const item = (await theirs.post('/resolver/items', { key: '(01)09521321777774', links: itemLinks })).json
    .id;
  const itemsChange = (
    await theirs.patch('/resolver/items', {
      ids: [item],
      change: { set: [{ ...itemLinks[0], title: 'Other' }] },
    })
  ).json.change_id!;
  const gone = await theirs.bulk([{ data: 'https://example.com/', dynamic: true }, { data: 'x' }], 'Gone');
  await theirs.del(`/codes/${gone.codes[0]!.id}`);
  await theirs.del(`/folders/${gone.folderId}`);
  /** Ids by the path before the parameter. */
  const ids: Readonly<Record<string, { real: readonly string[]; random: string }>> = {
    '/api/v1/folders/': { real: [folderId, gone.folderId], random: RANDOM_ID },
    '/api/v1/codes/': { real: [codeId, gone.codes[0]!.id, gone.codes[1]!.id], random: RANDOM_ID },
    '/api/v1/codes/by-external-id/': { real: ['theirs 7'], random: 'nobody' },
    '/api/v1/code-verifications/': { real: [ofCodes, verification], random: RANDOM_ID },
    '/api/v1/keys/': { real: [theirs.keyId], random: RANDOM_ID },
    '/api/v1/links/': { real: [slug, gone.codes[0]!.slug], random: RANDOM_SLUG },
    '/api/v1/links/changes/': { real: [linksChange], random: RANDOM_ID },
    '/api/v1/webhooks/': { real: [webhook], random: RANDOM_ID },
    '/api/v1/signing-secrets/': { real: [secret], random: RANDOM_ID },
    '/api/v1/link-jobs/': { real: [linkJob], random: RANDOM_ID },
    '/api/v1/domains/': { real: [host], random: 'none.brand.example' },
    '/api/v1/rule-sets/': { real: [ruleSet], random: RANDOM_ID },
    '/api/v1/presets/': { real: [preset], random: RANDOM_ID },
    '/api/v1/print-profiles/': { real: [profile], random: RANDOM_ID },
    '/api/v1/resolver/items/': { real: [item], random: RANDOM_ID },
    '/api/v1/resolver/changes/': { real: [itemsChange], random: RANDOM_ID },
  };
  await theirs.patch(`/codes/${codeId}`, { external_id: 'theirs 7' });
  // A PUT makes what is missing.
  const taking = ownApi.filter(
    ({ path, operation }) => path.includes('{') && operation.operationId !== 'putCodeByExternalId',
  );
  t.ok(taking.length >= 15, 'the document lists the calls');

  for (const { path, method, operation } of taking) {
    const id = ids[path.slice(0, path.indexOf('{'))];
    if (id === undefined) throw new Error(`${path} takes an id that this test does not know`);
    for (const verb of method === 'GET' ? (['GET', 'HEAD'] as const) : [method]) {
      const send = (value: string) =>
        call({
          method: verb,
          url: path
            .replace(/\{\w+\}/, value)
            .replace('{vid}', verification)
            .replace('{delivery}', delivery)
            .replace('{secret}', webhookSecret),
          key: mine.key,
          ...(operation.operationId === 'checkScan'
            ? { headers: { 'content-type': 'image/png' }, body: Buffer.from('no picture') }
            : { body: bodyOf(operation) }),
        });
      const random = await send(id.random);
      for (const real of id.real) {
        const foreign = await send(real);
        const seen = ({ status, text, headers }: Answer) => [status, text, withoutRequestId(headers)];
        t.strictSame([404, ...seen(foreign)], [foreign.status, ...seen(random)], `${verb} ${path}`);
      }
    }
  }
  const inFolder = (id: string) => mine.get(`/codes?folder_id=${id}`);
  t.strictSame((await inFolder(folderId)).bytes, (await inFolder(RANDOM_ID)).bytes);
  const saveInto = (id: string) => mine.post('/qr/bulk', { items: [{ data: 'x' }], folderId: id });
  const [foreign, random] = [await saveInto(folderId), await saveInto(RANDOM_ID)];
  t.equal(foreign.status, 400);
  t.strictSame(foreign.bytes, random.bytes);

  const made = await call({
    method: 'PUT',
    url: '/api/v1/codes/by-external-id/theirs%207',
    key: (await newAccount()).key,
    body: { data: 'another' },
  });
  t.match(made, { status: 201, json: { content: 'another', external_id: 'theirs 7' } });
  t.equal((await theirs.get('/codes/by-external-id/theirs%207')).json.id, codeId);
  t.equal((await theirs.get(`/codes/${codeId}`)).status, 200, 'and nothing of the other account was changed');
  t.equal((await theirs.get(`/links/${slug}`)).json.destination, 'https://example.com/changed');
  t.equal((await theirs.get(`/folders/${folderId}`)).json.name, 'Theirs');
  t.equal((await theirs.get('/bin')).json.data.length, 2);
  for (const list of ['/folders', '/codes', '/bin']) {
    t.strictSame((await mine.get(list)).json.data, [], list);
  }
});

t.test('every call needs a key with the scope manage, in the header', async (t) => {
  const wrong = await account({ scopes: ['generate', 'render'] });
  // The example of a new key has the scope `render`, which only a key with that scope may grant.
  const right = await account({ scopes: ['manage', 'render'] });
  const making = await account({ scopes: ['manage', 'generate'] });
  t.ok(ownApi.length >= 18);
  for (const { path, method, operation } of ownApi) {
    const url = path.replace(/\{\w+\}/, RANDOM_ID);
    const request = { method, url, body: bodyOf(operation) };
    t.equal((await call(request)).status, 401, `${method} ${path}`);
    t.equal((await call({ ...request, url: `${url}?key=${right.key}` })).status, 401);
    const refused = await call({ ...request, key: wrong.key, body: 'no JSON' });
    t.strictSame([refused.status, refused.json.error], [403, 'API key lacks a scope']);
    const { key } = operation.security?.some(({ apiKey }) => apiKey?.includes('generate')) ? making : right;
    t.notOk([401, 403].includes((await call({ ...request, key })).status));
  }
});

t.test('headers', async (t) => {
  const { key, get } = await newAccount();

  t.test('forbid browsers to embed or sniff answers', async (t) => {
    for (const answer of [await get('/usage'), await get('/nothing'), await call({ url: '/api/v1/usage' })]) {
      t.match(answer.headers, {
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      t.notOk('strict-transport-security' in answer.headers);
    }
  });

  t.test('demand HTTPS when the public address uses it', async (t) => {
    const { headers } = await there.call({ url: '/healthz' });
    t.equal(headers['strict-transport-security'], 'max-age=31536000');
  });

  t.test('let pages of other origins use only the image endpoint', async (t) => {
    const origin = { origin: 'https://elsewhere.example' };
    const image = `/api/v1/render?key=${key}&content=x`;
    for (const url of [image, '/api/v1/render?content=x']) {
      const { headers } = await call({ url, headers: origin });
      t.equal(headers['access-control-allow-origin'], '*', url);
      t.equal(headers['cross-origin-resource-policy'], 'cross-origin');
      t.match(headers['access-control-expose-headers'], /ETag.*RateLimit.*Retry-After.*X-Request-Id/);
      t.notOk('access-control-allow-credentials' in headers);
    }
    const ask = { ...origin, 'access-control-request-method': 'GET' };
    const preflight = await call({ method: 'OPTIONS', url: image, headers: ask });
    t.equal(preflight.status, 204);
    t.equal(preflight.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
    for (const { path } of operations.filter(({ path }) => path !== '/api/v1/render')) {
      const asked = await call({ method: 'OPTIONS', url: path.replace(/\{\w+\}/, RANDOM_ID), headers: ask });
      t.equal(asked.status, 204, path);
      t.notOk('access-control-allow-origin' in asked.headers);
    }
    t.notOk('access-control-allow-origin' in (await get('/usage', origin)).headers);
  });
});

t.test('two gateways with different addresses that share a database', async (t) => {
  const mine = await newAccount();
  const elsewhere = clientOf(there, mine.key);
  const items = [
    { data: 'https://example.com/1', dynamic: true, width: 50, height: 50 },
    { data: 'static', image: svgLogo(3.5, 2.5) },
  ];
  const { codes, folderId, results } = await mine.bulk(items);

  t.test('one draws what the other has saved, with its logo', async (t) => {
    t.strictSame((await elsewhere.get(`/codes/${codes[1]!.id}/image`)).bytes, pngOf(results[1]!.data));
  });

  t.test('a code that no longer fits at a longer address is reported, not drawn', async (t) => {
    const refused = await elsewhere.get(`/codes/${codes[0]!.id}/image`);
    t.match(refused, { status: 400, json: { details: /^width: must be at least \d+ for this content/ } });
    t.equal((await elsewhere.get(`/codes/${codes[0]!.id}/image?width=200`)).status, 200);
    const files = await readZip((await elsewhere.get(`/folders/${folderId}/archive`)).bytes);
    const manifest = parse(files.at(-1)!.bytes, { columns: true }) as Record<string, string>[];
    t.strictSame(
      manifest.map(({ index, content, file }) => [index, content, file]),
      [
        ['1', 'https://example.com/1', ''],
        ['2', 'static', '00002-static.png'],
      ],
    );
  });
});
