/** Codes for tills over HTTP: files, saved pictures, batches and sheets, and what is refused. */
import t from 'tap';
import { FORMATS as KNOWN, namesOf } from '../../../../workers/lists.ts';
import { newSender } from '../../../batches/support.ts';
import { temporaryFolder } from '../../../servers/temporary-folder.ts';
import { startApp } from '../../../support/app/app.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { printOf, textOf } from '../../../support/pictures/print.ts';

const app = await startApp(t, { BATCH_STORE: await temporaryFolder(t), FREE_WORK_MS_PER_SECOND: '0' });
const { get, post, put, make, errorsOf, entriesOf, used } = await newSender(app);
const DATA = 'https://brand.example/01/09521321000018/10/A7';
const TEXT = '(01)09521321000018 (10)A7';

const file = (query: string, body: object = {}, accept = 'application/pdf', headers = {}) =>
  post(`/qr/file?${query}`, { data: DATA, ...body }, { accept, ...headers });
const wordsIn = async (pdf: Buffer) => (await textOf(pdf)).trim().split(/\s+/).join(' ');
/** How a call is refused. */
const told = (details: RegExp) => ({ status: 400, json: { details } });

t.test('a file for tills has whole dots per module, and the text of its GS1 data', async (t) => {
  const pdf = await file('till=true&text=gs1');
  t.equal(pdf.status, 200, pdf.text.slice(0, 300));
  t.equal(await wordsIn(pdf.bytes), TEXT);
  t.equal((await textOf((await file('till=true')).bytes)).trim(), '');
  t.equal((await textOf((await file('till=true&text=none')).bytes)).trim(), '');
  const png = await file('till=true&text=gs1', {}, 'image/png');
  const { width, height } = await printOf(png.bytes);
  t.equal(width % 6, 0, '6 dots a module at 300 dpi');
  t.ok(height > width);
  t.equal(await decodePng(png.bytes), DATA);
  const webp = await printOf((await file('till=true&text=gs1', {}, 'image/webp')).bytes);
  t.strictSame([webp.width, webp.height], [width, height]);
  const narrow = await printOf((await file('till=true&dpi=203', {}, 'image/png')).bytes);
  t.equal(narrow.width, (width / 6) * 4, '4 dots a module at 203 dpi');
});

t.test('text can be printed with any GS1 data, and without the option till', async (t) => {
  const gs1 = { qrOptions: { gs1: 'element-string' }, data: '(01)09521321000018(21)a\\(b' };
  const elements = await file('text=gs1', gs1);
  t.equal(await wordsIn(elements.bytes), '(01)09521321000018 (21)a(b');
  t.match(await file('text=gs1', { data: 'https://example.com/' }), told(/^data: /));
  t.match(await file('text=gs1&module_mm=0.2'), {
    status: 400,
    json: {
      error: 'Invalid query parameters',
      details: /^text: would have digits of 0\.\d\d mm .* at least \d+\.\d\d mm wide$/,
    },
  });
});

