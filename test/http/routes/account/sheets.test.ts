/** Sheets of labels over HTTP. */
import postgres from 'postgres';
import sharp from 'sharp';
import t from 'tap';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { refusesAll } from '../../../support/app/refusals.ts';
import { readPixels } from '../../../support/pictures/decode.ts';
import { checkPdf, type GrayPage, grayPages, textOf } from '../../../support/pictures/print.ts';
import { svgUri } from '../../../support/pictures/svg-uri.ts';

const gateway = await sharedApp();

const caller = async () => {
  const made = await newClient(gateway);
  return {
    ...made,
    sheets: (folderId: string, body: unknown) => made.post(`/folders/${folderId}/sheets`, body),
  };
};

const DPI = 200;

/** The texts that ZXing reads in each cell of a page that is divided into columns and rows. */
const readGrid = async ({ data, widthPx, heightPx }: GrayPage, columns: number, rows: number) => {
  const page = sharp(Buffer.from(data), { raw: { width: widthPx, height: heightPx, channels: 1 } });
  const texts: (string | undefined)[] = [];
  const [width, height] = [Math.floor(widthPx / columns), Math.floor(heightPx / rows)];
  for (let i = 0; i < columns * rows; i += 1) {
    const [left, top] = [(i % columns) * width, Math.floor(i / columns) * height];
    const label = await page
      .clone()
      .extract({ left, top, width, height })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw();
    const { data: pixels, info } = await label.toBuffer({ resolveWithObject: true });
    texts.push(
      await readPixels({
        data: new Uint8ClampedArray(pixels),
        width: info.width,
        height: info.height,
        colorSpace: 'srgb',
      }),
    );
  }
  return texts;
};

const GRID = { page: { size: 'A4' }, label: { columns: 2, rows: 3, margin_mm: [8, 5], gap_mm: 2 } } as const;

t.test('a folder becomes a PDF with readable labels, with logo, short link and caption', async (t) => {
  const { sheets, bulk, used } = await caller();
  const logo = svgUri(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4" fill="#b00"/></svg>',
  );
  const items = [
    { data: 'https://example.com/one' },
    { data: 'https://example.com/two', dynamic: true },
    { data: 'three', image: logo, qrOptions: { errorCorrectionLevel: 'H' } },
    { data: 'four', dotsOptions: { type: 'rounded', color: '#204' } },
  ];
  const { folderId, results } = await bulk(items, 'Früh/ling');
  const before = await used();
  const answer = await sheets(folderId, {
    ...GRID,
    label: { ...GRID.label, caption: '{index} {file}\n{slug}{content}' },
    start_at: 2,
    copies: 2,
  });
  t.equal(answer.status, 200, answer.text.slice(0, 300));
  t.match(answer.headers, {
    'content-type': 'application/pdf',
    'cache-control': 'private, no-store',
    'content-disposition': 'attachment; filename="Fruh_ling.pdf"; filename*=UTF-8\'\'Fr%C3%BCh_ling.pdf',
    'tessera-pages': '2',
  });
  t.notOk('tessera-warnings' in answer.headers, 'modules are large enough');
  t.equal(await used(), before, 'a sheet costs nothing');

  await t.resolves(checkPdf(answer.bytes));
  const prints = await grayPages(answer.bytes, DPI);
  t.equal(prints.length, 2);
  const found = [...(await readGrid(prints[0]!, 2, 3)), ...(await readGrid(prints[1]!, 2, 3))];
  const { slug } = results[1]!;
  const link = `http://qr.test/l/${slug}`;
  const [one, three, four] = [items[0]!.data, 'three', 'four'];
  const expected = [one, link, three, four].flatMap((label) => [label, label]);
  t.strictSame(found, [undefined, ...expected, ...Array.from({ length: 3 }, () => undefined)]);
  const text = await textOf(answer.bytes);
  t.match(text, '1 00001-example-com-one.png');
  t.match(text, `${slug}https://example.com/two`);
});

t.test('a header warns of small modules', async (t) => {
  const { sheets, bulk } = await caller();
  const { folderId } = await bulk([
    { data: 'short' },
    { data: 'x'.repeat(300) },
    { data: 'https://a.test', dynamic: true },
  ]);
  const answer = await sheets(folderId, { template: 'avery-l7651' });
  // Version 13 at level Q has 69 modules, and 8 of quiet zone; the label has room for 19.08 mm.
  const [, size] = /^small-modules;v=(\d\.\d\d)$/.exec(String(answer.headers['tessera-warnings'])) ?? [];
  t.ok(Number(size) > 0.15 && Number(size) < 0.33, String(size));
});

