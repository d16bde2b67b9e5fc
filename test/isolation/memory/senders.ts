/** Halves of bodies, of each kind that a parser takes, as large as the route permits. */
import { randomBytes } from 'node:crypto';
import { ROW_MAX_BYTES, UPLOADS } from '../../../src/batches/receive/limits.ts';
import { XLSX_TYPE } from '../../../src/http/bodies/row-types.ts';
import { BODY_LIMIT_BYTES } from '../../../src/http/routes/generate/single.ts';
import { TABLE_MAX_BYTES } from '../../../src/resolver/table.ts';
import { headOf, type Pieces } from './crowd.ts';
import type { Sender } from './owners.ts';

const BULK_BYTES = 220_000_000;
const XLSX_BYTES = 32 * 1024 * 1024;
const LOGO_CHARACTERS = 1_900_000;
/** Of the two gigabytes that a batch may have: rows are stored as they come. */
const ROWS_BYTES = 8 * ROW_MAX_BYTES;
const SIGN_IN_BYTES = 4000;
const BOUNDARY = 'half';

const ROW = `{"data":"x","image":"data:image/png;base64,${'A'.repeat(LOGO_CHARACTERS)}"}`;
const CSV_ROW = 'https://example.com/a-row-of-a-table\n';
const ITEM = '(8004)0614141,gs1:pip,https://a.example/,Juice\n';
const FORM = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="rows"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\ndata\n`;

/** The type of a body, its bytes, and its first half. */
type Half = readonly [type: string, bytes: number, body: Buffer];

/** Returns the first half of `bytes` bytes that repeat `text` after `start`. */
const half = (type: string, bytes: number, start: string, text: string): Half => {
  const begin = Buffer.from(start);
  const rest = Buffer.alloc(Math.floor(bytes / 2) - begin.length, text);
  return [type, bytes, Buffer.concat([begin, rest])];
};

const JSON_TYPE = 'application/json';
const single = half(JSON_TYPE, BODY_LIMIT_BYTES, '{"data":"x","image":"data:image/png;base64,', 'A');
const items = half(JSON_TYPE, BULK_BYTES, '{"folderName":"x","items":[', `${ROW},`);
const signIn = half(JSON_TYPE, SIGN_IN_BYTES, '{"key":"', 'x');
const table = half('text/csv', TABLE_MAX_BYTES, 'key,rel,href,title\n', ITEM);
const csv = half('text/csv', ROWS_BYTES, 'data\n', CSV_ROW);
const ndjson = half('application/x-ndjson', ROWS_BYTES, '', `${ROW}\n`);
const form = half(`multipart/form-data; boundary=${BOUNDARY}`, ROWS_BYTES, FORM, CSV_ROW);
const chunk = half('application/partial-upload', UPLOADS.chunkMaxBytes, '', 'x');
const noise = randomBytes(XLSX_BYTES / 2 - 4);
const xlsx: Half = [XLSX_TYPE, XLSX_BYTES, Buffer.concat([Buffer.from('PK\u0003\u0004'), noise])];

const REQUESTS: Readonly<Record<string, readonly [request: string, half: Half, headers?: object]>> = {
  'JSON of a single call': ['POST /api/v1/qr', single],
  'JSON of a preset': ['POST /api/v1/presets', single],
  'JSON of a bulk call': ['POST /api/v1/qr/bulk', items],
  'JSON of a bulk check': ['POST /api/v1/qr/bulk/check', items],
  'JSON of a sign-in': ['POST /dashboard/session', signIn, { 'sec-fetch-site': 'same-origin' }],
  'a table of items': ['POST /api/v1/resolver/items/import', table],
  'a batch as CSV': ['POST /api/v1/batches', csv],
  'a batch as NDJSON': ['POST /api/v1/batches', ndjson],
  'a batch as XLSX': ['POST /api/v1/batches', xlsx],
  'a batch as a form': ['POST /api/v1/batches', form],
  'a chunk of a batch': ['PATCH /api/v1/batch-uploads/:upload', chunk, { 'upload-offset': '0' }],
  'a preview of CSV': ['POST /api/v1/batches/preview', csv],
  'a preview of XLSX': ['POST /api/v1/batches/preview', xlsx],
};

/** By name. */
export const SENDERS: Readonly<Record<string, (sender: Sender) => Pieces>> = Object.fromEntries(
  Object.entries(REQUESTS).map(([name, [request, [type, bytes, body], headers]]) => [
    name,
    ({ key, upload }) => {
      const all = { 'content-type': type, 'content-length': bytes, ...headers };
      return [headOf(request.replace(':upload', upload), key, all), body];
    },
  ]),
);
