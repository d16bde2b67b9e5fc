/** The rules of captions and frames, tested on layouts. */
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import { composeSvg } from '../../workers/design/svg.ts';
import { getOrMake } from '../../workers/kept.ts';
import { FRAME_TYPES, namesOf } from '../../workers/lists.ts';
import { planRender } from '../../workers/plan.ts';
import type { PrintSize } from '../../workers/print/dots.ts';
import { hasGlyph, type Weight } from '../../workers/print/font.ts';
import { layOutPrint } from '../../workers/print/layout.ts';
import { textFont } from '../../workers/print/letters.ts';
import { printableLines } from '../../workers/print/lines.ts';
import { type CaptionSpec, type FrameSpec, isFault, type Surround } from '../../workers/protocol.ts';
import { figureLines } from '../../workers/raster/around/letters.ts';
import { laneAround } from '../../workers/raster/lane.ts';
import { drawReference } from '../../workers/raster/png.ts';
import { render } from '../../workers/render.ts';
import { createSymbol } from '../../workers/symbol/symbol.ts';
import { fewestOf, someOf } from '../support/cases.ts';
import { DOT_TYPES } from '../support/pictures/designs.ts';
import { logoOfSvg } from '../support/pictures/logo.ts';

const ADVANCE_EM = 0.5419;
/** Letters are drawn in this share of their width. */
const NARROWNESS = 0.9;
const DIGIT_EM = 0.729;
/** Nothing of a letter is further from its baseline, in ems. */
const [ASCENT_EM, DESCENT_EM] = [1, 0.3];
const design = toDesign({});
const content = fc.string({ minLength: 1, maxLength: 120, unit: 'grapheme-ascii' });
const word = fc.string({ minLength: 1, maxLength: 30, unit: fc.constantFrom(...'aZ09 .-/ÄçŽßΩж€ÅΎὛďŉ⟶') });
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));

const captions: fc.Arbitrary<CaptionSpec> = fc
  .record(
    {
      text,
      side: fc.constantFrom('below' as const, 'above' as const, 'beside' as const),
      align: fc.constantFrom('left' as const, 'center' as const, 'right' as const),
      weight: fc.constantFrom('regular' as const, 'bold' as const),
      mostMm: fc.double({ min: 0.9, max: 8, noNaN: true }),
    },
    { requiredKeys: ['text', 'side', 'align', 'weight'] },
  )
  .map((spec) => ({ ...spec, linesMax: 4, allow: [] }));
const frames = fc.option(
  fc.constantFrom(...namesOf(FRAME_TYPES)).map((type): FrameSpec => ({ type })),
  { nil: undefined },
);
const kind = fc.constantFrom('vector' as const, 'bitmap' as const);
const size = fc.record({
  moduleMm: fc.integer({ min: 3, max: 20 }).map((dots) => (dots * 25.4) / 300),
  quietZone: fc.integer({ min: 0, max: 6 }),
  bleedMm: fc.integer({ min: 0, max: 5 }),
});

/** A caption in a banner stands on the side of its band. */
const inBanner = (caption: CaptionSpec, frame: FrameSpec | undefined): CaptionSpec => {
  const banner = frame === undefined ? null : FRAME_TYPES[frame.type].banner;
  return banner === null ? caption : { ...caption, side: banner };
};

const extentOf = ({ leftPx, topPx, rightPx, bottomPx }: Surround) => [leftPx, topPx, rightPx, bottomPx];

const inks = new Map<string, readonly [from: number, to: number]>();

/** Returns where the outline of a letter begins and ends, in ems from its place. */
const inkOf = (character: string, weight: Weight): readonly [from: number, to: number] =>
  getOrMake(inks, `${weight} ${character}`, () => {
    const font = textFont(weight);
    const { commands } = font.glyphForCodePoint(character.codePointAt(0)!).path;
    const xs = commands.flatMap(({ args }) => args.filter((_, i) => i % 2 === 0));
    const ends = xs.length === 0 ? [0, 0] : [Math.min(...xs), Math.max(...xs)];
    return ends.map((x) => (x / font.unitsPerEm) * NARROWNESS) as [number, number];
  });

