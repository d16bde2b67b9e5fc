import type { HexColor } from '../protocol.ts';
import { straightColor } from './png-colors.ts';

/** A colour as a signed word whose channels are multiplied by alpha: R, G, B, A from the lowest byte. */
export type PixelColor = number;

/** Returns the pixel that a colour leaves on a transparent canvas. */
export function pixelColor(color: HexColor): PixelColor {
  const alpha = color.length === 9 ? channelAt(color, 7) : 255;
  const multiplied = (at: number) => Math.floor((channelAt(color, at) * alpha) / 255 + 0.5);
  return wordOf(multiplied(1), multiplied(3), multiplied(5), alpha);
}

/**
 * Returns the pixel after `color` is painted over `under` with a coverage of 0 to 255. It rounds exactly as tiny-skia
 * does (its pipeline of 16-bit integers: `source_over`, and for an opaque colour `source`, scaled by coverage), so that
 * a picture composed here equals what resvg draws.
 */
export function paintOver(color: PixelColor, coverage: number, under: PixelColor): PixelColor {
  if (color >>> 24 === 255) return mapChannels((at) => lerp(byteAt(under, at), byteAt(color, at), coverage));
  const scaled = (at: number) =>
    coverage === 255 ? byteAt(color, at) : div255(byteAt(color, at) * coverage);
  const through = 255 - scaled(24);
  return mapChannels((at) => scaled(at) + div255(byteAt(under, at) * through));
}

/** Returns a PNG palette: straight R, G, B and A, one byte each, for each colour. */
export function paletteOf(colors: readonly PixelColor[]): Uint8Array {
  return new Uint8Array(Int32Array.from(colors, straightColor).buffer);
}

const channelAt = (color: HexColor, at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
const byteAt = (word: number, shift: number): number => (word >>> shift) & 255;
const div255 = (product: number): number => (product + 255) >>> 8;
const lerp = (from: number, to: number, share: number): number => div255(from * (255 - share) + to * share);
const wordOf = (r: number, g: number, b: number, a: number): number => r | (g << 8) | (b << 16) | (a << 24);
const mapChannels = (channel: (shift: number) => number): number =>
  wordOf(channel(0), channel(8), channel(16), channel(24));
