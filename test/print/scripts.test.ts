/** Captions of many scripts beside codes: where they stand, what files say of them, and what is refused. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import { composeSvg } from '../../workers/design/svg.ts';
import { planRender } from '../../workers/plan.ts';
import { layOutPrint } from '../../workers/print/layout.ts';
import { type CaptionSpec, isFault, type TextBlock } from '../../workers/protocol.ts';
import { drawReference } from '../../workers/raster/png.ts';
import { render } from '../../workers/render.ts';
import { knownFaceOf, widthShareOf } from '../../workers/shaping/chain.ts';
import { createSymbol } from '../../workers/symbol/symbol.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { anyScript, SCRIPT_TEXTS } from '../support/shaping/scripts.ts';

const run = promisify(execFile);
const folder = await temporaryFolder(t);
const CONTENT = 'https://example.com/';
const design = toDesign({});

const captionOf = (text: string, others: Partial<CaptionSpec> = {}): CaptionSpec => ({
  ...({ side: 'below', align: 'center', weight: 'regular', linesMax: 1, allow: [] } as const),
  text,
  ...others,
});

const layOut = (caption: CaptionSpec, kind: 'vector' | 'bitmap', quietZone = 4) =>
  layOutPrint(CONTENT, design, { moduleMm: 1.016, quietZone }, kind, { parts: [], caption });

const drawn = (caption: CaptionSpec, format: 'png' | 'pdf' | 'svg' | 'eps') => {
  const laid = layOut(caption, format === 'png' ? 'bitmap' : 'vector');
  if (isFault(laid)) throw new Error(laid.message);
  const { page, around } = laid;
  const inks = { color: 'rgb', paper: '#ffffff' } as const;
  const print = { page, inks, around: around! };
  const picture = render({ text: CONTENT, design: laid.design, logo: null, format, print });
  if (!picture.ok) throw new Error(picture.fault.message);
  return picture.value;
};

/** Without the marks of direction that pdftotext adds. */
const withoutMarks = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, '');

t.test('the text of a PDF is that of the caption, in the order in which it is read', async (t) => {
  for (const [name, text] of Object.entries(SCRIPT_TEXTS)) {
    for (const weight of ['regular', 'bold'] as const) {
      const path = join(folder, 'caption.pdf');
      writeFileSync(path, drawn(captionOf(text, { weight }), 'pdf').bytes);
      const { stdout } = await run('pdftotext', [path, '-']);
      t.equal(withoutMarks(stdout).trim(), text.normalize('NFC'), `${name}, ${weight}`);
    }
  }
});

t.test('a caption leaves the grade of its code as it is, in every format', async (t) => {
  for (const format of ['png', 'pdf', 'svg', 'eps'] as const) {
    const [plain, arabic, again] = ['Table 1', SCRIPT_TEXTS.Arabic, SCRIPT_TEXTS.Arabic].map((text) =>
      drawn(captionOf(text), format),
    );
    t.equal(arabic!.grade, plain!.grade, format);
    t.strictSame(arabic!.bytes, again!.bytes, 'the same bytes again');
    t.not(arabic!.bytes.length, plain!.bytes.length);
  }
});

/** Returns the boxes of glyphs on the canvas, across and down. */
const boxesOf = ({ sizePx, lines }: TextBlock) =>
  lines.flatMap(({ xPx, baselinePx, shaped }) =>
    (shaped?.glyphs ?? []).map(({ font, glyph, x, y }) => {
      const { left, right, top, bottom } = knownFaceOf(font).outlineOf(glyph).box!;
      const share = widthShareOf(font);
      return {
        left: xPx + (x + left * share) * sizePx,
        right: xPx + (x + right * share) * sizePx,
        top: baselinePx - (y + top) * sizePx,
        bottom: baselinePx - (y + bottom) * sizePx,
      };
    }),
  );

