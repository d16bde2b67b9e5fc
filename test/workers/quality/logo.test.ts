/** The modules that a logo covers, and false alignment patterns under it, compared with naive implementations. */
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import type { Geometry } from '../../../workers/design/geometry.ts';
import type { Logo } from '../../../workers/protocol.ts';
import { type Anchor, anchorsOf, isMisled } from '../../../workers/quality/anchors.ts';
import {
  averageOver,
  isIn,
  logoLightOf,
  type Occlusion,
  occlusionOf,
  spanOf,
} from '../../../workers/quality/occlusion.ts';
import type { QrSymbol } from '../../../workers/symbol/symbol.ts';
import { alignmentCentres } from '../../../workers/symbol/template.ts';
import { casesOf, fewestOf } from '../../support/cases.ts';
import { holds } from '../../support/pictures/designs.ts';

const near = (found: number, expected: number): boolean => Math.abs(found - expected) < 1e-9;

/** A logo with given pixels that are not decoded; its bytes identify it. */
const gridLogo = (
  columns: number,
  rows: number,
  luma: readonly number[],
  alpha: readonly number[],
): Logo => ({
  ...{ png: Uint8Array.from([columns, rows, ...luma, ...alpha]), widthPx: columns, heightPx: rows },
  grid: { columns, rows, luma: Uint8Array.from(luma), alpha: Uint8Array.from(alpha) },
});

t.test('an interval on a logo maps to the covered pixels and its share on the logo', async (t) => {
  for (const [from, to, count, expected] of [
    [0, 1, 10, { from: 0, to: 10, share: 1 }],
    [0.2, 0.5, 10, { from: 2, to: 5, share: 1 }],
    [0.24, 0.46, 10, { from: 2, to: 5, share: 1 }],
    [0.41, 0.43, 10, { from: 4, to: 5, share: 1 }],
    [-0.25, 0.25, 8, { from: 0, to: 2, share: 0.5 }],
    [0.75, 1.25, 8, { from: 6, to: 8, share: 0.5 }],
    [-1, -0.5, 8, { from: 0, to: 1, share: 0 }],
    [1.5, 2, 8, { from: 7, to: 8, share: 0 }],
    [0.99, 1.49, 8, { from: 7, to: 8, share: 0.02 }],
    [-1, 3, 4, { from: 0, to: 4, share: 0.25 }],
  ] as const) {
    const span = spanOf(from, to, count);
    t.strictSame([span.from, span.to], [expected.from, expected.to], `${from} to ${to} of ${count}`);
    t.ok(near(span.share, expected.share), `${from} to ${to}: ${span.share}`);
  }
});

const pixels = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }))
  .chain(([columns, rows]) => {
    const bytes = fc.array(fc.nat(255), { minLength: columns * rows, maxLength: columns * rows });
    return fc.tuple(bytes, bytes).map(([luma, alpha]) => ({ columns, rows, luma, alpha }));
  });
const stretch = fc
  .tuple(fc.double({ min: -0.5, max: 1.4, noNaN: true }), fc.double({ min: 0.01, max: 1, noNaN: true }))
  .map(([from, length]) => [from, from + length] as const);

t.test('the mean over a box is that of its pixels, and there is none outside the logo', async (t) => {
  holds(
    t,
    fc.property(
      pixels,
      fc.array(stretch, { minLength: 1, maxLength: 3 }),
      fc.array(stretch, { minLength: 1, maxLength: 3 }),
      ({ columns, rows, luma, alpha }, across, down) => {
        const xs = across.map(([from, to]) => spanOf(from, to, columns));
        const ys = down.map(([from, to]) => spanOf(from, to, rows));
        const found = averageOver(logoLightOf(gridLogo(columns, rows, luma, alpha)), xs, ys);
        const expected = (values: readonly number[]) =>
          ys.flatMap((y) =>
            xs.map((x) => {
              let [sum, count] = [0, 0];
              for (let row = y.from; row < y.to; row += 1)
                for (let column = x.from; column < x.to; column += 1) {
                  sum += values[row * columns + column]! / 255;
                  count += 1;
                }
              return (sum / count) * x.share * y.share;
            }),
          );
        return (
          expected(luma).every((value, i) => near(found.luma[i]!, value)) &&
          expected(alpha).every((value, i) => near(found.alpha[i]!, value)) &&
          found.luma.length === xs.length * ys.length
        );
      },
    ),
  );
});

