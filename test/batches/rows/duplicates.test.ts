/** Rows that repeat an earlier one are found before a batch is paid. */
import t from 'tap';
import { ndjson, newSender, plainRows, sharedBatchApp } from '../support.ts';

const { app, sql } = await sharedBatchApp();
const { call } = app;

const GS1 = JSON.stringify({ qrOptions: { gs1: 'digital-link' } });
const SERIALS = 'gtin,serial,name\n9521321000018,A1,a\n09521321000018,A7,b\n9521321000018,A7,c\n';

const sender = async () => {
  const made = await newSender(app, { monthlyQuota: 5000 });
  const { key, send, ended } = made;
  return Object.assign(made, {
    async sendCsv(body: string, query = '', design = GS1) {
      const sent = await send(body, { query, headers: { 'content-type': 'text/csv', design } });
      return sent.status === 202 ? ended(sent.json.id) : sent.json;
    },
    async duplicatesOf(id: string) {
      const { text } = await call({ url: `/api/v1/batches/${id}/duplicates`, key });
      return text.trim() === ''
        ? []
        : text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
    },
    used: async () => (await call({ url: '/api/v1/usage', key })).json.usage_count,
  });
};

t.test('a batch with the same GS1 serial number twice is refused, unless the caller allows it', async (t) => {
  const { sendCsv, duplicatesOf, errorsOf, used } = await sender();
  const refused = await sendCsv(SERIALS);
  t.match(refused, { state: 'failed', errors: 1, duplicates: 1, made: 0 });
  t.strictSame(await errorsOf(refused.id), [
    {
      ...{ row: 3, external_id: null, field: 'data' },
      message: 'repeats row 2: the same GS1 key, which names a single thing',
    },
  ]);
  t.equal(await used(), 0);
  const allowed = await sendCsv(SERIALS, '?duplicates=report');
  t.match(allowed, { state: 'done', errors: 0, duplicates: 1, made: 3 });
  t.strictSame(await duplicatesOf(allowed.id), [
    { row: 3, external_id: null, first_row: 2, kind: 'gs1-key' },
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
    { row: 2, external_id: null, first_row: 1, kind: 'gs1-key' },
    { row: 5, external_id: null, first_row: 3, kind: 'gs1-key' },
  ]);
  const plain = await sendCsv('gtin\n9521321000018\n9521321000018\n');
  t.match(plain, { state: 'done', made: 2, duplicates: 1 }, 'many labels of one product');
});

t.test('the same content is reported across pieces, and refused if the caller says so', async (t) => {
  const { make, duplicatesOf, send, ended, key } = await sender();
  const rows = plainRows(1500).map((row, i) => ({ ...row, dynamic: false, external_id: `r${i + 1}` }));
  rows[1400] = { ...rows[6], external_id: 'again' } as never;
  rows[1401] = { ...rows[6] } as never;
  const batch = await make(rows);
  t.match(batch, { state: 'done', made: 1500, duplicates: 2, errors: 0 });
  const listed = [
    { row: 1401, external_id: 'again', first_row: 7, kind: 'content' },
    { row: 1402, external_id: 'r7', first_row: 7, kind: 'content' },
  ];
  t.strictSame(await duplicatesOf(batch.id), listed);
  const { json: report } = await call({ url: `/api/v1/batches/${batch.id}/report`, key });
  t.match(report.statement, { counts: { duplicates: 2 }, settings: { duplicates: 'refuse-keys' } });
  const refused = await send(ndjson(rows), { query: '?duplicates=refuse' });
  t.match(await ended(refused.json.id), { state: 'failed', errors: 2, made: 0 });
  t.match(await make(plainRows(3, { data: 'https://example.com/' })), { duplicates: 0 }, 'links differ');
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int as count from batch_keys where batch_id = ${batch.id} or batch_id = ${refused.json.id}`;
  t.equal(count, 0, 'the hashes are deleted');
});

t.test('a column can be made unique; then every row needs it', async (t) => {
  const { sendCsv, errorsOf, duplicatesOf } = await sender();
  const csv =
    'data,id,name\nhttps://example.com/1,A,x\nhttps://example.com/2,B,y\nhttps://example.com/3, A ,z\n';
  const batch = await sendCsv(csv, '?unique=external_id', '{}');
  t.match(batch, { state: 'failed', errors: 1, duplicates: 1 });
  t.match(await errorsOf(batch.id), [{ row: 3, field: 'external_id', message: /^repeats row 1: / }]);
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
  const { key, sendCsv } = await sender();
  await call({ method: 'PUT', url: '/api/v1/counters/n', key, body: { next: 1 } });
  const csv = 'sku\nA\nA\nA\n';
  const numbered = await sendCsv(csv, '', JSON.stringify({ template: 'https://example.com/{sku}/{n}' }));
  t.match(numbered, { state: 'done', duplicates: 0 });
  const plain = await sendCsv(csv, '', JSON.stringify({ template: 'https://example.com/{sku}' }));
  t.match(plain, { state: 'done', duplicates: 2 });
});
