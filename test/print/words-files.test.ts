/** Captions and frames in files of every format, as programs of print shops and readers see them. */
import fc from 'fast-check';
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import type { PrintQuery } from '../../src/generate/request/print.ts';
import { okOrThrow } from '../../src/result.ts';
import { FRAME_TYPES, namesOf } from '../../workers/lists.ts';
import { casesOf } from '../support/cases.ts';
import { readableDesigns } from '../support/pictures/designs.ts';
import { areFontsEmbedded, checkPdf, type GrayPage, textOf } from '../support/pictures/print.ts';
import { drawPrinted, seenAt } from '../support/pictures/printed.ts';
import { readGrayTwice } from '../support/pictures/readers.ts';
import type { Format } from './codes.ts';

const FORMATS = ['png', 'svg', 'pdf', 'eps'] as const;
const DATA = 'https://example.com/menu';

const draw = (format: Format, query: PrintQuery, design = toDesign({})) =>
  okOrThrow(
    drawPrinted({
      format,
      query,
      text: DATA,
      design,
      textOf: (name) => (name === 'name' ? 'Größe 12' : undefined),
    }),
    ({ field, message }) => new Error(`${field} ${message}`),
  );

/** The picture in dots of 300 dpi. */
const seen = async (format: Format, bytes: Uint8Array): Promise<GrayPage> =>
  (await seenAt(format, [bytes], 300))[0]!;

/** The part of a picture that is darker than the middle, in a box. */
const darkShare = ({ widthPx, data }: GrayPage, x0: number, y0: number, x1: number, y1: number): number => {
  let dark = 0;
  for (let y = y0; y < y1; y += 1)
    for (let x = x0; x < x1; x += 1) dark += data[y * widthPx + x]! < 128 ? 1 : 0;
  return dark / ((x1 - x0) * (y1 - y0));
};

/** Dots of a module at 300 dpi. */
const MODULE_DOTS = 6;
const MODULE_MM = (MODULE_DOTS * 25.4) / 300;

const WORDS: readonly PrintQuery[] = [
  { caption: '{name}\nRoom B' },
  { caption: '{name}', caption_side: 'above', caption_weight: 'bold' },
  { caption: 'Größe 12: Tür, Ærø, Łódź', caption_side: 'beside', caption_mm: 2 },
  { caption: '{name}', frame: 'line', quiet_zone: 1 },
  { caption: '{name}', frame: 'banner-below', frame_color: '#004080', bleed_mm: 2.54 },
  { caption: 'Scan me', frame: 'banner-above', quiet_zone: 0 },
  { frame: 'rounded' },
  { frame: 'corners', caption: 'A', caption_side: 'beside', caption_align: 'right' },
];

t.test(
  'every format shows the same, readers read it, and four modules around the code are blank',
  async (t) => {
    for (const query of WORDS) {
      const asked: PrintQuery = { module_mm: MODULE_MM, ...query };
      const { quiet_zone: quiet = 4, bleed_mm: bleedMm = 0 } = query;
      const bleed = Math.round((bleedMm * 300) / 25.4);
      const plain = draw('png', { module_mm: MODULE_MM, quiet_zone: quiet });
      const modules = Math.round(plain.print!.page!.widthMm / MODULE_MM) - 2 * quiet;
      for (const format of FORMATS) {
        const what = `${format}, ${JSON.stringify(query)}`;
        const { bytes, grade, print: laid } = draw(format, asked);
        t.equal(grade, plain.grade, what);
        const { widthMm, heightMm } = laid!.page!;
        const { leftPx, topPx } = laid!.around!;
        const print = await seen(format, bytes);
        t.ok(
          Math.abs(print.widthPx - 2 * bleed - (widthMm * 300) / 25.4) <= 1.5,
          `${what}: ${print.widthPx} dots`,
        );
        t.ok(
          Math.abs(print.heightPx - 2 * bleed - (heightMm * 300) / 25.4) <= 1.5,
          `${what}: ${print.heightPx}`,
        );
        t.strictSame(await readGrayTwice(print), { zxing: DATA, zbar: DATA }, what);

        // The symbol, in dots from the corner.
        const toDots = format === 'png' ? 1 : MODULE_DOTS / 10;
        const [x, y] = [leftPx, topPx].map((px) => Math.round(px * toDots) + bleed + quiet * MODULE_DOTS) as [
          number,
          number,
        ];
        const side = modules * MODULE_DOTS;
        const free = 4 * MODULE_DOTS - 1;
        const bands = [
          [x - free, y - free, x + side + free, y - 1],
          [x - free, y + side + 1, x + side + free, y + side + free],
          [x - free, y, x - 1, y + side],
          [x + side + 1, y, x + side + free, y + side],
        ] as const;
        // A code without a quiet zone of its own keeps it only where something stands.
        const kept = quiet === 4 || query.frame !== undefined ? bands : [];
        for (const band of kept) t.equal(darkShare(print, ...band), 0, `${what}: quiet zone ${band}`);
        t.ok(
          darkShare(print, x, y, x + 7 * MODULE_DOTS, y + MODULE_DOTS) > 0.9,
          `${what}: a finder begins here`,
        );
        if (format !== 'pdf') continue;
        await t.resolves(checkPdf(bytes), what);
        t.strictSame(await areFontsEmbedded(bytes), query.caption === undefined ? [] : [true], what);
        const wanted = (query.caption ?? '').replace('{name}', 'Größe 12').replace(/\s+/g, '');
        t.equal((await textOf(bytes)).replace(/\s/g, ''), wanted, `${what}: text`);
      }
    }
  },
);

t.test('codes of random designs with words read as well as without them', async (t) => {
  const words = fc.record(
    {
      caption: fc.constantFrom('Table 12', 'Größe 12\nŁódź', 'A'),
      caption_weight: fc.constantFrom('regular' as const, 'bold' as const),
    },
    { requiredKeys: ['caption'] },
  );
  const sides = fc.constantFrom('below' as const, 'above' as const, 'beside' as const);
  const frames = fc.constantFrom('none' as const, ...namesOf(FRAME_TYPES));
  const cases = fc.sample(fc.tuple(words, sides, frames, readableDesigns()), {
    numRuns: casesOf(60),
    seed: 7,
  });
  let unread = 0;
  for (const [asked, side, frame, design] of cases) {
    const isBanner = frame.startsWith('banner');
    const query = { ...asked, frame, ...(!isBanner && { caption_side: side }), module_mm: MODULE_MM };
    const [plain, drawn] = [draw('png', { module_mm: MODULE_MM }, design), draw('png', query, design)];
    t.equal(drawn.grade, plain.grade);
    t.equal(drawn.warnings, plain.warnings);
    const [before, now] = await Promise.all(
      [plain, drawn].map(async ({ bytes }) => readGrayTwice(await seen('png', bytes))),
    );
    for (const reader of ['zxing', 'zbar'] as const)
      if (before![reader] === DATA && now![reader] !== DATA) unread += 1;
  }
  t.equal(unread, 0, 'no reader misses a code for its words');
});

t.test('the same words give the same bytes, and a file without them is as it was', async (t) => {
  for (const format of FORMATS) {
    const query = { ...WORDS[4]!, module_mm: MODULE_MM };
    t.strictSame(draw(format, query).bytes, draw(format, query).bytes, format);
    const [none, plain] = [
      { module_mm: MODULE_MM, frame: 'none' as const, caption: '' },
      { module_mm: MODULE_MM },
    ];
    t.strictSame(draw(format, none).bytes, draw(format, plain).bytes, format);
  }
});
