/** Whole documents: rendered by Poppler, measured, read by ZXing, checked by qpdf and Ghostscript. */
import t, { type Test } from 'tap';
import { planPicture } from '../../src/generate/plan.ts';
import { toDesign } from '../../src/generate/request/design.ts';
import type { PictureOptions } from '../../src/generate/request/picture-options.ts';
import { checkLabels } from '../../src/sheets/check-labels.ts';
import { cellAt, labelArea } from '../../src/sheets/grid.ts';
import { makeSheets, type SheetCode, type SheetJob } from '../../src/sheets/maker.ts';
import type { SheetsRequest } from '../../src/sheets/request.ts';
import { resolveSheet, type Sheet } from '../../src/sheets/sheet.ts';
import type { Logo } from '../../workers/protocol.ts';
import type { Area } from '../../workers/sheets/protocol.ts';
import { someOf } from '../support/cases.ts';
import { readGray } from '../support/pictures/decode.ts';
import { logoOfSvg } from '../support/pictures/logo.ts';
import { checkPdf, type GrayPage, grayPages, inkCovers, textOf } from '../support/pictures/print.ts';

/** Enough resolution to read every label. */
const DPI = 200;
/** For measurements to a pixel. */
const FINE_DPI = 300;

const sheetOf = (request: SheetsRequest): Sheet => {
  const sheet = resolveSheet(request);
  if (!sheet.ok) throw new Error(`${sheet.fault.field} ${sheet.fault.message}`);
  return sheet.value;
};

