/** Rows of batches that are barcodes beside the QR code. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { checkGs1 } from '../../../src/gs1/check.ts';
import { writeBrackets } from '../../../src/gs1/element-string.ts';
import { FORMATS, namesOf } from '../../../workers/lists.ts';
import { joinElements } from '../../../workers/symbol/gs1.ts';
import { readZip } from '../../support/files/zip.ts';
import { pairsOf } from '../../support/gs1.ts';
import { createRandom } from '../../support/random.ts';
import { pixelsOf, readBarcode } from '../../workers/barcode/support.ts';
import { newSender, sharedBatchApp } from '../support.ts';

const { app } = await sharedBatchApp();
const AS_CSV = { 'content-type': 'text/csv' };
const designOf = (design: object) => ({ design: JSON.stringify(design) });
const read = async (bytes: Uint8Array, format: 'png' | 'svg' | 'pdf' | 'eps' = 'png') =>
  readBarcode(await pixelsOf(bytes, format));

t.test('rows of all symbologies are made in one batch, each for a unit, and read as such', async (t) => {
  const { make, entriesOf, manifestOf, used, get, errorsOf } = await newSender(app);
  const csv = [
    'symbology,data,gtin,lot,external_id,name,qrOptions.gs1,dotsOptions.type',
    'gs1-datamatrix,,9521321000018,A7,a,Matrix,,',
    'ean-13,9521321000018,,,b,Bars,,',
    'upc-a,,012345678905,,c,,,',
    ',https://id.gs1.org/01/09521321000018,,,d,,digital-link,rounded',
    'qr,,9521321000018,A7,e,,element-string,',
    'gs1-datamatrix,https://brand.example/01/09521321000018/21/7,,,f,,,',
  ].join('\n');
  const before = await used();
  const batch = await make(csv, { query: '?formats=svg,png', headers: AS_CSV });
  t.strictSame(await errorsOf(batch.id), []);
  t.match(batch, { state: 'done', made: 6, failed: 0, grades: [0, 0, 0, 0, 2] });
  t.equal((await used()) - before, 6);
  const entries = await entriesOf(batch.id);
  const lines = await manifestOf(batch.id);
  t.strictSame(
    lines
      .filter(({ file }) => file!.endsWith('.png'))
      .map(({ row, symbology, content, grade, external_id: id }) => [row, symbology, content, grade, id]),
    [
      ['1', 'gs1-datamatrix', '(01)09521321000018(10)A7', '', 'a'],
      ['2', 'ean-13', '9521321000018', '', 'b'],
      ['3', 'upc-a', '012345678905', '', 'c'],
      ['4', 'qr', 'https://id.gs1.org/01/09521321000018', '4', 'd'],
      ['5', 'qr', '(01)09521321000018(10)A7', '4', 'e'],
      ['6', 'gs1-datamatrix', '(01)09521321000018(21)7', '', 'f'],
    ],
  );
  const held = [
    ']d2010952132100001810A7',
    ']E09521321000018',
    ']E00012345678905',
    ']Q1https://id.gs1.org/01/09521321000018',
    ']Q3010952132100001810A7',
    ']d20109521321000018217',
  ];
  for (const { file, row, sha256 } of lines) {
    const { bytes } = entries.find(({ name }) => name === file)!;
    t.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
    const format = file!.endsWith('.png') ? 'png' : 'svg';
    t.equal(await read(bytes, format), held[Number(row) - 1], file!);
  }
  t.match(lines[0]!.file, /^0000001-Matrix\.svg$/);
  const { data } = (await get(`/folders/${batch.folder_id}/codes`)).json;
  t.strictSame(
    data.map(({ external_id: id }) => id),
    ['d', 'e'],
    'the folder has the QR codes',
  );
});

t.test('files are those of a call for one barcode, in every format', async (t) => {
  const { make, post, entriesOf, errorsOf } = await newSender(app);
  const formats = namesOf(FORMATS);
  const print = { module_mm: 0.508, text: 'gs1', till: true };
  const rows = [
    { data: '(01)09521321000018(10)A7' },
    { symbology: 'ean-13', data: '9521321000018', print: { module_mm: 0.339, dpi: 600, round: 'down' } },
    {
      symbology: 'upc-a',
      data: '012345678905',
      print: { width_mm: 40, dpi: 600, round: 'down', quiet_zone: 12 },
    },
    { data: 'https://id.gs1.org/01/09521321000018/21/1', print: { width_mm: 16, round: 'down' } },
  ];
  const asked = [
    print,
    { ...print, module_mm: 0.339, dpi: 600, round: 'down' },
    { text: 'gs1', till: true, width_mm: 40, dpi: 600, round: 'down', quiet_zone: 12 },
    { text: 'gs1', till: true, width_mm: 16, round: 'down' },
  ];
  const batch = await make(rows, {
    query: `?formats=${formats.join(',')}`,
    headers: designOf({ symbology: 'gs1-datamatrix', print }),
  });
  t.strictSame(await errorsOf(batch.id), []);
  t.match(batch, { state: 'done', made: rows.length });
  const entries = await entriesOf(batch.id);
  for (const [index, query] of asked.entries())
    for (const format of formats) {
      const { symbology = 'gs1-datamatrix', data } = rows[index]!;
      const params = new URLSearchParams(
        Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
      );
      const accept = FORMATS[format].mediaType;
      const answer = await post(`/barcodes/file?${params}`, { symbology, data }, { accept });
      t.equal(answer.status, 200, answer.text.slice(0, 200));
      const file = entries.find(
        ({ name }) => name.startsWith(`000000${index + 1}-`) && name.endsWith(`.${format}`),
      )!;
      t.ok(file.bytes.equals(answer.bytes), file.name);
    }
});

t.test('what a width means for a matrix is known when it is made, and fails its row then', async (t) => {
  const { make, errorsOf, used } = await newSender(app);
  const matrix = { symbology: 'gs1-datamatrix', data: '(01)09521321000018(10)A7' };
  const before = await used();
  const batch = await make([
    { ...matrix, print: { width_mm: 30, till: true } },
    { ...matrix, print: { width_mm: 12, round: 'down', till: true } },
  ]);
  t.match(batch, { state: 'done', made: 1, failed: 1, refunded: 1 });
  t.match(await errorsOf(batch.id), [{ row: 1, field: 'print.width_mm', message: /tills need/ }]);
  t.equal((await used()) - before, 1);
});

t.test('serial numbers of a counter are composed, and each matrix holds its own', async (t) => {
  const { make, put, entriesOf } = await newSender(app);
  await put('/counters/serial', { next: 8 });
  const headers = designOf({ symbology: 'gs1-datamatrix', gs1: { columns: { serial: '{serial:03}' } } });
  const batch = await make('gtin\n9521321000018\n9521321000018\n', { headers: { ...headers, ...AS_CSV } });
  t.match(batch, { state: 'done', made: 2 });
  const [first, second] = await entriesOf(batch.id);
  t.equal(await read(first!.bytes), ']d2010952132100001821008');
  t.equal(await read(second!.bytes), ']d2010952132100001821009');
  const checked = await make('gtin\n9521321000018\n', {
    headers: { ...designOf({ symbology: 'ean-13', template: '952132100001{serial}' }), ...AS_CSV },
    query: '?other_columns=skip',
  });
  t.equal(checked.state, 'failed', 'a check digit is no counter');
});

t.test('rows repeat another one of their own symbology, in any form of the data', async (t) => {
  const { make, get, errorsOf } = await newSender(app);
  const kinds = async (rows: readonly object[]) => {
    const batch = await make(rows, { query: '?duplicates=report' });
    t.strictSame(await errorsOf(batch.id), []);
    const { text } = await get(`/batches/${batch.id}/duplicates`);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const { row, first_row: first, kind } = JSON.parse(line);
        return [row, first, kind];
      });
  };
  const [matrix, ean] = [{ symbology: 'gs1-datamatrix' }, { symbology: 'ean-13' }];
  t.strictSame(
    await kinds([
      { data: '(01)09521321000018(21)7', qrOptions: { gs1: 'element-string' } },
      { ...matrix, data: '(01)09521321000018(21)7' },
      { ...matrix, data: 'https://id.gs1.org/01/09521321000018/21/7' },
      { ...ean, data: '9521321000018' },
      { ...ean, gtin: '09521321000018' },
      { ...matrix, data: '(01)09521321000018' },
      { ...ean, data: '8004123456784' },
      { ...ean, data: '8004123456784' },
    ]),
    [
      [3, 2, 'gs1-key'],
      [5, 4, 'content'],
      [8, 7, 'content'],
    ],
  );
});

t.test('readers read rows of random AIs', async (t) => {
  const { make, entriesOf, errorsOf } = await newSender(app);
  // Some AIs exclude each other.
  const seeds = fc
    .sample(fc.nat(), 60)
    .filter((seed) => checkGs1(writeBrackets(pairsOf(createRandom(seed)))).ok);
  t.ok(seeds.length > 20);
  const pairs = seeds.map((seed) => pairsOf(createRandom(seed)));
  const rows = pairs.map((each) => ({ symbology: 'gs1-datamatrix', data: writeBrackets(each) }));
  const batch = await make(rows, { query: '?duplicates=report' });
  t.strictSame(await errorsOf(batch.id), []);
  t.match(batch, { state: 'done', made: rows.length });
  for (const [index, { bytes }] of (await entriesOf(batch.id)).slice(0, -1).entries())
    t.equal(await read(bytes), `]d2${joinElements(pairs[index]!)}`, `seed ${seeds[index]}`);
});

t.test('a reprint, the pages and the report have barcodes as they have codes', async (t) => {
  const { make, post, get, part, entriesOf } = await newSender(app);
  const rows = [
    { symbology: 'ean-13', data: '9521321000018', external_id: 'a' },
    { data: 'text', external_id: 'b' },
    { symbology: 'gs1-datamatrix', data: '(01)09521321000018', external_id: 'c' },
  ];
  const batch = await make(rows, { query: '?formats=pdf&manifest_for=labels' });
  t.match(batch, { state: 'done', made: 3, grades: [0, 0, 0, 0, 1] });
  const entries = await entriesOf(batch.id);
  const answer = await post(`/batches/${batch.id}/reprints`, { rows: [1, 3] });
  const files = await readZip(answer.bytes);
  t.equal(files.length, 3);
  for (const { name, bytes } of files.slice(0, -1))
    t.ok(entries.find((entry) => entry.name === name)!.bytes.equals(bytes), name);
  t.match(files.at(-1)!.bytes.toString(), /,ean-13,0000001-[^,]*\.pdf,[0-9a-f]{64},,\r\n/);
  t.match(await post(`/batches/${batch.id}/reprints`, { external_ids: ['a'] }), {
    status: 400,
    json: { details: 'external_ids[0]: is of no saved code of this batch' },
  });
  const pages = await part(batch.id, 1, {});
  const whole = createHash('sha256').update(pages.bytes).digest('hex');
  const { statement } = (await get(`/batches/${batch.id}/report`)).json;
  t.match(statement, { counts: { made: 3, grades: [0, 0, 0, 0, 1] }, parts: [{ codes: 3, sha256: whole }] });
  const pdf = await get(`/batches/${batch.id}/parts/1?output=pages`);
  t.equal(pdf.bytes.toString('latin1').match(/\/Type \/Page\n/g)?.length, 3);
});
