/** Barcodes beside the QR code over HTTP: what they hold, cost and refuse. */
import t from 'tap';
import { FORMATS, namesOf } from '../../../../workers/lists.ts';
import { startApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { textOf } from '../../../support/pictures/print.ts';
import { pixelsOf, readBarcode } from '../../../workers/barcode/support.ts';

const app = await startApp(t);
const { post, used, get } = await newClient(app, { monthlyQuota: 100 });
const MATRIX = { symbology: 'gs1-datamatrix', data: '(01)09521321000018(10)A7(21)7' };
const EAN = { symbology: 'ean-13', data: '9521321000018' };

const file = (body: object, query = '', accept = 'image/png', headers = {}) =>
  post(`/barcodes/file?${query}`, body, { accept, ...headers });

t.test('a barcode is made in every format, for one unit', async (t) => {
  const before = await used();
  for (const [index, format] of namesOf(FORMATS).entries()) {
    const answer = await file(MATRIX, 'text=gs1', FORMATS[format].mediaType);
    t.equal(answer.status, 200, answer.text.slice(0, 200));
    t.match(answer.headers, {
      'content-type': FORMATS[format].mediaType,
      'content-disposition': `inline; filename="gs1-datamatrix.${format}"`,
      'x-qr-usage': String(before + index + 1),
      'tessera-size-mm': /^width=[\d.]+, height=[\d.]+, module=0\.508$/,
      'server-timing': /^quota/,
      vary: /accept/i,
    });
    const drawn = format === 'webp' ? 'png' : format;
    t.equal(
      await readBarcode(await pixelsOf(answer.bytes, drawn)),
      ']d2010952132100001810A7\u001d217',
      format,
    );
  }
  t.equal((await post('/barcodes/file', EAN)).headers['content-type'], 'image/png');
  t.equal(await used(), before + namesOf(FORMATS).length + 1);
  t.match(await file(EAN, '', 'image/gif'), { status: 406 });
});

t.test('the data may be an element string in any form, a URI, or for bars a GTIN', async (t) => {
  const read = async (symbology: string, data: string) => {
    const { bytes, status, text } = await file({ symbology, data });
    return status === 200 ? readBarcode(await pixelsOf(bytes, 'png')) : text;
  };
  for (const data of [
    '(01)09521321000018(10)A7',
    ']Q3010952132100001810A7',
    '\u001d010952132100001810A7',
    'https://brand.example/01/9521321000018/10/A7?linkType=all',
  ])
    t.equal(await read('gs1-datamatrix', data), ']d2010952132100001810A7', data);
  for (const data of [
    '9521321000018',
    '09521321000018',
    '(01)09521321000018',
    'https://id.gs1.org/01/09521321000018',
  ])
    t.equal(await read('ean-13', data), ']E09521321000018', data);
  for (const symbology of ['ean-13', 'upc-a'])
    t.equal(await read(symbology, '012345678905'), ']E00012345678905', symbology);
  const { bytes } = await file(MATRIX, 'text=gs1', 'application/pdf');
  t.equal((await textOf(bytes)).replace(/\s/g, ''), MATRIX.data);
});

t.test('what is wrong is named by its field, and costs nothing', async (t) => {
  const before = await used();
  const matrix = (data: string) => ({ ...MATRIX, data });
  const ean = (data: string) => ({ ...EAN, data });
  const upc = (data: string) => ({ symbology: 'upc-a', data });
  for (const [body, query, details] of [
    [{ ...EAN, symbology: 'ean-8' }, '', /^symbology: /],
    [{ ...EAN, width: 300 }, '', /^width: /],
    [EAN, 'bleed_mm=3', /^bleed_mm: /],
    [EAN, 'quiet_zone=11.5', /^quiet_zone: /],
    [matrix('9521321000018'), '', /^data: .*write a GTIN as "\(01\)09521321000018"/],
    [matrix('(01)09521321000011'), '', /^data: .*check digit must be 8/],
    [ean('9521321000011'), '', /^data: character 13: the check digit must be 8/],
    [
      ean('(01)09521321000018(10)A7'),
      '',
      /^data: has \(01\) \(10\), and EAN-13 holds a GTIN, AI \(01\), alone/,
    ],
    [ean('(00)106141412345678908'), '', /^data: has \(00\), and EAN-13 holds a GTIN/],
    [
      ean('19521321000015'),
      '',
      /^data: has the GTIN-14 19521321000015, and EAN-13 holds a GTIN-13 or GTIN-12/,
    ],
    [ean('96385074'), '', /^data: has the GTIN-8 96385074, and EAN-13 holds a GTIN-13 or GTIN-12/],
    [upc('9521321000018'), '', /^data: has the GTIN-13 9521321000018, and UPC-A holds a GTIN-12;/],
    [EAN, 'module_mm=0.5&width_mm=40', /^width_mm: must not be sent together with module_mm$/],
    [EAN, 'module_mm=0.2&till=true', /^module_mm: modules would be 0\.2 mm; tills need 0\.264 to 0\.66 mm/],
    [EAN, 'quiet_zone=10', /^quiet_zone: must be at least 11 for EAN-13$/],
    [MATRIX, 'module_mm=0.5', /^module_mm: gives 5\.906 dots a module at 300 dpi/],
    [matrix('(00)106141412345678908'), 'till=true', /^data: must have a GTIN, AI \(01\), for tills$/],
    [matrix('(01)19521321000015'), 'till=true', /^data: has the GTIN-14 19521321000015, of a case/],
  ] as const)
    t.match(await file(body, query), { status: 400, json: { details } }, `${JSON.stringify(body)} ${query}`);
  t.equal(await used(), before);
  const { remaining } = (await get('/usage')).json;
  t.equal(remaining, 100 - before);
});

t.test('an Idempotency-Key replays the same file free of charge, and no other', async (t) => {
  const once = { 'idempotency-key': 'barcode 1'.replace(' ', '-') };
  const first = await file(MATRIX, 'till=true&text=gs1', 'application/pdf', once);
  t.equal(first.headers['idempotent-replayed'], undefined);
  const before = await used();
  const again = await file(MATRIX, 'text=gs1&till=true', 'application/pdf', once);
  t.match(again, {
    status: 200,
    headers: { 'idempotent-replayed': 'true', 'x-qr-usage': first.headers['x-qr-usage'] },
  });
  t.ok(again.bytes.equals(first.bytes));
  t.match(await file(MATRIX, 'till=true', 'application/pdf', once), { status: 422 });
  t.match(await file(MATRIX, 'till=true&text=gs1', 'image/png', once), { status: 422 });
  t.match(await file(EAN, 'till=true&text=gs1', 'application/pdf', once), { status: 422 });
  t.equal(await used(), before);
  const refused = { 'idempotency-key': 'refused' };
  for (const _ of [1, 2])
    t.match(await file(MATRIX, 'module_mm=0.5', 'image/png', refused), {
      status: 400,
      json: { details: /^module_mm/ },
    });
});

t.test('without a unit nothing is drawn', async (t) => {
  const empty = await newClient(app, { monthlyQuota: 1 });
  t.equal((await empty.post('/barcodes/file', EAN)).status, 200);
  t.match(await empty.post('/barcodes/file', EAN), { status: 429, json: { details: /^No units are left/ } });
});
