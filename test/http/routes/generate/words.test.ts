/** Captions and frames over HTTP: files, saved pictures, archives and print profiles, and what is refused. */
import sharp from 'sharp';
import t from 'tap';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { refusesAll } from '../../../support/app/refusals.ts';
import { readZip } from '../../../support/files/zip.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { textOf } from '../../../support/pictures/print.ts';

const app = await sharedApp();
const newAccount = () => newClient(app, { monthlyQuota: 5000, plan: 'pro' });
const client = await newAccount();
const { get, post, used } = client;
const DATA = 'https://example.com/menu';

const queryOf = (query: object): string =>
  String(
    new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    ),
  );
const file = (query: object, accept = 'application/pdf', body: object = {}, headers = {}) =>
  post(`/qr/file?${queryOf(query)}`, { data: DATA, ...body }, { accept, ...headers });
const wordsIn = async (pdf: Buffer): Promise<string> => (await textOf(pdf)).trim().split(/\s+/).join(' ');

t.test('a file has its caption and its frame in every format, for one unit', async (t) => {
  const before = await used();
  const query = { dpi: 300, caption: 'Menu: {content}', frame: 'banner-below' };
  const pdf = await file(query);
  t.equal(pdf.status, 200, pdf.text.slice(0, 300));
  t.equal(await wordsIn(pdf.bytes), `Menu: ${DATA}`);
  const png = await file(query, 'image/png');
  const { width = 0, height = 0 } = await sharp(png.bytes).metadata();
  t.ok(height > width && width % 10 === 0, `${width} x ${height}`);
  t.equal(await decodePng(png.bytes), DATA);
  const webp = await sharp((await file(query, 'image/webp')).bytes).metadata();
  t.strictSame([webp.width, webp.height], [width, height]);
  t.match((await file(query, 'image/svg+xml')).text, /<svg/);
  t.match((await file(query, 'application/postscript')).text, /^%!PS/);
  t.equal(png.headers['tessera-grade'], (await file({ dpi: 300 }, 'image/png')).headers['tessera-grade']);
  t.equal((await used()) - before, 6);
});

t.test('GS1 data can be in the caption, and below the code in its own lines', async (t) => {
  const body = { data: 'https://brand.example/01/09521321000018/10/A7' };
  const { bytes } = await file({ caption: '{gs1} GTIN {gtin}' }, 'application/pdf', body);
  t.equal(await wordsIn(bytes), '(01)09521321000018 (10)A7 GTIN 09521321000018');
  const both = await file({ text: 'gs1', caption: 'Ware' }, 'application/pdf', body);
  t.equal(await wordsIn(both.bytes), '(01)09521321000018 (10)A7 Ware');
});

t.test('what cannot be printed is refused, with what to do', async (t) => {
  const before = await used();
  await refusesAll(
    t,
    (query: object) => file(query),
    [
      [{ caption: '{name}' }, /^caption: \{name\} is not known; known are \{content\}, \{gs1\}, \{gtin\}$/],
      [{ caption: 'a\nb\nc\nd\ne' }, /^caption: must have at most 4 lines$/],
      [{ caption: 'a\u0007' }, /^caption: must have no control characters except line ends$/],
      [{ caption: 'x'.repeat(501) }, /^caption: /],
      [{ caption: 'x', caption_mm: 0.5 }, /^caption_mm: must be at least 0\.9/],
      [{ caption_side: 'above' }, /^caption_side: needs a caption$/],
      [{ allow: 'cut' }, /^allow: needs a caption$/],
      [{ caption: 'x', allow: 'codes' }, /^allow: must be cut, glyphs or cut,glyphs$/],
      [{ caption: 'x', caption_color: '#00000080' }, /^caption_color: must be opaque$/],
      [{ caption: 'x', caption_color: 'yellow' }, /^caption_color: gives the caption a contrast of /],
      [{ frame_color: 'red' }, /^frame_color: needs a frame$/],
      [{ frame: 'banner-below' }, /^frame: needs a caption, which stands in its banner$/],
      [{ frame: 'banner-below', caption: ' ' }, /^caption: is blank, and the banner/],
      [
        { frame: 'banner-below', caption: 'x', caption_side: 'above' },
        /^caption_side: must be below or absent: the caption stands in the banner$/,
      ],
      [
        { caption: '日本' },
        /^caption: "日本" has characters that cannot be printed, U\+65E5 日, U\+672C 本: /,
      ],
      [
        { caption: 'Forty letters are too many for such codes', width_mm: 12 },
        /^caption: "Forty .*…" does not fit below this code in letters of 0\.90 mm: print the code at least \d+\.\d\d mm wide, shorten the text, or allow cut$/,
      ],
    ],
    { error: 'Invalid query' },
  );
  t.equal(await used(), before, 'it costs nothing');
});

t.test('what a caption may lose is lost and told', async (t) => {
  const long = 'Forty letters are too many for such codes';
  const cut = await file({ caption: `${long} 日`, width_mm: 12, allow: 'cut,glyphs' });
  t.equal(cut.headers['tessera-captions'], 'cut=1, glyphs=1');
  t.match(await wordsIn(cut.bytes), /^Forty .*…$/);
  const glyphs = await file({ caption: '日 Tag', allow: 'glyphs' }, 'image/png');
  t.equal(glyphs.headers['tessera-captions'], 'cut=0, glyphs=1');
  t.equal(
    (await file({ caption: '日 Tag', allow: 'glyphs' }, 'image/png')).headers['tessera-captions'],
    'cut=0, glyphs=1',
    'from the cache too',
  );
  t.notOk('tessera-captions' in (await file({ caption: 'Tag', allow: 'glyphs' })).headers);
});

