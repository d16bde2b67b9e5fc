/** Dots of codes, logos and letters, and how ZPL II writes them. */
import fc from 'fast-check';
import PDFDocument from 'pdfkit';
import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import { composeSvg } from '../../../workers/design/svg.ts';
import { PRINTER_DPI } from '../../../workers/print/dots.ts';
import { isFault } from '../../../workers/protocol.ts';
import { rasterise } from '../../../workers/raster/rasterise.ts';
import { planCode } from '../../../workers/sheets/pages.ts';
import { type Bitmap, inkOf, toCanvas } from '../../../workers/sheets/printer/bitmap.ts';
import { drawCode, inBlackAndWhite } from '../../../workers/sheets/printer/code.ts';
import { createLetters } from '../../../workers/sheets/printer/letters.ts';
import { findThreshold, logoInBlackAndWhite } from '../../../workers/sheets/printer/logo.ts';
import { encodeRows } from '../../../workers/sheets/printer/zpl.ts';
import { openFont } from '../../../workers/vector/pdf-objects.ts';
import { holds } from '../../support/pictures/designs.ts';
import { logoOfSvg } from '../../support/pictures/logo.ts';
import { readRows } from '../../support/printers/zpl.ts';
import { fontPath } from './support.ts';

t.test('the same labels are drawn from modules and by the rasteriser', async (t) => {
  holds(
    t,
    fc.property(
      fc.string({ minLength: 1, maxLength: 80 }),
      fc.boolean(),
      fc.constantFrom(...PRINTER_DPI),
      (text, isInverted, dpi) => {
        const colors = isInverted ? ['#ffffff', '#000000'] : ['#204060', '#ffffff'];
        const options = { dotsOptions: { color: colors[0]! }, backgroundOptions: { color: colors[1]! } };
        const size = { widthMm: 20, dpi, round: 'down' } as const;
        const planned = planCode({ text, logo: null }, toDesign(options), new Map(), size, 'bitmap');
        if (isFault(planned)) throw new Error(planned.message);
        const { plan, symbol } = planned;
        const design = inBlackAndWhite(planned.design, plan.geometry);
        const drawn = drawCode(symbol, design, plan.geometry, null);
        const rasterised = toCanvas(rasterise(composeSvg(plan, symbol, design, null)), 128);
        return Buffer.compare(drawn.dots, rasterised.dots) === 0;
      },
    ),
    40,
  );
});

/** Rows that repeat, blank ones, long runs and noise. */
const bitmaps: fc.Arbitrary<Bitmap> = fc
  .record({ bytesPerRow: fc.integer({ min: 1, max: 260 }), rows: fc.integer({ min: 1, max: 12 }) })
  .chain(({ bytesPerRow, rows }) => {
    const byte = fc.oneof(fc.constantFrom(0, 255, 0xf0), fc.integer({ min: 0, max: 255 }));
    const row = fc.oneof(
      byte.map((one) => new Uint8Array(bytesPerRow).fill(one)),
      fc
        .tuple(byte, byte, fc.nat({ max: bytesPerRow }))
        .map(([head, tail, at]) => new Uint8Array(bytesPerRow).fill(head).fill(tail, at)),
      fc.uint8Array({ minLength: bytesPerRow, maxLength: bytesPerRow }),
    );
    const repeated = fc.tuple(row, fc.integer({ min: 1, max: 4 }));
    return fc.array(repeated, { minLength: 1, maxLength: rows }).map((runs) => {
      const all = runs.flatMap(([one, times]) => Array<Uint8Array>(times).fill(one));
      return { bytesPerRow, rows: all.length, bits: Uint8Array.from(Buffer.concat(all)) };
    });
  });

t.test(
  'rows of any bits are read back from their compression, which is never longer than digits',
  async (t) => {
    holds(
      t,
      fc.property(bitmaps, (bitmap) => {
        const text = encodeRows(bitmap);
        const read = readRows(text, bitmap.bytesPerRow, bitmap.bits.length);
        return Buffer.compare(read, bitmap.bits) === 0 && text.length <= 2 * bitmap.bits.length;
      }),
      300,
    );
    const rowsOf = (...rows: readonly (readonly number[])[]) =>
      encodeRows({ bytesPerRow: rows[0]!.length, rows: rows.length, bits: Uint8Array.from(rows.flat()) });
    t.equal(rowsOf([0, 0], [0, 0], [255, 255], [0xab, 0x11], [0xaa, 0xa0]), ',:!AB11IA,');
    t.equal(rowsOf(Array(250).fill(0x77)), 'zY7jG7', '500 digits');
  },
);

t.test('ink is the smallest rectangle around the black of a canvas', async (t) => {
  const canvas = (rows: readonly string[]) => ({
    widthDots: rows[0]!.length,
    heightDots: rows.length,
    dots: Uint8Array.from(rows.join(''), (dot) => (dot === '#' ? 1 : 0)),
  });
  t.equal(inkOf(canvas(['....', '....']), 3, 4), null);
  t.strictSame(inkOf(canvas(['.....', '..#..', '.....', '...#.', '.....']), 10, 20), {
    ...{ xDots: 12, yDots: 21 },
    bitmap: { bytesPerRow: 1, rows: 3, bits: Uint8Array.of(0x80, 0, 0x40) },
  });
});

