import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { deflatePixels } from '../../../workers/raster/deflate/deflate-pixels.ts';
import { prefixCodeOf } from '../../../workers/raster/deflate/huffman.ts';
import type { PixelRows } from '../../../workers/raster/deflate/tokens.ts';
import { createRandom } from '../../support/random.ts';

/** Returns the bytes of rows: a filter byte 0 before each, then the lowest bytes of each pixel. */
function bytesOf({ widthPx, pixels, pixelBytes }: PixelRows): Buffer {
  const rows = [];
  for (let start = 0; start < pixels.length; start += widthPx) {
    rows.push(0);
    for (const color of pixels.subarray(start, start + widthPx)) {
      for (let channel = 0; channel < pixelBytes; channel += 1) rows.push((color >>> (8 * channel)) & 255);
    }
  }
  return Buffer.from(rows);
}

const isKept = (rows: PixelRows): boolean => inflateSync(deflatePixels(rows).slice()).equals(bytesOf(rows));

/** Rows with runs, repeated rows and repeated pixels, as in pictures. */
const rows = fc
  .record({
    widthPx: fc.integer({ min: 1, max: 120 }),
    heightPx: fc.integer({ min: 1, max: 30 }),
    colors: fc.constantFrom(1, 2, 3, 20, 300, 1 << 30),
    changing: fc.integer({ min: 0, max: 100 }),
    above: fc.integer({ min: 0, max: 100 }),
    pixelBytes: fc.constantFrom(3 as const, 4 as const),
    seed: fc.integer(),
  })
  .map(({ widthPx, heightPx, colors, changing, above, pixelBytes, seed }): PixelRows => {
    const random = createRandom(seed);
    const pixels = new Int32Array(widthPx * heightPx);
    let color = 0;
    for (let i = 0; i < pixels.length; i += 1) {
      if (random(100) < changing) color = Math.imul(random(colors), 0x9e3779b1);
      pixels[i] = i >= widthPx && random(100) < above ? pixels[i - widthPx]! : color;
    }
    return { widthPx, pixels, pixelBytes };
  });

t.test('rows can be inflated again, whatever their repetitions', async (t) => {
  t.doesNotThrow(() => fc.assert(fc.property(rows, isKept), { numRuns: 500 }));
});

t.test('rows longer than the maximum distance of repetitions can be inflated too', async (t) => {
  for (const widthPx of [8191, 10_922, 10_923, 11_000]) {
    const pixels = Int32Array.from(
      { length: widthPx * 4 },
      (_, i) => Math.floor((i % widthPx) / 7) * 0x10307,
    );
    for (const pixelBytes of [3, 4] as const) t.ok(isKept({ widthPx, pixels, pixelBytes }), `${widthPx} px`);
  }
});

t.test('the checksum is right for rows of any length with the largest byte values', async (t) => {
  const wrong: number[] = [];
  for (let widthPx = 1; widthPx <= 70; widthPx += 1) {
    const pixels = new Int32Array(widthPx * 3).fill(-1);
    if (!isKept({ widthPx, pixels, pixelBytes: 3 }) || !isKept({ widthPx, pixels, pixelBytes: 4 }))
      wrong.push(widthPx);
  }
  t.same(wrong, []);
});

t.test('repetitions of every length can be inflated', async (t) => {
  const wrong: number[] = [];
  for (let same = 1; same <= 700; same += 1) {
    const pixels = new Int32Array(2 * (same + 1)).fill(0x123456);
    pixels[same] = 7;
    pixels[2 * same + 1] = 9;
    if (!isKept({ widthPx: same + 1, pixels, pixelBytes: 3 })) wrong.push(same);
  }
  t.same(wrong, []);
});

t.test('a prefix code is complete and within its length limit, for any counts', async (t) => {
  // Fibonacci numbers give the deepest tree.
  const fibonacci = [1, 1];
  while (fibonacci.length < 40) fibonacci.push(fibonacci.at(-1)! + fibonacci.at(-2)!);
  for (const counts of [fibonacci, fibonacci.slice(0, 19), [5, 0], [0, 0, 3], [0, 0], [1, 0, 1], [9, 9, 9]]) {
    for (const maxBits of [7, 15]) {
      const { lengths, codes } = prefixCodeOf(Uint32Array.from(counts), maxBits);
      const used = [...lengths.keys()].filter((symbol) => lengths[symbol]! > 0);
      t.equal(
        used.reduce((sum, symbol) => sum + 2 ** -lengths[symbol]!, 0),
        1,
        'complete',
      );
      t.ok(used.every((symbol) => lengths[symbol]! <= maxBits));
      t.ok(counts.every((count, symbol) => count === 0 || lengths[symbol]! > 0));
      t.equal(new Set(used.map((symbol) => `${lengths[symbol]} ${codes[symbol]}`)).size, used.length);
    }
  }
});
