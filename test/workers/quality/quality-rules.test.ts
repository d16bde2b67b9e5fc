/** Figures and limits of the quality rules one by one, on patterns made for the purpose. */

import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import type { Geometry } from '../../../workers/design/geometry.ts';
import { isFault } from '../../../workers/fault.ts';
import { fixedPatternsOf, PATTERN } from '../../../workers/quality/damage/blocks.ts';
import { damageOf } from '../../../workers/quality/damage/damage.ts';
import { lookerOf, suspectsOf } from '../../../workers/quality/damage/suspects.ts';
import { finderLight, finderShapeOf } from '../../../workers/quality/finders/shape.ts';
import { viewFinder } from '../../../workers/quality/finders/view.ts';
import { gradeDesign } from '../../../workers/quality/grade.ts';
import { fieldOf, sampleField } from '../../../workers/quality/light/field.ts';
import { lightOf } from '../../../workers/quality/light/light.ts';
import { tonesOf } from '../../../workers/quality/light/tones.ts';
import { type Anchor, isMisled } from '../../../workers/quality/logo/anchors.ts';
import type { Cover } from '../../../workers/quality/logo/cover.ts';
import type { QrSymbol } from '../../../workers/symbol/symbol.ts';
import { alignmentCentres } from '../../../workers/symbol/template.ts';

const SIZE = 25;
const SYMBOL: QrSymbol = {
  ...{ version: 2, size: SIZE, level: 'M', mask: 0 },
  modules: new Uint8Array(SIZE * SIZE),
};
const TONES = { contrast: 1, ground: 1, isInverted: false };

t.test('timing and alignment patterns are the modules that the standard names', async (t) => {
  for (const version of [1, 2, 6, 7, 14, 40]) {
    const size = 17 + 4 * version;
    const expected = new Uint8Array(size * size);
    for (const [row, column] of alignmentCentres(version, size)) {
      for (let y = row - 2; y <= row + 2; y += 1) {
        for (let x = column - 2; x <= column + 2; x += 1) expected[y * size + x] = PATTERN.alignment;
      }
    }
    // The format information goes to the corners, and with it the first module of each timing pattern.
    for (let i = 9; i < size - 8; i += 1) {
      expected[6 * size + i] = PATTERN.timing;
      expected[i * size + 6] = PATTERN.timing;
    }
    const { kinds, alignmentModules } = fixedPatternsOf(version);
    t.ok(Buffer.from(kinds).equals(expected), `version ${version}`);
    t.equal(alignmentModules, expected.filter((kind) => kind === PATTERN.alignment).length);
  }
});

t.test(
  'wrong modules of timing and alignment patterns lower the grade in the steps of the standard',
  async (t) => {
    const gradeOf = (timing: number, alignment: number): number => {
      const losses = { ends: new Uint16Array(0), modules: new Uint32Array(0), timing, alignment };
      return damageOf(SYMBOL, { ofField: new Uint32Array(0), losses, anchors: [] }).fixedPatterns;
    };
    const shares = [0, 0.07, 0.08, 0.11, 0.12, 0.14, 0.15, 0.17, 0.18, 1];
    t.strictSame(
      shares.map((share) => gradeOf(share, 0)),
      [4, 4, 3, 3, 2, 2, 1, 1, 0, 0],
    );
    const more = [0, 0.1, 0.11, 0.2, 0.21, 0.3, 0.31, 0.4, 0.41, 1];
    t.strictSame(
      more.map((share) => gradeOf(0, share)),
      [4, 4, 3, 3, 2, 2, 1, 1, 0, 0],
    );
  },
);

/** The rows that an anchor looks at, and the middle one of the pattern in its place. */
const [ROWS, OWN] = [9, 2];
const PATTERN_ROWS = [0b11111, 0b10001, 0b10101, 0b10001, 0b11111];

