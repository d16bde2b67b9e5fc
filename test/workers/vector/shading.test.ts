/** Gradients in vector files, compared with SVG at any point, single and overlaid. */
import fc from 'fast-check';
import t from 'tap';
import { linearEnds, radialCircle } from '../../../workers/design/gradient.ts';
import type { Gradient, HexColor } from '../../../workers/protocol.ts';
import { blendOver, mixColors, type Rgba, rgbaOf } from '../../../workers/vector/colors.ts';
import { colorOf, flatten, underSymbol } from '../../../workers/vector/flatten.ts';
import type { Frame, Scene, Shape } from '../../../workers/vector/scene.ts';
import { colorAt, placeAt, shadingOf } from '../../../workers/vector/shading.ts';

const byte = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'));
const colorWith = (alpha: fc.Arbitrary<string>): fc.Arbitrary<HexColor> =>
  fc.tuple(byte, byte, byte, alpha).map((bytes) => `#${bytes.join('')}` as HexColor);
const opaque = colorWith(fc.constant(''));
const translucent = colorWith(byte);
const any = fc.oneof(opaque, translucent);

/** Offsets in hundredths, so that some are equal. */
const gradient: fc.Arbitrary<Gradient> = fc
  .record({
    type: fc.constantFrom('linear', 'radial'),
    rotationRad: fc.double({ min: 0, max: 6, noNaN: true }),
    stops: fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), any), { minLength: 1, maxLength: 5 }),
  })
  .map(({ type, rotationRad, stops }) => ({
    ...{ type, rotationRad },
    colorStops: stops
      .sort(([a], [b]) => a - b)
      .map(([twentieths, color]) => ({ offset: twentieths / 20, color })),
  }));

const box = { x: 10, y: 20, width: 100, height: 60 };
const point = fc.tuple(
  fc.double({ min: -60, max: 180, noNaN: true }),
  fc.double({ min: -60, max: 160, noNaN: true }),
);
const frame: Frame = { xPx: 7, yPx: -3, scalePx: 2.5 };
const inUnits = ([x, y]: readonly [number, number]): readonly [number, number] => [
  (x - frame.xPx) / frame.scalePx,
  (y - frame.yPx) / frame.scalePx,
];

/** Returns the position of a point along a gradient. */
const shareOf = ({ type, rotationRad }: Gradient, [x, y]: readonly [number, number]): number => {
  const { cx, cy, r } = radialCircle(box);
  if (type === 'radial') return Math.hypot(x - cx, y - cy) / r;
  const { x1, y1, x2, y2 } = linearEnds(box, rotationRad);
  return ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2);
};

/** Returns the colour that SVG 2 (13.2.4) prescribes there. */
const colorThere = ({ colorStops }: Gradient, share: number): Rgba => {
  const before = colorStops.filter(({ offset }) => offset <= share).at(-1);
  const after = colorStops.find(({ offset }) => offset > share);
  if (before === undefined) return rgbaOf(colorStops[0]!.color);
  if (after === undefined) return rgbaOf(before.color);
  return mixColors(
    rgbaOf(before.color),
    rgbaOf(after.color),
    (share - before.offset) / (after.offset - before.offset),
  );
};

const isNear = (one: Rgba, other: Rgba, most: number): boolean =>
  (['red', 'green', 'blue'] as const).every((channel) => Math.abs(one[channel] - other[channel]) <= most) &&
  Math.abs(one.alpha - other.alpha) <= most / 255;

/** At a sharp edge two colours meet in one point. */
const isAtJump = ({ colorStops }: Gradient, share: number): boolean =>
  colorStops.some(({ offset }) => Math.abs(offset - share) < 1e-3);

t.test('a shading has the colours of its gradient, within and beyond its ends', async () => {
  fc.assert(
    fc.property(gradient, point, (paint, at) => {
      const share = shareOf(paint, at);
      const shading = shadingOf({ paint, box }, frame);
      const stretches = shading.stretches.map(({ from, to }) => [from, to]);
      const isWhole = stretches.every(
        ([from, to], i) => from === (i === 0 ? 0 : stretches[i - 1]![1]) && to! > from!,
      );
      if (!isWhole || Math.abs(stretches.at(-1)![1]! - 1) > 1e-9) return false;
      return (
        isAtJump(paint, share) ||
        isNear(colorAt(shading, placeAt(shading, ...inUnits(at))), colorThere(paint, share), 0.01)
      );
    }),
    { numRuns: 2000 },
  );
});

const paint = fc.oneof(any, gradient);
const shapeOf = (fill: HexColor | Gradient): Shape =>
  ({ paint: fill, box, frame, path: 'M0 0h1v1z' }) as Shape;
const colorOfPaint = (fill: HexColor | Gradient, at: readonly [number, number]): Rgba =>
  typeof fill === 'string' ? rgbaOf(fill) : colorThere(fill, shareOf(fill, at));
const isClear = (fill: HexColor | Gradient): boolean =>
  typeof fill === 'string'
    ? rgbaOf(fill).alpha === 1
    : fill.colorStops.every(({ color }) => rgbaOf(color).alpha === 1);

t.test('a flattened scene shows the blended colours at every point', async () => {
  fc.assert(
    fc.property(fc.option(paint), paint, opaque, point, (below, above, paper, at) => {
      const fills = [below, above].filter((fill) => fill !== null && typeof fill !== 'string') as Gradient[];
      if (fills.some((fill) => isAtJump(fill, shareOf(fill, at)))) return true;
      const background = below === null ? null : shapeOf(below);
      const scene: Scene = {
        leftPx: 0,
        topPx: 0,
        widthPx: 100,
        heightPx: 100,
        code: { x: 0, y: 0, width: 100, height: 100 },
        bleedPx: 0,
        isSmooth: true,
        background,
        shapes: [shapeOf(above)],
        logo: null,
        texts: [],
      };
      const ground = below === null ? rgbaOf(paper) : blendOver(colorOfPaint(below, at), rgbaOf(paper));
      const shown = flatten(scene, paper).map(({ shape, fill, within }) => ({
        shape,
        within,
        color: colorOf(fill, ...inUnits(at)),
      }));
      const top = shown.at(-1)!;
      const onPaper = blendOver(colorOfPaint(above, at), rgbaOf(paper));
      const isOver =
        isNear(top.color, blendOver(colorOfPaint(above, at), ground), 0.6) &&
        shown.every(({ color }) => color.alpha === 1);
      const under = colorOf(underSymbol(scene, paper, frame), ...inUnits(at));
      if (!isOver || !isNear(under, ground, 0.6)) return false;
      if (background === null) return shown.length === 1 && top.within === null;
      const isTranslucent = top.within !== null;
      // Outside the round corners of the background, only the paper is below.
      const [first, second] = shown;
      return (
        (!isClear(above) || !isTranslucent) &&
        (isTranslucent
          ? shown.length === 3 &&
            top.within === background &&
            isNear(first!.color, onPaper, 0.6) &&
            second!.shape === background
          : shown.length === 2 && first!.shape === background)
      );
    }),
    { numRuns: 2000 },
  );
});
