import { type Grid, neighboursAt } from '../design/dots.ts';
import type { Geometry } from '../design/geometry.ts';
import { circleFiller, dataModules } from '../design/modules.ts';
import { getOrMake } from '../kept.ts';
import type { Design, Logo, Paint } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { backdropOf, dotsLayerOf, logoLayersOf } from './backdrop.ts';
import { type Mask, tilesOf } from './glyphs.ts';
import type { Patch } from './kept-layers.ts';
import { isOpaque, isPaintedOpaque, wholePixels } from './lane.ts';
import { paintOpaque, paintTranslucent, pixelColor } from './pixels.ts';
import { encodePixels } from './png.ts';
import type { Pixels } from './rasterise.ts';

/** A picture as it is put together, in premultiplied words. */
interface Canvas {
  readonly widthPx: number;
  readonly colors: Int32Array;
}

/** What dots are painted with: one colour, or a colour for each pixel of the canvas. */
interface Ink {
  readonly colors: Int32Array;
  /** The colour of pixel `i` is `colors[i & placeMask]`. */
  readonly placeMask: 0 | -1;
  /** Whether resvg paints with the blend mode for opaque paints, which rounds differently. */
  readonly isOpaque: boolean;
}

/** Stamps the matching tile for every drawn cell; the grid's top left corner is at (`x`, `y`). */
const stampGrid = (
  canvas: Canvas,
  grid: Grid,
  tiles: readonly TileRuns[],
  ink: Ink,
  x: number,
  y: number,
  modulePx: number,
): void => {
  const { size, cells } = grid;
  for (let row = 0; row < size; row += 1) {
    const start = (y + row * modulePx) * canvas.widthPx + x;
    for (let column = 0; column < size; column += 1) {
      if (!cells[row * size + column]) continue;
      stamp(canvas, tiles[neighboursAt(grid, row, column)]!, ink, start + column * modulePx);
    }
  }
};

const stamp = ({ widthPx, colors }: Canvas, { whole, edge }: TileRuns, ink: Ink, start: number): void => {
  const { colors: inkColors, placeMask, isOpaque } = ink;
  for (let i = 0; i < whole.length; i += 3) {
    const at = start + whole[i]! * widthPx;
    const end = at + whole[i + 2]!;
    const from = at + whole[i + 1]!;
    if (isOpaque)
      for (let place = from; place < end; place += 1) colors[place] = inkColors[place & placeMask]!;
    else
      for (let place = from; place < end; place += 1)
        colors[place] = paintTranslucent(inkColors[place & placeMask]!, 255, colors[place]!);
  }
  for (let i = 0; i < edge.length; i += 3) {
    const place = start + edge[i]! * widthPx + edge[i + 1]!;
    const color = inkColors[place & placeMask]!;
    const [coverage, under] = [edge[i + 2]!, colors[place]!];
    colors[place] = isOpaque ? paintOpaque(color, coverage, under) : paintTranslucent(color, coverage, under);
  }
};

/** The pixels of one tile that are not empty; places are counted from the tile's top left corner. */
interface TileRuns {
  /** Pixels that the tile covers wholly, as runs within a row: row, first column, column after the last. */
  readonly whole: Uint16Array;
  /** The other pixels: row, column, coverage from 1 to 254. */
  readonly edge: Uint16Array;
}

const kept = new WeakMap<Mask, readonly TileRuns[]>();

/** Returns the runs of each tile in a mask of square tiles, one below the other. Kept as long as the mask. */
const tileRunsOf = (mask: Mask): readonly TileRuns[] =>
  getOrMake(kept, mask, () => {
    const { coverage, widthPx } = mask;
    const tilePx = widthPx ** 2;
    return Array.from({ length: coverage.length / tilePx }, (_, i) =>
      runsOf(coverage.subarray(i * tilePx, (i + 1) * tilePx), widthPx),
    );
  });

const runsOf = (coverage: Uint8Array, sidePx: number): TileRuns => {
  const whole: number[] = [];
  const edge: number[] = [];
  for (let row = 0; row < sidePx; row += 1) {
    for (let x = 0; x < sidePx; x += 1) {
      const covered = coverage[row * sidePx + x]!;
      if (covered > 0 && covered < 255) edge.push(row, x, covered);
      if (covered < 255) continue;
      const from = x;
      while (x + 1 < sidePx && coverage[row * sidePx + x + 1] === 255) x += 1;
      whole.push(row, from, x + 1);
    }
  }
  return { whole: Uint16Array.from(whole), edge: Uint16Array.from(edge) };
};