t.test('a logo without a grid is decoded to at most 128 pixels a side', async (t) => {
  const decoded = async (
    widthPx: number,
    heightPx: number,
    background: { readonly r: number; readonly g: number; readonly b: number; readonly alpha: number },
  ) => {
    const create = { width: widthPx, height: heightPx, channels: 4, background } as const;
    const png = new Uint8Array(await sharp({ create }).png().toBuffer());
    return logoLightOf({ png, widthPx, heightPx });
  };
  for (const [widthPx, heightPx, columns, rows] of [
    [12, 8, 12, 8],
    [128, 128, 128, 128],
    [256, 96, 128, 48],
    [200, 400, 64, 128],
    [1000, 3, 128, 1],
    [3, 1000, 1, 128],
  ] as const) {
    const light = await decoded(widthPx, heightPx, { r: 200, g: 100, b: 50, alpha: 1 });
    t.strictSame([light.columns, light.rows], [columns, rows], `${widthPx} x ${heightPx}`);
    t.ok(light.alpha.every((alpha) => alpha === 255));
    // 0.299 * 200 + 0.587 * 100 + 0.114 * 50 = 124.2
    t.ok(light.luma.every((luma) => luma === 124));
  }
  const clear = await decoded(4, 4, { r: 255, g: 255, b: 255, alpha: 0.5 });
  t.ok(clear.luma.every((luma, i) => Math.abs(luma - clear.alpha[i]!) <= 1 && Math.abs(luma - 128) <= 1));
});

t.test('decoded logos are identified by their content', async (t) => {
  const one = gridLogo(1, 1, [10], [255]);
  t.equal(logoLightOf(one), logoLightOf({ ...one }));
  t.not(logoLightOf(one), logoLightOf(gridLogo(1, 1, [20], [255])));
});

t.test('an area includes its first row and column and excludes its last', async (t) => {
  const area = { left: 2, top: 3, right: 4, bottom: 5 };
  const found: string[] = [];
  for (let row = 0; row < 8; row += 1)
    for (let column = 0; column < 8; column += 1) if (isIn(area, row, column)) found.push(`${row} ${column}`);
  t.strictSame(found, ['3 2', '3 3', '4 2', '4 3']);
});

/** A symbol of 21 modules of 10 px at (100, 50). */
const GEOMETRY = {
  ...{ moduleCount: 21, modulePx: 10, xPx: 100, yPx: 50, fillerRings: 0, logo: null },
  hidden: { columns: 5, rows: 3 },
} as Geometry;

t.test('an occlusion lists modules that show the logo, hidden modules, and light of the logo', async (t) => {
  // The logo spans 7.5 to 12.5 across and 8.2 to 11 down.
  const box = { x: 175, y: 132, width: 50, height: 28 };
  const luma = Array.from({ length: 50 * 28 }, (_, i) => i % 50);
  const alpha = Array.from({ length: 50 * 28 }, (_, i) => 100 + Math.floor(i / 50));
  const occlusion = occlusionOf(GEOMETRY, box, gridLogo(50, 28, luma, alpha));
  t.strictSame(occlusion.shown, { left: 7, top: 8, right: 13, bottom: 11 });
  t.strictSame(occlusion.hidden, { left: 8, top: 9, right: 13, bottom: 12 });
  t.strictSame(occlusion.area, { left: 7, top: 8, right: 13, bottom: 12 });
  t.ok(near(occlusion.narrowModules, 2.8));
  const columns = [7.4, 7.5, 7.55, 7.65, 12.45, 12.5, 12.6].map((x) => occlusion.columnAt(x));
  t.strictSame(columns, [-1, 0, 0, 1, 49, -1, -1]);
  const rows = [8.1, 8.25, 8.35, 10.95, 11, 11.5].map((y) => occlusion.rowAt(y));
  t.strictSame(rows, [-1, 0, 1, 27, -1, -1]);
  // The middle half of column 8: from 8.25 to 8.75, which is pixels 7.5 to 12.5, rounded to 8 to 13.
  t.ok(near(occlusion.over.luma[1]!, 10 / 255));
  // The middle half of column 7 ends at 7.75, and half of it is on the logo: pixels 0 to 2.
  t.ok(near(occlusion.over.luma[0]!, 1 / 255 / 2));
  // The middle half of row 9: from 9.25 to 9.75, which is pixels 10.5 to 15.5, rounded to 11 to 16.
  t.ok(near(occlusion.over.alpha[6 + 2]!, (100 + 13) / 255));
  t.equal(occlusion.over.luma.length, 6 * 3);
});