t.test('faults of a request are reported by field', async (t) => {
  const { sheets, bulk } = await caller();
  const { folderId } = await bulk([{ data: 'one' }, { data: 'two' }]);
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{}, /^template: is required/],
    [{ template: 'avery-0' }, /^template: is not known; known are .*avery-l7160/],
    [{ template: 'avery-l7160', foo: 1 }, /^foo: is not a known field/],
    [{ template: 'avery-l7160', label: { foo: 1 } }, /^label\.foo: is not a known field/],
    [{ template: 'avery-l7160', label: { rows: 2 } }, /^label\.rows: must be left out/],
    [{ page: { size: 'A5' }, label: { columns: 1, rows: 1 } }, /^page\.size: must be one of A4/],
    [{ page: { size: 'A4' }, label: { columns: 0, rows: 1 } }, /^label\.columns: must be at least 1/],
    [{ page: { size: 'A4' }, label: { columns: 1.5, rows: 1 } }, /^label\.columns: must be a whole number/],
    [{ ...GRID, label: { ...GRID.label, gap_mm: '2' } }, /^label\.gap_mm: must be a number/],
    [{ ...GRID, label: { ...GRID.label, gap_mm: [1, 2, 3] } }, /^label\.gap_mm: /],
    [
      { ...GRID, label: { ...GRID.label, code_mm: 500 } },
      /^label\.code_mm: must be at most [\d.]+ on this label/,
    ],
    [{ ...GRID, label: { ...GRID.label, caption: '{data}' } }, /^label\.caption: \{data\} is not known/],
    [{ ...GRID, label: { ...GRID.label, caption: 'x'.repeat(4000) } }, /^label\.caption: must have at most/],
    [{ ...GRID, start_at: 7 }, /^start_at: must be at most 6/],
    [{ ...GRID, copies: 1001 }, /^copies: must be at most 1000/],
    [
      { page: { width_mm: 1e9, height_mm: 20 }, label: { columns: 1, rows: 1 } },
      /^page\.width_mm: must be at most 2000/,
    ],
  ];
  await refusesAll(t, (body) => sheets(folderId, body), cases);
});

t.test('hostile captions are printed as text, and the file stays valid', async (t) => {
  const { sheets, bulk } = await caller();
  const { folderId } = await bulk([
    { data: ') Tj ET Q /JavaScript << >> \0 \u202e\u{1f600}' },
    { data: `${'a\u0301\u1ab0'.repeat(100)} endstream endobj` },
  ]);
  const caption = '\0\u202e{content} ) >> Tj % \\';
  const asked = { ...GRID, label: { ...GRID.label, caption } };
  const refused = await sheets(folderId, asked);
  t.equal(refused.status, 400);
  t.match(refused.json.details, /^label\.caption: 1 caption cannot be printed: code .* U\+1AB0; make room/);
  t.match(refused.json.faults, [{ field: 'label.caption', message: / \(2\): .* U\+1AB0$/ }]);
  const answer = await sheets(folderId, { ...asked, allow: ['cut', 'glyphs'] });
  t.equal(answer.status, 200);
  t.equal(answer.headers['tessera-captions'], 'cut=0, glyphs=1');
  await t.resolves(checkPdf(answer.bytes));
  t.notMatch(answer.bytes.toString('latin1'), 'JavaScript');
  t.equal((await readGrid((await grayPages(answer.bytes, DPI))[0]!, 2, 3)).filter(Boolean).length, 2);
});

t.test('sheets are only for the owner of a folder with codes, with the right scope', async (t) => {
  const { sheets, bulk, post } = await caller();
  const other = await caller();
  const { folderId } = await bulk([{ data: 'one' }]);
  t.equal((await other.sheets(folderId, GRID)).status, 404);
  const { json: empty } = await post('/folders', { name: 'Empty' });
  const refused = await sheets(empty.id, GRID);
  t.match(refused, { status: 400, json: { details: 'id: this folder has no codes' } });
  const { key } = await gateway.account({ scopes: ['generate'] });
  const ask = { method: 'POST', url: `/api/v1/folders/${folderId}/sheets`, body: GRID } as const;
  t.equal((await gateway.call({ ...ask, key })).status, 403);
  t.equal((await gateway.call(ask)).status, 401);
});

t.test('a document has at most 50,000 pages', async (t) => {
  const { sheets, bulk } = await caller();
  const { folderId } = await bulk(Array.from({ length: 51 }, (_, i) => ({ data: `code ${i}` })));
  const roll = { page: { width_mm: 50, height_mm: 30 }, label: { columns: 1, rows: 1 } };
  const { status, json } = await sheets(folderId, { ...roll, copies: 1000 });
  t.equal(status, 400);
  t.match(json.details, /^copies: this makes 51000 pages/);
});

t.test(
  'a saved code that can no longer be drawn is refused before the first byte, or reported',
  async (t) => {
    const { sheets, bulk } = await caller();
    const { folderId, codes } = await bulk(['one', 'two', 'three', 'four']);
    const lost = codes.slice(1, 3);
    const sql = postgres(gateway.databaseUrl, { max: 1 });
    // As when a longer PUBLIC_URL no longer fits the design.
    await sql`update codes set content = convert_to(repeat('x', 8000), 'UTF8') where id in ${sql(lost.map(({ id }) => id))}`;
    await sql.end();
    const refused = await sheets(folderId, GRID);
    t.match(refused, { status: 400, json: { details: /^label: 2 codes cannot be printed: code / } });
    t.match(
      refused.json.faults,
      lost.map(({ id }, i) => ({
        field: 'label',
        message: new RegExp(`^code ${id} \\(${i + 2}\\): data: `),
      })),
    );
    const allowed = await sheets(folderId, { ...GRID, allow: ['codes'] });
    t.match(allowed, { status: 200, headers: { 'tessera-missing-codes': '2;indexes="2-3"' } });
    const text = await textOf(allowed.bytes);
    for (const index of [2, 3]) t.match(text, `no code: ${index}`);
    t.strictSame((await readGrid((await grayPages(allowed.bytes, DPI))[0]!, 2, 3)).filter(Boolean), [
      'one',
      'four',
    ]);
  },
);

