/** Labels in ZPL II and EPL2, printed by readers of these languages and read by both readers of the service. */
import fc from 'fast-check';
import t from 'tap';
import { planPicture } from '../../../src/generate/plan.ts';
import { toDesign } from '../../../src/generate/request/design.ts';
import { resolveSheet } from '../../../src/sheets/sheet.ts';
import { PRINTER_DPI } from '../../../workers/print/dots.ts';
import { LOGOS_MAX } from '../../../workers/sheets/printer/document.ts';
import { readableDesigns } from '../../support/pictures/designs.ts';
import { logoOfSvg } from '../../support/pictures/logo.ts';
import { readGrayTwice } from '../../support/pictures/readers.ts';
import { cut, enlarge, make, open, type PrinterFormat, pageOf, print, sheetOf } from './support.ts';

const FORMATS: readonly PrinterFormat[] = ['zpl', 'epl'];
const ROLL = { page: { width_mm: 62, height_mm: 29 }, label: { columns: 1, rows: 1 } } as const;
const URL = 'https://example.com/menu';

/** Returns the lengths of the runs of equal dots in the rows of a picture's ink, without its edges. */
const runsIn = (data: Uint8Array, width: number): readonly number[] => {
  const runs = new Set<number>();
  for (let from = 0; from < data.length; from += width) {
    const row = data.subarray(from, from + width);
    const [first, last] = [row.indexOf(0), row.lastIndexOf(0)];
    for (let start = first; start >= 0 && start <= last; ) {
      let end = start;
      while (end <= last && row[end] === row[start]) end += 1;
      runs.add(end - start);
      start = end;
    }
  }
  return [...runs].sort((a, b) => a - b);
};

const jobs = fc.record({
  format: fc.constantFrom(...FORMATS),
  dpi: fc.constantFrom(...PRINTER_DPI),
  widthMm: fc.integer({ min: 25, max: 110 }),
  heightMm: fc.integer({ min: 20, max: 80 }),
  columns: fc.integer({ min: 1, max: 2 }),
  side: fc.constantFrom('above', 'below', 'beside'),
  caption: fc.constantFrom('', 'Shelf 12', 'Größe ΑΒΓ Жук', 'two\nlines'),
  text: fc
    .string({ minLength: 1, maxLength: 60 })
    .map((words) => `https://a.test/${encodeURIComponent(words)}`),
  copies: fc.integer({ min: 1, max: 5 }),
  pages: fc.integer({ min: 1, max: 3 }),
});

t.test(
  'random labels read at every resolution, in whole dots, with their copies and in their size',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(jobs, async ({ format, dpi, widthMm, heightMm, columns, side, ...job }) => {
        const { caption, text, copies, pages } = job;
        const request = {
          page: { width_mm: widthMm, height_mm: heightMm },
          label: {
            columns,
            rows: 1,
            ...(caption === '' ? {} : { caption: '{content}', caption_side: side }),
          },
          dpi,
        } as const;
        const sheet = sheetOf(request, format);
        const wanted = Array.from({ length: pages }, (_, page) =>
          Array.from({ length: columns }, (_, column) => ({ text: `${text}${page}${column}`, caption })),
        );
        const file = await make(
          sheet,
          wanted.flatMap((page) => Array.from({ length: copies }, () => page)),
        );
        t.strictSame(
          await make(
            sheet,
            wanted.flatMap((page) => Array(copies).fill(page)),
          ),
          file,
        );
        const labels = print(sheet, file);
        t.equal(labels.length, pages, 'equal labels are one format');
        const [width, length] = [widthMm, heightMm].map((mm) => Math.round((mm * dpi) / 25.4));
        for (const [page, label] of labels.entries()) {
          t.equal(label.copies, copies);
          t.equal(label.heightPx, length);
          if (format === 'zpl') t.equal(label.widthPx, width);
          for (const [column, { text: expected }] of wanted[page]!.entries()) {
            const left = Math.floor((column * width!) / columns);
            const part = cut(label, [left, 0, Math.floor(width! / columns), length!]);
            const plan = planPicture(expected, toDesign({}), null);
            if (!plan.ok) throw new Error(plan.fault.message);
            const side = plan.value.symbol.moduleCount;
            const { widthMm: codeMm } = sheet.label.code;
            const dots = Math.floor((codeMm * dpi) / 25.4 / (side + 8) + 1e-3);
            const place = label.graphics[caption === '' ? column : 2 * column]!;
            t.equal(place.height, side * dots, 'the symbol has whole dots');
            const ink = cut(label, [place.x, place.y, side * dots, place.height]);
            t.strictSame(
              runsIn(ink.data, ink.widthPx).filter((run) => run % dots !== 0),
              [],
            );
            t.strictSame(await readGrayTwice(enlarge(part, dots < 3 ? 3 : 1)), {
              zxing: expected,
              zbar: expected,
            });
          }
        }
      }),
      { numRuns: 30 },
    );
  },
);

