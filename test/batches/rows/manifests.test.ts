/** Manifests of batches in the forms that data merge and label software read. */
import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { XLSX_TYPE } from '../../../src/http/bodies/row-types.ts';
import { xlsxOf } from '../../support/files/xlsx.ts';
import { readZip } from '../../support/files/zip.ts';
import { ndjson, newSender, sharedBatchApp } from '../support.ts';

const { app } = await sharedBatchApp();

const CSV = [
  'data,name,shelf,file,Größe',
  'https://example.com/1,Krüge,"A;1",one,=1+2',
  '"BEGIN:VCARD\r\nFN:Ana\r\nEND:VCARD",Zoë,"B\t2",two,日本',
  'https://example.com/3,,,,',
].join('\n');

const AS_CSV = { 'content-type': 'text/csv' };

/** Reads a manifest as a program that is told the delimiter and looks at the byte order mark. */
const readManifest = (bytes: Buffer, delimiter: string): Record<string, string>[] => {
  const isWide = bytes.readUInt16LE(0) === 0xfeff;
  const text = new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  return parse(text, { columns: true, delimiter, record_delimiter: '\r\n' });
};

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

t.test('a manifest for InDesign is UTF-16 with tabs, a line a row, and picture columns with @', async (t) => {
  const { make, entriesOf } = await newSender(app);
  const query = '?formats=pdf,svg&other_columns=keep&manifest_for=indesign';
  const batch = await make(CSV, { query, headers: AS_CSV });
  t.match(batch, { state: 'done', made: 3 });
  const entries = await entriesOf(batch.id);
  const { name, bytes } = entries.at(-1)!;
  t.equal(name, 'manifest.txt', 'tabs need .txt');
  t.equal(bytes.readUInt16LE(0), 0xfeff);
  const lines = bytes.toString('utf16le').slice(1).split('\r\n');
  const columns = lines[0]!.split('\t');
  t.strictSame(columns, [
    ...['row', 'file_row', 'external_id', 'name', 'content', 'slug', 'short_url', 'symbology'],
    ...['@file_pdf', 'sha256_pdf', '@file_svg', 'sha256_svg', 'grade', 'warnings'],
    ...['data', 'name (input)', 'shelf', 'file', 'Größe'],
  ]);
  t.equal(lines.length, 5, 'no cell has a line break');
  const rows = readManifest(bytes, '\t');
  for (const row of rows)
    for (const format of ['pdf', 'svg']) {
      const file = entries.find((entry) => entry.name === row[`@file_${format}`])!;
      t.equal(row[`sha256_${format}`], sha256Of(file.bytes));
    }
  t.match(rows, [
    { row: '1', name: 'Krüge', shelf: 'A;1', file: 'one', Größe: '=1+2' },
    { row: '2', content: 'BEGIN:VCARD FN:Ana END:VCARD', shelf: 'B 2', Größe: '日本' },
    { row: '3', name: '', shelf: '', 'name (input)': '', Größe: '' },
  ]);
});

t.test('a manifest for label software is UTF-8 with a byte order mark, a line a row', async (t) => {
  const { make, entriesOf, get } = await newSender(app);
  const query = '?manifest_for=labels&manifest_delimiter=semicolon&other_columns=keep';
  const batch = await make(CSV, { query, headers: AS_CSV });
  const { name, bytes } = (await entriesOf(batch.id)).at(-1)!;
  t.equal(name, 'manifest.csv');
  t.equal(bytes.subarray(0, 3).toString('hex'), 'efbbbf');
  const rows = readManifest(bytes, ';');
  t.match(rows[0], { row: '1', file: /^0000001-.*\.png$/, sha256: /^[0-9a-f]{64}$/, 'file (input)': 'one' });
  t.equal(rows[0]!.Größe, '=1+2', 'texts are printed as they are');
  const { statement } = (await get(`/batches/${batch.id}/report`)).json;
  t.match(statement, {
    settings: { manifest: { use: 'labels', encoding: 'utf-8-bom', delimiter: 'semicolon' } },
  });
});