t.test('chosen codes become labels in the order in which they were made, with their names', async (t) => {
  const { post, bulk, get, patch } = await caller();
  const { folderId } = await bulk(['a1', 'a2', 'a3'], 'First');
  const { folderId: other } = await bulk([{ data: 'b1' }], 'Second');
  const idsIn = async (id: string) => (await get(`/folders/${id}/codes`)).json.data.map((code) => code.id);
  const [a1, , a3] = await idsIn(folderId);
  const [b1] = await idsIn(other);
  for (const [id, name] of [
    [a1, 'Shelf one'],
    [a3, 'Shelf three'],
    [b1, 'Till'],
  ] as const)
    await patch(`/codes/${id}`, { name });
  const label = { caption: '{index} {name}', caption_side: 'beside' };
  const answer = await post('/codes/sheets', { ids: [b1, a3, a1, a3], template: 'avery-l7160', label });
  t.match(answer, {
    status: 200,
    headers: { 'tessera-pages': '1', 'content-disposition': /^attachment; filename="codes.pdf"/ },
  });
  const text = (await textOf(answer.bytes)).replace(/\s+/g, ' ');
  t.match(text, /1 Shelf one.*2 Shelf three.*3 Till/);
  await patch(`/codes/${a1}`, { tags: ['spring'] });
  t.match(await post('/codes/sheets', { tag: 'spring', template: 'avery-l7160' }), { status: 200 });
});

t.test('sheets of chosen codes are refused as those of a folder, and for codes of others', async (t) => {
  const { post, bulk, get } = await caller();
  const { folderId } = await bulk(['a'], 'Mine');
  const [{ id }] = (await get(`/folders/${folderId}/codes`)).json.data as unknown as [{ id: string }];
  const theirs = await caller();
  const made = await theirs.bulk(['b'], 'Theirs');
  const [{ id: foreign }] = (await theirs.get(`/folders/${made.folderId}/codes`)).json.data as unknown as [
    { id: string },
  ];
  const template = 'avery-l7160';
  t.equal((await post('/codes/sheets', { ids: [id, foreign], template })).status, 404);
  for (const [body, details] of [
    [{ ids: [id] }, /^template: is required/],
    [{ ids: [id], template: 'avery-1' }, /^template: is not known/],
    [{ ids: [id], template, label: { caption: '{shelf}' } }, /^label.caption: \{shelf\} is not known/],
    [{ template }, /^ids: /],
    [{ ids: [], template }, /^ids: /],
    [{ ids: [id], tag: 'x', template }, /^ids: /],
  ] as const)
    t.match(await post('/codes/sheets', body), { status: 400, json: { details } }, JSON.stringify(body));
});

t.test(
  'labels of some codes are those of the whole folder, and say which designs have changed',
  async (t) => {
    const { sheets, bulk, put } = await caller();
    const { folderId, codes } = await bulk(['one', 'two', 'three', 'four', 'five']);
    const request = { ...GRID, label: { ...GRID.label, caption: '{index} {file}' } };
    const wordsOf = async (pdf: Uint8Array) => (await textOf(pdf)).split(/\s+/).filter((word) => word !== '');
    const whole = await wordsOf((await sheets(folderId, request)).bytes);
    const some = await sheets(folderId, { ...request, from: 2, to: 4, start_at: 2 });
    t.match(some.headers, { 'tessera-pages': '1', 'tessera-edited-codes': undefined });
    t.strictSame(await wordsOf(some.bytes), whole.slice(2, 8), 'with their indexes and file names');
    t.strictSame(await wordsOf((await sheets(folderId, { ...request, from: 5 })).bytes), whole.slice(8));

    await put(`/codes/${codes[3]!.id}/design`, { dotsOptions: { color: '#204080' } });
    await put(`/codes/${codes[4]!.id}/design`, { dotsOptions: { color: '#204080' } });
    const again = await sheets(folderId, { ...request, from: 2, to: 4 });
    t.equal(again.headers['tessera-edited-codes'], '1;indexes="4"');
    await refusesAll(t, (range: object) => sheets(folderId, { ...request, ...range }), [
      [{ from: 6 }, 'from: must be at most 5, the last code of the folder'],
      [{ to: 9 }, 'to: must be at most 5, the last code of the folder'],
      [{ from: 3, to: 2 }, 'to: must be at least from, which is 3'],
      [{ from: 0 }, /^from: /],
    ]);
  },
);
