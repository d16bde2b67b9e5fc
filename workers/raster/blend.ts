import type { HexColor } from '../protocol.ts';
import { straightColor } from './png/colors.ts';

/** A colour as a signed word whose channels are multiplied by alpha: R, G, B, A from the lowest byte. */
export type PixelColor = number;

/** Returns the pixel that a colour leaves on a transparent canvas. */
export function pixelColor(color: HexColor): PixelColor {
  const alpha = color.length === 9 ? channelAt(color, 7) : 255;
  const multiplied = (at: number) => Math.floor((channelAt(color, at) * alpha) / 255 + 0.5);
  return multiplied(1) | (multiplied(3) << 8) | (multiplied(5) << 16) | (alpha << 24);
}

/**
 * Returns the pixel after `color` is painted over `under` with a coverage of 0 to 255. It rounds exactly as tiny-skia
 * does (its pipeline of 16-bit integers), so that a picture composed here equals what resvg draws.
 */
export const paintOver = (color: PixelColor, coverage: number, under: PixelColor): PixelColor =>
  isOpaqueColor(color) ? paintOpaque(color, coverage, under) : paintTranslucent(color, coverage, under);

/** Whether the alpha of a colour is 255. */
export const isOpaqueColor = (color: PixelColor): boolean => color >>> 24 === 255;

/** Like `paintOver`, for a paint that is opaque everywhere: blends with the mode `source`. */
export function paintOpaque(color: PixelColor, coverage: number, under: PixelColor): PixelColor {
  const rest = 255 - coverage;
  const even = Math.imul(color & EVEN, coverage) + Math.imul(under & EVEN, rest);
  const odd = Math.imul((color >>> 8) & EVEN, coverage) + Math.imul((under >>> 8) & EVEN, rest);
  return (((even + EVEN) >>> 8) & EVEN) | ((odd + EVEN) & ODD);
}

/** Does what `paintOver` does for a paint that is not opaque everywhere: `source_over`, scaled by the coverage. */
export function paintTranslucent(color: PixelColor, coverage: number, under: PixelColor): PixelColor {
  const even = ((Math.imul(color & EVEN, coverage) + EVEN) >>> 8) & EVEN;
  const odd = (Math.imul((color >>> 8) & EVEN, coverage) + EVEN) & ODD;
  const rest = 255 - (odd >>> 24);
  const evenUnder = ((Math.imul(under & EVEN, rest) + EVEN) >>> 8) & EVEN;
  const oddUnder = (Math.imul((under >>> 8) & EVEN, rest) + EVEN) & ODD;
  return (even + evenUnder) | (odd + oddUnder);
}

/** Returns a PNG palette: straight R, G, B and A, one byte each, for each colour. */
export function paletteOf(colors: readonly PixelColor[]): Uint8Array {
  return new Uint8Array(Int32Array.from(colors, straightColor).buffer);
}

/** Two channels a word, of 16 bits each. tiny-skia divides by 255 by adding 255 and dropping the low byte. */
const EVEN = 0x00ff00ff;
const ODD = 0xff00ff00;

const channelAt = (color: HexColor, at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