t.test('designs of grade 4 read in black and white, with logos', async (t) => {
  const logo = logoOfSvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="#ffd400"/></svg>',
  );
  const sheet = sheetOf({ ...ROLL, dpi: 300 });
  let read = 0;
  await fc.assert(
    fc.asyncProperty(readableDesigns(), fc.boolean(), async (design, withLogo) => {
      const document = open(sheet);
      const page = pageOf(sheet, [{ text: URL, design, ...(withLogo && { logo }) }]);
      const { faults, warnings } = document.drawPage(page);
      fc.pre(faults.length === 0 && warnings.every((name) => name === 'quiet-zone'));
      const [label] = print(sheet, await document.end());
      const { zxing, zbar } = await readGrayTwice(enlarge(label!, 2));
      t.ok(zxing === URL || zbar === URL, `${JSON.stringify(design)}: ${zxing} ${zbar}`);
      read += 1;
    }),
    { numRuns: 60 },
  );
  t.ok(read > 5, `${read} designs`);
});

t.test(
  'colours print black on white whatever they are, and light dots on dark ground white on black',
  async (t) => {
    const sheet = sheetOf({ ...ROLL, dpi: 203 });
    const black = await make(sheet, [[{ text: URL }]]);
    for (const options of [
      { dotsOptions: { color: '#e8c020' }, cornersSquareOptions: { color: '#80e0ff' } },
      {
        dotsOptions: {
          gradient: {
            colorStops: [
              { offset: 0, color: '#f00' },
              { offset: 1, color: '#ff0' },
            ],
          },
        },
      },
      { backgroundOptions: { color: '#dde8ff' }, cornersDotOptions: { color: '#fff' } },
    ])
      t.strictSame(await make(sheet, [[{ text: URL, options }]]), black);
    const inverted = { dotsOptions: { color: '#fff' }, backgroundOptions: { color: '#036' } };
    const document = open(sheet);
    const { warnings } = document.drawPage(pageOf(sheet, [{ text: URL, options: inverted }]));
    t.strictSame(
      warnings,
      ['ground', 'inverted'].filter((name) => warnings.includes(name as never)),
    );
    t.ok(warnings.includes('inverted'), warnings.join());
    const [label] = print(sheet, await document.end());
    const negative = { ...label!, data: label!.data.map((value) => 255 - value) };
    const { x, y, height } = label!.graphics[0]!;
    t.equal((await readGrayTwice(cut(negative, [x, y, height, height]))).zxing, URL);
  },
);

t.test('no text becomes a command', async (t) => {
  const hostile = [
    '^XA^FO0,0^GB800,800,800^FS^XZ',
    '~JA~HS^XZ^XA^DFE:X.ZPL^FS',
    '_5E_7E^FH_^CI28',
    '\nN\nGW0,0,99,99,\nP9\n',
    ':,!zZ^GFA,1,1,1,',
  ];
  const texts = fc.oneof(
    fc.constantFrom(...hostile),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter((text) => text.isWellFormed()),
  );
  for (const format of FORMATS) {
    const sheet = sheetOf(
      { ...ROLL, label: { ...ROLL.label, caption: '{content}', caption_side: 'beside' }, dpi: 203 },
      format,
    );
    await fc.assert(
      fc.asyncProperty(texts, texts, async (text, caption) => {
        const labels = print(sheet, await make(sheet, [[{ text, caption }]]));
        t.match(labels, { length: 1 });
        const again = print(sheet, await make(sheet, [[{ text, caption: 'x' }]]));
        t.strictSame(labels[0]!.graphics[0], again[0]!.graphics[0], 'the code is that of the text');
        t.ok(labels[0]!.graphics.length <= 2);
      }),
      { numRuns: 60 },
    );
  }
});