const logoOf = (color: string): Logo =>
  logoOfSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><circle cx="45" cy="45" r="40" fill="${color}"/></svg>`,
  );

const codeOf = (
  text: string,
  options: PictureOptions = {},
  values: SheetCode['values'] = {},
  logo: Logo | null = null,
): SheetCode => ({
  values: { content: text, slug: '', file: `${text}.png`, index: '1', ...values },
  picture: {
    text,
    design: toDesign(options),
    logo: logo && { key: String(logo.png.length), load: async () => logo },
  },
});

async function* each(codes: readonly SheetCode[]): AsyncGenerator<SheetCode> {
  yield* codes;
}

const make = async (sheet: Sheet, codes: readonly SheetCode[], more: Partial<SheetJob> = {}) => {
  const chunks: Uint8Array[] = [];
  for await (const bytes of makeSheets({ sheet, title: 'Test', codes: each(codes), ...more }))
    chunks.push(bytes);
  return Buffer.concat(chunks);
};

const check = (sheet: Sheet, code: SheetCode) =>
  checkLabels(
    sheet,
    (async function* () {
      yield { ...code, known: 'row 1', fault: null };
    })(),
  );

/** Crops an area of a rendered page. */
const cut = (
  { data, widthPx }: GrayPage,
  { xMm, yMm, widthMm, heightMm }: Area,
  dpi: number = DPI,
): GrayPage => {
  const [x, y, width, height] = [xMm, yMm, widthMm, heightMm].map((mm) => Math.round((mm * dpi) / 25.4)) as [
    number,
    number,
    number,
    number,
  ];
  const part = new Uint8Array(width * height).fill(255);
  for (let row = 0; row < height; row += 1) {
    const from = (y + row) * widthPx + x;
    part.set(data.subarray(from, from + width).subarray(0, width), row * width);
  }
  return { data: part, widthPx: width, heightPx: height };
};

/** Returns the bounding box of everything that is not paper, in mm. */
const inkBox = ({ data, widthPx }: GrayPage, dpi: number = DPI): Area => {
  let [left, right, top, bottom] = [Number.POSITIVE_INFINITY, -1, -1, -1];
  for (let i = 0; i < data.length; i += 1) {
    if (data[i]! > 128) continue;
    const x = i % widthPx;
    const y = Math.floor(i / widthPx);
    left = Math.min(left, x);
    right = Math.max(right, x);
    if (top < 0) top = y;
    bottom = y;
  }
  const mm = (px: number): number => (px * 25.4) / dpi;
  return { xMm: mm(left), yMm: mm(top), widthMm: mm(right + 1 - left), heightMm: mm(bottom + 1 - top) };
};

const PIXEL_MM = 25.4 / FINE_DPI;

/** Returns where the label of a number is among `count` labels that are cut as piles. */
const stackedPlaceOf = ({ grid, order, stack }: Sheet, count: number, index: number) => {
  const perPage = grid.columns * grid.rows;
  const pile = Math.floor(index / (perPage * stack));
  const inPile = index - pile * perPage * stack;
  const depth = Math.min(stack, Math.ceil((count - pile * perPage * stack) / perPage));
  const area = labelArea(grid, cellAt(grid, order, Math.floor(inPile / depth)));
  return { page: pile * stack + (inPile % depth), area };
};

/** Returns the position of the label in a place, counted over all pages from the first place of the first page. */
const placeOf = ({ grid, order }: Sheet, place: number) => {
  const perPage = grid.columns * grid.rows;
  return { page: Math.floor(place / perPage), area: labelArea(grid, cellAt(grid, order, place % perPage)) };
};

/** Checks that every label is in its place and has the right content. */
const readsEveryLabel = async (
  t: Test,
  name: string,
  file: Uint8Array,
  sheet: Sheet,
  texts: readonly string[],
) => {
  const prints = await grayPages(file, DPI);
  let right = 0;
  for (const [index, text] of texts.entries()) {
    const { page, area } = placeOf(sheet, sheet.startAt - 1 + index);
    const found = await readGray(cut(prints[page]!, area));
    if (found === text) right += 1;
    else t.fail(`${name}: label ${index + 1} says ${found} in place of ${text}`);
  }
  t.equal(right, texts.length, `${name}: ${right} labels read`);
  return prints;
};

const STYLES: readonly PictureOptions[] = [
  {},
  {
    dotsOptions: {
      type: 'rounded',
      gradient: {
        type: 'linear',
        rotation: 0.7,
        colorStops: [
          { offset: 0, color: '#0a2a66' },
          { offset: 1, color: '#7a0f3c' },
        ],
      },
    },
    cornersSquareOptions: { type: 'extra-rounded', color: '#123' },
  },
  { shape: 'circle', dotsOptions: { type: 'dots', color: '#333' }, cornersSquareOptions: { type: 'square' } },
  { backgroundOptions: { color: '#fff7d6' }, dotsOptions: { type: 'classy', color: '#402' }, margin: 30 },
  {
    dotsOptions: {
      gradient: {
        type: 'radial',
        colorStops: [
          { offset: 0, color: '#600' },
          { offset: 1, color: '#006' },
        ],
      },
    },
  },
];

t.test('every label of a sheet is readable by pdftoppm in any design, and qpdf finds no fault', async (t) => {
  const logo = logoOf('#c02');
  const requests: readonly (readonly [string, SheetsRequest])[] = [
    ['avery-l7160', { template: 'avery-l7160', label: { caption: '{content}', caption_side: 'beside' } }],
    ['avery-5160', { template: 'avery-5160', label: { caption: '{index}' }, start_at: 5, order: 'columns' }],
    ['herma-4608', { template: 'herma-4608', label: { caption: '{file}', caption_side: 'above' } }],
    ['zweckform-3651', { template: 'zweckform-3651', crop_marks: true, bleed_mm: 2 }],
  ];
  for (const [name, request] of someOf(requests)) {
    const sheet = sheetOf(request);
    const count = sheet.grid.columns * sheet.grid.rows;
    const texts = Array.from({ length: count }, (_, i) => `https://example.com/${name}/${i + 1}`);
    const codes = texts.map((text, i) =>
      codeOf(text, STYLES[i % STYLES.length], { index: String(i + 1) }, i % 3 === 2 ? logo : null),
    );
    const bytes = await make(sheet, codes);
    await t.resolves(checkPdf(bytes), `${name}: qpdf`);
    await readsEveryLabel(t, name, bytes, sheet, texts);
    const images = bytes.toString('latin1').match(/\/Subtype \/Image/g) ?? [];
    t.equal(images.length, 2, `${name}: the file has the logo and its mask once`);
    t.equal(
      bytes.toString('latin1').match(/\/FontFile2/g)?.length ?? 0,
      sheet.caption ? 1 : 0,
      'the file has the font once',
    );
  }
});

/** Returns the lengths of the runs of equal pixels in the rows of a picture's ink, without its edges. */
const runsOf = ({ data, widthPx, heightPx }: GrayPage): readonly number[] => {
  const runs = new Set<number>();
  for (let row = 0; row < heightPx; row += 1) {
    const pixels = [...data.subarray(row * widthPx, (row + 1) * widthPx)].map((gray) => gray < 128);
    const [first, last] = [pixels.indexOf(true), pixels.lastIndexOf(true)];
    for (let from = first; from >= 0 && from <= last; ) {
      let end = from;
      while (end <= last && pixels[end] === pixels[from]) end += 1;
      runs.add(end - from);
      from = end;
    }
  }
  return [...runs].sort((a, b) => a - b);
};

