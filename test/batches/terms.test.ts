/** How the headers of a call set the minimum grade of a batch, however its rows are sent. */
import t from 'tap';
import { XLSX_TYPE } from '../../src/http/bodies/row-types.ts';
import { xlsxOf } from '../support/files/xlsx.ts';
import { gzipped, ndjson, newSender, sharedBatchApp } from './support.ts';

const { app } = await sharedBatchApp();
const { patch, post, send, ended, errorsOf } = await newSender(app);

const TABLE = [
  ['data', 'dotsOptions.color'],
  ['pale', '#bbbbbb'],
  ['dark', '#000000'],
];
const CSV = TABLE.map((row) => `${row.join(',')}\n`).join('');
const NDJSON = ndjson([
  { data: 'pale', dotsOptions: { color: '#bbbbbb' } },
  { data: 'dark', dotsOptions: { color: '#000000' } },
]);
const FORM = `--x\r\ncontent-disposition: form-data; name="rows"\r\ncontent-type: text/csv\r\n\r\n${CSV}\r\n--x--\r\n`;

type Headers = Readonly<Record<string, string>>;

const inOnePiece =
  (type: string, body: string | Buffer, more: Headers = {}) =>
  (headers: Headers) =>
    send(body, { headers: { 'content-type': type, ...more, ...headers } });

const inChunks = async (headers: Headers) => {
  const begun = await post('/batches', undefined, {
    'content-type': 'text/csv',
    'upload-complete': '?0',
    ...headers,
  });
  if (begun.status !== 201) return begun;
  const last = {
    'content-type': 'application/partial-upload',
    'upload-offset': '0',
    'upload-complete': '?1',
  };
  return patch(`/${begun.headers.location}`, CSV, last);
};

const WAYS = {
  NDJSON: inOnePiece('application/x-ndjson', NDJSON),
  'gzip of NDJSON': inOnePiece('application/x-ndjson', gzipped(NDJSON), { 'content-encoding': 'gzip' }),
  CSV: inOnePiece('text/csv', CSV),
  XLSX: inOnePiece(XLSX_TYPE, xlsxOf(TABLE)),
  form: inOnePiece('multipart/form-data; boundary=x', FORM),
  chunks: inChunks,
};

const invalid = (header: string) => ({
  status: 400,
  json: { error: 'Invalid request header', details: new RegExp(`^${header}: `) },
});

for (const [name, sendWith] of Object.entries(WAYS))
  t.test(`rows below Tessera-Min-Grade fail and cost nothing: ${name}`, async (t) => {
    const refused = await ended((await sendWith({ 'tessera-min-grade': '3' })).json.id);
    t.match(refused, { state: 'done', made: 1, failed: 1, refunded: 1, grades: [0, 0, 0, 0, 1] });
    t.match(await errorsOf(refused.id), [
      { row: 1, field: 'dotsOptions.color', message: /gives grade 1, and Tessera-Min-Grade asks for 3/ },
    ]);
    const both = await sendWith({ 'tessera-min-grade': '3', 'tessera-repair': 'true' });
    const repaired = await ended(both.json.id);
    t.match(await errorsOf(repaired.id), [
      { row: 1, message: /grade 1 even after repair, and Tessera-Repair asks for 3/ },
    ]);
    const all = await ended((await sendWith({ 'tessera-min-grade': '0' })).json.id);
    t.match(all, { state: 'done', made: 2, failed: 0, grades: [0, 1, 0, 0, 1] });

    for (const wrong of ['5', '-1', 'x', '', '3.5'])
      t.match(await sendWith({ 'tessera-min-grade': wrong }), invalid('tessera-min-grade'));
    t.match(await sendWith({ 'tessera-repair': 'yes' }), invalid('tessera-repair'));
  });