t.test('an occlusion ends at the edge of the symbol, and hides only modules that are left out', async (t) => {
  const logo = gridLogo(1, 1, [0], [255]);
  const whole = occlusionOf({ ...GEOMETRY, hidden: null }, { x: 0, y: 0, width: 900, height: 900 }, logo);
  t.strictSame(whole.shown, { left: 0, top: 0, right: 21, bottom: 21 });
  t.strictSame(whole.hidden, { left: 10, top: 10, right: 10, bottom: 10 });
  t.strictSame(whole.area, whole.shown);
  // The hidden area is larger than the logo: the area of the occlusion contains both.
  const small = occlusionOf(GEOMETRY, { x: 202, y: 152, width: 4, height: 6 }, logo);
  t.strictSame(small.shown, { left: 10, top: 10, right: 11, bottom: 11 });
  t.strictSame(small.area, small.hidden);
  t.ok(near(small.narrowModules, 0.4));
});

/** How many modules in each direction from the centre of a pattern the search reaches. */
const SPREAD = 4;
const PATTERN = ['#####', '#...#', '#.#.#', '#...#', '#####'];

/** Whether a position is dark, in quarters of a module from the first corner of the search. */
type Dark = (x: number, y: number) => boolean;

/** A naive implementation of zbar's search as described in docs/quality.md and `anchors.ts`, position by position. */
const naiveIsMisled = (isDark: Dark): boolean => {
  const wrongAt = (xSteps: number, ySteps: number): number => {
    let wrong = 0;
    for (let row = -2; row <= 2; row += 1)
      for (let column = -2; column <= 2; column += 1) {
        // The middle of a module is the third of its four positions.
        const [x, y] = [4 * (SPREAD + column) + 2 + xSteps, 4 * (SPREAD + row) + 2 + ySteps];
        if (isDark(x, y) !== (PATTERN[row + 2]![column + 2] === '#')) wrong += 1;
      }
    return wrong;
  };
  if (wrongAt(0, 0) < 5) return false;
  let areAllDark = true;
  for (let y = 0; y < PLACES; y += 1) for (let x = 0; x < PLACES; x += 1) areAllDark &&= isDark(x, y);
  if (areAllDark) return false;
  for (let y = -7; y <= 7; y += 1)
    for (let x = -7; x <= 7; x += 1)
      if (Math.max(Math.abs(x), Math.abs(y)) >= 2 && wrongAt(x, y) <= 8) return true;
  return false;
};

const VERSION = 7;
const SIZE = 45;
const [ROW, COLUMN] = [22, 22];
const PLACES = 4 * (2 * SPREAD + 1);

/** What a reader sees at each position: 0 light, 1 dark, 2 the colour of the module. */
type Look = (x: number, y: number) => 0 | 1 | 2;

const coverAround = (row: number, column: number, narrowModules: number): Occlusion =>
  ({
    area: { left: column - 2, top: row - 2, right: column + 3, bottom: row + 3 },
    narrowModules,
  }) as Occlusion;

const anchorOf = (look: Look, narrowModules = 3): Anchor => {
  const [anchor] = anchorsOf(VERSION, SIZE, coverAround(ROW, COLUMN, narrowModules), (xs, ys) =>
    Uint8Array.from(ys.flatMap((_, y) => xs.map((_, x) => look(x, y)))),
  ).filter(({ row, column }) => row === ROW && column === COLUMN);
  return anchor!;
};

