import { LRUCache } from 'lru-cache';
import { element } from '../design/markup.ts';
import type { Logo } from '../protocol.ts';
import { logoHashOf } from '../raster/layers/logo-hash.ts';
import { rasterise } from '../raster/rasterise.ts';

/** A logo, small, as sums from which the mean of any box is one subtraction. */
export interface LogoLight {
  readonly columns: number;
  readonly rows: number;
  /** Sums of luma times alpha over all pixels above and left, (columns + 1) x (rows + 1). */
  readonly lumaSums: Float64Array;
  readonly alphaSums: Float64Array;
}

/** A logo takes at most a third of a symbol's side: more pixels than modules. */
const SIDE_PX = 128;
/** 0.27 MB a logo. */
const MAX_LOGOS = 32;
const kept = new LRUCache<string, LogoLight>({ max: MAX_LOGOS });

/** Returns the light of a logo, kept by its content for the next picture that has it. */
export function logoLightOf(logo: Logo): LogoLight {
  const key = logoHashOf(logo);
  const known = kept.get(key) ?? makeLogoLight(logo);
  kept.set(key, known);
  return known;
}

function makeLogoLight({ png, widthPx, heightPx }: Logo): LogoLight {
  const scale = SIDE_PX / Math.max(widthPx, heightPx, SIDE_PX);
  const [columns, rows] = [widthPx, heightPx].map((px) => Math.max(1, Math.round(px * scale))) as [
    number,
    number,
  ];
  const size = { width: columns, height: rows };
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const image = element('image', { ...size, preserveAspectRatio: 'none', href });
  const { colors } = rasterise(element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, image));
  const [lumaSums, alphaSums] = [
    new Float64Array((columns + 1) * (rows + 1)),
    new Float64Array((columns + 1) * (rows + 1)),
  ];
  for (let row = 0; row < rows; row += 1) {
    let [luma, alpha] = [0, 0];
    for (let column = 0; column < columns; column += 1) {
      const color = colors[row * columns + column]!;
      luma += (0.299 * (color & 255) + 0.587 * ((color >>> 8) & 255) + 0.114 * ((color >>> 16) & 255)) / 255;
      alpha += (color >>> 24) / 255;
      const at = (row + 1) * (columns + 1) + column + 1;
      lumaSums[at] = lumaSums[at - columns - 1]! + luma;
      alphaSums[at] = alphaSums[at - columns - 1]! + alpha;
    }
  }
  return { columns, rows, lumaSums, alphaSums };
}

/**
 * Returns the mean of sums over a box given as shares of the logo, as far as it lies on the logo; the rest counts as
 * transparent. `area` is what to divide by.
 */
export function meanOver(
  { columns, rows }: LogoLight,
  sums: Float64Array,
  left: number,
  top: number,
  right: number,
  bottom: number,
): number {
  const place = (share: number, count: number): number =>
    Math.min(Math.max(Math.round(share * count), 0), count);
  const [x1, y1] = [place(left, columns), place(top, rows)];
  const [x2, y2] = [
    Math.max(place(right, columns), Math.min(x1 + 1, columns)),
    Math.max(place(bottom, rows), Math.min(y1 + 1, rows)),
  ];
  if (right <= 0 || bottom <= 0 || left >= 1 || top >= 1 || x2 <= x1 || y2 <= y1) return 0;
  const stride = columns + 1;
  const total =
    sums[y2 * stride + x2]! - sums[y1 * stride + x2]! - sums[y2 * stride + x1]! + sums[y1 * stride + x1]!;
  const covered = (Math.min(right, 1) - Math.max(left, 0)) * (Math.min(bottom, 1) - Math.max(top, 0));
  const whole = (right - left) * (bottom - top);
  return (total / ((x2 - x1) * (y2 - y1))) * Math.min(1, covered / whole);
}