t.test('at the resolution of a label printer every module is the same whole number of dots', async (t) => {
  const requests: readonly SheetsRequest[] = [
    { page: { width_mm: 62, height_mm: 29 }, label: { columns: 1, rows: 1 } },
    { template: 'avery-l7120' },
    { template: 'avery-l7651', bleed_mm: 1 },
  ];
  const texts = [
    'a',
    'https://example.com/menu',
    'https://example.com/menu/0123456789/0123456789/0123456789',
  ];
  for (const dpi of [203, 300, 600] as const)
    for (const request of someOf(requests)) {
      const sheet = sheetOf({ ...request, dpi });
      const codes = texts.map((text) => codeOf(text));
      const pages = await grayPages(await make(sheet, codes), dpi);
      for (const [place, text] of texts.entries()) {
        const { page, area } = placeOf(sheet, place);
        const runs = runsOf(cut(pages[page]!, area, dpi));
        const dots = runs[0]!;
        const plan = planPicture(text, toDesign({}), null);
        if (!plan.ok) throw new Error(plan.fault.message);
        const sideModules = plan.value.symbol.moduleCount + 8;
        t.equal(
          dots,
          Math.floor((sheet.label.code.widthMm * dpi) / 25.4 / sideModules),
          `${dpi} dpi: ${text}`,
        );
        t.strictSame(
          runs.filter((run) => run % dots !== 0),
          [],
          `${dpi} dpi, ${text}: whole modules`,
        );
      }
    }
  const tiny = sheetOf({ page: { width_mm: 8, height_mm: 8 }, label: { columns: 1, rows: 1 }, dpi: 203 });
  const [fault] = (await check(tiny, codeOf('x'.repeat(1200)))).faults;
  t.match(
    fault!.message,
    /^row 1: label\.code_mm: gives less than a dot a module at 203 dpi; this code needs at least \d+\.\d+ mm/,
  );
  t.equal((await check({ ...tiny, dpi: null }, codeOf('x'.repeat(1200)))).faults.length, 0);
});

t.test('codes have their size in mm and are centred in their places, to within a pixel', async (t) => {
  for (const template of someOf(['avery-l7651', 'herma-5070', 'avery-5163'])) {
    const sheet = sheetOf({ template, label: { code_mm: 15 } });
    const { columns, rows } = sheet.grid;
    const bytes = await make(
      sheet,
      Array.from({ length: columns * rows }, (_, i) => codeOf(`label ${i}`)),
    );
    const [page] = await grayPages(bytes, FINE_DPI);
    t.equal(page!.widthPx, Math.ceil(sheet.grid.widthMm / PIXEL_MM), `${template}: the page`);
    let worst = 0;
    for (let place = 0; place < columns * rows; place += 1) {
      const { area } = placeOf(sheet, place);
      const ink = inkBox(cut(page!, area, FINE_DPI), FINE_DPI);
      // Version 1 has 21 modules, and 8 of quiet zone.
      const sideMm = (15 * 21) / 29;
      const off = [
        ink.widthMm - sideMm,
        ink.heightMm - sideMm,
        ink.xMm + ink.widthMm / 2 - area.widthMm / 2,
        ink.yMm + ink.heightMm / 2 - area.heightMm / 2,
      ];
      worst = Math.max(worst, ...off.map(Math.abs));
    }
    t.ok(worst <= 1.5 * PIXEL_MM, `${template}: at most ${(worst / PIXEL_MM).toFixed(2)} pixels off`);
  }
});