/** Flawed patterns at some positions of the search, over modules that transparent parts of the logo show. */
const scenes = fc.record({
  modules: fc.array(fc.nat(1), { minLength: 81, maxLength: 81 }),
  places: fc.array(fc.tuple(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -8, max: 8 })), {
    minLength: 1,
    maxLength: 2,
  }),
  flaws: fc.array(fc.tuple(fc.nat(PLACES - 1), fc.nat(PLACES - 1), fc.integer({ min: 1, max: 14 })), {
    ...{ minLength: 1, maxLength: 12, size: 'max' },
  }),
  isOpen: fc.boolean(),
});

t.test('the fast search finds the same misleading positions as the naive one', async (t) => {
  let misled = 0;
  holds(
    t,
    fc.property(scenes, ({ modules, places, flaws, isOpen }) => {
      const looks = Array.from({ length: PLACES * PLACES }, (): 0 | 1 | 2 => (isOpen ? 2 : 0));
      for (const [xSteps, ySteps] of places)
        for (let y = 0; y < 20; y += 1)
          for (let x = 0; x < 20; x += 1) {
            const [atX, atY] = [x + 8 + xSteps, y + 8 + ySteps];
            if (Math.min(atX, atY) < 0 || Math.max(atX, atY) >= PLACES) continue;
            looks[atY * PLACES + atX] = PATTERN[y >> 2]![x >> 2] === '#' ? 1 : 0;
          }
      for (const [x, y, side] of flaws)
        for (let row = y; row < Math.min(y + side, PLACES); row += 1)
          for (let column = x; column < Math.min(x + side, PLACES); column += 1)
            looks[row * PLACES + column] = looks[row * PLACES + column] === 1 ? 0 : 1;
      const symbol: QrSymbol = {
        ...{ version: VERSION, size: SIZE, level: 'M', mask: 0 },
        modules: Uint8Array.from({ length: SIZE * SIZE }, (_, i) => {
          const [row, column] = [Math.floor(i / SIZE) - ROW + SPREAD, (i % SIZE) - COLUMN + SPREAD];
          const isNear = Math.min(row, column) >= 0 && Math.max(row, column) < 9;
          return isNear ? modules[row * 9 + column]! : 0;
        }),
      };
      const isDark: Dark = (x, y) => {
        const look = looks[y * PLACES + x];
        return look === 2 ? modules[(y >> 2) * 9 + (x >> 2)] === 1 : look === 1;
      };
      const anchor = anchorOf((x, y) => looks[y * PLACES + x]!);
      const expected = naiveIsMisled(isDark);
      if (expected) misled += 1;
      return isMisled(symbol, [anchor]) === expected;
    }),
    400,
  );
  t.ok(misled > fewestOf(20) && casesOf(400) - misled >= fewestOf(10), `${misled} were misled`);
});

/** A pattern that matches at only one position of the search, given in steps from its true position. */
const patternAt =
  (xSteps: number, ySteps: number): Look =>
  (x, y) => {
    const [column, row] = [(x - 2 - xSteps) / 4 - 2, (y - 2 - ySteps) / 4 - 2];
    return PATTERN[row]?.[column] === '#' ? 1 : 0;
  };

const symbolWith = (isDark: (row: number, column: number) => boolean): QrSymbol => ({
  ...{ version: VERSION, size: SIZE, level: 'M', mask: 0 },
  modules: Uint8Array.from({ length: SIZE * SIZE }, (_, i) => Number(isDark(Math.floor(i / SIZE), i % SIZE))),
});

t.test('the search goes seven steps each way, and no further', async (t) => {
  const light = symbolWith(() => false);
  const reach = (xSteps: number, ySteps: number) => isMisled(light, [anchorOf(patternAt(xSteps, ySteps))]);
  for (const [x, y] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [1, 1],
  ] as const) {
    t.ok(reach(7 * x, 7 * y), `${7 * x}, ${7 * y}`);
    t.notOk(reach(8 * x, 8 * y), `${8 * x}, ${8 * y}`);
    t.ok(reach(2 * x, 2 * y), `${2 * x}, ${2 * y}`);
    t.notOk(reach(x, y), `${x}, ${y} is too near`);
  }
});