t.test('the tones of a logo are separated where they differ most', async (t) => {
  const counted = fc.array(fc.tuple(fc.nat({ max: 255 }), fc.integer({ min: 1, max: 900 })), {
    minLength: 2,
    maxLength: 12,
  });
  holds(
    t,
    fc.property(counted, (tones) => {
      const counts = new Uint32Array(256);
      for (const [light, count] of tones) counts[light]! += count;
      const spread = (threshold: number): number => {
        const sides = [
          counts.map((n, i) => (i < threshold ? n : 0)),
          counts.map((n, i) => (i < threshold ? 0 : n)),
        ];
        const [[n1, m1], [n2, m2]] = sides.map((side) => {
          const n = side.reduce((sum, one) => sum + one, 0);
          return [n, n === 0 ? 0 : side.reduce((sum, one, i) => sum + one * i, 0) / n];
        }) as [[number, number], [number, number]];
        return n1 * n2 * (m1 - m2) ** 2;
      };
      const best = Math.max(...Array.from({ length: 256 }, (_, i) => spread(i)));
      return spread(findThreshold(counts)) >= best * (1 - 1e-9);
    }),
    100,
  );
  const threshold = (...lights: readonly number[]) => {
    const counts = new Uint32Array(256);
    for (const light of lights) counts[light]! += 1;
    return findThreshold(counts);
  };
  t.equal(threshold(0, 255), 128, 'the middle of two tones');
  t.equal(threshold(200, 200), 255, 'one tone is black');
});

t.test('a logo keeps its shape in black and white, however pale it is', async (t) => {
  const svg = (inner: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600">${inner}</svg>`;
  const lights = (inner: string) => {
    const logo = logoInBlackAndWhite(logoOfSvg(svg(inner)));
    t.match(logo, { widthPx: 900, heightPx: 600 });
    const image = `<image width="90" height="60" href="data:image/png;base64,${Buffer.from(logo.png).toString('base64')}"/>`;
    const { colors } = rasterise(
      `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${image}</svg>`,
    );
    return [colors[5 * 90 + 5]!, colors[30 * 90 + 45]!].map((color) => [color & 255, color >>> 24]);
  };
  const disc = (fill: string) => `<circle cx="450" cy="300" r="250" fill="${fill}"/>`;
  const ground = (fill: string) => `<rect width="900" height="600" fill="${fill}"/>`;
  t.strictSame(
    lights(disc('#ffd400')),
    [
      [0, 0],
      [0, 255],
    ],
    'yellow on nothing is black',
  );
  t.strictSame(lights(ground('#fff') + disc('#ffe680')), [
    [255, 255],
    [0, 255],
  ]);
  t.strictSame(lights(ground('#222') + disc('#777')), [
    [0, 255],
    [255, 255],
  ]);
  t.strictSame(lights(disc('#fff')), [
    [0, 0],
    [255, 255],
  ]);
});

/** The number of figures that hang together, also across corners. */
const figuresIn = (dots: readonly boolean[], width: number): number => {
  const left = new Set(dots.flatMap((dot, i) => (dot ? [i] : [])));
  let figures = 0;
  for (const first of left) {
    figures += 1;
    for (const stack = [first]; stack.length > 0; ) {
      const at = stack.pop()!;
      if (!left.delete(at)) continue;
      const column = at % width;
      for (const dx of [-1, 0, 1])
        for (const dy of [-width, 0, width])
          if (column + dx >= 0 && column + dx < width) stack.push(at + dx + dy);
    }
  }
  return figures;
};

t.test('no stroke of a letter is lost in the smallest type on the coarsest printer', async (t) => {
  const font = openFont(new PDFDocument({ font: null as unknown as string, autoFirstPage: false }), fontPath);
  const figuresOf = (character: string, sizePt: number, dpi: number): number => {
    const draw = createLetters(font, { widthDots: 2000, heightDots: 2000 }, dpi);
    const ink = draw({ sizePt, lines: [{ text: character, xPt: 100, yPt: 100 }] });
    if (ink === null) return 0;
    const { bytesPerRow, bits } = ink.bitmap;
    const dots = [...bits].flatMap((byte) => Array.from({ length: 8 }, (_, i) => (byte & (0x80 >> i)) !== 0));
    return figuresIn(dots, 8 * bytesPerRow);
  };
  const letters =
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-_.:?&=#%ÄÖÜßéèçñøåŁżΑΒΓΔΩλπЖЩЮяф€□…';
  for (const dpi of PRINTER_DPI) {
    const whole = new Map([...letters].map((letter) => [letter, figuresOf(letter, 24, 300)]));
    const isBroken = (letter: string): boolean => {
      const figures = figuresOf(letter, 3.5, dpi);
      return figures === 0 || figures > whole.get(letter)!;
    };
    t.strictSame([...letters].filter(isBroken), [], `${dpi} dpi`);
    // Accents and the dots of a question mark may touch their letter; these signs would be others then.
    for (const sizePt of [4.5, 6, 8, 12]) {
      const merged = [...'=:;ij'].filter((sign) => figuresOf(sign, sizePt, dpi) !== 2);
      t.strictSame(merged, [], `${sizePt} pt at ${dpi} dpi`);
    }
  }
});

t.test('letters stand on whole dots, and what is beyond the page is left out', async (t) => {
  const font = openFont(new PDFDocument({ font: null as unknown as string, autoFirstPage: false }), fontPath);
  const draw = createLetters(font, { widthDots: 100, heightDots: 40 }, 203);
  const at = (xPt: number, yPt: number, text = 'HH') => draw({ sizePt: 8, lines: [{ text, xPt, yPt }] });
  const here = at(5, 10)!;
  t.strictSame(at(5 + (72 / 203) * 3, 10), { ...here, xDots: here.xDots + 3 });
  t.equal(at(200, 10), null);
  t.equal(at(5, 10, ' '), null);
  const half = at(-1, 2)!;
  t.strictSame([half.xDots, half.yDots], [0, 0], 'it begins in the corner');
});