/** Returns the boxes of lines: their letters across, and down as far as any may reach. */
const boxesOf = ({ texts }: Surround) =>
  texts.flatMap(({ sizePx, lines, ...block }) => {
    const weight: Weight = block.weight ?? 'regular';
    return lines
      .filter((line) => line.text !== '')
      .map((line) => {
        const ends = [...line.text].map((character, place) =>
          inkOf(character, weight).map((em) => line.xPx + (place * ADVANCE_EM + em) * sizePx),
        );
        return {
          left: Math.min(...ends.map(([from]) => from!)),
          right: Math.max(...ends.map(([, to]) => to!)),
          top: line.baselinePx - ASCENT_EM * sizePx,
          bottom: line.baselinePx + DESCENT_EM * sizePx,
        };
      });
  });

t.test('the code stays as it is, and words are whole, legible and outside of four modules', async (t) => {
  let laidOut = 0;
  fc.assert(
    fc.property(content, captions, frames, size, kind, (text, asked, frame, size, kind) => {
      const caption = inBanner(asked, frame);
      const plain = layOutPrint(text, design, size, kind);
      const laid = layOutPrint(text, design, size, kind, { parts: [], caption, ...(frame && { frame }) });
      if (isFault(plain) || isFault(laid)) return;
      laidOut += 1;
      const { around, page } = laid;
      const { bleedPx, mmPerPx } = page;
      if (JSON.stringify(laid.design) !== JSON.stringify(plain.design)) throw new Error('another code');
      if (JSON.stringify(around!.lost) !== '[]') throw new Error('something is lost');
      const extent = extentOf(around!);
      if (extent.some((px) => px < 0)) throw new Error('a canvas that is smaller than its code');
      if (kind === 'bitmap' && !extent.every(Number.isInteger)) throw new Error(`${extent}: broken pixels`);
      const side = plain.design.widthPx - 2 * bleedPx;
      const [left, top, right, bottom] = extent as [number, number, number, number];
      const widthMm = (side + left + right) * mmPerPx;
      if (Math.abs(page.widthMm - widthMm) > 1e-6) throw new Error('the page has another width');
      if (Math.abs(page.heightMm - (side + top + bottom) * mmPerPx) > 1e-6)
        throw new Error('the page has another height');

      const modulePx = kind === 'bitmap' ? Math.round(size.moduleMm / mmPerPx) : 10;
      // Four modules around the symbol, from the corner of the canvas.
      const [from, to] = [
        bleedPx + (size.quietZone - 4) * modulePx,
        bleedPx + side - (size.quietZone - 4) * modulePx,
      ];
      for (const box of boxesOf(around!)) {
        const isBeside = box.right <= from + 0.1 || box.left >= to - 0.1;
        const isOver = box.bottom <= from + 0.1 || box.top >= to - 0.1;
        if (!isBeside && !isOver) throw new Error(`a line in the quiet zone: ${JSON.stringify(box)}`);
        const isIn =
          box.left >= bleedPx - left - 0.1 &&
          box.right <= bleedPx + side + right + 0.1 &&
          box.top >= bleedPx - top - 0.1 &&
          box.bottom <= bleedPx + side + bottom + 0.1;
        if (!isIn) throw new Error(`a line outside of the canvas: ${JSON.stringify(box)}`);
      }
      const digitsMm = around!.texts.map(({ sizePx }) => sizePx * DIGIT_EM * mmPerPx);
      if (digitsMm.some((mm) => mm < 0.899)) throw new Error(`digits of ${digitsMm} mm`);
      const { mostMm = 0 } = caption;
      const greatestMm = mostMm === 0 ? Math.max(2, 3 * modulePx * mmPerPx) : mostMm;
      // Seven dots of a coarse printer are more than the asked size.
      if (digitsMm.some((mm) => mm > Math.max(greatestMm, 7 * mmPerPx) + 0.01))
        throw new Error('larger than asked');

      const bare = (some: string): string => some.replace(/\s/g, '');
      const printed = around!.texts.flatMap(({ lines }) => lines.map((line) => line.text)).join('');
      const wanted = printableLines(caption.text, () => true).lines.flat();
      if (bare(printed) !== bare(wanted.join(''))) throw new Error(`${printed} is not ${wanted.join('')}`);
    }),
    { numRuns: 1000 },
  );
  t.ok(laidOut > 50, `${laidOut} layouts`);
});