t.test('modules that are visible through a transparent logo can look like a pattern', async (t) => {
  const beside = symbolWith((row, column) => PATTERN[row - ROW + 2]?.[column - COLUMN + 1] === '#');
  t.ok(isMisled(beside, [anchorOf(() => 2)]));
  t.notOk(isMisled(beside, [anchorOf(() => 0)]), 'but not where the logo hides them');
  for (const [down, across] of [
    [2, 0],
    [-2, 0],
    [0, 2],
    [0, -2],
  ] as const) {
    const away = symbolWith(
      (row, column) => PATTERN[row - ROW + 2 + down]?.[column - COLUMN + 2 + across] === '#',
    );
    t.ok(isMisled(away, [anchorOf(() => 2)]), `two modules away: ${down}, ${across}`);
  }
  const inPlace = symbolWith((row, column) => PATTERN[row - ROW + 2]?.[column - COLUMN + 2] === '#');
  t.notOk(isMisled(inPlace, [anchorOf(() => 2)]));
});

t.test('positions are sampled a quarter of a module apart, slightly off the edges of modules', async (t) => {
  const seen: number[][] = [];
  anchorsOf(VERSION, SIZE, coverAround(ROW, COLUMN, 3), (xs, ys) => {
    seen.push([...xs], [...ys]);
    return new Uint8Array(xs.length * ys.length);
  });
  const expected = Array.from({ length: PLACES }, (_, i) => 22 - 4 + 0.03 + i / 4);
  for (const places of seen)
    t.ok(places.length === PLACES && places.every((at, i) => near(at, expected[i]!)));
});

t.test('only patterns under the logo are checked', async (t) => {
  const centres = alignmentCentres(VERSION, SIZE);
  const covered = (left: number, top: number, right: number, bottom: number) => {
    const occlusion = { area: { left, top, right, bottom }, narrowModules: 1 } as Occlusion;
    return anchorsOf(VERSION, SIZE, occlusion, (xs, ys) => new Uint8Array(xs.length * ys.length)).length;
  };
  t.equal(covered(0, 0, SIZE, SIZE), centres.length);
  // The central pattern covers modules 20 to 24.
  for (const [area, count] of [
    [[24, 22, 26, 23], 1],
    [[25, 22, 27, 23], 0],
    [[18, 22, 21, 23], 1],
    [[18, 22, 20, 23], 0],
    [[22, 24, 23, 26], 1],
    [[22, 25, 23, 27], 0],
    [[22, 18, 23, 21], 1],
    [[22, 18, 23, 20], 0],
  ] as const)
    t.equal(covered(area[0], area[1], area[2], area[3]), count, `${area}`);
});

t.test('a pattern is lost under a dark logo at least a seventh of the symbol wide', async (t) => {
  const isPattern = (at: number): boolean => at >= 8 && at < 28;
  const dark: Look = (x, y) => (isPattern(x) && isPattern(y) ? 1 : 0);
  t.ok(anchorOf(dark, (1 / 7) * SIZE).isLost);
  t.notOk(anchorOf(dark, SIZE / 7 - 0.01).isLost);
  for (const [x, y] of [
    [8, 8],
    [27, 8],
    [8, 27],
    [27, 27],
    [18, 18],
  ] as const) {
    const almost: Look = (atX, atY) => (atX === x && atY === y ? 2 : dark(atX, atY));
    t.notOk(anchorOf(almost, 20).isLost, `all but ${x}, ${y}`);
  }
  const symbol = {
    version: VERSION,
    size: SIZE,
    level: 'M',
    mask: 0,
    modules: new Uint8Array(SIZE * SIZE),
  };
  t.ok(isMisled(symbol as QrSymbol, [anchorOf(dark, SIZE / 7)]));
  t.notOk(isMisled(symbol as QrSymbol, []));
});