t.test(
  'without a form, a manifest is as always, and carries the columns of the file if they are kept',
  async (t) => {
    const { make, entriesOf } = await newSender(app);
    const batch = await make(CSV, { query: '?formats=png,svg&other_columns=keep', headers: AS_CSV });
    const { name, bytes } = (await entriesOf(batch.id)).at(-1)!;
    t.equal(name, 'manifest.csv');
    const rows = readManifest(bytes, ',');
    t.strictSame(
      rows.map(({ row, Größe }) => [row, Größe]),
      [
        ['1', "'=1+2"],
        ['2', '日本'],
        ['3', ''],
      ],
      'no spreadsheet evaluates a cell',
    );
    t.match(rows[0], { file_png: /\.png$/, file_svg: /\.svg$/ });
    t.match(rows[1], { content: 'BEGIN:VCARD\r\nFN:Ana\r\nEND:VCARD', shelf: 'B\t2', file: 'two' });
    const query = '?formats=png,svg&manifest_encoding=utf-16&other_columns=skip';
    const wide = await make(CSV, { query, headers: AS_CSV });
    const plain = readManifest((await entriesOf(wide.id)).at(-1)!.bytes, ',');
    t.equal(plain.length, 6, 'a line a file');
    t.notOk('shelf' in plain[0]!);
  },
);

t.test('XLSX keeps its columns as it shows them, and columns without a name get one', async (t) => {
  const { make, entriesOf } = await newSender(app);
  const table = [
    ['data', '', '2024', 'grade'],
    ['https://example.com/1', 'x', 'y', 'z'],
  ];
  const query = '?other_columns=keep&manifest_for=labels';
  const batch = await make(xlsxOf(table), { query, headers: { 'content-type': XLSX_TYPE } });
  t.match(batch, { state: 'done', made: 1 });
  const [row] = readManifest((await entriesOf(batch.id)).at(-1)!.bytes, ',');
  t.match(row, { grade: '4', data: 'https://example.com/1', '2024': 'y', 'grade (input)': 'z' });
  t.ok(Object.entries(row!).some(([column, cell]) => /^column \d$/.test(column) && cell === 'x'));
});

t.test('a reprint has the lines of its rows in the form of the batch', async (t) => {
  const { make, post } = await newSender(app);
  for (const use of ['indesign', 'labels']) {
    const query = `?other_columns=keep&manifest_for=${use}`;
    const batch = await make(CSV, { query, headers: AS_CSV });
    const answer = await post(`/batches/${batch.id}/reprints`, { rows: [2, 3] });
    const manifest = (await readZip(answer.bytes)).at(-1)!;
    const rows = readManifest(manifest.bytes, use === 'indesign' ? '\t' : ',');
    t.strictSame(
      rows.map(({ row, name }) => [row, name]),
      [
        ['2', 'Zoë'],
        ['3', ''],
      ],
    );
  }
});

t.test(
  'faults and duplicates are found in rows whose cells are kept, and a preview reads them',
  async (t) => {
    const { make, errorsOf, preview, get } = await newSender(app);
    const keep = { query: '?other_columns=keep', headers: AS_CSV };
    const wrong = await make('data,width,note\na,300,x\nb,wide,y\n', keep);
    t.match(wrong, { state: 'failed', errors: 1 });
    t.match(await errorsOf(wrong.id), [{ row: 2, field: 'width' }]);
    const long = await make(`data,note\na,${'x'.repeat(32_000)}\n`, keep);
    t.match(await errorsOf(long.id), [{ row: 1, field: 'row', message: /has more than 32000 characters/ }]);
    const twice = await make('data,id,note\na,one,x\na,two,y\n', keep);
    t.match(twice, { state: 'done', duplicates: 1 });
    const { text } = await get(`/batches/${twice.id}/duplicates`);
    t.match(JSON.parse(text), { row: 2, external_id: 'two', first_row: 1 });
    const design = { design: '{}' };
    const previewed = await preview('data,note\na,x\n', 'text/csv', '?other_columns=keep', design);
    t.match(previewed.json, { fault: null, composed: [{ data: 'a', fault: null }] });
  },
);

t.test('what a form cannot be is refused', async (t) => {
  const { send, make, errorsOf } = await newSender(app);
  const refused = await send(ndjson([{ data: 'a' }]), { query: '?other_columns=keep' });
  t.match(refused, { status: 400, json: { details: /^other_columns: keep is only for CSV and XLSX/ } });
  for (const query of ['?manifest_for=word', '?manifest_encoding=latin1', '?manifest_delimiter=pipe'])
    t.match(await send('data\na\n', { query, headers: AS_CSV }), { status: 400 });
  const marked = await make(ndjson([['with cells', { data: 'a' }, '[]'] as never]));
  t.match(await errorsOf(marked.id), [{ row: 1, message: /must be a JSON object/ }]);
});
