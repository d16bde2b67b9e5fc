import { LRUCache } from 'lru-cache';
import { imageElement, svgElement } from '../../design/markup.ts';
import { getOrMake } from '../../kept.ts';
import type { Logo, LogoGrid } from '../../protocol.ts';
import { logoHashOf } from '../../raster/layers/kept-layers.ts';
import { rasterise } from '../../raster/rasterise.ts';

/** A logo, small, and as sums from which the mean of any box is one subtraction. */
export interface LogoLight extends LogoGrid {
  /** Sums of luma over all pixels above and left, (columns + 1) x (rows + 1). */
  readonly lumaSums: Uint32Array;
  readonly alphaSums: Uint32Array;
}

/** 0.16 MB a logo. */
const MAX_LOGOS = 32;
const kept = new LRUCache<string, LogoLight>({ max: MAX_LOGOS });

/** Returns the light of a logo, kept by its content for the next picture that has it. */
export const logoLightOf = (logo: Logo): LogoLight =>
  getOrMake(kept, logoHashOf(logo), () => {
    const grid = logo.grid ?? decode(logo);
    return { ...grid, lumaSums: sumsOf(grid, grid.luma), alphaSums: sumsOf(grid, grid.alpha) };
  });

/** As the gateway's grids have. A logo takes at most 93 modules of a side, in version 39. */
const SIDE_PX = 128;

/** Decodes a logo that comes without its grid: that of a test or a benchmark. */
function decode({ png, widthPx, heightPx }: Logo): LogoGrid {
  const scale = SIDE_PX / Math.max(widthPx, heightPx, SIDE_PX);
  const columns = Math.max(1, Math.round(widthPx * scale));
  const rows = Math.max(1, Math.round(heightPx * scale));
  const size = { width: columns, height: rows };
  const image = imageElement(png, { ...size, preserveAspectRatio: 'none' });
  const { colors } = rasterise(svgElement(size, image));
  return {
    ...{ columns, rows },
    luma: Uint8Array.from(colors, (color) =>
      Math.round(0.299 * (color & 255) + 0.587 * ((color >>> 8) & 255) + 0.114 * ((color >>> 16) & 255)),
    ),
    alpha: Uint8Array.from(colors, (color) => color >>> 24),
  };
}

function sumsOf({ columns, rows }: LogoGrid, values: Uint8Array): Uint32Array {
  const stride = columns + 1;
  const sums = new Uint32Array(stride * (rows + 1));
  for (let row = 0; row < rows; row += 1) {
    let sum = 0;
    const below = (row + 1) * stride + 1;
    for (let column = 0; column < columns; column += 1) {
      sum += values[row * columns + column]!;
      sums[below + column] = sums[below + column - stride]! + sum;
    }
  }
  return sums;
}

/** A stretch of a logo's side, in pixels of its light. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** The share of it that lies on the logo. */
  readonly share: number;
}

/** Returns a stretch of a side in pixels, given as shares of the side, which has `count` pixels. */
export function spanOf(from: number, to: number, count: number): Span {
  const place = (share: number, least: number): number =>
    Math.min(Math.max(Math.round(share * count), least), count);
  const inside = Math.max(0, Math.min(to, 1) - Math.max(from, 0)) / (to - from);
  const last = place(to, place(from, 0) + 1);
  return { from: Math.min(place(from, 0), last - 1), to: last, share: inside };
}

/** Light over boxes, row-major. */
export interface BoxLights {
  /** Multiplied by alpha, 0 to 1. */
  readonly luma: Float64Array;
  readonly alpha: Float64Array;
}

/** Returns the mean over each box of a row and a column; what lies outside the logo counts as transparent. */
export function averageOver(light: LogoLight, across: readonly Span[], down: readonly Span[]): BoxLights {
  const { columns, lumaSums, alphaSums } = light;
  const luma = new Float64Array(across.length * down.length);
  const alpha = new Float64Array(across.length * down.length);
  let i = 0;
  for (const { from, to, share } of down) {
    const [top, bottom] = [from * (columns + 1), to * (columns + 1)];
    const rowShare = share / (255 * (to - from));
    for (let column = 0; column < across.length; column += 1) {
      const { from: left, to: right, share: columnShare } = across[column]!;
      const scale = (rowShare * columnShare) / (right - left);
      const sumIn = (sums: Uint32Array): number =>
        sums[bottom + right]! - sums[top + right]! - sums[bottom + left]! + sums[top + left]!;
      luma[i] = scale * sumIn(lumaSums);
      alpha[i] = scale * sumIn(alphaSums);
      i += 1;
    }
  }
  return { luma, alpha };
}
