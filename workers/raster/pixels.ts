import type { HexColor } from '../protocol.ts';

const MAX_COLORS = 256;
const TABLE_BITS = 10;
const SAMPLE_STEP = 7;

/** Returns the words of RGBA bytes: a view where the bytes begin at a word's boundary, and otherwise a copy. */
export const wordsOf = (rgba: Uint8Array): Int32Array => {
  const bytes = rgba.byteOffset % 4 === 0 ? rgba : Uint8Array.from(rgba);
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
};

/**
 * Returns the colours of a picture, in the order in which they are first met, and the index of each pixel's colour.
 * Returns `null` for more than 256. Every seventh pixel is tried first: these usually have too many when all pixels do.
 */
export const indexColors = (pixels: Int32Array) => {
  if (numberColors(pixels, SAMPLE_STEP, null) === null) return null;
  const indices = new Uint8Array(pixels.length);
  const colors = numberColors(pixels, 1, indices);
  return colors && { colors, indices };
};

/** Returns the colours of every `step`th pixel, and writes their indices. Returns `null` when there are too many. */
const numberColors = (pixels: Int32Array, step: number, indices: Uint8Array | null): Int32Array | null => {
  const colors = new Int32Array(MAX_COLORS);
  // Open addressing, at most a quarter full. A slot holds the index plus one; 0 means free.
  const slots = new Uint16Array(1 << TABLE_BITS);
  let count = 0;
  let previous = 0;
  let index = -1;
  for (let i = 0; i < pixels.length; i += step) {
    const color = pixels[i]!;
    if (color !== previous || index < 0) {
      let slot = Math.imul(color, 0x9e3779b1) >>> (32 - TABLE_BITS);
      while (slots[slot] !== 0 && colors[slots[slot]! - 1] !== color) slot = (slot + 1) % slots.length;
      if (slots[slot] === 0) {
        if (count === MAX_COLORS) return null;
        colors[count] = color;
        count += 1;
        slots[slot] = count;
      }
      index = slots[slot]! - 1;
      previous = color;
    }
    if (indices !== null) indices[i] = index;
  }
  return colors.slice(0, count);
};

/** Unpremultiplied channels. The index has alpha in its high byte and the premultiplied channel in its low one. */
const STRAIGHT = Uint8Array.from({ length: 1 << 16 }, (_, place) => {
  const [alpha, channel] = [place >> 8, place & 255];
  return alpha === 0 ? channel : Math.floor(channel / (alpha / 255) + 0.5);
});

/**
 * Divides the channels of a colour by its alpha again. It rounds as tiny-skia does when resvg writes PNG itself, so
 * that both files decode alike. Colours are signed words, R, G, B, A from the lowest byte: as unsigned words,
 * opaque colours would exceed what V8 compares as integers.
 */
export const straightColor = (color: number): number => {
  const alpha = (color >>> 16) & 0xff00;
  const red = STRAIGHT[alpha | (color & 255)]!;
  const green = STRAIGHT[alpha | ((color >>> 8) & 255)]!;
  const blue = STRAIGHT[alpha | ((color >>> 16) & 255)]!;
  return red | (green << 8) | (blue << 16) | (color & 0xff000000);
};

/** Divides the channels of each pixel by its alpha, as `straightColor` does. */
export const straightColors = (pixels: Int32Array): Int32Array => {
  const straight = pixels.slice();
  for (let i = 0; i < straight.length; i += 1) {
    const color = straight[i]!;
    // Most pixels are opaque or blank.
    if (color >>> 24 < 255 && color !== 0) straight[i] = straightColor(color);
  }
  return straight;
};

/** Whether the alpha of every pixel is 255. */
export const isOpaque = (pixels: Int32Array): boolean => {
  let common = -1;
  const whole = pixels.length - (pixels.length % 4);
  // Four at a time take half the time.
  for (let i = 0; i < whole; i += 4) common &= pixels[i]! & pixels[i + 1]! & pixels[i + 2]! & pixels[i + 3]!;
  for (let i = whole; i < pixels.length; i += 1) common &= pixels[i]!;
  return common >>> 24 === 255;
};

/** A colour as a signed word whose channels are multiplied by alpha: R, G, B, A from the lowest byte. */
export type PixelColor = number;

/** Returns the pixel that a colour leaves on a transparent canvas. */
export const pixelColor = (color: HexColor): PixelColor => {
  const alpha = color.length === 9 ? channelAt(color, 7) : 255;
  const multiplied = (at: number) => Math.floor((channelAt(color, at) * alpha) / 255 + 0.5);
  return multiplied(1) | (multiplied(3) << 8) | (multiplied(5) << 16) | (alpha << 24);
};

/**
 * Returns the pixel after `color` is painted over `under` with a coverage of 0 to 255. It rounds exactly as tiny-skia
 * does (its pipeline of 16-bit integers), so that a picture composed here equals what resvg draws.
 */
export const paintOver = (color: PixelColor, coverage: number, under: PixelColor): PixelColor =>
  isOpaqueColor(color) ? paintOpaque(color, coverage, under) : paintTranslucent(color, coverage, under);

/** Whether the alpha of a colour is 255. */
export const isOpaqueColor = (color: PixelColor): boolean => color >>> 24 === 255;

/** Like `paintOver`, for a paint that is opaque everywhere: blends with the mode `source`. */
export const paintOpaque = (color: PixelColor, coverage: number, under: PixelColor): PixelColor => {
  const rest = 255 - coverage;
  const even = Math.imul(color & EVEN, coverage) + Math.imul(under & EVEN, rest);
  const odd = Math.imul((color >>> 8) & EVEN, coverage) + Math.imul((under >>> 8) & EVEN, rest);
  return (((even + EVEN) >>> 8) & EVEN) | ((odd + EVEN) & ODD);
};

/** Does what `paintOver` does for a paint that is not opaque everywhere: `source_over`, scaled by the coverage. */
export const paintTranslucent = (color: PixelColor, coverage: number, under: PixelColor): PixelColor => {
  const even = ((Math.imul(color & EVEN, coverage) + EVEN) >>> 8) & EVEN;
  const odd = (Math.imul((color >>> 8) & EVEN, coverage) + EVEN) & ODD;
  const rest = 255 - (odd >>> 24);
  const evenUnder = ((Math.imul(under & EVEN, rest) + EVEN) >>> 8) & EVEN;
  const oddUnder = (Math.imul((under >>> 8) & EVEN, rest) + EVEN) & ODD;
  return (even + evenUnder) | (odd + oddUnder);
};

/** Returns a PNG palette: straight R, G, B and A, one byte each, for each colour. */
export const paletteOf = (colors: readonly PixelColor[]): Uint8Array =>
  new Uint8Array(Int32Array.from(colors, straightColor).buffer);

/** Two channels a word, of 16 bits each. tiny-skia divides by 255 by adding 255 and dropping the low byte. */
const EVEN = 0x00ff00ff;
const ODD = 0xff00ff00;

const channelAt = (color: HexColor, at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