t.test('captions stay on their labels and do not touch the codes', async (t) => {
  const texts = ['short', 'x'.repeat(4000), 'words '.repeat(600), 'WWWWWWWWWWWWWWWWWWWWWWWW'];
  for (const captionSide of ['above', 'below', 'beside'] as const) {
    const sheet = sheetOf({
      template: 'avery-l7160',
      label: { caption: '{content}', caption_side: captionSide },
    });
    const codes = texts.map((content, i) => codeOf(`code ${i}`, {}, { content }));
    const file = await make(sheet, codes);
    const [page] = await readsEveryLabel(t, captionSide, file, sheet, [
      'code 0',
      'code 1',
      'code 2',
      'code 3',
    ]);
    const { code, caption } = sheet.label;
    const whole = inkBox(page!);
    const first = placeOf(sheet, 0).area;
    const last = placeOf(sheet, 3).area;
    t.ok(
      whole.xMm >= first.xMm && whole.yMm >= first.yMm,
      `${captionSide}: nothing left of or above the labels`,
    );
    t.ok(whole.yMm + whole.heightMm <= last.yMm + last.heightMm, `${captionSide}: nothing below them`);
    for (const [i] of texts.entries()) {
      const { area } = placeOf(sheet, i);
      const room = { ...caption!, xMm: area.xMm + caption!.xMm, yMm: area.yMm + caption!.yMm };
      const ink = inkBox(cut(page!, room));
      t.ok(ink.widthMm > 2, `${captionSide}: caption ${i} is there`);
      // A finder pattern in the area of the caption would mean that the caption covers the code.
      const modules = (code.widthMm * 21) / 29;
      t.ok(ink.heightMm < modules || captionSide === 'beside', `${captionSide}: caption is text`);
    }
    const copied = await textOf(file);
    t.match(copied, 'short');
    t.match(copied, '…');
  }
});

t.test('a hostile caption is printed as text and never becomes PDF syntax', async (t) => {
  const hostile = [
    'null \0 byte and \x1b[31m control \x07',
    'bidi \u202e\u2066 abc \u2069\u202c end',
    `zalgo ${'a\u0351\u0327\u0300\u0338'.repeat(50)}`,
    'emoji \u{1f600}\u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u{1f3f4}\u{e0067}',
    ') Tj ET Q 1 0 0 rg 0 0 999 999 re f BT (',
    '> Tj ET\nendstream endobj 1 0 obj << /Type /Catalog /OpenAction << /S /JavaScript >> >>',
    '%!PS\n(%stdout) (w) file (x) writestring showpage quit',
    '\\) \\377 \\n <</JS (app.alert(1))>>',
    '\ud800 lone \udfff',
    'Größe, Ελλάδα, Москва, 中文, עברית, عربى',
    'x'.repeat(4000),
    ' \u00a0\u2003 ',
  ];
  const sheet = sheetOf({ template: 'avery-l7160', label: { caption: '{content}', caption_side: 'beside' } });
  const texts = hostile.map((_, i) => `hostile ${i}`);
  const codes = hostile.map((content, i) => codeOf(texts[i]!, {}, { content }));
  const bytes = await make(sheet, codes);
  await t.resolves(checkPdf(bytes));
  t.notMatch(bytes.toString('latin1'), /JavaScript|OpenAction|\/JS\b|stdout/, 'nothing of it is in the file');
  const [page] = await readsEveryLabel(t, 'hostile', bytes, sheet, texts);
  const unused = { ...placeOf(sheet, hostile.length + 1).area };
  t.ok(
    cut(page!, unused).data.every((value) => value === 255),
    'nothing is drawn outside the labels',
  );
  const text = await textOf(bytes);
  for (const word of ['Größe', 'Ελλάδα', 'Москва', '□□', 'endstream', 'showpage'])
    t.match(text, word, `${word} is in the text`);
});

t.test('a plain black sheet uses only black ink', async (t) => {
  const sheet = sheetOf({
    page: { width_mm: 100, height_mm: 60 },
    label: { columns: 2, rows: 1, margin_mm: 8, caption: '{content}' },
    crop_marks: true,
  });
  const [inks] = await inkCovers([await make(sheet, [codeOf('a'), codeOf('b')])]);
  t.strictSame(inks!.slice(0, 3), [0, 0, 0]);
  t.ok(inks![3]! > 0.05, `${inks![3]} K`);
});

t.test('labels start at the given place, are repeated, and continue on the next page', async (t) => {
  const sheet = sheetOf({ template: 'avery-l7169', start_at: 3, copies: 3, order: 'columns' });
  const codes = [codeOf('one'), { values: {}, picture: null }, codeOf('three')];
  const faults: number[] = [];
  const file = await make(sheet, codes, { onFault: (place) => faults.push(place) });
  const prints = await grayPages(file, DPI);
  t.equal(prints.length, 3);
  t.strictSame(faults, [3, 4, 5], 'a code that cannot be drawn keeps its labels');
  const found: (string | undefined)[] = [];
  for (let place = 0; place < 12; place += 1) {
    const { page, area } = placeOf(sheet, place);
    found.push(await readGray(cut(prints[page]!, area)));
  }
  const [no, one, three] = [undefined, 'one', 'three'];
  t.strictSame(found, [no, no, one, one, one, no, no, no, three, three, three, no]);
});