/** Draws patterns under a logo: each is dark only for looks that are `steps` quarters of a module to the right. */
const anchorWith = (...patterns: readonly { steps: number; rows?: readonly number[] }[]): Anchor => {
  const dark = new Uint16Array(16 * ROWS);
  for (const { steps, rows = PATTERN_ROWS } of patterns) {
    const place = steps + 2;
    const first = (2 * 4 + (place & 3)) * ROWS + OWN;
    for (const [i, bits] of rows.entries()) dark[first + i]! |= bits << (OWN + (place >> 2));
  }
  return { row: 12, column: 12, open: new Uint16Array(16 * ROWS), dark, isLost: false };
};

t.test(
  'zbar takes what looks like an alignment pattern two to seven quarters of a module away',
  async (t) => {
    const found = [1, 2, 3, 5, 6, 7, 8, 9].filter((steps) => isMisled(SYMBOL, [anchorWith({ steps })]));
    t.strictSame(found, [2, 3, 5, 6, 7]);
    t.ok(isMisled(SYMBOL, [anchorWith({ steps: -7 })]));
    t.notOk(isMisled(SYMBOL, [anchorWith({ steps: -8 })]));
  },
);

t.test(
  'zbar is not misled while fewer than five modules of the pattern in its place are wrong',
  async (t) => {
    const misledBy = (rows: readonly number[]) =>
      isMisled(SYMBOL, [anchorWith({ steps: 0, rows }, { steps: 7 })]);
    t.notOk(misledBy(PATTERN_ROWS));
    t.notOk(misledBy([0b00001, ...PATTERN_ROWS.slice(1)]), 'four');
    t.ok(misledBy([0, ...PATTERN_ROWS.slice(1)]), 'five');
  },
);

t.test('zbar takes a place for the pattern while at most eight of its modules differ', async (t) => {
  const [, , ...lower] = PATTERN_ROWS;
  const misledBy = (rows: readonly number[]) => isMisled(SYMBOL, [anchorWith({ steps: 7, rows })]);
  t.ok(misledBy([0, 0, 0b10001, ...lower.slice(1)]), 'eight');
  t.notOk(misledBy([0, 0, 0b10000, ...lower.slice(1)]), 'nine');
});

t.test('zbar takes no place where all that it sees is dark, and one where not all is', async (t) => {
  const anchor = anchorWith();
  anchor.dark.fill(0b111111111);
  t.notOk(isMisled(SYMBOL, [anchor]));
  anchor.dark[0] = 0b111111110;
  t.ok(isMisled(SYMBOL, [anchor]));
});

t.test('ink that covers a sample of a finder pattern wholly shows its own light', async (t) => {
  const paint = { ground: () => 1, ring: () => 0.25, centre: () => 0.5 };
  const light = finderLight(finderShapeOf(toDesign({})), paint);
  t.strictSame([light(0.5, 3.5), light(3.5, 3.5), light(1.5, 3.5), light(-0.5, 3.5)], [0.25, 0.5, 1, 1]);
});

t.test('a centre may be half a module wider than three, wherever its middle is', async (t) => {
  const viewOf = (from: number, to: number) => {
    const isInk = (at: number): boolean => at >= from && at < to;
    return viewFinder((x, y) => (isInk(x) && isInk(y) ? 0 : 1), 0.5);
  };
  for (const [from, to] of [
    [1.875, 5.375],
    [1.625, 5.125],
    [2, 5.5],
    [2, 4.5],
  ] as const) {
    t.equal(viewOf(from, to).centreMiddle, 1, `${from} to ${to}`);
  }
  t.ok(viewOf(2, 5).centreDiagonals);
  t.equal(viewOf(1.75, 5.375).centreMiddle, 0, 'an eighth more');
  t.equal(viewOf(2, 4.375).centreMiddle, 0, 'an eighth less');
});

t.test('a gradient begins with the colour of its first stop', async (t) => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const colorStops = [
    { offset: 0, color: '#ffffff' },
    { offset: 1, color: '#000000' },
  ] as const;
  const { over } = lightOf({ type: 'linear', rotationRad: 0, colorStops }, box, 'luma');
  const lights = [0, 5, 10].map((x) => Number(over(0.5, x, 5).toFixed(9)));
  t.strictSame(lights, [1, 0.5, 0]);
});