/** Returns the pixels in RGBA. */
const pixelsOf = (png: Uint8Array) => sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

const COLORS = ['#000000', '#004080', '#ffffff', '#ffee00', '#ffee0080', '#00000000'] as const;
const colors = fc.constantFrom(...COLORS);
const looks = fc.record({
  ink: colors,
  ground: colors,
  wordColor: fc.option(fc.constantFrom('#000000', '#aa0000', '#ffffff'), { nil: undefined }),
  frameColor: fc.option(fc.constantFrom('#000000', '#ffee00'), { nil: undefined }),
  type: fc.constantFrom('square' as const, 'square' as const, ...DOT_TYPES),
  shape: fc.constantFrom('square' as const, 'square' as const, 'circle' as const),
  parts: fc.constantFrom([], [], [], ['(01)04012345678901', '(21)ABC123']),
});
const smallSize = size.map((asked) => ({ ...asked, moduleMm: Math.min(asked.moduleMm, (9 * 25.4) / 300) }));
const shortContent = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' });
/** Letters that touch others, that reach far up and down, and that have several parts. */
const wide = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'WMm@gqǺŽjÇ|— i') });
const printed = fc.oneof(
  text,
  fc.array(wide, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
);

/** Draws a picture with words, and returns it with the reference's; `null` when it cannot be drawn. */
const drawTwice = (
  content: string,
  asked: CaptionSpec,
  frame: FrameSpec | undefined,
  size: PrintSize,
  look: typeof looks extends fc.Arbitrary<infer Look> ? Look : never,
) => {
  const { ink, ground, wordColor, frameColor, type, shape, parts } = look;
  const styled = toDesign({
    shape,
    dotsOptions: { color: ink, type },
    cornersDotOptions: { color: '#800000' },
    backgroundOptions: { color: ground },
  });
  const caption = { ...inBanner(asked, frame), ...(wordColor !== undefined && { color: wordColor }) };
  const framed = frame && { frame: { ...frame, ...(frameColor !== undefined && { color: frameColor }) } };
  const laid = layOutPrint(content, styled, size, 'bitmap', { parts, caption, ...framed });
  if (isFault(laid)) return null;
  const { design, page, around } = laid;
  const plan = planRender(content, design, null);
  if (isFault(plan)) return null;
  const print = { page, inks: { color: 'rgb', paper: '#ffffff' } as const, around: around! };
  const drawn = render({ text: content, design, logo: null, format: 'png', print });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  const svg = composeSvg(plan, createSymbol(content, plan.symbol), design, null, around!);
  return { drawn: drawn.value, reference: drawReference(svg), wanted: laneAround(plan.lane, around!) };
};

t.test('words and frames are drawn without the reference, to the same pixels', async (t) => {
  const served: Record<string, number> = {};
  const asked = fc.tuple(captions, printed).map(([caption, text]): CaptionSpec => ({ ...caption, text }));
  const rule = fc.asyncProperty(
    shortContent,
    asked,
    frames,
    smallSize,
    looks,
    async (content, asked, frame, size, look) => {
      const twice = drawTwice(content, asked, frame, size, look);
      if (twice === null) return;
      const { drawn, reference, wanted } = twice;
      const key = wanted === drawn.lane ? drawn.lane : `${wanted}, but ${drawn.lane}`;
      served[key] = (served[key] ?? 0) + 1;
      if (drawn.lane === 'reference') return;
      const [fast, slow] = await Promise.all([pixelsOf(drawn.bytes), pixelsOf(reference)]);
      if (fast.info.width !== slow.info.width || fast.info.height !== slow.info.height)
        throw new Error('another size');
      if (!fast.data.equals(slow.data)) throw new Error(`other pixels in the lane ${drawn.lane}`);
    },
  );
  await t.resolves(fc.assert(rule, { numRuns: 200 }));
  const { plain = 0, stamped = 0, layered = 0 } = served;
  t.ok(plain >= fewestOf(8), `${plain} in the plain lane`);
  t.ok(stamped >= fewestOf(1), `${stamped} in the stamped lane`);
  t.ok(layered >= fewestOf(8), `${layered} in the layered lane`);
});

t.test('gradients and logos with words are within a level', async (t) => {
  const gradient = {
    type: 'linear' as const,
    rotation: 0.7,
    colorStops: [
      { offset: 0, color: '#004080' },
      { offset: 1, color: '#c00040' },
    ],
  };
  const logo = logoOfSvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#e5484d"/></svg>',
  );
  const styles = [
    [{ dotsOptions: { gradient } }, null],
    [
      { backgroundOptions: { gradient: { ...gradient, colorStops: [{ offset: 0, color: '#ffffff' }] } } },
      null,
    ],
    [{ dotsOptions: { type: 'dots', gradient: { ...gradient, type: 'radial' as const } } }, null],
    [{ dotsOptions: { type: 'rounded' } }, logo],
    [{ dotsOptions: { gradient }, imageOptions: { hideBackgroundDots: false } }, logo],
  ] as const;
  const rule = fc.asyncProperty(
    captions,
    frames,
    size,
    fc.constantFrom(...styles),
    async (asked, frame, size, [style, logo]) => {
      const words = { parts: [], caption: inBanner(asked, frame), ...(frame && { frame }) };
      const laid = layOutPrint(
        'https://example.com/',
        toDesign(style as Parameters<typeof toDesign>[0]),
        size,
        'bitmap',
        words,
      );
      if (isFault(laid)) return;
      const { design, page, around } = laid;
      const plan = planRender('https://example.com/', design, logo);
      if (isFault(plan)) return;
      const print = { page, inks: { color: 'rgb', paper: '#ffffff' } as const, around: around! };
      const drawn = render({ text: 'https://example.com/', design, logo, format: 'png', print });
      if (!drawn.ok) throw new Error(drawn.fault.message);
      if (drawn.value.lane === 'reference') throw new Error('left to the reference');
      const symbol = createSymbol('https://example.com/', plan.symbol);
      const reference = drawReference(composeSvg(plan, symbol, design, logo, around!));
      const [fast, slow] = await Promise.all([pixelsOf(drawn.value.bytes), pixelsOf(reference)]);
      if (fast.data.length !== slow.data.length) throw new Error('another size');
      for (let i = 0; i < slow.data.length; i += 1)
        if (Math.abs(fast.data[i]! - slow.data[i]!) > 1) throw new Error(`another colour at ${i >> 2}`);
    },
  );
  await t.resolves(fc.assert(rule, { numRuns: 60 }));
});

