import { LRUCache } from 'lru-cache';
import type { Geometry } from '../design/geometry.ts';
import { imageElement, svgElement } from '../design/markup.ts';
import { getOrMake } from '../kept.ts';
import type { Logo, LogoGrid } from '../protocol.ts';
import { logoHashOf } from '../raster/kept-layers.ts';
import { rasterise } from '../raster/rasterise.ts';

/** A logo, small, and as sums from which the mean of any box is one subtraction. */
interface LogoLight extends LogoGrid {
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
const decode = ({ png, widthPx, heightPx }: Logo): LogoGrid => {
  const scale = SIDE_PX / Math.max(widthPx, heightPx, SIDE_PX);
  const columns = Math.max(1, Math.round(widthPx * scale));
  const rows = Math.max(1, Math.round(heightPx * scale));
  const size = { width: columns, height: rows };
  const image = imageElement(png, { ...size, preserveAspectRatio: 'none' });
  const { colors } = rasterise(svgElement(size, image));
  return {
    columns,
    rows,
    luma: Uint8Array.from(colors, (color) =>
      Math.round(0.299 * (color & 255) + 0.587 * ((color >>> 8) & 255) + 0.114 * ((color >>> 16) & 255)),
    ),
    alpha: Uint8Array.from(colors, (color) => color >>> 24),
  };
};

const sumsOf = ({ columns, rows }: LogoGrid, values: Uint8Array): Uint32Array => {
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
};

/** A stretch of a logo's side, in pixels of its light. */
interface Span {
  readonly from: number;
  readonly to: number;
  /** The share of it that lies on the logo. */
  readonly share: number;
}

/** Returns a stretch of a side in pixels, given as shares of the side, which has `count` pixels. */
export const spanOf = (from: number, to: number, count: number): Span => {
  const place = (share: number, least: number): number =>
    Math.min(Math.max(Math.round(share * count), least), count);
  const inside = Math.max(0, Math.min(to, 1) - Math.max(from, 0)) / (to - from);
  const last = place(to, place(from, 0) + 1);
  return { from: Math.min(place(from, 0), last - 1), to: last, share: inside };
};

/** Light over boxes, row-major. */
interface BoxLights {
  /** Multiplied by alpha, 0 to 1. */
  readonly luma: Float64Array;
  readonly alpha: Float64Array;
}

/** Returns the mean over each box of a row and a column; what lies outside the logo counts as transparent. */
export const averageOver = (light: LogoLight, across: readonly Span[], down: readonly Span[]): BoxLights => {
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
};

/** Rows and columns of modules; the last ones are not included. */
export type Area = Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>;

/** Where a logo and the modules hidden for it lie, in modules, and what it shows. */
export interface Occlusion {
  /** Around logo and hidden modules. */
  readonly area: Area;
  readonly hidden: Area;
  /** The modules in which the logo shows. */
  readonly shown: Area;
  /** The logo in the middle half of each module of `shown`. */
  readonly over: BoxLights;
  /** The narrower side of the logo, in modules. */
  readonly narrowModules: number;
  readonly light: LogoLight;
  /** Returns the column of `light` at a place across the symbol, in modules; -1 outside the logo. */
  columnAt(x: number): number;
  rowAt(y: number): number;
}

/** Whether an area has a module. */
export const isIn = ({ left, top, right, bottom }: Area, row: number, column: number): boolean =>
  row >= top && row < bottom && column >= left && column < right;

/** Returns what a logo covers in a box of the canvas. */
export const occlusionOf = (
  geometry: Geometry,
  box: NonNullable<Geometry['logo']>,
  logo: Logo,
): Occlusion => {
  const { moduleCount, modulePx, xPx, yPx, hidden: hiddenArea } = geometry;
  const light = logoLightOf(logo);
  const [x, y] = [(box.x - xPx) / modulePx, (box.y - yPx) / modulePx];
  const [width, height] = [box.width / modulePx, box.height / modulePx];
  const inside = (at: number) => Math.min(Math.max(at, 0), moduleCount);
  const shown: Area = {
    left: inside(Math.floor(x)),
    top: inside(Math.floor(y)),
    right: inside(Math.ceil(x + width)),
    bottom: inside(Math.ceil(y + height)),
  };
  const [columns, rows] = [hiddenArea?.columns ?? 0, hiddenArea?.rows ?? 0];
  const [left, top] = [Math.floor((moduleCount - columns) / 2), Math.floor((moduleCount - rows) / 2)];
  const hidden: Area = { left, top, right: left + columns, bottom: top + rows };
  /** The middle half of each module, as a stretch of the logo. */
  const spans = (first: number, count: number, start: number, length: number, pixels: number) =>
    Array.from({ length: count }, (_, i) => {
      const from = (first + i + 0.25 - start) / length;
      return spanOf(from, from + 0.5 / length, pixels);
    });
  const across = spans(shown.left, shown.right - shown.left, x, width, light.columns);
  const down = spans(shown.top, shown.bottom - shown.top, y, height, light.rows);
  const pixelAt = (share: number, count: number): number =>
    share >= 0 && share < 1 ? Math.floor(share * count) : -1;
  return {
    area: {
      left: Math.min(left, shown.left),
      top: Math.min(top, shown.top),
      right: Math.max(hidden.right, shown.right),
      bottom: Math.max(hidden.bottom, shown.bottom),
    },
    hidden,
    shown,
    light,
    over: averageOver(light, across, down),
    narrowModules: Math.min(width, height),
    columnAt: (atX) => pixelAt((atX - x) / width, light.columns),
    rowAt: (atY) => pixelAt((atY - y) / height, light.rows),
  };
};
