import { type Box, linearEnds, radialCircle } from '../../design/gradient.ts';
import type { Gradient, HexColor, Paint } from '../../protocol.ts';

/**
 * The light that a reader sees, from 0 (black) to 1 (white): a camera sees the luma of a colour (ITU-R BT.601, of the
 * stored values, as readers compute it), and a laser or red light of 660 nm its red channel.
 */
export type Channel = 'luma' | 'red';

/** The light of a paint. */
export interface PaintLight {
  /** Whether it is the same everywhere. */
  readonly isUniform: boolean;
  /** Returns the light at a place of the canvas, painted over the light `under`. */
  over(under: number, x: number, y: number): number;
}

/** How much each of red, green and blue adds. */
const WEIGHTS: Readonly<Record<Channel, readonly [number, number, number]>> = {
  luma: [0.299, 0.587, 0.114],
  red: [1, 0, 0],
};

/** Red, green, blue and alpha, 0 to 1. */
type Color = readonly [number, number, number, number];

/** Colours between the ends of a gradient; more would not change a grade. */
const STEPS = 64;

/** Returns the light of a paint. A gradient spans `box`. */
export function lightOf(paint: Paint, box: Box, channel: Channel): PaintLight {
  if (typeof paint === 'string') return solidLight(colorOf(paint), channel);
  const { lights, alphas } = stepsOf(paint, channel);
  const placeAt = paint.type === 'linear' ? linearPlace(paint, box) : radialPlace(box);
  const over = (under: number, x: number, y: number): number => {
    const step = Math.round(Math.min(Math.max(placeAt(x, y), 0), 1) * STEPS);
    return under + (lights[step]! - under) * alphas[step]!;
  };
  return { isUniform: false, over };
}

function solidLight(color: Color, channel: Channel): PaintLight {
  const light = lightOfColor(color, channel);
  const alpha = color[3];
  return { isUniform: true, over: (under) => under + (light - under) * alpha };
}

function lightOfColor([red, green, blue]: Color, channel: Channel): number {
  const weights = WEIGHTS[channel];
  return red * weights[0] + green * weights[1] + blue * weights[2];
}

const shareAt = (color: HexColor, at: number): number => Number.parseInt(color.slice(at, at + 2), 16) / 255;
const colorOf = (color: HexColor): Color => [
  shareAt(color, 1),
  shareAt(color, 3),
  shareAt(color, 5),
  color.length === 9 ? shareAt(color, 7) : 1,
];

/** Returns light and alpha of a gradient at each step. A stop never lies before an earlier one: SVG 1.1, 13.2.4. */
function stepsOf({ colorStops }: Gradient, channel: Channel) {
  const lights = new Float64Array(STEPS + 1);
  const alphas = new Float64Array(STEPS + 1);
  let before = { light: 0, alpha: 0, at: 0 };
  let step = 0;
  for (const [i, { offset, color }] of colorStops.entries()) {
    const parsed = colorOf(color);
    const at = Math.max(offset * STEPS, before.at);
    const after = { light: lightOfColor(parsed, channel), alpha: parsed[3], at };
    const from = i === 0 ? after : before;
    for (; step < at; step += 1) {
      const share = i === 0 ? 0 : (step - from.at) / (at - from.at);
      lights[step] = from.light + (after.light - from.light) * share;
      alphas[step] = from.alpha + (after.alpha - from.alpha) * share;
    }
    before = after;
  }
  lights.fill(before.light, step);
  alphas.fill(before.alpha, step);
  return { lights, alphas };
}

function linearPlace({ rotationRad }: Gradient, box: Box): (x: number, y: number) => number {
  const { x1, y1, x2, y2 } = linearEnds(box, rotationRad);
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy || 1;
  return (x, y) => ((x - x1) * dx + (y - y1) * dy) / squared;
}

function radialPlace(box: Box): (x: number, y: number) => number {
  const { cx, cy, r } = radialCircle(box);
  return (x, y) => Math.hypot(x - cx, y - cy) / r;
}
