import { FILTER } from './png-filters.ts';
import { zeroedScratch } from './scratch.ts';
import type { Mask } from './stamp-masks.ts';

/** A figure as filtered rows of palette indices: ready to be copied into scanlines where modules begin. */
export interface Stamp {
  readonly widthPx: number;
  /** Row-major. The first row of every module stands unfiltered, the others as `Up` differences. */
  readonly rows: Uint8Array;
  /** For each row where its bytes that aren't 0 begin and end, as indices into `rows`: most rows are short. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Scanlines of one byte a pixel, each behind its filter byte. */
export interface Scanlines {
  readonly stride: number;
  readonly bytes: Uint8Array;
}

/**
 * Scanlines of index 0 throughout. Rows in which modules begin, `firstPx` and every `modulePx` up and down from
 * there, are unfiltered, the others `Up`.
 */
export function blankScanlines(
  widthPx: number,
  heightPx: number,
  firstPx: number,
  modulePx: number,
): Scanlines {
  const stride = widthPx + 1;
  const bytes = zeroedScratch(stride * heightPx);
  for (let y = 0; y < heightPx; y += 1) {
    bytes[y * stride] = (y - firstPx) % modulePx === 0 ? FILTER.none : FILTER.up;
  }
  return { stride, bytes };
}

/** `ramp` gives the palette index for a coverage. Masks are whole modules high. */
export function stampOf({ widthPx, coverage }: Mask, ramp: Uint8Array, modulePx: number): Stamp {
  const height = coverage.length / widthPx;
  const rows = new Uint8Array(coverage.length);
  const starts = new Uint32Array(height);
  const ends = new Uint32Array(height);
  for (let row = 0, i = 0; row < height; row += 1) {
    const isFirst = row % modulePx === 0;
    for (const end = i + widthPx; i < end; i += 1) {
      const index = ramp[coverage[i]!]!;
      rows[i] = isFirst ? index : index - ramp[coverage[i - widthPx]!]!;
      if (rows[i] === 0) continue;
      if (ends[row] === 0) starts[row] = i;
      ends[row] = i + 1;
    }
  }
  return { widthPx, rows, starts, ends };
}

/** Copies `count` rows of a stamp, from `first` on, to where their upper left pixel is (`x`, `y`). */
export function copyRows(
  to: Scanlines,
  stamp: Stamp,
  first: number,
  count: number,
  x: number,
  y: number,
): void {
  const { stride, bytes } = to;
  const { widthPx, rows, starts, ends } = stamp;
  for (let row = first; row < first + count; row += 1) {
    const shift = (y + row - first) * stride + 1 + x - row * widthPx;
    const end = ends[row]!;
    for (let i = starts[row]!; i < end; i += 1) bytes[i + shift] = rows[i]!;
  }
}
