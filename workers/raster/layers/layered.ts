import type { Geometry } from '../../design/geometry.ts';
import { circleFiller, dataModules } from '../../design/modules.ts';
import type { Design, Logo, Paint } from '../../protocol.ts';
import type { QrSymbol } from '../../symbol/symbol.ts';
import { pixelColor } from '../blend.ts';
import { tilesOf } from '../glyph-masks.ts';
import { wholePixels } from '../lane.ts';
import { encodePixels } from '../png/png.ts';
import { isOpaque, isPaintedOpaque } from '../solid-colors.ts';
import { backdropOf, dotsLayerOf, logoLayersOf } from './backdrop.ts';
import type { Patch } from './kept-layers.ts';
import { type Canvas, type Ink, stampGrid, tileRunsOf } from './stamp-grid.ts';

/** Pixels of a picture, reused: fresh memory for each would cost a tenth of the time to draw it. */
let scratch = new Int32Array(0);

/**
 * Draws in the layered lane: kept layers, and the dots of one text stamped over them. The reference draws everything
 * that pictures of a style share once: background, finder patterns, logo, and the gradient of the dots as a layer of its
 * own. A dot then takes its coverage from the stamps and its colour from that layer, with resvg's own rounding.
 */
export function drawLayered(
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  logo: Logo | null,
): Uint8Array<ArrayBuffer> {
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
  const { y, height } = geometry.logo ?? { y: 0, height: 0 };
  const photos = { from: Math.floor(y), to: Math.ceil(y + height) };
  const isKnownOpaque = design.background.round === 0 && isOpaque(design.background.paint);
  const pixels = { widthPx, heightPx, colors: canvas.colors };
  return encodePixels(pixels, isKnownOpaque ? { photos, isOpaque: true } : { photos });
}

/** The colour under the backdrop; no matter which one when the backdrop covers the canvas. */
const solidColor = (paint: Paint): number => (typeof paint === 'string' ? pixelColor(paint) : 0);

function inkOf(design: Design): Ink {
  const { paint } = design.dots;
  const ink = { isOpaque: isPaintedOpaque(paint) };
  return typeof paint === 'string'
    ? { ...ink, colors: Int32Array.of(pixelColor(paint)), placeMask: 0 }
    : { ...ink, colors: dotsLayerOf(design), placeMask: -1 };
}

/** Replaces the pixels under a patch. */
function lay({ widthPx, colors }: Canvas, { x, y, width, height, colors: laid }: Patch): void {
  for (let row = 0; row < height; row += 1) {
    colors.set(laid.subarray(row * width, (row + 1) * width), (y + row) * widthPx + x);
  }
}

/**
 * Lays a logo over an opaque canvas, given as it is over black and over white: what a channel shows lies between the
 * two, as far as the canvas is between black and white. So it is exact for both, and at most one level off for others.
 */
function layBetween(
  { widthPx, colors }: Canvas,
  { x, y, width, colors: onBlack }: Patch,
  onWhite: Int32Array,
) {
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
}
