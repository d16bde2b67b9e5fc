/** Halves of bodies, of each kind that a parser takes, as large as the route permits. */
import { randomBytes } from 'node:crypto';
import { ROW_MAX_BYTES, UPLOADS } from '../../../src/batches/receive/limits.ts';
import { XLSX_TYPE } from '../../../src/http/bodies/row-types.ts';
import { BODY_LIMIT_BYTES } from '../../../src/http/routes/generate/single.ts';
import { TABLE_MAX_BYTES } from '../../../src/resolver/table.ts';
import { headOf } from './crowd.ts';
import type { Sent } from './readers.ts';

const BULK_BYTES = 220_000_000;
const XLSX_BYTES = 32 * 1024 * 1024;
const LOGO_CHARACTERS = 1_900_000;
/** Of the two gigabytes that a batch may have: rows are stored as they come. */
const ROWS_BYTES = 8 * ROW_MAX_BYTES;
const BOUNDARY = 'half';

const logo = `"image":"data:image/png;base64,${'A'.repeat(LOGO_CHARACTERS)}"`;
const row = `{"data":"x",${logo}}`;

/** Returns the first half of `bytes` bytes that repeat `text` after `start`. */
const halfOf = (bytes: number, start: string, text: string): Buffer => {
  const begin = Buffer.from(start);
  return Buffer.concat([begin, Buffer.alloc(Math.floor(bytes / 2) - begin.length, text)]);
};

const half =
  (
    request: string | ((owner: Parameters<Sent>[0]) => string),
    type: string,
    bytes: number,
    body: Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Sent =>
  (owner) => {
    const line = typeof request === 'string' ? request : request(owner);
    const all = { 'content-type': type, 'content-length': bytes, ...headers };
    return [headOf(line, owner.key, all), body];
  };

const JSON_TYPE = 'application/json';
const items = halfOf(BULK_BYTES, '{"folderName":"x","items":[', `${row},`);
const single = halfOf(BODY_LIMIT_BYTES, '{"data":"x","image":"data:image/png;base64,', 'A');
const table = halfOf(
  TABLE_MAX_BYTES,
  'key,rel,href,title\n',
  '(8004)0614141,gs1:pip,https://a.example/,Juice\n',
);
const csv = halfOf(ROWS_BYTES, 'data\n', 'https://example.com/a-row-of-a-table\n');
const ndjson = halfOf(ROWS_BYTES, '', `${row}\n`);
const form = halfOf(
  ROWS_BYTES,
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="rows"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\ndata\n`,
  'https://example.com/a-row-of-a-table\n',
);
const xlsx = Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(XLSX_BYTES / 2 - 4)]);
const signIn = halfOf(4000, '{"key":"', 'x');

/** By name. */
export const SENDERS: Readonly<Record<string, Sent>> = {
  'JSON of a single call': half('POST /api/v1/qr', JSON_TYPE, BODY_LIMIT_BYTES, single),
  'JSON of a preset': half('POST /api/v1/presets', JSON_TYPE, BODY_LIMIT_BYTES, single),
  'JSON of a bulk call': half('POST /api/v1/qr/bulk', JSON_TYPE, BULK_BYTES, items),
  'JSON of a bulk check': half('POST /api/v1/qr/bulk/check', JSON_TYPE, BULK_BYTES, items),
  'JSON of a sign-in': half('POST /dashboard/session', JSON_TYPE, 4000, signIn, {
    'sec-fetch-site': 'same-origin',
  }),
  'a table of items': half('POST /api/v1/resolver/items/import', 'text/csv', TABLE_MAX_BYTES, table),
  'a batch as CSV': half('POST /api/v1/batches', 'text/csv', ROWS_BYTES, csv),
  'a batch as NDJSON': half('POST /api/v1/batches', 'application/x-ndjson', ROWS_BYTES, ndjson),
  'a batch as XLSX': half('POST /api/v1/batches', XLSX_TYPE, XLSX_BYTES, xlsx),
  'a batch as a form': half(
    ...(['POST /api/v1/batches', `multipart/form-data; boundary=${BOUNDARY}`, ROWS_BYTES, form] as const),
  ),
  'a chunk of a batch': half(
    ({ upload }) => `PATCH /api/v1/batch-uploads/${upload}`,
    'application/partial-upload',
    UPLOADS.chunkMaxBytes,
    halfOf(UPLOADS.chunkMaxBytes, '', 'x'),
    { 'upload-offset': '0' },
  ),
  'a preview of CSV': half('POST /api/v1/batches/preview', 'text/csv', ROWS_BYTES, csv),
  'a preview of XLSX': half('POST /api/v1/batches/preview', XLSX_TYPE, XLSX_BYTES, xlsx),
};
