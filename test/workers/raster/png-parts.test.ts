/** The parts of the PNG encoder, each compared with a naive implementation. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { indexColors, isOpaque, straightColor } from '../../../workers/raster/pixels.ts';
import { filterUp, packIndices } from '../../../workers/raster/png.ts';
import { COLOR_TYPE, pngOf } from '../../../workers/raster/png-file.ts';
import { trueColorScanlines } from '../../../workers/raster/true-color.ts';
import { naiveScanlines } from '../../support/pictures/naive-scanlines.ts';

/** Integers from 0 to `below` - 1, the same in each run. */
const createRandom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/** Returns the chunks of a file. @throws When a length or checksum is wrong, or bytes are left over. */
const chunksOf = (file: Uint8Array): [string, number[]][] => {
  const buffer = Buffer.from(file);
  if (buffer.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG');
  const chunks: [string, number[]][] = [];
  for (let at = 8; at < buffer.length; ) {
    const end = at + 8 + buffer.readUInt32BE(at);
    if (buffer.readUInt32BE(end) !== crc32(buffer.subarray(at + 4, end))) throw new Error('checksum');
    chunks.push([buffer.toString('latin1', at + 4, at + 8), [...buffer.subarray(at + 8, end)]]);
    at = end + 4;
  }
  return chunks;
};

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

  t.test('are opaque when every alpha is 255', async (t) => {
    for (let length = 1; length < 14; length += 1) {
      const pixels = Int32Array.from({ length }, (_, i) => (255 << 24) | (i * 77));
      t.ok(isOpaque(pixels));
      for (let place = 0; place < length; place += 1) {
        for (const alpha of [0, 127, 254]) {
          const other = pixels.slice();
          other[place] = (alpha << 24) | 0xffffff;
          if (isOpaque(other)) t.fail(`alpha ${alpha} at ${place} of ${length}`);
        }
      }
    }
  });
});

t.test('a row of indices is padded to whole bytes', async (t) => {
  const random = createRandom(3);
  for (const bits of [1, 2, 4, 8]) {
    for (let length = 1; length < 20; length += 1) {
      const indices = Uint8Array.from({ length }, () => random(2 ** bits));
      const digits = [...indices].map((index) => index.toString(2).padStart(bits, '0')).join('');
      const bytes = digits.padEnd(Math.ceil(digits.length / 8) * 8, '0').match(/.{8}/g)!;
      const into = new Uint8Array(25).fill(170);
      packIndices(indices, bits, into, 2);
      const expected = [170, 170, ...bytes.map((byte) => Number.parseInt(byte, 2))];
      t.same([...into], [...expected, ...Array(25 - expected.length).fill(170)], `${length} of ${bits} bits`);
    }
  }
});

t.test('the Up filter subtracts the row above, and leaves the first row unchanged', async (t) => {
  const rows = [
    [9, 1, 2, 250],
    [9, 4, 2, 3],
    [9, 4, 0, 7],
  ];
  const scanlines = Uint8Array.from(rows.flat());
  filterUp(scanlines, 4);
  t.same([...scanlines], [2, 1, 2, 250, 2, 3, 0, 9, 2, 0, 254, 4]);
});

t.test('a file', async (t) => {
  const contents = { widthPx: 0x01020304, heightPx: 0x05060708, bitDepth: 4 } as const;
  const size = [1, 2, 3, 4, 5, 6, 7, 8];

  t.test('has a header, one data chunk and an end, with checksums', async (t) => {
    const scanlines = Uint8Array.from([1, 2, 3, 4, 5]);
    const file = pngOf({ ...contents, colorType: COLOR_TYPE.rgba }, deflateSync(scanlines));
    t.equal(file.byteLength, file.buffer.byteLength);
    const [header, data, ...rest] = chunksOf(file);
    t.same(header, ['IHDR', [...size, 4, 6, 0, 0, 0]]);
    t.equal(data![0], 'IDAT');
    t.same([...inflateSync(Uint8Array.from(data![1]))], [...scanlines]);
    t.same(rest, [['IEND', []]]);
  });

  t.test('has a palette, and alphas up to the last one that is not 255', async (t) => {
    const scanlines = new Uint8Array(1);
    const chunks = (palette: number[]) => {
      const colored = { ...contents, colorType: COLOR_TYPE.indexed, palette: Uint8Array.from(palette) };
      return chunksOf(pngOf(colored, deflateSync(scanlines))).filter(([type]) => type !== 'IDAT');
    };
    const header = ['IHDR', [...size, 4, 3, 0, 0, 0]];
    const opaque = [1, 2, 3, 255, 4, 5, 6, 255];
    t.same(chunks(opaque), [header, ['PLTE', [1, 2, 3, 4, 5, 6]], ['IEND', []]]);
    t.same(chunks([...opaque, 7, 8, 9, 254, ...opaque]), [
      header,
      ['PLTE', [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6]],
      ['tRNS', [255, 255, 254]],
      ['IEND', []],
    ]);
    t.same(chunks([1, 2, 3, 0, ...opaque])[2], ['tRNS', [0]]);
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
  t.test('in any picture', async (t) => {
    const filters = new Set<number>();
    const rule = fc.property(pictures, fc.constantFrom(3, 4), ({ pixels, widthPx }, pixelBytes) => {
      const found = trueColorScanlines(pixels, widthPx, pixelBytes as 3 | 4);
      for (let start = 0; start < found.length; start += 1 + widthPx * pixelBytes) filters.add(found[start]!);
      return Buffer.from(found).equals(naiveScanlines(pixels, widthPx, pixelBytes));
    });
    t.doesNotThrow(() => fc.assert(rule, { numRuns: 1500 }));
    t.same([...filters].sort(), [0, 2, 4]);
  });

  t.test('with any number of pixels that differ from the row above, and runs of any length', async (t) => {
    const wrong: string[] = [];
    for (const widthPx of [40, 80]) {
      const above = Int32Array.from({ length: widthPx }, (_, x) => x * 7919);
      for (let lengthPx = 0; lengthPx <= 20; lengthPx += 1) {
        for (let from = 0; from + lengthPx <= widthPx; from += 1) {
          const row = above.map((color, x) => (x >= from && x < from + lengthPx ? ~color : color));
          const pixels = Int32Array.from([...above, ...row]);
          const found = trueColorScanlines(pixels, widthPx, 3);
          if (!Buffer.from(found).equals(naiveScanlines(pixels, widthPx, 3)))
            wrong.push(`${lengthPx} px from ${from} of ${widthPx}`);
        }
      }
    }
    t.same(wrong, []);
  });
});
