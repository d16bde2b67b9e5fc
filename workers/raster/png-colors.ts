const MAX_COLORS = 256;
const TABLE_BITS = 10;

export interface Indexed {
  /** Distinct words in the order in which they are first met. */
  readonly colors: Uint32Array;
  /** One byte a pixel. */
  readonly indices: Uint8Array;
}

/** Numbers the colours of a picture, one word a pixel, or gives null as soon as there are more than 256. */
export function indexColors(pixels: Uint32Array): Indexed | null {
  const colors = new Uint32Array(MAX_COLORS);
  const indices = new Uint8Array(pixels.length);
  // Open addressing, at most a quarter full: a slot holds the index plus one, 0 is free.
  const slots = new Uint16Array(1 << TABLE_BITS);
  let count = 0;
  let previous = 0;
  let index = -1;
  for (let i = 0; i < pixels.length; i += 1) {
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
    indices[i] = index;
  }
  return { colors: colors.slice(0, count), indices };
}

/**
 * A colour whose channels were multiplied by its alpha, divided again: rounded as tiny-skia rounds when resvg
 * writes PNG itself, so that both files decode alike. Bytes are R, G, B, A from the lowest (little-endian).
 */
export function straightColor(color: number): number {
  const alpha = color >>> 24;
  if (alpha === 255 || alpha === 0) return color;
  const share = alpha / 255;
  const red = Math.floor((color & 255) / share + 0.5);
  const green = Math.floor(((color >>> 8) & 255) / share + 0.5);
  const blue = Math.floor(((color >>> 16) & 255) / share + 0.5);
  return (red | (green << 8) | (blue << 16) | (alpha << 24)) >>> 0;
}

/**
 * Pixels as unfiltered scanlines of three bytes a pixel. Returns whether all of them are opaque: if not, there is
 * more to them than three bytes.
 */
export function writeRgb(pixels: Uint32Array, widthPx: number, scanlines: Uint8Array): boolean {
  let common = -1;
  for (let i = 0, at = 0; i < pixels.length; ) {
    at += 1;
    for (const end = i + widthPx; i < end; i += 1, at += 3) {
      const color = pixels[i]!;
      scanlines[at] = color;
      scanlines[at + 1] = color >>> 8;
      scanlines[at + 2] = color >>> 16;
      common &= color;
    }
  }
  return common >>> 24 === 255;
}

/** Pixels multiplied by alpha as unfiltered scanlines of four straight bytes a pixel. */
export function writeRgba(pixels: Uint32Array, widthPx: number, scanlines: Uint8Array): void {
  for (let i = 0, at = 0; i < pixels.length; ) {
    at += 1;
    for (const end = i + widthPx; i < end; i += 1, at += 4) {
      const color = straightColor(pixels[i]!);
      scanlines[at] = color;
      scanlines[at + 1] = color >>> 8;
      scanlines[at + 2] = color >>> 16;
      scanlines[at + 3] = color >>> 24;
    }
  }
}