t.test('captions of any text are refused by name, or stand outside of four modules', async (t) => {
  let shaped = 0;
  let refused = 0;
  fc.assert(
    fc.property(
      anyScript,
      fc.constantFrom('below' as const, 'above' as const, 'beside' as const),
      fc.constantFrom('regular' as const, 'bold' as const),
      fc.constantFrom([], ['glyphs'] as const, ['glyphs', 'cut'] as const),
      fc.nat(4),
      (text, side, weight, allow, quietZone) => {
        const laid = layOut(captionOf(text, { side, weight, allow, linesMax: 4 }), 'vector', quietZone);
        if (isFault(laid)) {
          refused += 1;
          if (laid.field !== 'caption' || !/cannot be printed|does not fit/.test(laid.message))
            throw new Error(`${laid.field}: ${laid.message}`);
          return;
        }
        const { around, design: code } = laid;
        if (around!.lost.some((loss) => !allow.includes(loss as never)))
          throw new Error('it loses something');
        const quiet = (quietZone - 4) * 10;
        const [from, to] = [quiet, code.widthPx - quiet];
        for (const box of around!.texts.flatMap(boxesOf)) {
          shaped += 1;
          const isBeside = box.right <= from + 0.1 || box.left >= to - 0.1;
          const isOver = box.bottom <= from + 0.1 || box.top >= to - 0.1;
          if (!isBeside && !isOver) throw new Error(`in the quiet zone: ${JSON.stringify(box)}`);
          const isOnCanvas =
            box.left >= -around!.leftPx - 0.1 &&
            box.right <= code.widthPx + around!.rightPx + 0.1 &&
            box.top >= -around!.topPx - 0.1 &&
            box.bottom <= code.heightPx + around!.bottomPx + 0.1;
          if (!isOnCanvas) throw new Error(`outside of the picture: ${JSON.stringify(box)}`);
        }
      },
    ),
    { numRuns: 500 },
  );
  t.ok(shaped > 100 && refused > 10, `${shaped} glyphs, ${refused} refused`);
});

t.test('a PNG with such a caption has the pixels of the reference, but is not drawn by it', async (t) => {
  const lanes = new Set<string>();
  const rule = fc.asyncProperty(
    fc.oneof(anyScript, fc.constantFrom(...Object.values(SCRIPT_TEXTS))),
    fc.constantFrom('below' as const, 'above' as const, 'beside' as const),
    fc.constantFrom({ dots: 'square' }, { dots: 'rounded' }, { dots: 'dots' }),
    fc.double({ min: 0.3, max: 0.9, noNaN: true }),
    async (text, side, { dots }, moduleMm) => {
      const caption = captionOf(text, { side, linesMax: 4, allow: ['glyphs', 'cut'] });
      const asked = toDesign({ dotsOptions: { type: dots as 'square' } });
      const module = { moduleMm: Math.round((moduleMm * 300) / 25.4) * (25.4 / 300) };
      const laid = layOutPrint(CONTENT, asked, module, 'bitmap', { parts: [], caption });
      if (isFault(laid)) return;
      const plan = planRender(CONTENT, laid.design, null);
      if (isFault(plan)) throw new Error(plan.message);
      const inks = { color: 'rgb', paper: '#ffffff' } as const;
      const print = { page: laid.page, inks, around: laid.around! };
      const drawn = render({ text: CONTENT, design: laid.design, logo: null, format: 'png', print });
      if (!drawn.ok) throw new Error(drawn.fault.message);
      lanes.add(drawn.value.lane);
      const symbol = createSymbol(CONTENT, plan.symbol);
      const reference = drawReference(composeSvg(plan, symbol, laid.design, null, laid.around!));
      const [fast, slow] = await Promise.all(
        [drawn.value.bytes, reference].map((bytes) => sharp(bytes).ensureAlpha().raw().toBuffer()),
      );
      if (!fast!.equals(slow!)) throw new Error(`other pixels in the lane ${drawn.value.lane}`);
    },
  );
  await t.resolves(fc.assert(rule, { numRuns: 100 }));
  t.ok(lanes.has('plain') && lanes.has('stamped'), [...lanes].join());
});

t.test('a text that one font has is set as before, without being shaped', async (t) => {
  for (const text of [SCRIPT_TEXTS.Polish, SCRIPT_TEXTS.Greek, SCRIPT_TEXTS.Cyrillic]) {
    const laid = layOut(captionOf(text), 'vector');
    if (isFault(laid)) throw new Error(laid.message);
    t.notOk('shaped' in laid.around!.texts[0]!.lines[0]!, text);
  }
});

t.test(
  'a long text from right to left wraps where there are lines, and shrinks or is cut elsewhere',
  async (t) => {
    const text = Array(6).fill('مرحبا بالعالم').join(' ');
    const lines = (caption: CaptionSpec) => {
      const laid = layOut(caption, 'vector');
      return isFault(laid) ? laid : laid.around!.texts[0]!.lines.map((line) => line.text);
    };
    const wrapped = lines(captionOf(text, { side: 'beside', linesMax: 4 })) as readonly string[];
    t.ok(wrapped.length > 1);
    t.equal(wrapped.join(' '), text);
    t.match(lines(captionOf(`${text} ${text}`)), {
      field: 'caption',
      message:
        /^".*" does not fit below this code in letters of 0\.90 mm: print the code at least [\d.]+ mm wide/,
    });
    const cut = lines(captionOf(`${text} ${text}`, { allow: ['cut'] })) as readonly string[];
    t.ok(cut.length === 1 && cut[0]!.endsWith('…'));
  },
);
