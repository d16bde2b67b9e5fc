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

/** The mean of a box. */
export interface BoxLight {
  /** Multiplied by alpha. */
  readonly luma: number;
  readonly alpha: number;
}

/** A stretch of a logo's side, in pixels of its light. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** The share of it that lies on the logo. */
  readonly share: number;
}

/** Returns a stretch of a side of `count` pixels, given as shares of the side. */
export function spanOf(from: number, to: number, count: number): Span {
  const place = (share: number, least: number): number =>
    Math.min(Math.max(Math.round(share * count), least), count);
  const inside = Math.max(0, Math.min(to, 1) - Math.max(from, 0)) / (to - from);
  const last = place(to, place(from, 0) + 1);
  return { from: Math.min(place(from, 0), last - 1), to: last, share: inside };
}

/** Returns the mean over a box; what lies outside the logo counts as transparent. */
export function meanOver({ columns, lumaSums, alphaSums }: LogoLight, across: Span, down: Span): BoxLight {
  const stride = columns + 1;
  const [top, bottom] = [down.from * stride, down.to * stride];
  const sumOf = (sums: Float64Array): number =>
    sums[bottom + across.to]! -
    sums[top + across.to]! -
    sums[bottom + across.from]! +
    sums[top + across.from]!;
  const share = (across.share * down.share) / ((across.to - across.from) * (down.to - down.from));
  return { luma: sumOf(lumaSums) * share, alpha: sumOf(alphaSums) * share };
}
