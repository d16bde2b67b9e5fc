import type { Fill } from '../design/fill.ts';
import { formatRatio, linearEnds, radialCircle, visibleStops } from '../design/gradient.ts';
import type { Gradient } from '../protocol.ts';
import { between, type Rgba, rgbaOf } from './colors.ts';
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
  /** Of a linear one x1, y1, x2, y2; of a radial one the centre and radius of the inner and of the outer circle. */
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
export function shadingOf({ paint, box }: GradientFill, { xPx, yPx, scalePx }: Frame): Shading {
  const x = (px: number): number => (px - xPx) / scalePx;
  const y = (px: number): number => (px - yPx) / scalePx;
  const stretches = stretchesOf(paint);
  if (paint.type === 'linear') {
    const { x1, y1, x2, y2 } = linearEnds(box, paint.rotationRad);
    return { type: 'linear', coords: [x(x1), y(y1), x(x2), y(y2)], stretches };
  }
  const { cx, cy, r } = radialCircle(box);
  return { type: 'radial', coords: [x(cx), y(cy), 0, x(cx), y(cy), r / scalePx], stretches };
}

/** Two stops in one place have no stretch between them, so the colour changes there at once. */
function stretchesOf(gradient: Gradient): readonly Stretch[] {
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
}

/** Returns the colour at a place from 0 to 1. */
export function colorAt({ stretches }: Pick<Shading, 'stretches'>, place: number): Rgba {
  const inside = Math.min(Math.max(place, 0), 1);
  const { from, to, colors } = stretches.find((stretch) => inside <= stretch.to)!;
  return between(...colors, (inside - from) / (to - from));
}

/** Returns the place of a point between the ends of a shading: below 0 and above 1 outside of them. */
export function placeAt({ type, coords }: Shading, x: number, y: number): number {
  const [x1, y1, third, fourth, , radius] = coords as readonly [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (type === 'radial') return Math.hypot(x - x1, y - y1) / radius;
  const [dx, dy] = [third - x1, fourth - y1];
  return ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy);
}
