import type { Fill } from '../design/fill.ts';
import { formatRatio, linearEnds, radialCircle, visibleStops } from '../design/gradient.ts';
import type { Gradient, Inks } from '../protocol.ts';
import { type ColorSpace, isGrey, mixColors, type Rgba, rgbaOf, spaceOf } from './colors.ts';
import type { Frame } from './scene.ts';

/** A stretch of a gradient, in which the colour changes evenly. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly colors: readonly [Rgba, Rgba];
}

/** A gradient as PDF and PostScript draw it. */
export interface Shading {
  readonly type: Gradient['type'];
  /** Linear: x1, y1, x2, y2. Radial: centre and radius of the inner circle, then of the outer circle. */
  readonly coords: readonly number[];
  /** From 0 to 1 without gaps, in order. */
  readonly stretches: readonly Stretch[];
}

/** A fill whose paint is a gradient. */
export interface GradientFill extends Fill {
  readonly paint: Gradient;
}

/** Whether a fill is a gradient. */
export const isGradient = (fill: Fill): fill is GradientFill => typeof fill.paint !== 'string';

/** Returns the shading of a gradient, in the units of a frame. */
export const shadingOf = ({ paint, box }: GradientFill, { xPx, yPx, scalePx }: Frame): Shading => {
  const x = (px: number): number => (px - xPx) / scalePx;
  const y = (px: number): number => (px - yPx) / scalePx;
  const { type } = paint;
  const { before, after, stretches } = withEdges(stretchesOf(paint), paint);
  if (type === 'linear') {
    const { x1, y1, x2, y2 } = linearEnds(box, paint.rotationRad);
    const [dx, dy] = [x2 - x1, y2 - y1];
    const start = [x(x1 - before * dx), y(y1 - before * dy)] as const;
    return { type, coords: [...start, x(x2 + after * dx), y(y2 + after * dy)], stretches };
  }
  const { cx, cy, r } = radialCircle(box);
  return { type, coords: [x(cx), y(cy), 0, x(cx), y(cy), (r * (1 + after)) / scalePx], stretches };
};

/** Returns the colour space that a shading is printed in, black included. */
export const spaceOfShading = ({ stretches }: Pick<Shading, 'stretches'>, inks: Inks): ColorSpace =>
  spaceOf(
    stretches.every(({ colors }) => colors.every(isGrey)),
    inks,
  );

/** Two stops in one place have no stretch between them, so the colour changes there at once. */
const stretchesOf = (gradient: Gradient): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  let at = 0;
  let color: Rgba | null = null;
  const add = (to: number, next: Rgba): void => {
    if (to > at) stretches.push({ from: at, to, colors: [color ?? next, next] });
    [at, color] = [Math.max(at, to), next];
  };
  // Places as an SVG has them: stops that are nearer to each other than that are in one place.
  for (const stop of visibleStops(gradient)) add(Number(formatRatio(stop.offset)), rgbaOf(stop.color));
  if (at < 1) add(1, color!);
  return stretches;
};

/** Of the length of a gradient. */
const EDGE = 0.01;

/**
 * Beyond its ends a gradient has the colours of its first and its last stop. PDF and PostScript take the colours at the
 * ends instead, so where the colour changes at once at an end, a short stretch of the outer colour is added. Returns by
 * how much of its length the gradient begins earlier and ends later.
 */
const withEdges = (stretches: readonly Stretch[], gradient: Gradient) => {
  const stops = visibleStops(gradient);
  const [first, last] = [rgbaOf(stops[0]!.color), rgbaOf(stops.at(-1)!.color)];
  const hasJump = (one: Rgba, other: Rgba): boolean => JSON.stringify(one) !== JSON.stringify(other);
  const isLinear = gradient.type === 'linear';
  const before = isLinear && hasJump(first, stretches[0]!.colors[0]) ? EDGE : 0;
  const after = hasJump(last, stretches.at(-1)!.colors[1]) ? EDGE : 0;
  const place = (at: number): number => (at + before) / (before + 1 + after);
  const inner = stretches.map(({ from, to, colors }) => ({ from: place(from), to: place(to), colors }));
  const outer = (from: number, to: number, color: Rgba): Stretch[] =>
    to > from ? [{ from, to, colors: [color, color] }] : [];
  return {
    before,
    after,
    stretches: [...outer(0, place(0), first), ...inner, ...outer(place(1), 1, last)],
  };
};

/** Returns the colour at a place from 0 to 1. */
export const colorAt = ({ stretches }: Pick<Shading, 'stretches'>, place: number): Rgba => {
  const inside = Math.min(Math.max(place, 0), 1);
  const { from, to, colors } = stretches.find((stretch) => inside <= stretch.to)!;
  return mixColors(...colors, (inside - from) / (to - from));
};

/** Returns the position of a point along a shading: below 0 before its start, above 1 after its end. */
export const placeAt = ({ type, coords }: Shading, x: number, y: number): number => {
  const [x1, y1, x2, y2] = coords as readonly [number, number, number, number];
  if (type === 'radial') return Math.hypot(x - x1, y - y1) / coords[5]!;
  const [dx, dy] = [x2 - x1, y2 - y1];
  return ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy);
};
