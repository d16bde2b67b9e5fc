/** Comparing pictures of prints with a folder: which symbols are of which codes, and what is refused. */
import sharp from 'sharp';
import t from 'tap';
import { sharedApp } from '../support/app/app.ts';
import { clientOf, newClient, RANDOM_ID } from '../support/app/client.ts';
import { refusesAll } from '../support/app/refusals.ts';

const gateway = await sharedApp();
const PNG = { 'content-type': 'image/png' };
const CELL_PX = 320;

/** Lays pictures out in rows of four, on white. */
const pageOf = (pngs: readonly Uint8Array[]): Promise<Buffer> =>
  sharp({
    create: {
      width: 4 * CELL_PX,
      height: Math.ceil(pngs.length / 4) * CELL_PX,
      channels: 3,
      background: '#fff',
    },
  })
    .composite(
      pngs.map((png, i) => ({
        input: Buffer.from(png),
        left: (i % 4) * CELL_PX,
        top: Math.floor(i / 4) * CELL_PX,
      })),
    )
    .png()
    .toBuffer();

const caller = async () => {
  const client = await newClient(gateway);
  return {
    ...client,
    check: (folderId: string, picture: Buffer, headers = PNG) =>
      client.post(`/folders/${folderId}/scan-check`, picture, headers),
    imageOf: async (id: string) => (await client.get(`/codes/${id}/image?width=300`)).bytes,
    /** A picture of a text that is not saved. */
    drawn: async (content: string) => (await client.render({ content, width: '300' })).bytes,
  };
};

const resultsOf = (symbols: readonly { readonly result: string }[]) => symbols.map(({ result }) => result);

t.test(
  'a symbol is of the code that holds its text: a content, GS1 data, or any slug of its link',
  async (t) => {
    const { bulk, check, imageOf, drawn, patch } = await caller();
    const { folderId, codes } = await bulk([
      { data: 'Zażółć\u0000gęślą' },
      { data: 'https://example.com/menu', dynamic: true },
      { data: '(01)09506000134352(10)A\\(1(21)7', qrOptions: { gs1: 'element-string' } },
      { data: ']Q30109506000134352', qrOptions: { gs1: 'element-string' } },
      { data: '(01)09506000134352' },
      { data: 'https://id.example.com/01/09506000134352' },
    ]);
    const pictures = await Promise.all(codes.map(({ id }) => imageOf(id)));
    const whole = (await check(folderId, await pageOf(pictures))).json;
    t.match(whole, { codes: 6, read: 6, unread: 0, repeated: 0, wrong: 0, foreign: 0 });
    t.strictSame(
      whole.symbols.map(({ code }) => code!.id),
      codes.map(({ id }) => id),
    );

    const link = codes[1]!;
    await patch(`/links/${link.slug}`, { slug: `menu-${link.slug}` });
    const newer = await imageOf(link.id);
    const both = (await check(folderId, await pageOf([pictures[1]!, newer]))).json;
    t.strictSame(resultsOf(both.symbols), ['read', 'repeated'], 'prints with the earlier slug stay valid');
    t.strictSame([both.read, both.unread], [1, 5]);

    const text = await drawn(`http://other.test/l/${link.slug}`);
    t.strictSame(resultsOf((await check(folderId, await pageOf([text]))).json.symbols), ['foreign']);
  },
);

t.test('codes with one text are taken in their order, one for each symbol', async (t) => {
  const { bulk, check, imageOf } = await caller();
  const { folderId, codes } = await bulk(['same', 'same', 'other', 'same']);
  const same = await imageOf(codes[0]!.id);
  const two = (await check(folderId, await pageOf([same, same]))).json;
  t.strictSame(
    two.symbols.map(({ code }) => code!.id),
    [codes[0]!.id, codes[1]!.id],
  );
  t.strictSame(
    two.unread_codes.map(({ id }) => id),
    [codes[2]!.id, codes[3]!.id],
  );
  const five = (await check(folderId, await pageOf([same, same, same, same, same]))).json;
  t.strictSame(resultsOf(five.symbols), ['read', 'read', 'read', 'repeated', 'repeated']);
  t.match(five, { codes: 4, read: 3, unread: 1, repeated: 2 });
});

