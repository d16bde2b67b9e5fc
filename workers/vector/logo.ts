import { imageElement, svgElement } from '../design/markup.ts';
import type { Inks, Logo, LogoStroke } from '../protocol.ts';
import { straightColor } from '../raster/colors.ts';
import { type Pixels, rasterise } from '../raster/rasterise.ts';
import { type ColorSpace, isGrey, type Rgba, spaceOf } from './colors.ts';

/**
 * Decodes the PNG of a logo into words of straight R, G, B, A from the lowest byte. It reads the size from the first
 * chunk (PNG specification, 11.2.1).
 */
export const pixelsOf = ({ png }: Logo): Pixels => {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  const { widthPx, heightPx, colors } = rasterise(svgElement(size, imageElement(png, size)));
  return { widthPx, heightPx, colors: colors.map(straightColor) };
};

const rgbaOfWord = (word: number): Rgba => ({
  red: word & 255,
  green: (word >>> 8) & 255,
  blue: (word >>> 16) & 255,
  alpha: (word >>> 24) / 255,
});

/**
 * Returns the components of all pixels, a byte each, and their space. `look` may change a colour first, by the place of
 * its pixel.
 */
export const componentsOf = (
  { colors }: Pixels,
  inks: Inks,
  look: (color: Rgba, index: number) => Rgba = (color) => color,
): { readonly space: ColorSpace; readonly bytes: Uint8Array } => {
  const space = spaceOf(
    colors.every((word, i) => isGrey(look(rgbaOfWord(word), i))),
    inks,
  );
  const bytes = new Uint8Array(colors.length * space.count);
  for (const [i, word] of colors.entries()) {
    const parts = space.componentsOf(look(rgbaOfWord(word), i));
    for (const [at, part] of parts.entries()) bytes[i * space.count + at] = Math.round(part * 255);
  }
  return { space, bytes };
};

/** Returns the alpha of all pixels, a byte each; `null` when all are opaque. */
export const alphaOf = ({ colors }: Pixels): Uint8Array | null => {
  const alpha = Uint8Array.from(colors, (word) => word >>> 24);
  return alpha.every((value) => value === 255) ? null : alpha;
};

const CAPS = ['butt', 'round', 'square'] as const;
const JOINS = ['miter', 'round', 'bevel'] as const;

/** Sets width, cap, join and miter limit, by these operators. PDF and PostScript number caps and joins alike. */
export const strokeState = (
  { width, cap, join, miterLimit }: LogoStroke,
  operators: readonly [string, string, string, string],
): string =>
  [width, CAPS.indexOf(cap), JOINS.indexOf(join), miterLimit]
    .map((value, i) => `${value} ${operators[i]}`)
    .join(' ');
