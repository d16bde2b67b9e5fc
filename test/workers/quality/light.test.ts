/** The light of paints, fields and symbols, by the formulas of docs/quality.md. */
import fc from 'fast-check';
import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import type { Geometry } from '../../../workers/design/geometry.ts';
import type { DotType } from '../../../workers/lists.ts';
import type { Design, Gradient, GradientStop } from '../../../workers/protocol.ts';
import { fieldOf, lightOf, sampleField, tonesOf } from '../../../workers/quality/light.ts';
import { tilesOf } from '../../../workers/raster/glyphs.ts';
import { DEFAULT_DESIGN, DOT_TYPES, holds } from '../../support/pictures/designs.ts';

const near = (found: number, expected: number): boolean => Math.abs(found - expected) < 1e-9;
const BOX = { x: 0, y: 0, width: 64, height: 64 };

t.test('luma weights red, green and blue as in ITU-R BT.601; red light sees only red', async (t) => {
  const seen = (color: string, channel: 'luma' | 'red') => lightOf(color, BOX, channel).over(0, 0, 0);
  for (const [color, luma, red] of [
    ['#000000', 0, 0],
    ['#ff0000', 0.299, 1],
    ['#00ff00', 0.587, 0],
    ['#0000ff', 0.114, 0],
    ['#33669a', (0.299 * 0x33 + 0.587 * 0x66 + 0.114 * 0x9a) / 255, 0x33 / 255],
  ] as const) {
    t.ok(near(seen(color, 'luma'), luma), `${color} in luma`);
    t.ok(near(seen(color, 'red'), red), `${color} in red light`);
  }
});

t.test('a translucent colour is blended with what is under it', async (t) => {
  const { over, isUniform } = lightOf('#ff000033', BOX, 'red');
  t.ok(isUniform);
  t.ok(near(over(0, 0, 0), 0.2));
  t.ok(near(over(0.5, 9, 9), 0.5 + 0.5 * 0.2));
});

/** The light and the alpha of a gradient by SVG 1.1, 13.2.4: a stop lies at least where the one before it does. */
const naiveStop = (stops: readonly GradientStop[], at: number) => {
  let least = 0;
  const placed = stops.map(({ offset, color }) => {
    least = Math.max(least, offset);
    const channel = (i: number) => Number.parseInt(color.slice(i, i + 2) || 'ff', 16) / 255;
    const light = 0.299 * channel(1) + 0.587 * channel(3) + 0.114 * channel(5);
    return { at: least, light, alpha: channel(7) };
  });
  const after = placed.findIndex((stop) => stop.at > at);
  if (after === -1) return placed.at(-1)!;
  if (after === 0) return placed[0]!;
  const [from, to] = [placed[after - 1]!, placed[after]!];
  const share = (at - from.at) / (to.at - from.at);
  const mix = (a: number, b: number) => a + (b - a) * share;
  return { light: mix(from.light, to.light), alpha: mix(from.alpha, to.alpha) };
};

const hex = fc.tuple(fc.integer({ min: 0, max: 0xffffff }), fc.option(fc.integer({ min: 0, max: 255 })));
const color = hex.map(
  ([rgb, alpha]) =>
    `#${rgb.toString(16).padStart(6, '0')}${alpha === null ? '' : alpha.toString(16).padStart(2, '0')}`,
);
// Offsets between the stored steps of a gradient, so that the side of a stop does not depend on rounding.
const offset = fc.integer({ min: 0, max: 63 }).map((step) => (step + 0.5) / 64);
const colorStops = fc.array(fc.record({ offset, color }), { minLength: 1, maxLength: 4 });