t.test('a dot is as dark as the middle half of its roundest shape', async (t) => {
  const darkOf = (type: 'square' | 'extra-rounded') =>
    fieldOf(toDesign({ dotsOptions: { type, color: '#000000' } }), 'luma').dark(150, 150);
  t.equal(darkOf('square'), 0);
  t.equal(darkOf('extra-rounded').toFixed(4), '0.0118');
});

t.test('a module is judged by the part of the field that it lies in', async (t) => {
  // Ink of the lower left quarter is too light.
  const samples = { side: 2, dark: Float64Array.of(0, 0, 0.625, 0), light: Float64Array.of(1, 1, 1, 1) };
  const { ofField } = suspectsOf(samples, TONES, 4, null);
  const clearness = (3 << 16) | (3 << 20);
  t.strictSame(
    [...ofField],
    [8, 9, 12, 13].map((index) => index | clearness),
  );
});

t.test('beside a logo, in its rows and in its columns, modules look as they are', async (t) => {
  const none = { left: 0, top: 0, right: 0, bottom: 0 };
  const light = { luma: Uint8Array.of(0), alpha: Uint8Array.of(255), columns: 1 };
  const onLogo = (at: number): number => (at >= 2 && at < 3 ? 0 : -1);
  // Black over the module in column 2 and row 2.
  const cover = { hidden: none, light, columnAt: onLogo, rowAt: onLogo } as unknown as Cover;
  const samples = { side: 1, dark: Float64Array.of(0), light: Float64Array.of(1) };
  const places = [1.5, 2.5, 3.5];
  t.strictSame([...lookerOf(samples, TONES, 5, cover)(places, places)], [2, 2, 2, 2, 1, 2, 2, 2, 2]);
});

t.test('a finder pattern needs its ring on both sides', async (t) => {
  const ringOf = (...ink: readonly (readonly [from: number, to: number])[]): number => {
    const isInk = (at: number): boolean => ink.some(([from, to]) => at >= from && at < to);
    return viewFinder((x, y) => (isInk(x) && isInk(y) ? 0 : 1), 0.5).ringMiddle;
  };
  t.equal(ringOf([0, 1], [2, 5], [6, 7]), 1);
  t.equal(ringOf([0, 1], [2, 5]), 0);
  t.equal(ringOf([2, 5], [6, 7]), 0);
});

t.test('outside the corners of a round background there is paper', async (t) => {
  const { ground } = fieldOf(toDesign({ backgroundOptions: { round: 1, color: '#000000' } }), 'luma');
  t.strictSame([ground(2, 2), ground(298, 2), ground(150, 2), ground(150, 150)], [1, 1, 0, 0]);
});

t.test('a field is sampled evenly over the symbol', async (t) => {
  const field = { isUniform: false, ground: (_: number, y: number) => y, dark: (x: number) => x };
  const geometry = { xPx: 10, yPx: 20, modulePx: 4, moduleCount: 25 } as Geometry;
  const { side, dark, light } = sampleField(field, geometry);
  const places = Array.from({ length: side }, (_, i) => ((i + 0.5) * 100) / side);
  const near = (found: number, expected: number): boolean => Math.abs(found - expected) < 1e-9;
  t.ok(places.every((place, i) => near(light[i * side]!, 20 + place) && near(dark[i]!, 10 + place)));
});

t.test('symbol contrast has the grades of the standard', async (t) => {
  const gradeOf = (color: string) => {
    const graded = gradeDesign('x', toDesign({ dotsOptions: { type: 'square', color } }), null);
    return isFault(graded) ? graded : graded.parameters.contrast;
  };
  // Contrasts of 0.74, 0.60, 0.50, 0.30 and 0.10.
  const grades = ['#424242', '#666666', '#808080', '#b2b2b2', '#e6e6e6'].map(gradeOf);
  t.strictSame(grades, [4, 3, 2, 1, 0]);
});

t.test('ink as light as paper leaves no ground', async (t) => {
  const white = Float64Array.of(1);
  t.strictSame(tonesOf({ side: 1, dark: white, light: white }), {
    contrast: 0,
    ground: 0,
    isInverted: false,
  });
});
