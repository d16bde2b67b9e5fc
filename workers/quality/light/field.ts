import { type Geometry, roundingOf } from '../../design/geometry.ts';
import { dotsFill } from '../../design/layers.ts';
import type { Design } from '../../protocol.ts';
import { tilesOf } from '../../raster/glyph-masks.ts';
import { type Channel, lightOf } from './light.ts';

/** The light of the ground, 0 to 1, at a place of the canvas in pixels. */
export type Ground = (x: number, y: number) => number;

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
export function fieldOf(design: Design, channel: Channel): Field {
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
}

/** Returns whether a place lies on the background: a canvas, or a square with round corners. */
function insideOf({ widthPx, heightPx, background, dots }: Design): (x: number, y: number) => boolean {
  if (background.round === 0) return () => true;
  const side = Math.min(widthPx, heightPx);
  const place = roundingOf(dots);
  const [left, top] = [place((widthPx - side) / 2), place((heightPx - side) / 2)];
  const radius = (side / 2) * background.round;
  const outside = (at: number): number => Math.max(radius - at, at - (side - radius), 0);
  return (x, y) => Math.hypot(outside(x - left), outside(y - top)) <= radius;
}

/** Returns how much of the middle half of a module is ink, in the tile with the least. */
function leastMiddleCoverage({ dots }: Design): number {
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
}

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
export function sampleField(field: Field, { xPx, yPx, modulePx, moduleCount }: Geometry): FieldSamples {
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
}
