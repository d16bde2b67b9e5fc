/** Compressing rows of modules without drawing them, compared with a naive way that draws every pixel. */
import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import {
  lengthsOf,
  type ModuleRows,
  packRow,
  RUN,
  rowCodeOf,
  strideOf,
  tokensOf,
} from '../../../workers/raster/deflate/row-code.ts';
import { deflateModules } from '../../../workers/raster/plain.ts';

/** Returns the bytes of the drawn modules, pixel by pixel. */
const pixelsOf = (rows: ModuleRows, indices: Uint8Array): Buffer => {
  const { widthPx, heightPx, xPx, yPx, modulePx, size, bitDepth } = rows;
  const stride = 1 + Math.ceil((widthPx * bitDepth) / 8);
  const bytes = Buffer.alloc(stride * heightPx);
  const indexAt = (x: number, y: number): number => {
    const [column, row] = [Math.floor((x - xPx) / modulePx), Math.floor((y - yPx) / modulePx)];
    return Math.min(column, row) < 0 || Math.max(column, row) >= size ? 0 : indices[row * size + column]!;
  };
  for (let y = 0; y < heightPx; y += 1)
    for (let x = 0; x < widthPx; x += 1) {
      const bit = x * bitDepth;
      bytes[y * stride + 1 + (bit >> 3)]! |= indexAt(x, y) << (8 - bitDepth - (bit & 7));
    }
  return bytes;
};

/** Returns a generator of whole numbers below a bound, with the constants of Numerical Recipes. */
const randomBelow = (seed: number): ((below: number) => number) => {
  let state = seed | 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % below;
  };
};

const someRows = fc
  .record({
    size: fc.constantFrom(21, 25, 45, 60),
    modulePx: fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 13, 20),
    margins: fc.array(fc.constantFrom(0, 1, 2, 3, 7, 64), { minLength: 4, maxLength: 4 }),
    colors: fc.constantFrom(1, 2, 3, 4),
    /** The percentage of modules that equal the previous one, and a seed. */
    same: fc.constantFrom(0, 50, 90, 100),
    seed: fc.integer(),
  })
  .map(({ size, modulePx, margins: [left, top, right, bottom], colors, same, seed }) => {
    const sidePx = size * modulePx;
    const bitDepth = colors <= 2 ? 1 : 2;
    const rows: ModuleRows = {
      ...{ size, modulePx, colors, bitDepth, xPx: left!, yPx: top! },
      ...{ widthPx: left! + sidePx + right!, heightPx: top! + sidePx + bottom! },
    };
    const random = randomBelow(seed);
    const indices = new Uint8Array(size * size);
    for (let i = 0; i < indices.length; i += 1)
      indices[i] = i > 0 && random(100) < same ? indices[i - 1]! : random(colors);
    return { rows, indices };
  });

const isKept = (rows: ModuleRows, indices: Uint8Array): boolean =>
  inflateSync(deflateModules(rows, indices).slice()).equals(pixelsOf(rows, indices));

/** Returns a symbol in the middle of a square picture, with four modules of quiet zone or a little more. */
const placed = (size: number, widthPx: number, colors: number): ModuleRows => {
  const modulePx = Math.floor(widthPx / (size + 8));
  const insetPx = Math.floor((widthPx - modulePx * size) / 2);
  const place = { widthPx, heightPx: widthPx, xPx: insetPx, yPx: insetPx };
  return { ...place, modulePx, size, bitDepth: colors <= 2 ? 1 : 2, colors };
};

// This test must be first: buffers grow with the pictures of a process, and each picture here needs a larger one.
t.test('the buffer is large enough for rows of modules without frequent bytes', async (t) => {
  for (const size of [21, 61, 101, 177]) {
    // Colours that normally only finder patterns have are used everywhere, so that each byte takes about 15 bits.
    const random = randomBelow(1);
    const indices = Uint8Array.from({ length: size * size }, () => 2 + random(2));
    const rows = { ...placed(size, size + 8, 4), widthPx: size, heightPx: size, xPx: 0, yPx: 0 };
    t.ok(isKept(rows, indices), `${size} modules`);
  }
});