t.test('every letter is drawn from any quarter of a pixel', async (t) => {
  const characters = Array.from({ length: 0x2600 }, (_, code) => String.fromCodePoint(code)).filter(
    (character) => hasGlyph(character, 'regular') && hasGlyph(character, 'bold'),
  );
  const lines = someOf(characters).map((character, at) => ({
    text: character.repeat(2),
    xPx: 40 + (at % 4) / 4,
    baselinePx: 60,
  }));
  for (const weight of [{}, { weight: 'bold' }] as const) {
    const drawn = figureLines({ heightPx: 0, sizePx: 23.4, lines, ...weight });
    t.ok(drawn!.length > 0.9 * lines.length, `${drawn!.length} of ${lines.length} are not blank`);
  }
  t.equal(figureLines({ heightPx: 0, sizePx: 2000, lines }), null, 'letters of posters are not kept');
});

t.test('lines are set to their side', async () => {
  const asked = (align: CaptionSpec['align'], frame?: FrameSpec) =>
    layOutPrint('Table 1', design, { moduleMm: 0.508 }, 'vector', {
      parts: [],
      caption: { text: 'A\nlonger', side: 'below', align, weight: 'regular', linesMax: 2, allow: [] },
      ...(frame && { frame }),
    });
  for (const frame of [undefined, { type: 'line' } as const]) {
    const starts = (['left', 'center', 'right'] as const).map((align) => {
      const laid = asked(align, frame);
      if (isFault(laid)) throw new Error(laid.message);
      return laid.around!.texts[0]!.lines.map(({ xPx }) => xPx) as [number, number];
    });
    const [left, center, right] = starts as [[number, number], [number, number], [number, number]];
    t.equal(left[0], left[1], 'left: lines begin together');
    t.ok(right[0] > right[1] && center[0] > center[1] && left[0] < center[0] && center[0] < right[0]);
  }
});

