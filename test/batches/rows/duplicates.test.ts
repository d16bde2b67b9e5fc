/** Rows that repeat an earlier one are found before a batch is paid. */
import t from 'tap';
import { newSender, plainRows, sharedBatchApp } from '../support.ts';

const { app, sql } = await sharedBatchApp();

const GS1 = JSON.stringify({ qrOptions: { gs1: 'digital-link' } });
const SERIALS = 'gtin,serial,name\n9521321000018,A1,a\n09521321000018,A7,b\n9521321000018,A7,c\n';

const sender = async () => {
  const made = await newSender(app, { monthlyQuota: 5000 });
  const { get, send, ended } = made;
  return {
    ...made,
    async sendCsv(body: string, query = '', design = GS1) {
      const sent = await send(body, { query, headers: { 'content-type': 'text/csv', design } });
      return sent.status === 202 ? ended(sent.json.id) : sent.json;
    },
    async duplicatesOf(id: string) {
      const { text } = await get(`/batches/${id}/duplicates`);
      return (text.match(/.+/g) ?? []).map((line) => JSON.parse(line));
    },
  };
};

t.test('a batch with the same GS1 serial number twice is refused, unless the caller allows it', async (t) => {
  const { sendCsv, duplicatesOf, errorsOf, used } = await sender();
  const refused = await sendCsv(SERIALS);
  t.match(refused, { state: 'failed', errors: 1, duplicates: 1, made: 0 });
  t.strictSame(await errorsOf(refused.id), [
    {
      ...{ row: 3, file_row: 4, external_id: null, field: 'data' },
      message: 'repeats row 3 of the file: the same GS1 key, which names a single thing',
    },
  ]);
  t.equal(await used(), 0);
  const allowed = await sendCsv(SERIALS, '?duplicates=report');
  t.match(allowed, { state: 'done', errors: 0, duplicates: 1, made: 3 });
  t.strictSame(await duplicatesOf(allowed.id), [
    { row: 3, file_row: 4, external_id: null, first_row: 2, first_file_row: 3, kind: 'gs1-key' },
  ]);
});

t.test('GS1 keys are compared, not texts; a GTIN without a serial number may repeat', async (t) => {
  const { make, duplicatesOf, sendCsv } = await sender();
  const gs1 = (data: string, form: string) => ({ data, qrOptions: { gs1: form } });
  const rows = [
    gs1('(01)09521321000018(21)A7(10)LOT1', 'element-string'),
    gs1('https://brand.example/01/09521321000018/21/A7?17=301231', 'digital-link'),
    gs1('(00)395213210000000019', 'element-string'),
    gs1('(01)09521321000018(21)A8', 'element-string'),
    gs1('(00)395213210000000019', 'element-string'),
  ];
  const batch = await make(rows, { query: '?duplicates=report' });
  t.strictSame(await duplicatesOf(batch.id), [
    { row: 2, file_row: 2, external_id: null, first_row: 1, first_file_row: 1, kind: 'gs1-key' },
    { row: 5, file_row: 5, external_id: null, first_row: 3, first_file_row: 3, kind: 'gs1-key' },
  ]);
  const plain = await sendCsv('gtin\n9521321000018\n9521321000018\n');
  t.match(plain, { state: 'done', made: 2, duplicates: 1 }, 'many labels of one product');
});