t.test('a retry gives the same bytes, and another caption is another request', async (t) => {
  const headers = { 'idempotency-key': 'words-1' };
  const first = await file({ caption: 'A' }, 'application/pdf', {}, headers);
  const again = await file({ caption: 'A' }, 'application/pdf', {}, headers);
  t.strictSame(again.bytes, first.bytes);
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.equal((await file({ caption: 'B' }, 'application/pdf', {}, headers)).status, 422);
});

t.test('a repair keeps the words', async (t) => {
  const body = { cornersDotOptions: { type: 'dots' } };
  const { headers, bytes } = await file({ caption: 'Repaired' }, 'application/pdf', body, {
    'tessera-repair': 'true',
  });
  t.ok(headers['tessera-repaired']);
  t.equal(await wordsIn(bytes), 'Repaired');
});

t.test('pictures of saved codes say what is saved of them', async (t) => {
  const saved = (
    await post('/codes', {
      data: DATA,
      dynamic: true,
      name: 'Tür 4',
      external_id: 'A-7',
      folder_name: 'Doors',
    })
  ).json;
  const image = (query: object) => get(`/codes/${saved.id}/image?${queryOf({ format: 'pdf', ...query })}`);
  const caption = '{name} {external_id} {id}\n{content}\n{slug} {short_url}';
  const pdf = await image({ module_mm: 1, caption });
  t.equal(pdf.status, 200, pdf.text.slice(0, 300));
  t.equal(await wordsIn(pdf.bytes), `Tür 4 A-7 A-7 ${DATA} ${saved.slug} ${saved.short_url}`);
  t.match(pdf.headers['tessera-size-mm'], /module=1$/);
  t.match(await image({ caption: '{room}' }), {
    status: 400,
    json: { details: /^caption: \{room\} is not known/ },
  });
  t.match(await image({ caption: 'x', width: 300 }), { status: 400, json: { details: /^width: / } });
  const etag = (await image({ caption: '{name}' })).headers.etag;
  await client.patch(`/codes/${saved.id}`, { name: 'Tür 5' });
  t.not((await image({ caption: '{name}' })).headers.etag, etag, 'another name is another picture');
  const cut = await image({ module_mm: 0.3, caption: '{content}{content}{content}', allow: 'cut' });
  t.equal(cut.headers['tessera-captions'], 'cut=1, glyphs=0');
});

t.test('archives have captions, say what they lose, and lack what does not fit', async (t) => {
  const { bulk, get: getOwn } = await newAccount();
  const { folderId } = await bulk([{ data: 'A' }, { data: `${DATA}/2` }], 'Menu');
  const archive = async (query: object) =>
    readZip(
      (await getOwn(`/folders/${folderId}/archive?${queryOf({ format: 'pdf', width_mm: 15, ...query })}`))
        .bytes,
    );
  const textIn = (files: Awaited<ReturnType<typeof archive>>, name: string) =>
    files.find((entry) => entry.name === name)!.bytes;
  const strict = await archive({ caption: '{content}' });
  const manifest = textIn(strict, 'manifest.csv').toString();
  t.match(manifest, /does not fit below this code/);
  const loose = await archive({ caption: '{content}', allow: 'cut' });
  t.match(textIn(loose, 'manifest.csv').toString(), /caption-cut/);
  t.equal(loose.filter(({ name }) => name.endsWith('.pdf')).length, 2);
});

t.test('a print profile keeps caption and frame, and a call overrides them one by one', async (t) => {
  const own = await newAccount();
  const options = {
    format: 'pdf',
    width_mm: 30,
    caption: '{name}',
    frame: 'rounded',
    caption_weight: 'bold',
  };
  const made = await own.post('/print-profiles', { name: 'Table', options });
  t.equal(made.status, 201, made.text);
  t.strictSame(made.json.options, options);
  t.equal(
    (await own.post('/print-profiles', { name: 'Rows', options: { caption: '{room} {n:03}' } })).status,
    201,
    'its caption may name columns of batches',
  );
  await refusesAll(t, (wrong: object) => own.post('/print-profiles', { name: 'x', options: wrong }), [
    [{ frame: 'banner-above' }, /^options\.frame: needs a caption/],
    [{ caption: 'a\u0000' }, /^options\.caption: must have no control characters/],
    [{ caption: 'a', width: 300 }, /^options\.width: /],
  ]);
  const saved = (await own.post('/codes', { data: DATA, name: 'Tisch 4' })).json;
  const image = (query: object) =>
    own.get(`/codes/${saved.id}/image?${queryOf({ profile: 'Table', ...query })}`);
  t.equal(await wordsIn((await image({})).bytes), 'Tisch 4');
  t.equal(await wordsIn((await image({ caption: 'Free' })).bytes), 'Free');
  t.equal(await wordsIn((await image({ caption: '' })).bytes), '', 'an empty one is none');
  const png = await sharp((await image({ format: 'png', width: 300 })).bytes).metadata();
  t.strictSame([png.width, png.height], [300, 300], 'a width in pixels leaves them out');
});