t.test('a code that cannot be drawn is told, and its label says so', async (t) => {
  const sheet = sheetOf({ ...ROLL, dpi: 203 });
  const document = open(sheet);
  const page = pageOf(sheet, [{ text: 'x'.repeat(4000) }]);
  t.match(document.check(page).faults, [{ place: 0, fault: { field: 'data' } }]);
  t.match(document.drawPage(page).faults, [{ place: 0, fault: { field: 'data' } }]);
  t.strictSame(document.drawPage(pageOf(sheet, [{ text: URL, design: null }])).faults, []);
  const labels = print(sheet, await document.end());
  t.match(labels, [{ copies: 2 }], 'both say "no code: 7"');
  const small = sheetOf({ page: { width_mm: 8, height_mm: 8 }, label: { columns: 1, rows: 1 }, dpi: 203 });
  t.match(open(small).check(pageOf(small, [{ text: 'x'.repeat(1200) }])).faults, [
    { fault: { field: 'label.code_mm', message: /^gives less than a dot a module at 203 dpi/ } },
  ]);
});

t.test('tills must read the print: colours do not matter, and its modules do', async (t) => {
  const sheet = sheetOf({ ...ROLL, dpi: 203, till: true });
  const faultsOf = (text: string, options = {}) =>
    open(sheet)
      .check(pageOf(sheet, [{ text, options }]))
      .faults.map(({ fault }) => fault.field);
  t.strictSame(faultsOf(URL), []);
  t.strictSame(faultsOf(URL, { dotsOptions: { color: '#f00' } }), [], 'red prints black');
  t.strictSame(faultsOf('x'.repeat(500)), ['label.code_mm']);
  t.strictSame(
    faultsOf(URL, { dotsOptions: { color: '#fff' }, backgroundOptions: { color: '#000' } }).length,
    1,
  );
});

t.test('equal labels are counted no further than printers count', async (t) => {
  const sheet = sheetOf({ ...ROLL, dpi: 203 });
  const document = open(sheet);
  const page = pageOf(sheet, [{ text: 'a' }]);
  for (let copy = 0; copy < 10_001; copy += 1) document.drawPage(page);
  const labels = print(sheet, Buffer.concat([document.take(), await document.end()]));
  t.strictSame(
    labels.map(({ copies }) => copies),
    [9999, 2],
  );
});

t.test('what a label printer cannot print is refused', async (t) => {
  const faultOf = (request: Parameters<typeof resolveSheet>[0]) => {
    const sheet = resolveSheet(request, [], 'zpl');
    return sheet.ok ? null : `${sheet.fault.field}: ${sheet.fault.message}`;
  };
  t.equal(faultOf(ROLL), 'dpi: is required for a label printer: one of 203, 300, 600');
  t.match(faultOf({ ...ROLL, dpi: 203, crop_marks: true }), /^crop_marks: must be left out/);
  t.match(faultOf({ ...ROLL, dpi: 203, bleed_mm: 1 }), /^bleed_mm: must be left out/);
  t.equal(faultOf({ ...ROLL, dpi: 203, crop_marks: false, bleed_mm: 0 }), null);
  t.match(
    faultOf({ template: 'avery-l7160', dpi: 600 }),
    /^template: is 4961 dots wide at 600 dpi; a label printer prints at most 4096$/,
  );
  t.match(faultOf({ page: { size: 'A4' }, label: ROLL.label, dpi: 600 }), /^page\.size: is 4961 dots wide/);
  t.match(
    faultOf({ page: { width_mm: 100, height_mm: 2000 }, label: ROLL.label, dpi: 600 }),
    /^page\.height_mm: is 47244 dots long/,
  );
  t.equal(faultOf({ template: 'avery-l7160', dpi: 203 }), null);
});

t.test('a document has a bound on its logos, and the label beyond it is told', async (t) => {
  const sheet = sheetOf({ ...ROLL, dpi: 203 });
  const document = open(sheet);
  const logo = logoOfSvg('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');
  const { labels } = pageOf(sheet, [{ text: URL }]);
  const faultsOf = (key: string) =>
    document.check({
      labels: labels.map((label) => ({ ...label, logo: key })),
      logos: new Map([[key, logo]]),
    }).faults;
  for (let i = 0; i < LOGOS_MAX; i += 1) t.strictSame(faultsOf(`${i}`), []);
  t.match(faultsOf('one more'), [{ place: 0, fault: { field: 'image', message: /after 1000 others/ } }]);
  t.strictSame(faultsOf('7'), [], 'those of earlier labels are known');
});
