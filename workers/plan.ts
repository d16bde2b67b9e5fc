import { type Geometry, type LogoSize, layOut } from './design/geometry.ts';
import {
  type Design,
  type Fault,
  isFault,
  type Logo,
  type PrintOptions,
  type RasterLane,
  type RenderTask,
} from './protocol.ts';
import { chooseLane, laneAround } from './raster/lane.ts';
import { fitSymbol, type SymbolPlan } from './symbol/fit.ts';

/** How a picture is drawn: its symbol, its layout, and what drawing it costs. */
export interface RenderPlan {
  readonly symbol: SymbolPlan;
  readonly geometry: Geometry;
  /** In which a PNG is drawn, with nothing around the code. */
  readonly lane: RasterLane;
  /** Estimated time in a render thread; the fair queue charges an account by it. */
  readonly estimatedMs: number;
}

/**
 * Plans a picture without drawing it. The function is pure and cheap, so that the gateway can refuse what cannot be
 * drawn before it costs anything. When there is a plan, every part of the picture is visible: the symbol and, if
 * asked for, the logo.
 *
 * Returns the faults of `fitSymbol` and `layOut`.
 */
export const planRender = (text: string, design: Design, logo: LogoSize | null): RenderPlan | Fault => {
  const symbol = fitSymbol(text, design.symbol);
  return isFault(symbol) ? symbol : planLayout(symbol, design, logo);
};

/** Plans the picture of a symbol that is planned already. Returns the faults of `layOut`. */
export const planLayout = (symbol: SymbolPlan, design: Design, logo: LogoSize | null): RenderPlan | Fault => {
  const geometry = layOut(design, symbol, logo);
  if (isFault(geometry)) return geometry;
  const { lane } = chooseLane(design, geometry);
  return { symbol, geometry, lane, estimatedMs: laneMs(lane, design.widthPx * design.heightPx, geometry) };
};

/** A task with the plan of its picture. Its thread makes no plan of its own. */
export interface PlannedTask extends RenderTask {
  readonly plan: RenderPlan;
}

/** Milliseconds for each picture, for a million pixels and for a thousand modules, measured on one 2.5 GHz core. */
const COSTS: Readonly<Record<RasterLane, readonly [picture: number, megapixel: number, kilomodule: number]>> =
  {
    plain: [0.05, 0.02, 0.025],
    stamped: [0.1, 0.35, 0.035],
    layered: [0.15, 6.5, 0.04],
    reference: [0.5, 13, 1.4],
  };

/** The same for a vector file: for each, for a thousand modules, and for a logo that is embedded as a bitmap. */
const VECTOR_COSTS: Readonly<
  Record<Exclude<RenderTask['format'], 'png'>, readonly [file: number, kilomodule: number, bitmap: number]>
> = {
  svg: [0.1, 0.5, 2],
  pdf: [0.5, 1.2, 100],
  eps: [0.2, 1.2, 100],
};

/** What stands around a code takes this on average in the fast lanes, which draw a letter only once. */
const AROUND_MS = 0.2;

/**
 * Estimates the time that a file takes in a render thread; `estimatedMs` of the plan is that of a PNG with nothing around
 * the code.
 */
export const estimateFileMs = (
  format: RenderTask['format'],
  { estimatedMs, geometry, lane }: RenderPlan,
  hasBitmap: boolean,
  { page = null, around }: Partial<PrintOptions> = {},
): number => {
  if (format === 'png') {
    return page === null || around === undefined
      ? estimatedMs
      : AROUND_MS +
          laneMs(laneAround(lane, around), (page.widthMm * page.heightMm) / page.mmPerPx ** 2, geometry);
  }
  const [file, kilomodule, bitmap] = VECTOR_COSTS[format];
  return file + (kilomodule * geometry.moduleCount ** 2) / 1000 + (hasBitmap ? bitmap : 0);
};

/** The layers that the first picture of a style, a size and a logo draws for all others. */
export interface SharedLayers {
  readonly estimatedMs: number;
  /** What a thread keeps of them. */
  readonly bytes: number;
}

/** Milliseconds for each canvas that the reference draws, for a million of its pixels, and for a megabyte of the logo. */
const LAYER_COSTS = { canvas: 4, megapixel: 45, logoMegabyte: 130 };
const PIXEL_BYTES = 4;

/** Estimates the layers of a PNG; `null`: it has none that are worth keeping. */
export const estimateLayers = (
  design: Design,
  { geometry }: RenderPlan,
  logo: Logo | null,
): SharedLayers | null => {
  const { lane } = chooseLane(design, geometry);
  const box = logo === null ? null : geometry.logo;
  if (lane === 'plain' || lane === 'reference' || (lane === 'stamped' && box === null)) return null;
  const pixels = design.widthPx * design.heightPx;
  const logos = logo === null || box === null ? 0 : geometry.hidden === null ? 2 : 1;
  const hasDotsLayer = typeof design.dots.paint !== 'string';
  const isOneColor = design.background.round === 0 && typeof design.background.paint === 'string';
  // The backdrop, the dots' paint, and a logo that lies over dots twice.
  const canvases = 1 + (hasDotsLayer ? 1 : 0) + (logos === 2 ? 2 : 0);
  const logoBytes = logo?.png.byteLength ?? 0;
  return {
    estimatedMs:
      canvases * (LAYER_COSTS.canvas + (LAYER_COSTS.megapixel * pixels) / 1e6) +
      (logos * LAYER_COSTS.logoMegabyte * logoBytes) / 1e6,
    bytes:
      PIXEL_BYTES *
      ((isOneColor ? 0 : pixels) +
        (hasDotsLayer ? pixels : 0) +
        (box === null ? 0 : Math.ceil(box.width * box.height))),
  };
};

const laneMs = (lane: RasterLane, pixels: number, { moduleCount }: Geometry): number => {
  const [picture, megapixel, kilomodule] = COSTS[lane];
  return picture + (megapixel * pixels) / 1e6 + (kilomodule * moduleCount ** 2) / 1000;
};