t.test('letters that are drawn beyond their place begin no nearer to the code', async (t) => {
  const startOf = (text: string, align: CaptionSpec['align']) => {
    const caption = { text, side: 'beside', align, weight: 'bold', linesMax: 2, allow: [] } as const;
    const laid = layOutPrint('Table 1', design, { moduleMm: 0.508 }, 'bitmap', { parts: [], caption });
    if (isFault(laid)) throw new Error(laid.message);
    const { texts } = laid.around!;
    return { endPx: laid.design.widthPx, lines: texts[0]!.lines, boxes: boxesOf(laid.around!) };
  };
  const usual = startOf('A\nB', 'left');
  t.equal(usual.lines[0]!.xPx, usual.endPx, 'usual letters begin where the quiet zone ends');
  const greek = startOf('Ὓ\nB', 'left');
  t.ok(
    greek.boxes.every(({ left }) => left >= greek.endPx - 0.1),
    'so does the breathing mark of a capital',
  );
  t.equal(greek.lines[0]!.xPx, greek.lines[1]!.xPx, 'lines begin together');
  t.equal(startOf('ab Ὓ ab\nB', 'center').lines[1]!.xPx, startOf('ab A ab\nB', 'center').lines[1]!.xPx);
});

t.test(
  'text that does not fit is refused with the width that would fit, or cut if that is allowed',
  async (t) => {
    let refused = 0;
    fc.assert(
      fc.property(content, captions, frames, size, (text, asked, frame, { moduleMm, quietZone }) => {
        const caption = { ...inBanner(asked, frame), text: `${asked.text} and more words than fit` };
        const words = { parts: [], caption, ...(frame && { frame }) };
        const laid = layOutPrint(text, design, { moduleMm: moduleMm / 5, quietZone }, 'vector', words);
        if (!isFault(laid) || laid.field !== 'caption') return;
        refused += 1;
        const [, width] = /in letters of 0\.90 mm: print the code at least ([\d.]+) mm wide/.exec(
          laid.message,
        )!;
        const wide = layOutPrint(text, design, { widthMm: Number(width), quietZone }, 'vector', words);
        if (isFault(wide)) throw new Error(`${width} is too small: ${wide.message}`);
        const narrow = { widthMm: Number(width) - 0.05, quietZone };
        if (!isFault(layOutPrint(text, design, narrow, 'vector', words)))
          throw new Error(`${width} is too large`);
        const allowed = { ...words, caption: { ...caption, allow: ['cut'] as const } };
        const cut = layOutPrint(text, design, { moduleMm: moduleMm / 5, quietZone }, 'vector', allowed);
        // In the narrowest codes not one letter fits.
        if (isFault(cut)) return;
        if (JSON.stringify(cut.around!.lost) !== '["cut"]') throw new Error('not said to be cut');
        const printed = cut.around!.texts.flatMap(({ lines }) => lines.map((line) => line.text)).join('');
        if (printed.length >= caption.text.length) throw new Error('nothing is cut');
      }),
      { numRuns: 500 },
    );
    t.ok(refused > 10, `${refused} refusals`);
  },
);

