/** Pictures for printers that have only black dots. */
import type { Pixels } from '../../raster/rasterise.ts';

/** A byte for each dot, row-major: 1 is black. */
export interface Canvas {
  readonly widthDots: number;
  readonly heightDots: number;
  readonly dots: Uint8Array;
}

/** Dots in rows of whole bytes, the leftmost dot in the highest bit: 1 is black. */
export interface Bitmap {
  readonly bytesPerRow: number;
  readonly rows: number;
  readonly bits: Uint8Array;
}

/** The smallest rectangle with all black dots of a canvas, and its top left corner on the page. */
export interface Ink {
  readonly xDots: number;
  readonly yDots: number;
  readonly bitmap: Bitmap;
}

/** Luma (ITU-R BT.601) in 256ths. */
const [RED, GREEN, BLUE] = [77, 150, 29] as const;

/** Returns the light of a pixel on white paper, 0 to 255. @param color As resvg draws it, multiplied by its alpha. */
export const lightOf = (color: number): number =>
  ((RED * (color & 255) + GREEN * ((color >>> 8) & 255) + BLUE * ((color >>> 16) & 255)) >>> 8) +
  255 -
  (color >>> 24);

/** Returns the canvas on which pixels below a light are black. */
export const toCanvas = ({ widthPx, heightPx, colors }: Pixels, blackBelow: number): Canvas => ({
  widthDots: widthPx,
  heightDots: heightPx,
  dots: Uint8Array.from(colors, (color) => (lightOf(color) < blackBelow ? 1 : 0)),
});

/** Returns the ink of a canvas whose top left corner is at a place of the page; `null`: all of it is white. */
export const inkOf = ({ widthDots, dots }: Canvas, xDots: number, yDots: number): Ink | null => {
  const first = dots.indexOf(1);
  if (first < 0) return null;
  const top = Math.floor(first / widthDots);
  const rows = Math.floor(dots.lastIndexOf(1) / widthDots) + 1 - top;
  const rowAt = (row: number): Uint8Array =>
    dots.subarray((top + row) * widthDots, (top + row + 1) * widthDots);
  let [left, right] = [widthDots, 0];
  for (let row = 0; row < rows; row += 1) {
    const start = rowAt(row).indexOf(1);
    if (start < 0) continue;
    left = Math.min(left, start);
    right = Math.max(right, rowAt(row).lastIndexOf(1) + 1);
  }
  const bytesPerRow = Math.ceil((right - left) / 8);
  const bits = new Uint8Array(bytesPerRow * rows);
  for (let row = 0; row < rows; row += 1) {
    const line = rowAt(row);
    const from = row * bytesPerRow;
    for (let x = left; x < right; x += 1) {
      if (line[x] === 1) bits[from + ((x - left) >> 3)]! |= 0x80 >> ((x - left) & 7);
    }
  }
  return { xDots: xDots + left, yDots: yDots + top, bitmap: { bytesPerRow, rows, bits } };
};
