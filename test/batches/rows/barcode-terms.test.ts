/** What rows that are barcodes may not ask for, and what is said of them before they are made. */
import t from 'tap';
import { newSender, sharedBatchApp } from '../support.ts';

const { app } = await sharedBatchApp();
const designOf = (design: object) => ({ design: JSON.stringify(design) });

t.test('what only a QR code has is refused by row and field, and nothing is charged', async (t) => {
  const { make, errorsOf, used } = await newSender(app);
  const ean = { symbology: 'ean-13', data: '9521321000018' };
  const matrix = { symbology: 'gs1-datamatrix', data: '(01)09521321000018(10)A7' };
  const only = (name = 'EAN-13') => `is only for QR codes, and this is ${name}: leave it out`;
  const cases: readonly (readonly [object, string, string | RegExp])[] = [
    [{ ...ean, dotsOptions: { type: 'dots' } }, 'dotsOptions.type', only()],
    [
      { ...ean, dotsOptions: { gradient: { colorStops: [{ offset: 0, color: 'red' }] } } },
      'dotsOptions.gradient.colorStops',
      only(),
    ],
    [{ ...matrix, image: 'https://example.com/a.png' }, 'image', only('GS1 DataMatrix')],
    [
      { ...matrix, qrOptions: { errorCorrectionLevel: 'H' } },
      'qrOptions.errorCorrectionLevel',
      only('GS1 DataMatrix'),
    ],
    [{ ...ean, width: 300 }, 'width', only()],
    [{ ...ean, shape: 'square' }, 'shape', only()],
    [{ ...ean, tags: ['a'] }, 'tags', only()],
    [{ ...ean, slug: 'mine-1' }, 'slug', only()],
    [{ ...ean, dynamic: true }, 'dynamic', /^must be false: EAN-13 holds GS1 data and no short link$/],
    [{ ...ean, print: { bleed_mm: 2 } }, 'print.bleed_mm', only()],
    [{ ...ean, print: { frame: 'line' } }, 'print.frame', only()],
    [{ ...ean, print: { caption: 'x' } }, 'print.caption', only()],
    [{ ...ean, print: { quiet_zone: 11.5 } }, 'print.quiet_zone', 'must be a whole number for EAN-13'],
    [{ ...ean, print: { quiet_zone: 10 } }, 'print.quiet_zone', 'must be at least 11 for EAN-13'],
    [{ ...ean, print: { module_mm: 0.2, till: true } }, 'print.module_mm', /tills need 0\.264 to 0\.66 mm/],
    [{ ...ean, print: { module_mm: 0.105833, dpi: 2400, text: 'gs1' } }, 'print.text', /digits of/],
    [{ ...matrix, print: { module_mm: 0.5 } }, 'print.module_mm', /5\.906 dots a module at 300 dpi/],
    [{ ...matrix, data: '(01)19521321000015', print: { till: true } }, 'data', /GTIN-14/],
    [{ ...ean, data: '9521321000011' }, 'data', /check digit must be 8/],
    [{ symbology: 'ean-13', gtin: '9521321000018', lot: 'A7' }, 'data', /has \(01\) \(10\), and EAN-13/],
    [
      { symbology: 'upc-a', gtin: '9521321000018' },
      'data',
      /GTIN-13 9521321000018, and UPC-A holds a GTIN-12/,
    ],
    [{ symbology: 'upc-a' }, 'data', /is required, unless there are GS1 columns/],
    [{ ...ean, symbology: 'ean-8' }, 'symbology', /ean-13/],
    [{ ...ean, lot: 'A7' }, 'lot', /is not used/],
  ];
  const before = await used();
  const batch = await make(cases.map(([row], index) => ({ ...row, external_id: `${index}` })));
  t.match(batch, { state: 'failed', made: 0, errors: cases.length });
  const errors = await errorsOf(batch.id);
  for (const [index, [row, field, message]] of cases.entries())
    t.match(errors[index], { row: index + 1, external_id: `${index}`, field, message }, JSON.stringify(row));
  t.equal(await used(), before);
});

t.test(
  'options for all rows count for their QR codes, except print, and a job of barcodes has no others',
  async (t) => {
    const { make, send, errorsOf } = await newSender(app);
    const rows = [{ data: 'text' }, { symbology: 'ean-13', data: '9521321000018' }];
    const design = { dotsOptions: { type: 'dots' }, print: { module_mm: 0.339, dpi: 300, round: 'down' } };
    t.match(await make(rows, { headers: designOf(design) }), { state: 'done', made: 2 });
    for (const [more, field] of [
      [{ print: { color: 'cmyk' } }, 'print.color'],
      [{ dynamic: true }, 'dynamic'],
    ] as const) {
      const refused = await make(rows.slice(1), { headers: designOf(more) });
      t.match(await errorsOf(refused.id), [{ row: 1, field }]);
    }
    for (const [more, details] of [
      [
        { dotsOptions: { type: 'dots' } },
        /^Design\.dotsOptions\.type: is only for QR codes, and this is EAN-13/,
      ],
      [{ qrOptions: { gs1: 'digital-link' } }, /^Design\.qrOptions\.gs1: is only for QR codes/],
      [{ dynamic: true }, /^Design\.dynamic: must be false/],
      [{ print: { bleed_mm: 1 } }, /^Design\.print\.bleed_mm: is only for QR codes/],
      [{ symbology: 'ean-8' }, /^Design\.symbology: /],
      [{ gs1: { stem: 'https://brand.example' } }, /^Design\.gs1\.stem: works only with/],
    ] as const) {
      const headers = designOf({ symbology: 'ean-13', ...more });
      t.match(await send('{"data":"9521321000018"}\n', { headers }), { status: 400, json: { details } });
    }
    const rounded = { data: 'https://example.com/', symbology: 'qr', width: 300 };
    t.match(await make([...rows.slice(1), rounded], { headers: designOf({ symbology: 'ean-13' }) }), {
      made: 2,
    });
  },
);

t.test('a minimum grade and repairs are for QR codes alone', async (t) => {
  const { make, errorsOf } = await newSender(app);
  const rows = [
    { symbology: 'ean-13', data: '9521321000018' },
    { data: 'text', margin: 0 },
    { symbology: 'gs1-datamatrix', data: '(01)09521321000018' },
  ];
  const headers = { 'tessera-min-grade': '4', 'tessera-repair': 'true' };
  const batch = await make(rows, { headers });
  t.strictSame(await errorsOf(batch.id), []);
  t.match(batch, { state: 'done', made: 3, grades: [0, 0, 0, 0, 1] });
});

t.test('a preview says what barcodes would hold, and what is wrong with rows', async (t) => {
  const { preview } = await newSender(app);
  const csv = [
    'Barcode type,ean,width,print.quiet_zone',
    'ean-13,9521321000018,,',
    'ean-13,9521321000011,300,2',
    'upc-a,012345678905,,',
  ].join('\n');
  const json = JSON.parse((await preview(csv, 'text/csv', '', designOf({}))).text);
  t.match(json.columns, [{ field: 'symbology' }, { field: 'gtin' }]);
  t.match(json.composed, [{ data: '9521321000018' }, { data: null }, { data: '012345678905' }]);
  const [faulty] = json.faulty_rows;
  t.strictSame(faulty.faults.map(({ field }: { field: string }) => field).sort(), [
    'data',
    'gtin',
    'print.quiet_zone',
    'width',
  ]);
});