t.test('a row of any modules has a code for each byte, run and repetition', async (t) => {
  const random = randomBelow(1);
  const size = 21;
  const lacking: string[] = [];
  for (let modulePx = 1; modulePx <= 17; modulePx += 1)
    for (let xPx = 0; xPx < 8; xPx += 1)
      for (let colors = 1; colors <= 4; colors += 1) {
        const bitDepth = colors <= 2 ? 1 : 2;
        const place = {
          widthPx: xPx + size * modulePx + 5,
          heightPx: size * modulePx + 301,
          xPx,
          yPx: 1 + xPx,
        };
        const rows: ModuleRows = { ...place, modulePx, size, bitDepth, colors };
        const stride = strideOf(rows);
        const { tokens: codes, repetitions } = rowCodeOf(rows);
        const [packed, tokens] = [new Uint8Array(stride), new Int32Array(stride)];
        for (let i = 0; i < 60; i += 1) {
          const indices = new Uint8Array(size);
          for (let at = 0; at < size; at += 1)
            indices[at] = random(60) < i ? (indices[at - 1] ?? 0) : random(colors);
          packRow(rows, indices, 0, packed);
          const used = tokens.subarray(0, tokensOf(packed, tokens));
          if (!used.every((token) => codes.counts[token]! > 0)) lacking.push(JSON.stringify(rows));
        }
        for (const bandPx of [modulePx, 1 + xPx, 300 - xPx])
          for (const length of lengthsOf((bandPx - 1) * stride))
            if (repetitions.counts[length] === 0) lacking.push(`${bandPx} px of ${JSON.stringify(rows)}`);
      }
  t.strictSame(lacking, []);
});

t.test('a byte that is repeated at least five times becomes a run of at most 258', async (t) => {
  const tokensFor = (...bytes: readonly (readonly [byte: number, times: number])[]) => {
    const packed = Uint8Array.from(bytes.flatMap(([byte, times]) => new Array<number>(times).fill(byte)));
    const tokens = new Int32Array(packed.length);
    return [...tokens.subarray(0, tokensOf(packed, tokens))];
  };
  t.strictSame(tokensFor([0, 1], [7, 5], [3, 6], [7, 1]), [0, 7, 7, 7, 7, 7, 3, RUN + 5, 7]);
  t.strictSame(tokensFor([9, 1 + 258 + 4]), [9, RUN + 258, 9, 9, 9, 9]);
  t.strictSame(tokensFor([9, 1 + 258 + 5]), [9, RUN + 258, RUN + 5]);
});

t.test('repetitions are as long as possible and never shorter than three bytes', async (t) => {
  const expected = [
    ...[[], [3], [257], [258], [256, 3], [257, 3], [258, 3]],
    ...[
      [258, 258],
      [258, 256, 3],
      [258, 257, 3],
      [258, 258, 3],
    ],
  ];
  t.strictSame([0, 3, 257, 258, 259, 260, 261, 516, 517, 518, 519].map(lengthsOf), expected);
});

t.test('the code of rows is made once, and again when any property of the rows changes', async (t) => {
  const rows = placed(25, 300, 2);
  const code = rowCodeOf(rows);
  t.equal(rowCodeOf({ ...rows }), code);
  for (const name of ['widthPx', 'heightPx', 'xPx', 'yPx', 'modulePx', 'size', 'colors'] as const)
    t.not(rowCodeOf({ ...rows, [name]: rows[name] - 1 }), code, name);
  t.not(rowCodeOf({ ...rows, bitDepth: 2 }), code, 'bitDepth');
});

t.test('rows of modules can be inflated again, whatever the position and size of the modules', async (t) => {
  fc.assert(
    fc.property(someRows, ({ rows, indices }) => isKept(rows, indices)),
    { numRuns: 120 },
  );
  t.pass();
});

t.test('the bytes of rows of modules do not depend on what was compressed before', async (t) => {
  const [some, ...others] = fc.sample(someRows, { numRuns: 200, seed: 5 });
  const { rows, indices } = some!;
  const first = deflateModules(rows, indices).slice();
  for (const other of others) deflateModules(other.rows, other.indices);
  t.strictSame(deflateModules(rows, indices).slice(), first);
});

t.test('rows of modules take about as many bytes as with zlib, and fewer if modules are large', async (t) => {
  // Bytes relative to zlib at level 3 for a random symbol: measured values plus 2 %.
  for (const [size, widthPx, colors, most] of [
    [25, 300, 2, 0.945],
    [41, 300, 2, 1.13],
    [41, 300, 4, 0.945],
    [41, 1000, 2, 0.58],
    [41, 1000, 3, 0.52],
    [21, 2000, 2, 0.42],
  ] as const) {
    const rows = placed(size, widthPx, colors);
    const random = randomBelow(1);
    const isOfFinder = (at: number) => at % size < 7 && at < 7 * size;
    const indices = Uint8Array.from({ length: size * size }, (_, at) =>
      random(2) === 0 ? 0 : isOfFinder(at) ? colors - 1 : 1,
    );
    const ofZlib = deflateSync(pixelsOf(rows, indices), { level: 3 }).length;
    const share = deflateModules(rows, indices).length / ofZlib;
    t.ok(share <= most, `${size} modules, ${widthPx} px, ${colors} colours: ${share}`);
  }
});
