/** The parts of the PNG encoder, each compared with a naive implementation. */
import fc from 'fast-check';
import t from 'tap';
import { indexColors, straightColor } from '../../../workers/raster/pixels.ts';
import { trueColorScanlines } from '../../../workers/raster/true-color.ts';
import { naiveScanlines } from '../../support/pictures/naive-scanlines.ts';
import { createRandom } from '../../support/random.ts';

t.test('the colours of a picture', async (t) => {
  const numbered = (pixels: Int32Array) => {
    const colors = [...new Set(pixels)];
    return { colors, indices: [...pixels].map((color) => colors.indexOf(color)) };
  };
  const isNumbered = (pixels: Int32Array): boolean => {
    const found = indexColors(pixels);
    const { colors, indices } = numbered(pixels);
    if (colors.length > 256) return found === null;
    return `${found!.colors}` === `${colors}` && `${found!.indices}` === `${indices}`;
  };

  t.test('are numbered in order of appearance, up to 256', async (t) => {
    const random = createRandom(7);
    for (const count of [1, 2, 3, 50, 255, 256, 257, 258, 400]) {
      const colors = Array.from({ length: count }, (_, i) => (i === 0 ? 0 : random(2 ** 32) | 0));
      const runs = Array.from({ length: 900 }, () => Array(1 + random(3)).fill(colors[random(count)]));
      t.ok(isNumbered(Int32Array.from([...colors, ...runs.flat()])), `${count} colours`);
    }
    for (const first of [0, 1, -1]) t.ok(isNumbered(Int32Array.of(first, first, 0, 1, 2)), `${first} first`);
  });

  t.test('are distinguished when they collide in the hash table', async (t) => {
    // The inverse of the hash factor modulo 2^32.
    let inverse = 1;
    for (let i = 0; i < 5; i += 1) inverse = Math.imul(inverse, 2 - Math.imul(0x9e3779b1, inverse));
    for (const slot of [0, 1, 1023]) {
      const colors = Array.from({ length: 256 }, (_, i) => Math.imul(inverse, (slot << 22) | (i + 1)));
      t.ok(isNumbered(Int32Array.from([...colors, ...colors.toReversed()])), `place ${slot}`);
    }
  });

  t.test('are divided by their alpha and rounded', async (t) => {
    const wrong: number[] = [];
    for (let alpha = 0; alpha < 256; alpha += 1) {
      for (let value = 0; value <= alpha; value += 1) {
        const straight = (channel: number) => (alpha === 0 ? 0 : Math.floor(channel / (alpha / 255) + 0.5));
        const channels = [value, alpha - value, value >> 1];
        const expected = [...channels.map(straight), alpha];
        const [color] = new Int32Array(Uint8Array.from([...channels, alpha]).buffer);
        const found = new Uint8Array(Int32Array.of(straightColor(color!)).buffer);
        if (`${[...found]}` !== `${expected}`) wrong.push(color!);
      }
    }
    t.same(wrong, []);
  });
});

/** Rows in which some pixels repeat the row above and the others are new, in runs of the given lengths. */
const runs = fc.array(
  fc.record({
    lengthPx: fc.integer({ min: 1, max: 18 }),
    kind: fc.constantFrom('above', 'new', 'new', 'left', 'aboveLeft', 'aboveRight'),
  }),
  { minLength: 1, maxLength: 40 },
);
const pictures = fc
  .record({
    widthPx: fc.oneof(fc.constantFrom(20, 40, 60, 80, 100), fc.integer({ min: 1, max: 90 })),
    rows: fc.array(runs, { minLength: 1, maxLength: 9 }),
    seed: fc.integer(),
  })
  .map(({ widthPx, rows, seed }) => {
    const random = createRandom(seed);
    const pixels = new Int32Array(widthPx * (rows.length + 1)).map(() => random(2 ** 32) | 0);
    for (const [row, parts] of rows.entries()) {
      const kinds = parts.flatMap(({ lengthPx, kind }) => Array(lengthPx).fill(kind));
      for (let x = 0; x < widthPx; x += 1) {
        const at = (row + 1) * widthPx + x;
        const from = { above: -widthPx, left: -1, aboveLeft: -widthPx - 1, aboveRight: -widthPx + 1 };
        const step = from[kinds[x] as keyof typeof from] ?? (x < kinds.length ? 0 : -widthPx);
        pixels[at] = pixels[at + step]!;
      }
    }
    return { pixels, widthPx };
  });

t.test('a true-colour row gets the filter that the rules choose for its pixels', async (t) => {
  const filters = new Set<number>();
  const rule = fc.property(pictures, fc.constantFrom(3, 4), ({ pixels, widthPx }, pixelBytes) => {
    const found = trueColorScanlines(pixels, widthPx, pixelBytes as 3 | 4);
    for (let start = 0; start < found.length; start += 1 + widthPx * pixelBytes) filters.add(found[start]!);
    return Buffer.from(found).equals(naiveScanlines(pixels, widthPx, pixelBytes));
  });
  t.doesNotThrow(() => fc.assert(rule, { numRuns: 1500 }));
  t.same([...filters].sort(), [0, 2, 4]);
});