t.test('unread codes between those read come first, and those in the bin count nowhere', async (t) => {
  const { bulk, check, imageOf, del } = await caller();
  const { folderId, codes } = await bulk(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  const gone = await imageOf(codes[6]!.id);
  await del(`/codes/${codes[6]!.id}`);
  const page = await pageOf([await imageOf(codes[2]!.id), await imageOf(codes[4]!.id), gone]);
  const { json } = await check(folderId, page);
  t.match(json, { codes: 7, read: 2, unread: 5, foreign: 1 });
  t.strictSame(
    json.unread_codes.map(({ content }) => content),
    ['d', 'a', 'b', 'f', 'h'],
  );
  const none = (await check(folderId, await pageOf([gone]))).json;
  t.match(none, { read: 0, unread: 7, foreign: 1 });
});

t.test('codes of other folders and accounts are foreign like any text, and long texts are cut', async (t) => {
  const [own, other] = [await caller(), await caller()];
  const { folderId } = await own.bulk(['mine'], 'One');
  const elsewhere = await own.bulk(['https://example.com/'], 'Two');
  const theirs = await other.bulk(['https://example.com/', 'theirs']);
  const long = 'ä'.repeat(501);
  const pictures = [
    await own.imageOf(elsewhere.codes[0]!.id),
    await other.imageOf(theirs.codes[0]!.id),
    await other.imageOf(theirs.codes[1]!.id),
    (await own.post('/qr/file', { data: long, width: 300, height: 300 }, { accept: 'image/png' })).bytes,
  ];
  const { json } = await own.check(folderId, await pageOf(pictures));
  t.match(json, { codes: 1, read: 0, unread: 1, foreign: 4 });
  t.strictSame(
    json.symbols.map(({ code, content, content_cut }) => [code, content, content_cut]),
    [
      [null, elsewhere.codes[0]!.short_url, false],
      [null, theirs.codes[0]!.short_url, false],
      [null, 'theirs', false],
      [null, 'ä'.repeat(500), true],
    ],
  );
});

t.test('a picture is read upright, in each format, on white and at no cost', async (t) => {
  const { bulk, check, imageOf, used } = await caller();
  const { folderId, codes } = await bulk(['upright']);
  const before = await used();
  const page = sharp(await pageOf([await imageOf(codes[0]!.id)]));
  const lying = await page.clone().rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();
  for (const [type, picture] of Object.entries({
    'image/png': await page.clone().png({ palette: true }).toBuffer(),
    'image/jpeg': lying,
    'image/webp': await page.clone().webp({ quality: 80 }).toBuffer(),
  })) {
    const { status, json } = await check(folderId, picture, { 'content-type': type });
    t.match({ status, json }, { status: 200, json: { width: 1280, height: 320, read: 1 } }, type);
    const [x, y] = json.symbols[0]!.corners[0]!;
    t.ok(x < 100 && y < 100, `${type}: its top left is ${x}, ${y}`);
  }
  const clear = await sharp(await imageOf(codes[0]!.id))
    .unflatten()
    .png()
    .toBuffer();
  t.match((await check(folderId, clear)).json, { read: 1 }, 'what is transparent is white');
  t.equal(await used(), before);
});

t.test('what is no such picture is refused with what to do', async (t) => {
  const { bulk, check, account, call } = { ...gateway, ...(await caller()) };
  const { folderId } = await bulk(['x']);
  const blank = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#fff' } });
  const png = await blank(40, 40).png().toBuffer();
  const send = (picture: Buffer) => check(folderId, picture);
  await refusesAll(t, send, [
    [Buffer.from('%PDF-1.7'), 'body: is no picture in PNG, JPEG or WebP'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'body: is no picture in PNG, JPEG or WebP'],
    [await blank(4, 4).gif().toBuffer(), 'body: is no picture in PNG, JPEG or WebP'],
    [png.subarray(0, png.length - 20), 'body: is not a complete picture: it is damaged or cut off'],
    [
      await blank(5001, 5000).png().toBuffer(),
      'body: is 5001 x 5000 pixels; at most 25000000 are read: scan it at 300 dpi, or send parts of it',
    ],
  ]);
  t.match(await check(folderId, Buffer.alloc(0)), { status: 400 });
  t.match(await check(folderId, Buffer.alloc(24 * 1024 * 1024 + 1)), { status: 413 });
  t.match(await check(folderId, png, { 'content-type': 'application/pdf' }), { status: 415 });
  t.match(await check(RANDOM_ID, png), { status: 404 });
  const stranger = clientOf({ call }, (await account({})).key);
  t.match(await stranger.post(`/folders/${folderId}/scan-check`, png, PNG), { status: 404 });
  t.match(await send(png), { status: 200, json: { codes: 1, unread: 1, symbols: [] } });
});

t.test('finder patterns that are of no symbol are none', async (t) => {
  const { bulk, check } = await caller();
  const { folderId } = await bulk([{ data: 'x' }]);
  const [modulePx, modules] = [3, 9];
  const rows = [0b1111111, 0b1000001, 0b1011101, 0b1011101, 0b1011101, 0b1000001, 0b1111111];
  const side = 40 * modules * modulePx;
  const dots = Buffer.alloc(side * side, 255);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const [column, row] = [x, y].map((px) => Math.floor((px / modulePx) % modules));
      if ((((rows[row!] ?? 0) << 2) >> (modules - 1 - column!)) & 1) dots[y * side + x] = 0;
    }
  const picture = await sharp(dots, { raw: { width: side, height: side, channels: 1 } })
    .png()
    .toBuffer();
  t.match((await check(folderId, picture)).json, { codes: 1, read: 0, unread: 1, wrong: 0, symbols: [] });
});