t.test('a code that tills may not read is refused with the figures, and costs nothing', async (t) => {
  const before = await used();
  const style = (dots: string, ground: string) => ({
    dotsOptions: { color: dots },
    backgroundOptions: { color: ground },
  });
  const cases: readonly (readonly [query: string, body: object, details: RegExp])[] = [
    [
      'module_mm=0.3',
      {},
      /^module_mm: modules would be 0\.3 mm; tills need 0\.396 to 0\.99 mm: print this code 16\.24 to \d+\.\d+ mm wide$/,
    ],
    ['width_mm=60', {}, /^width_mm: modules would be 1\.\d+ mm; tills need/],
    ['quiet_zone=3', {}, /^quiet_zone: must be at least 4 for tills$/],
    ['', { shape: 'circle' }, /^shape: must be square for tills$/],
    ['', { data: 'https://example.com/' }, /^data: .*primary key/],
    ['', { data: '(01)09521321000018' }, /^data: must be a GS1 Digital Link URI for tills: send "https:/],
    [
      '',
      { data: '(01)09521321000018', qrOptions: { gs1: 'element-string' } },
      /^qrOptions\.gs1: must be digital-link, or absent, for tills$/,
    ],
    [
      '',
      { data: 'https://id.gs1.org/00/106141412345678908' },
      /^data: must have a GTIN, AI \(01\), for tills$/,
    ],
    [
      '',
      { data: 'https://id.gs1.org/01/19521321000015' },
      /^data: has the GTIN-14 19521321000015, of a case; tills take/,
    ],
    [
      '',
      style('#cccccc', '#ffffff'),
      /^dotsOptions\.color: this gives grade [01], and tills need 2 \(contrast;/,
    ],
    ['', style('#ff0000', '#ffffff'), /^dotsOptions\.color: must be an ink with less red/],
    ['', style('#ffffff', '#000000'), /: this gives grade 0, and tills need 2 \(.*inverted/],
  ];
  for (const [query, body, details] of cases) {
    const answer = await file(`till=true&${query}`, body);
    t.match(answer, told(details), `${query} ${JSON.stringify(body)}`);
  }
  t.equal(await used(), before);
});

t.test('a saved code has pictures for tills too, or is refused', async (t) => {
  const save = async (body: object): Promise<string> => (await post('/codes', body)).json.id;
  const image = (id: string, query: string) => get(`/codes/${id}/image?format=pdf&${query}`);
  const id = await save({ data: DATA });
  t.equal(await wordsIn((await image(id, 'till=true&text=gs1')).bytes), TEXT);
  t.match(await image(await save({ data: 'no GS1' }), 'till=true'), told(/data/));
  const pale = await save({ data: DATA, dotsOptions: { color: '#ddd' } });
  t.match(await image(pale, 'till=true'), told(/tills need 2/));
});

t.test('a batch makes each row in all formats, with its text', async (t) => {
  await put('/counters/serial', { next: 1 });
  const rows = Array.from({ length: 4 }, (_, i) => ({
    data: `https://brand.example/01/09521321000018/21/${String(i + 1).padStart(4, '0')}`,
  }));
  const formats = namesOf(KNOWN);
  const design = {
    qrOptions: { gs1: 'digital-link' },
    gs1: { stem: 'https://brand.example', columns: { serial: '{serial:04}' } },
    print: { till: true, text: 'gs1' },
  };
  const batch = await make(`gtin\n${'9521321000018\n'.repeat(rows.length)}`, {
    query: `?formats=${formats.join(',')}`,
    headers: { design: JSON.stringify(design), 'content-type': 'text/csv' },
  });
  t.match(batch, { state: 'done', made: 4 }, JSON.stringify(await errorsOf(batch.id)));
  const files = (await entriesOf(batch.id)).filter(({ name }) => !name.endsWith('.csv'));
  t.equal(files.length, 4 * formats.length);
  for (const [index, { name, bytes }] of files.entries()) {
    const row = rows[Math.floor(index / formats.length)]!;
    if (name.endsWith('.png')) t.equal(await decodePng(bytes), row.data);
    if (name.endsWith('.pdf')) t.equal(await wordsIn(bytes), `(01)09521321000018 (21)${row.data.slice(-4)}`);
  }
  const { bytes } = await file('till=true&text=gs1', rows[0]!);
  t.ok(files[formats.indexOf('pdf')]!.bytes.equals(bytes), 'the same file as from the single-file call');
});

t.test('a batch reports each row that tills may not read', async (t) => {
  const rows = [
    { data: DATA },
    { data: 'https://example.com/' },
    { data: DATA, print: { module_mm: 0.2 } },
    { data: DATA, print: { till: false, text: 'none' } },
  ];
  const design = { print: { till: true, text: 'gs1' } };
  const batch = await make(rows, { headers: { design: JSON.stringify(design) } });
  t.match(await errorsOf(batch.id), [
    { row: 2, field: 'data', message: /primary key/ },
    { row: 3, field: 'print.module_mm', message: /modules would be 0\.2 mm; tills need 0\.396/ },
  ]);
  const pale = await make([{ data: DATA }, { data: DATA, dotsOptions: { color: '#ddd' } }], {
    query: '?on_error=skip',
    headers: { design: JSON.stringify(design) },
  });
  t.match(pale, { made: 1 });
  t.match(await errorsOf(pale.id), [{ row: 2, field: 'dotsOptions.color', message: /tills need 2/ }]);
});

t.test('sheets for tills have the text as caption, and refuse modules of another size', async (t) => {
  const folderOf = async (...items: readonly object[]): Promise<string> =>
    (await post('/qr/bulk', { items, folderName: JSON.stringify(items) })).json.meta.folder_id;
  const folder = await folderOf({ data: DATA }, { data: `${DATA}/21/1` });
  const sheets = (id: string, body: object) =>
    post(`/folders/${id}/sheets`, { template: 'avery-l7160', till: true, ...body });
  const answer = await sheets(folder, { label: { caption: '{gs1}\n{gtin}' } });
  t.equal(answer.status, 200, answer.text.slice(0, 300));
  const text = await textOf(answer.bytes);
  for (const part of ['(01)09521321000018 (10)A7 (21)1', '09521321000018  ']) t.match(text, part);
  t.notMatch(text, '…');
  const odd = await folderOf({ data: 'no GS1' });
  const [pale, red] = [
    await folderOf({ data: DATA, dotsOptions: { color: '#ddd' } }),
    await folderOf({ data: DATA, dotsOptions: { color: '#f00' } }),
  ];
  for (const [id, body, details] of [
    [
      ...[folder, { label: { code_mm: 13 } }],
      /^label\.code_mm: modules would be 0\.\d+ mm; tills need 0\.396 to 0\.99 mm: .* \(code [-\w]+\)$/,
    ],
    [folder, { template: 'avery-l7165' }, /^label\.code_mm: modules would be 1\.\d+ mm; tills need/],
    [odd, {}, /^data: /],
    [pale, {}, /^dotsOptions\.color: this gives grade [01], and tills need 2/],
    [red, {}, /^dotsOptions\.color: must be an ink with less red/],
  ] as [string, object, RegExp][])
    t.match(await sheets(id, body), told(details));
  t.equal((await sheets(odd, { till: false, label: { caption: '[{gs1}]' } })).status, 200);
  const small = { data: DATA, width: 60, height: 60 };
  t.equal((await sheets(await folderOf(small), {})).status, 200, 'the size of the label counts');
});