t.test('characters that no font has are named', async (t) => {
  const lay = (text: string, allow: CaptionSpec['allow'] = []) =>
    layOutPrint('Table 1', design, { moduleMm: 0.508 }, 'vector', {
      parts: [],
      caption: { text, side: 'below', align: 'center', weight: 'regular', linesMax: 1, allow },
    });
  for (const [text, told] of [
    ['Tisch 日本', /^"Tisch 日本" has characters that cannot be printed, U\+65E5 日, U\+672C 本: /],
    ['שלום \u{e000}\u0378', /cannot be printed, U\+E000, U\+0378: /],
  ] as const) {
    const laid = lay(text);
    if (!isFault(laid)) throw new Error('it is laid out');
    t.match(laid, { field: 'caption', message: told });
    const printed = lay(text, ['glyphs']);
    if (isFault(printed)) throw new Error(printed.message);
    t.match(printed.around, { lost: ['glyphs'] });
    t.match(printed.around!.texts[0]!.lines[0]!.text, /□.*□|□□/);
  }
  const blank = lay(' \u200b ');
  if (isFault(blank)) throw new Error(blank.message);
  t.match(blank.around, { texts: [], bottomPx: 0 }, 'nothing visible takes no room');
});

t.test('a caption that could not be read on what is behind it is refused', async (t) => {
  const lay = (options: object, color: string | undefined, frame?: FrameSpec) =>
    layOutPrint('Table 1', toDesign(options), { moduleMm: 0.508 }, 'vector', {
      parts: [],
      caption: {
        ...({ text: 'Menu', side: 'below', align: 'center', weight: 'regular', linesMax: 1 } as const),
        allow: [],
        ...(color !== undefined && { color }),
      },
      ...(frame && { frame }),
    });
  const yellow = { backgroundOptions: { color: '#ffee00' } };
  const banner = { type: 'banner-below' } as const;
  t.match(lay({}, '#ffff00'), { field: 'caption_color', message: /a contrast of 0\.11 .* it needs 0\.4/ });
  t.match(lay(yellow, '#ffffff'), { field: 'caption_color' });
  t.match(lay({}, undefined, { ...banner, color: '#eeeeee' }), { field: 'frame_color' });
  t.match(lay({}, '#333333', { ...banner, color: '#000000' }), { field: 'caption_color' });
  const texts = (laid: ReturnType<typeof lay>) => (isFault(laid) ? [] : laid.around!.texts);
  t.match(texts(lay({}, '#0000ff')), [{ color: '#0000ff' }]);
  t.match(texts(lay(yellow, undefined, banner)), [{ color: '#ffee00' }], 'reversed in the background');
  t.match(texts(lay({ backgroundOptions: { color: 'transparent' } }, undefined, banner)), [
    { color: '#ffffff' },
  ]);
});

t.test('the characters of the font are those that its outlines are read from', async (t) => {
  for (const weight of ['regular', 'bold'] as const) {
    const font = textFont(weight);
    const differing: number[] = [];
    for (let code = 0x20; code < 0x1_1000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const has = font.glyphForCodePoint(code).id !== 0;
      if (has !== hasGlyph(String.fromCodePoint(code), weight)) differing.push(code);
    }
    t.strictSame(differing, [], weight);
    t.ok(hasGlyph('ß', weight) && hasGlyph('□', weight) && hasGlyph('…', weight));
  }
});
