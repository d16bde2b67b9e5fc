import { type Geometry, roundingOf } from '../design/geometry.ts';
import { type Box, linearEnds, radialCircle } from '../design/gradient.ts';
import { dotsFill } from '../design/layers.ts';
import type { Design, Gradient, HexColor, Paint } from '../protocol.ts';
import { tilesOf } from '../raster/glyphs.ts';

/**
 * The light that a reader sees, from 0 (black) to 1 (white): a camera sees the luma of a colour (ITU-R BT.601, of the
 * stored values, as readers compute it), and a laser or red light of 660 nm its red channel.
 */
type Channel = 'luma' | 'red';

interface PaintLight {
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
export const lightOf = (paint: Paint, box: Box, channel: Channel): PaintLight => {
  if (typeof paint === 'string') return solidLight(colorOf(paint), channel);
  const { lights, alphas } = stepsOf(paint, channel);
  const placeAt = paint.type === 'linear' ? linearPlace(paint, box) : radialPlace(box);
  const over = (under: number, x: number, y: number): number => {
    const step = Math.round(Math.min(Math.max(placeAt(x, y), 0), 1) * STEPS);
    return under + (lights[step]! - under) * alphas[step]!;
  };
  return { isUniform: false, over };
};

const solidLight = (color: Color, channel: Channel): PaintLight => {
  const light = lightOfColor(color, channel);
  const alpha = color[3];
  return { isUniform: true, over: (under) => under + (light - under) * alpha };
};

const lightOfColor = ([red, green, blue]: Color, channel: Channel): number => {
  const weights = WEIGHTS[channel];
  return red * weights[0] + green * weights[1] + blue * weights[2];
};

const shareAt = (color: HexColor, at: number): number => Number.parseInt(color.slice(at, at + 2), 16) / 255;
const colorOf = (color: HexColor): Color => [
  shareAt(color, 1),
  shareAt(color, 3),
  shareAt(color, 5),
  color.length === 9 ? shareAt(color, 7) : 1,
];

/** Returns light and alpha of a gradient at each step. A stop never lies before an earlier one: SVG 1.1, 13.2.4. */
const stepsOf = ({ colorStops }: Gradient, channel: Channel) => {
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
};

const linearPlace = ({ rotationRad }: Gradient, box: Box): ((x: number, y: number) => number) => {
  const { x1, y1, x2, y2 } = linearEnds(box, rotationRad);
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy || 1;
  return (x, y) => ((x - x1) * dx + (y - y1) * dy) / squared;
};

const radialPlace = (box: Box): ((x: number, y: number) => number) => {
  const { cx, cy, r } = radialCircle(box);
  return (x, y) => Math.hypot(x - cx, y - cy) / r;
};

/** The light of the background, 0 to 1, at a place of the canvas in pixels. */
type Ground = (x: number, y: number) => number;

/** The light of dark and light modules, before the logo. */
export interface Field {
  readonly isUniform: boolean;
  readonly ground: Ground;
  /** The light of the middle half of a dark module: the parameters of ISO/IEC 15415 look there. */
  readonly dark: (x: number, y: number) => number;
}

/** A picture is looked at on white paper. */
const PAPER = 1;
/** Pixels per module in the sampled masks. */
const SAMPLE_PX = 8;

/** Returns the light of a design's modules in one channel. */
export const fieldOf = (design: Design, channel: Channel): Field => {
  const { background } = design;
  const canvas = { x: 0, y: 0, width: design.widthPx, height: design.heightPx };
  const paper = lightOf(background.paint, canvas, channel);
  const isInside = insideOf(design);
  const ground: Ground = (x, y) => (isInside(x, y) ? paper.over(PAPER, x, y) : PAPER);
  const fill = dotsFill(design);
  const ink = lightOf(fill.paint, fill.box, channel);
  const coverage = leastMiddleCoverage(design);
  const dark = (x: number, y: number): number => {
    const under = ground(x, y);
    return under + (ink.over(under, x, y) - under) * coverage;
  };
  return { isUniform: ink.isUniform && paper.isUniform && background.round === 0, ground, dark };
};

/** Returns whether a place lies on the background: a canvas, or a square with round corners. */
const insideOf = ({ widthPx, heightPx, background, dots }: Design): ((x: number, y: number) => boolean) => {
  if (background.round === 0) return () => true;
  const side = Math.min(widthPx, heightPx);
  const place = roundingOf(dots);
  const [left, top] = [place((widthPx - side) / 2), place((heightPx - side) / 2)];
  const radius = (side / 2) * background.round;
  const outside = (at: number): number => Math.max(radius - at, at - (side - radius), 0);
  return (x, y) => Math.hypot(outside(x - left), outside(y - top)) <= radius;
};

/** Returns how much of the middle half of a module is ink, in the tile with the least. */
const leastMiddleCoverage = ({ dots }: Design): number => {
  const { coverage } = tilesOf(dots.type, SAMPLE_PX);
  const tilePx = SAMPLE_PX ** 2;
  const [from, to] = [SAMPLE_PX / 4, (3 * SAMPLE_PX) / 4];
  let least = 1;
  for (let first = 0; first < coverage.length; first += tilePx) {
    let total = 0;
    for (let row = from; row < to; row += 1)
      for (let x = from; x < to; x += 1) total += coverage[first + row * SAMPLE_PX + x]!;
    least = Math.min(least, total / (255 * (to - from) ** 2));
  }
  return least;
};

/** Light of the dark and the light modules, on a lattice over the symbol. */
export interface FieldSamples {
  /** Lattice points along one side: 1 when the field is uniform. */
  readonly side: number;
  /** Row-major. */
  readonly dark: Float64Array;
  readonly light: Float64Array;
}

/** More points would not change a grade. */
const MAX_SIDE = 16;

/** Samples a field at the centres of modules, or of boxes of modules in large symbols. */
export const sampleField = (field: Field, { xPx, yPx, modulePx, moduleCount }: Geometry): FieldSamples => {
  const side = field.isUniform ? 1 : Math.min(MAX_SIDE, moduleCount);
  const dark = new Float64Array(side * side);
  const light = new Float64Array(side * side);
  const stepPx = (moduleCount * modulePx) / side;
  for (let i = 0; i < dark.length; i += 1) {
    const x = xPx + ((i % side) + 0.5) * stepPx;
    const y = yPx + (Math.floor(i / side) + 0.5) * stepPx;
    dark[i] = field.dark(x, y);
    light[i] = field.ground(x, y);
  }
  return { side, dark, light };
};

/** The light of a picture in one channel. */
export interface Tones {
  /** 99th less 1st percentile of all modules: the symbol contrast of ISO/IEC 15415. */
  readonly contrast: number;
  /** 1: the background is paper, 0: as near to ink as to paper. */
  readonly ground: number;
  readonly isInverted: boolean;
}

/** Returns the tones of a picture's modules. */
export const tonesOf = ({ dark, light }: FieldSamples): Tones => {
  const all = new Float64Array(dark.length + light.length);
  all.set(dark);
  all.set(light, dark.length);
  all.sort();
  const [least, most] = [quantile(all, 0.01), quantile(all, 0.99)];
  const [darkMedian, lightMedian] = [medianOf(dark), medianOf(light)];
  const isInverted = lightMedian < darkMedian;
  const [ink, paper] = isInverted ? [1 - darkMedian, 1 - lightMedian] : [darkMedian, lightMedian];
  return {
    contrast: most - least,
    ground: ink >= 1 ? 0 : (2 * paper - ink - 1) / (1 - ink),
    isInverted,
  };
};

const medianOf = (values: Float64Array): number => quantile(Float64Array.from(values).sort(), 0.5);

/** Returns the value at a share of ordered values, by the nearest rank. */
const quantile = (ordered: Float64Array, share: number): number =>
  ordered[Math.round(share * (ordered.length - 1))]!;