t.test('the label of a text that fits no QR code says so, or ends the document', async (t) => {
  const sheet = sheetOf({ template: 'avery-l7169' });
  const faults: unknown[] = [];
  const codes = [{ ...codeOf('x'.repeat(4000)), values: { index: '7' } }, codeOf('fine')];
  const bytes = await make(sheet, codes, { onFault: (place, fault) => faults.push([place, fault?.field]) });
  t.strictSame(faults, [[0, 'data']]);
  await t.resolves(checkPdf(bytes));
  const [page] = await grayPages(bytes, DPI);
  t.equal(await readGray(cut(page!, placeOf(sheet, 1).area)), 'fine');
  t.match(await textOf(bytes), 'no code: 7');
  await t.rejects(make(sheet, codes), /the code of label 1 cannot be drawn/);
  await t.rejects(make(sheet, [{ values: {}, picture: null }]), /the code of label 1 cannot be drawn/);
});

t.test('rolls have one label per page, surrounded by its bleed and crop marks', async (t) => {
  const sheet = sheetOf({
    page: { width_mm: 50, height_mm: 30 },
    label: { columns: 1, rows: 1, caption: '{content}', caption_side: 'beside' },
    bleed_mm: 3,
    crop_marks: true,
  });
  const codes = ['one', 'two', 'three'].map((text) => codeOf(text, { backgroundOptions: { color: '#cfc' } }));
  const bytes = await make(sheet, codes);
  const pdf = bytes.toString('latin1');
  t.equal(pdf.match(/\/Type \/Page\n/g)!.length, 3);
  const [, left, low, right, high] = /TrimBox \[([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)\]/.exec(pdf)!.map(Number);
  t.ok(Math.abs((right! - left!) * (25.4 / 72) - 50) < 0.01, 'the trim box is the label');
  t.ok(Math.abs((high! - low!) * (25.4 / 72) - 30) < 0.01);
  const prints = await grayPages(bytes, DPI);
  const inside = { xMm: 7, yMm: 7, widthMm: 50, heightMm: 30 };
  t.equal(await readGray(cut(prints[1]!, inside)), 'two');
  const beyond = cut(prints[1]!, { xMm: 4.5, yMm: 10, widthMm: 1, heightMm: 10 });
  t.ok(
    beyond.data.every((value) => value < 250),
    'the background extends into the bleed',
  );
});

t.test('pages are drawn only as fast as they are read, and not after the reader has gone', async (t) => {
  const sheet = sheetOf({ template: 'avery-l7169' });
  let taken = 0;
  async function* endless(): AsyncGenerator<SheetCode> {
    for (;;) {
      taken += 1;
      yield codeOf(`code ${taken}`);
    }
  }
  const document = makeSheets({ sheet, title: 'endless', codes: endless() });
  for (let chunk = 0; chunk < 3; chunk += 1) await document.next();
  const before = taken;
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.equal(taken, before, 'drawing waits for the reader');
  t.ok(before <= 4 * 8, `${before} codes for three pages`);
  await document.return(undefined);
  t.equal(taken, before);
});

t.test('an error while codes are read fails the document', async (t) => {
  const sheet = sheetOf({ template: 'avery-l7169' });
  async function* broken(): AsyncGenerator<SheetCode> {
    yield codeOf('one');
    throw new Error('the database is unavailable');
  }
  const document = makeSheets({ sheet, title: 'broken', codes: broken() });
  await t.rejects(async () => {
    for await (const _ of document);
  }, /the database is unavailable/);
});

t.test('sheets that are cut as piles have their labels in order', async (t) => {
  const sheet = sheetOf({
    page: { width_mm: 148, height_mm: 210 },
    label: { columns: 2, rows: 3, margin_mm: 5, gap_mm: 2 },
    stack: 3,
    order: 'columns',
  });
  // A pile of 3 sheets with 18 labels, and one of 2 sheets with 8.
  const texts = Array.from({ length: 26 }, (_, i) => `label ${i + 1}`);
  const logo = logoOf('#a00');
  const codes = texts.map((text, i) => codeOf(text, {}, {}, i % 5 === 1 ? logo : null));
  const prints = await grayPages(await make(sheet, codes), DPI);
  t.equal(prints.length, 5);
  for (const [index, text] of texts.entries()) {
    const { page, area } = stackedPlaceOf(sheet, texts.length, index);
    t.equal(await readGray(cut(prints[page]!, area)), text);
  }
});