t.test('a gradient mixes the light and the alpha of its stops, in 64 steps', async (t) => {
  holds(
    t,
    fc.property(
      colorStops,
      fc.integer({ min: -8, max: 72 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (stops, step, under) => {
        const { over, isUniform } = lightOf(
          { type: 'linear', rotationRad: 0, colorStops: stops },
          BOX,
          'luma',
        );
        const { light, alpha } = naiveStop(stops, Math.min(Math.max(step / 64, 0), 1));
        const expected = under + (light - under) * alpha;
        // Each position takes the nearest step.
        return !isUniform && [-0.4, 0, 0.4].every((off) => near(over(under, step + off, 7), expected));
      },
    ),
  );
});

const RAMP: readonly GradientStop[] = [
  { offset: 0, color: '#000000' },
  { offset: 1, color: '#ffffff' },
];
const ramp = (type: Gradient['type'], rotationRad = 0): Gradient => ({
  type,
  rotationRad,
  colorStops: RAMP,
});

t.test('gradients run along their line, or outwards from the centre of their box', async (t) => {
  const box = { x: 10, y: 20, width: 64, height: 32 };
  const lights = (paint: Gradient, places: readonly (readonly [number, number])[]) =>
    places.map(([x, y]) => lightOf(paint, box, 'luma').over(0, x, y) * 64);
  const near64 = (found: readonly number[], expected: readonly number[]) =>
    t.ok(
      found.length === expected.length && found.every((value, i) => near(value, expected[i]!)),
      `${found}`,
    );
  near64(
    lights(ramp('linear'), [
      [10, 0],
      [26, 99],
      [74, 0],
      [0, 0],
      [99, 0],
    ]),
    [0, 16, 64, 0, 64],
  );
  near64(
    lights(ramp('linear', Math.PI / 2), [
      [0, 20],
      [5, 28],
      [99, 52],
    ]),
    [0, 16, 64],
  );
  near64(
    lights(ramp('linear', Math.PI), [
      [10, 0],
      [26, 3],
    ]),
    [64, 48],
  );
  // From one corner of the box to the other.
  near64(
    lights(ramp('linear', Math.PI / 4), [
      [10, 20],
      [50, 36],
      [42, 44],
      [74, 52],
    ]),
    [0, 38, 35, 64],
  );
  near64(
    lights(ramp('radial'), [
      [42, 36],
      [45, 40],
      [42, 20],
      [10, 36],
      [0, 0],
    ]),
    [0, 10, 32, 64, 64],
  );
});

t.test('a gradient without length shows its first colour, and its light is never NaN', async (t) => {
  const { over } = lightOf(ramp('linear'), { x: 5, y: 5, width: 0, height: 9 }, 'luma');
  t.equal(over(1, 5, 7), 0);
});

const design = (options: Parameters<typeof toDesign>[0]): Design => toDesign(options);

t.test('the light of a dot is that of its least covered tile in the middle of a module', async (t) => {
  for (const type of DOT_TYPES) {
    const { coverage } = tilesOf(type, 8);
    const shares = Array.from({ length: 16 }, (_, tile) => {
      let sum = 0;
      for (const y of [2, 3, 4, 5]) for (const x of [2, 3, 4, 5]) sum += coverage[tile * 64 + y * 8 + x]!;
      return sum / (16 * 255);
    });
    const { dark } = fieldOf(design({ dotsOptions: { type: type as DotType, color: '#000000' } }), 'luma');
    t.ok(near(dark(150, 150), 1 - Math.min(...shares)), `${type}: ${Math.min(...shares)}`);
  }
});

t.test('ink is blended over ground, and ground over paper', async (t) => {
  const { ground, dark, isUniform } = fieldOf(
    design({
      dotsOptions: { type: 'square', color: '#00000080' },
      backgroundOptions: { color: '#00000033' },
    }),
    'luma',
  );
  t.ok(isUniform);
  t.ok(near(ground(1, 1), 0.8));
  t.ok(near(dark(1, 1), 0.8 * (1 - 0x80 / 255)));
});

t.test('where two stops coincide, the later one is used', async (t) => {
  const colorStops = ['#000000', '#333333', '#cccccc', '#ffffff'].map((color, i) => ({
    offset: [0, 0.5, 0.5, 1][i]!,
    color,
  }));
  const { over } = lightOf({ type: 'linear', rotationRad: 0, colorStops }, BOX, 'luma');
  t.ok(near(over(0, 32, 0), 0.8));
  t.ok(near(over(0, 16, 0), 0.1));
});

t.test('a background fills the whole canvas, and its gradient spans it', async (t) => {
  const { ground } = fieldOf(
    { ...DEFAULT_DESIGN, ...{ widthPx: 64, heightPx: 128 }, background: { paint: ramp('linear'), round: 0 } },
    'luma',
  );
  t.ok(near(ground(16, 1), 0.25) && near(ground(16, 127), 0.25));
  const down = { paint: ramp('linear', Math.PI / 2), round: 0 };
  const tall = fieldOf({ ...DEFAULT_DESIGN, ...{ widthPx: 32, heightPx: 64 }, background: down }, 'luma');
  t.ok(near(tall.ground(1, 16), 0.25));
});

t.test('a field is uniform unless it has a gradient or a round corner', async (t) => {
  const gradient = { colorStops: [{ offset: 0, color: '#123456' }] };
  const isUniform = (options: Parameters<typeof toDesign>[0]) => fieldOf(design(options), 'luma').isUniform;
  t.ok(isUniform({}));
  t.notOk(isUniform({ dotsOptions: { gradient } }));
  t.notOk(isUniform({ backgroundOptions: { gradient } }));
  t.notOk(isUniform({ backgroundOptions: { round: 0.1 } }));
});

t.test('a round background is a centred square with circular corners', async (t) => {
  const roundOf = (widthPx: number, heightPx: number, round: number, roundSize: boolean) => {
    const base = design({ backgroundOptions: { color: '#000000', round } });
    return fieldOf({ ...base, widthPx, heightPx, dots: { ...base.dots, roundSize } }, 'luma').ground;
  };
  // On 301 by 200 px it goes from 50 to 250 when rounded to whole pixels, otherwise from 50.5.
  for (const roundSize of [true, false]) {
    const left = roundSize ? 50 : 50.5;
    for (const [round, isTurned] of [
      [0.5, false],
      [1, false],
      [0.5, true],
    ] as const) {
      const ground = isTurned ? roundOf(200, 301, round, roundSize) : roundOf(301, 200, round, roundSize);
      const radius = 100 * round;
      const isIn = (x: number, y: number): boolean => {
        if (Math.min(x, y) < 0 || Math.max(x, y) > 200) return false;
        const [dx, dy] = [Math.min(x, 200 - x), Math.min(y, 200 - y)];
        return dx >= radius || dy >= radius || Math.hypot(radius - dx, radius - dy) <= radius;
      };
      const wrong: string[] = [];
      for (let x = -1.25; x < 203; x += 3.1)
        for (let y = -1.25; y < 203; y += 3.1) {
          const light = isTurned ? ground(y, left + x) : ground(left + x, y);
          if (light !== (isIn(x, y) ? 0 : 1)) wrong.push(`${x}, ${y}`);
        }
      t.strictSame(wrong, [], `round ${round}, ${roundSize ? 'whole pixels' : 'exact'}`);
      // The edges are part of it.
      for (const [x, y] of [
        [0, 100],
        [200, 100],
        [100, 0],
        [100, 200],
      ] as const)
        t.equal(isTurned ? ground(y, left + x) : ground(left + x, y), 0, `${x}, ${y}`);
    }
  }
});

t.test('a field has a sample for each module, and sixteen samples across a larger symbol', async (t) => {
  const geometry = (moduleCount: number) => ({ xPx: 10, yPx: 20, modulePx: 4, moduleCount }) as Geometry;
  const field = {
    isUniform: false,
    ground: (x: number, y: number) => x + 1000 * y,
    dark: (x: number, y: number) => -x - 1000 * y,
  };
  for (const [modules, side] of [
    [5, 5],
    [16, 16],
    [17, 16],
    [177, 16],
  ] as const) {
    const samples = sampleField(field, geometry(modules));
    t.equal(samples.side, side);
    const step = (4 * modules) / side;
    const expected = Array.from(
      { length: side * side },
      (_, i) => 10 + ((i % side) + 0.5) * step + 1000 * (20 + (Math.floor(i / side) + 0.5) * step),
    );
    t.ok(expected.every((light, i) => near(samples.light[i]!, light) && near(samples.dark[i]!, -light)));
  }
  const { side, dark, light } = sampleField({ ...field, isUniform: true }, geometry(21));
  t.strictSame([side, [...light], [...dark]], [1, [52 + 62_000], [-52 - 62_000]]);
});

/** Returns a quantile of the values, by the nearest rank. */
const rank = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.round(share * (values.length - 1))]!;

t.test('symbol contrast, ground and polarity are right for random light', async (t) => {
  const lights = fc.array(
    fc.integer({ min: 0, max: 255 }).map((level) => level / 255),
    { minLength: 1, maxLength: 40 },
  );
  holds(
    t,
    fc.property(lights, lights, (dark, light) => {
      const samples = { side: 1, dark: Float64Array.from(dark), light: Float64Array.from(light) };
      const { contrast, ground, isInverted } = tonesOf(samples);
      const all = [...dark, ...light];
      const [ofDark, ofLight] = [rank(dark, 0.5), rank(light, 0.5)];
      const [ink, paper] = ofLight < ofDark ? [1 - ofDark, 1 - ofLight] : [ofDark, ofLight];
      const expected = ink >= 1 ? 0 : (paper - (ink + 1) / 2) / ((1 - ink) / 2);
      return (
        contrast === rank(all, 0.99) - rank(all, 0.01) &&
        Math.abs(ground - expected) <= 1e-9 * Math.max(1, Math.abs(expected)) &&
        isInverted === ofLight < ofDark &&
        [...samples.dark].every((value, i) => value === dark[i])
      );
    }),
  );
  const many = (length: number, value: (i: number) => number) =>
    Float64Array.from({ length }, (_, i) => value(i));
  // The fifth of 400 values from either end.
  const samples = { side: 1, dark: many(200, (i) => i / 1000), light: many(200, (i) => (999 - i) / 1000) };
  t.ok(near(tonesOf(samples).contrast, 0.995 - 0.004));
});

t.test('ink as light as paper has no ground contrast', async (t) => {
  const white = Float64Array.of(1);
  t.strictSame(tonesOf({ side: 1, dark: white, light: white }), {
    contrast: 0,
    ground: 0,
    isInverted: false,
  });
});