/** Pixels of a picture, reused: fresh memory for each would cost a tenth of the time to draw it. */
let scratch = new Int32Array(0);

/**
 * Draws in the layered lane: kept layers, and the dots of one text stamped over them. The reference draws everything
 * that pictures of a style share once: background, finder patterns, logo, and the gradient of the dots as a layer of its
 * own. A dot then takes its coverage from the stamps and its colour from that layer, with resvg's own rounding.
 */
export const drawLayered = (
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  logo: Logo | null,
): Uint8Array<ArrayBuffer> => {
  const photos = photoRows(geometry);
  const isKnownOpaque = design.background.round === 0 && isOpaque(design.background.paint);
  const pixels = layeredPixels(symbol, design, geometry, logo);
  return encodePixels(pixels, isKnownOpaque ? { photos, isOpaque: true } : { photos });
};

/** Returns the rows in which a logo may be. */
export const photoRows = ({ logo }: Geometry) => {
  const { y, height } = logo ?? { y: 0, height: 0 };
  return { from: Math.floor(y), to: Math.ceil(y + height) };
};

/** Returns the pixels of a picture in the layered lane. They stay valid until the next call. */
export const layeredPixels = (
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  logo: Logo | null,
): Pixels => {
  const { widthPx, heightPx, dots } = design;
  const { xPx, yPx, modulePx, fillerRings } = wholePixels(geometry);
  const { hidden } = geometry;
  if (scratch.length < widthPx * heightPx) scratch = new Int32Array(widthPx * heightPx);
  const canvas = { widthPx, colors: scratch.subarray(0, widthPx * heightPx) };
  canvas.colors.fill(solidColor(design.background.paint));
  for (const patch of backdropOf(symbol, design, geometry, logo).patches) lay(canvas, patch);

  const ink = inkOf(design);
  const tiles = tileRunsOf(tilesOf(dots.type, modulePx));
  stampGrid(canvas, dataModules(symbol, hidden), tiles, ink, xPx, yPx, modulePx);
  if (fillerRings > 0) {
    const insetPx = fillerRings * modulePx;
    const filler = circleFiller(symbol, fillerRings);
    stampGrid(canvas, filler, tiles, ink, xPx - insetPx, yPx - insetPx, modulePx);
  }
  if (logo !== null && hidden === null) {
    const [onBlack, onWhite] = logoLayersOf(design, geometry, logo);
    layBetween(canvas, onBlack!, onWhite!.colors);
  }
  return { widthPx, heightPx, colors: canvas.colors };
};

/** The colour under the backdrop; no matter which one when the backdrop covers the canvas. */
const solidColor = (paint: Paint): number => (typeof paint === 'string' ? pixelColor(paint) : 0);

const inkOf = (design: Design): Ink => {
  const { paint } = design.dots;
  const ink = { isOpaque: isPaintedOpaque(paint) };
  return typeof paint === 'string'
    ? { ...ink, colors: Int32Array.of(pixelColor(paint)), placeMask: 0 }
    : { ...ink, colors: dotsLayerOf(design), placeMask: -1 };
};

/** Replaces the pixels under a patch. */
const lay = ({ widthPx, colors }: Canvas, { x, y, width, height, colors: laid }: Patch): void => {
  for (let row = 0; row < height; row += 1) {
    colors.set(laid.subarray(row * width, (row + 1) * width), (y + row) * widthPx + x);
  }
};

/**
 * Lays a logo over an opaque canvas, given as it is over black and over white: what a channel shows lies between the
 * two, as far as the canvas is between black and white. So it is exact for both, and at most one level off for others.
 */
const layBetween = (
  { widthPx, colors }: Canvas,
  { x, y, width, colors: onBlack }: Patch,
  onWhite: Int32Array,
) => {
  for (let i = 0; i < onBlack.length; i += 1) {
    const [black, white] = [onBlack[i]!, onWhite[i]!];
    const place = (y + Math.floor(i / width)) * widthPx + x + (i % width);
    const under = colors[place]!;
    let color = 0xff000000;
    for (let shift = 0; shift < 24; shift += 8) {
      const [least, most] = [(black >>> shift) & 255, (white >>> shift) & 255];
      color |= (least + Math.round(((most - least) * ((under >>> shift) & 255)) / 255)) << shift;
    }
    colors[place] = color;
  }
};