t.test('the same content is reported across pieces, and refused if the caller says so', async (t) => {
  const { get, make, duplicatesOf } = await sender();
  const rows = plainRows(1500).map((row, i) => ({ ...row, dynamic: false, external_id: `r${i + 1}` }));
  rows[1400] = { ...rows[6], external_id: 'again' } as never;
  rows[1401] = { ...rows[6] } as never;
  const batch = await make(rows);
  t.match(batch, { state: 'done', made: 1500, duplicates: 2, errors: 0 });
  const listed = [
    { row: 1401, file_row: 1401, external_id: 'again', first_row: 7, first_file_row: 7, kind: 'content' },
    { row: 1402, file_row: 1402, external_id: 'r7', first_row: 7, first_file_row: 7, kind: 'content' },
  ];
  t.strictSame(await duplicatesOf(batch.id), listed);
  const { json: report } = await get(`/batches/${batch.id}/report`);
  t.match(report.statement, { counts: { duplicates: 2 }, settings: { duplicates: 'refuse-keys' } });
  const refused = await make(rows, { query: '?duplicates=refuse' });
  t.match(refused, { state: 'failed', errors: 2, made: 0 });
  t.match(await make(plainRows(3, { data: 'https://example.com/' })), { duplicates: 0 }, 'links differ');
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int as count from batch_keys where batch_id = ${refused.id}`;
  t.equal(count, 0, 'the hashes of a refused batch are deleted');
});

t.test('a column can be made unique; then every row needs it', async (t) => {
  const { sendCsv, errorsOf, duplicatesOf } = await sender();
  const csv =
    'data,id,name\nhttps://example.com/1,A,x\nhttps://example.com/2,B,y\nhttps://example.com/3, A ,z\n';
  const batch = await sendCsv(csv, '?unique=external_id', '{}');
  t.match(batch, { state: 'failed', errors: 1, duplicates: 1 });
  t.match(await errorsOf(batch.id), [
    { row: 3, field: 'external_id', message: /^repeats row 2 of the file: / },
  ]);
  t.match(await duplicatesOf(batch.id), [{ row: 3, first_row: 1, kind: 'value' }]);
  const without = await sendCsv(
    'data,id\nhttps://example.com/1,A\nhttps://example.com/2,\n',
    '?unique=external_id',
    '{}',
  );
  t.match(await errorsOf(without.id), [
    { row: 2, field: 'external_id', message: 'is required: its values must be unique' },
  ]);
  t.match(await sendCsv(csv, '?unique=width', '{}'), { details: /^unique: must be data, external_id, / });
  const template = JSON.stringify({ template: 'https://example.com/{lot}' });
  const ofTemplate = await sendCsv('lot,id\n1,A\n1,B\n', '?unique=lot', template);
  t.match(await errorsOf(ofTemplate.id), [{ row: 2, field: 'lot' }]);
});

t.test('rows with numbers of a counter are compared with their numbers', async (t) => {
  const { put, sendCsv } = await sender();
  await put('/counters/n', { next: 1 });
  const csv = 'sku\nA\nA\nA\n';
  const numbered = await sendCsv(csv, '', JSON.stringify({ template: 'https://example.com/{sku}/{n}' }));
  t.match(numbered, { state: 'done', duplicates: 0 });
  const plain = await sendCsv(csv, '', JSON.stringify({ template: 'https://example.com/{sku}' }));
  t.match(plain, { state: 'done', duplicates: 2 });
});

t.test('rows are named as the file counts them, with empty rows and a late header', async (t) => {
  const { sendCsv, duplicatesOf, errorsOf, entriesOf, make } = await sender();
  const plain = (body: string, query?: string) => sendCsv(body, query, '{}');
  // Row 3 is the header; rows 1, 2, 5, 6 and 1008 are empty.
  const many = Array.from({ length: 1000 }, (_, n) => `https://example.com/${n}`).join('\n');
  const body = `\n,\ndata,width\nx,300\n\n , \n${many.replaceAll(/$/gm, ',')}\n\n`;
  const made = await plain(`${body}x,\nlast,\n`);
  t.match(made, { state: 'done', rows: 1003, empty_rows: 5, first_empty_rows: [1, 2, 5, 6, 1007] });
  t.strictSame(await duplicatesOf(made.id), [
    { row: 1002, file_row: 1008, external_id: null, first_row: 1, first_file_row: 4, kind: 'content' },
  ]);
  const manifest = String((await entriesOf(made.id)).at(-1)!.bytes);
  for (const line of ['\n1,4,,,x,', '\n2,7,,,https://example.com/0,', '\n1001,1006,', '\n1003,1009,,,last,'])
    t.ok(manifest.includes(line), line);

  const wrong = await plain(`${body}last,1\n`);
  t.match(await errorsOf(wrong.id), [{ row: 1002, file_row: 1008, field: 'width' }]);
  const twice = await plain(`${body}x,\n`, '?duplicates=refuse');
  t.match(await errorsOf(twice.id), [{ row: 1002, file_row: 1008, message: /^repeats row 4 of the file: / }]);
  const cut = await plain(`${body}x\n`);
  t.match(await errorsOf(cut.id), [{ row: 1002, file_row: 1008, message: /has 1 cell/ }]);
  const headless = await plain('\n\nweb\nx\n');
  t.match(
    await errorsOf(headless.id),
    [{ row: 1, file_row: 3, message: /no column "data"/ }],
    'the header row',
  );
  const lines = await make('{"data":"a"}\n\n\n{"data":""}\n');
  t.match(await errorsOf(lines.id), [{ row: 2, file_row: 4, field: 'data' }]);
});

t.test('a preview compares the rows by the rules of the batch, and names those of the file', async (t) => {
  const made = await sender();
  const { used } = made;
  const preview = async (body: string, query = '', design: string | null = GS1) =>
    (await made.preview(body, 'text/csv', query, design === null ? {} : { design })).json;
  t.match(await preview(`\n${SERIALS}`, '?rows=1'), {
    ...{ header_row: 2, file_rows: [3], more: true, compared_rows: 3, duplicates: 1, refused_duplicates: 1 },
    first_duplicates: [
      {
        row: 3,
        file_row: 5,
        first_row: 2,
        first_file_row: 4,
        kind: 'gs1-key',
        external_id: null,
        refused: true,
      },
    ],
  });
  t.match(await preview(SERIALS, '?duplicates=report'), { duplicates: 1, refused_duplicates: 0 });
  const same = 'data,external_id\na,1\na,2\nb,2\n';
  t.match(await preview(same, '', null), { composed: null, duplicates: 1, refused_duplicates: 0 });
  t.match(await preview(same, '?duplicates=refuse', '{}'), { refused_duplicates: 1 });
  t.match(await preview(same, '?unique=external_id', '{}'), {
    ...{ duplicates: 2, refused_duplicates: 1 },
    first_duplicates: [
      { row: 2, kind: 'content' },
      { row: 3, kind: 'value', external_id: '2' },
    ],
  });
  t.match(await preview(same, '?unique=width', '{}'), { details: /^unique: must be data/ });
  t.match(await preview('data,x\na,\na,\n', '', null), { fault: null, compared_rows: 0, duplicates: 0 });
  const long = Array.from({ length: 10_050 }, (_, n) => `${n % 10_000}`).join('\n');
  t.match(await preview(`data\n${long}\n`, '', '{}'), { compared_rows: 10_000, duplicates: 0, more: true });
  t.equal(await used(), 0);
});
