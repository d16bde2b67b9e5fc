/** Where a code lies in a picture with words, and what is in its quiet zone. */
import type { LaidOut } from '../../../src/generate/file.ts';
import type { Design, HexColor } from '../../../workers/protocol.ts';
import { rgbaOf } from '../../../workers/vector/colors.ts';
import type { GrayPage } from '../../support/pictures/print.ts';
import type { CaptionCase } from './cases.ts';

const MM_PER_INCH = 25.4;
const QUIET_MODULES = 4;
/** Renderers of vectors place a page to within two dots. */
const VECTOR_INSET = 2;
/** A logo begins between two pixels, and its smooth edge depends on the place of the code by a quarter of its light. */
const CODE_TOLERANCE = 64;
/** Edges of letters are smooth: what covers less than 3 % of a dot does not count. */
const LIGHT_TOLERANCE = 8;

/** Sides in dots, from the top left corner of the page. */
export type Sides = Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>;

/** Where a code lies on its page. */
export interface Place {
  /** The symbol with the quiet zone that it was asked for. */
  readonly canvas: Sides;
  readonly symbol: Sides;
  /** The symbol with four modules of quiet zone, as far as these are on the page. */
  readonly zone: Sides;
}

const grown = ({ left, top, right, bottom }: Sides, by: number): Sides => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

/** Returns where the code of a file lies when it is looked at. */
export const placeOf = (
  { bare, dpi }: Pick<CaptionCase, 'bare' | 'dpi'>,
  { design, format, print }: LaidOut,
  { widthPx, heightPx }: GrayPage,
): Place => {
  const { page, around } = print!;
  const { bleedPx, bleedMm, mmPerPx } = page!;
  const dotsOf = (mm: number): number => (mm * dpi) / MM_PER_INCH;
  const dotsPerPx = dotsOf(mmPerPx);
  const bleed = format === 'png' ? bleedPx : dotsOf(bleedMm);
  const left = (around?.leftPx ?? 0) * dotsPerPx + bleed;
  const top = (around?.topPx ?? 0) * dotsPerPx + bleed;
  const side = (design.widthPx - 2 * bleedPx) * dotsPerPx;
  const canvas = { left, top, right: left + side, bottom: top + side };
  const { quiet_zone: quiet = QUIET_MODULES, module_mm: moduleMm = 0 } = bare;
  const module = dotsOf(moduleMm);
  const zone = grown(canvas, Math.max(0, QUIET_MODULES - quiet) * module);
  return {
    canvas,
    symbol: grown(canvas, -quiet * module),
    zone: {
      left: Math.max(0, zone.left),
      top: Math.max(0, zone.top),
      right: Math.min(widthPx, zone.right),
      bottom: Math.min(heightPx, zone.bottom),
    },
  };
};

/** The least and the greatest light that a background has on white paper, 0 to 255. */
const lightsOf = ({ background: { paint, round } }: Design): readonly [least: number, most: number] => {
  const lightOf = (color: HexColor): number => {
    const { red, green, blue, alpha } = rgbaOf(color);
    return 255 - alpha * (255 - (0.299 * red + 0.587 * green + 0.114 * blue));
  };
  const colors = typeof paint === 'string' ? [paint] : paint.colorStops.map(({ color }) => color);
  const lights = [...colors.map(lightOf), ...(round > 0 ? [255] : [])];
  return [Math.min(...lights), Math.max(...lights)];
};

/** Returns how many dots of a quiet zone have another light than the background. */
export const foreignDots = (
  { data, widthPx }: GrayPage,
  { zone, symbol }: Place,
  { design, format }: LaidOut,
): number => {
  const inset = format === 'png' ? 0 : VECTOR_INSET;
  const [outer, inner] = [grown(zone, -inset), grown(symbol, inset)];
  const [least, most] = lightsOf(design);
  const isForeign = (x: number, y: number): boolean => {
    const isInside = x + 1 > inner.left && x < inner.right && y + 1 > inner.top && y < inner.bottom;
    const light = data[y * widthPx + x]!;
    return !isInside && (light < least - LIGHT_TOLERANCE || light > most + LIGHT_TOLERANCE);
  };
  let count = 0;
  for (let y = Math.ceil(outer.top); y + 1 <= outer.bottom; y += 1)
    for (let x = Math.ceil(outer.left); x + 1 <= outer.right; x += 1) count += isForeign(x, y) ? 1 : 0;
  return count;
};

/** Returns how many dots of a code with its quiet zone are not those of the bare code. Both must be bitmaps. */
export const changedDots = (worded: GrayPage, at: Place, bare: GrayPage, bareAt: Place): number => {
  const [left, top] = [at.canvas.left - bareAt.canvas.left, at.canvas.top - bareAt.canvas.top].map(
    Math.round,
  ) as [number, number];
  const { left: from, right: to, top: first, bottom: last } = bareAt.canvas;
  let count = 0;
  for (let y = Math.round(first); y < Math.round(last); y += 1)
    for (let x = Math.round(from); x < Math.round(to); x += 1) {
      const light = worded.data[(y + top) * worded.widthPx + x + left]!;
      count += Math.abs(light - bare.data[y * bare.widthPx + x]!) > CODE_TOLERANCE ? 1 : 0;
    }
  return count;
};

/** Returns the page without what stands around its code. */
export const withoutWords = (
  { data, widthPx, heightPx }: GrayPage,
  { zone }: Place,
  ground: number,
): GrayPage => ({
  widthPx,
  heightPx,
  data: data.map((light, i) => {
    const [x, y] = [i % widthPx, Math.floor(i / widthPx)];
    return x >= zone.left && x < zone.right && y >= zone.top && y < zone.bottom ? light : ground;
  }),
});
