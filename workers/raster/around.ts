import type { Geometry } from '../design/geometry.ts';
import { composeAround } from '../design/svg.ts';
import type { Design, Surround } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { type SolidColors, wholePixels } from './lane.ts';
import { paintOver } from './pixels.ts';
import { partsOf } from './plain.ts';
import { encodePixels } from './png.ts';
import { rasterise } from './rasterise.ts';

/**
 * Draws a picture of the plain lane with what stands around it: the reference draws all but the symbol, whose modules are
 * then filled in. The pixels are those that the reference draws.
 */
export const drawPlainAround = (
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  { background, dots, ring, centre }: SolidColors,
  around: Surround,
): Uint8Array<ArrayBuffer> => {
  const pixels = rasterise(composeAround(design, around));
  const { widthPx, colors } = pixels;
  const { xPx, yPx, modulePx } = wholePixels(geometry);
  const { size } = symbol;
  const inks = [background, ...[dots, ring, centre].map((color) => paintOver(color, 255, background))];
  const parts = partsOf(symbol);
  const left = around.leftPx + xPx;
  for (let row = 0; row < size; row += 1) {
    const start = (around.topPx + yPx + row * modulePx) * widthPx + left;
    for (let from = 0; from < size; ) {
      const part = parts[row * size + from]!;
      let to = from + 1;
      while (to < size && parts[row * size + to] === part) to += 1;
      if (part > 0) colors.fill(inks[part]!, start + from * modulePx, start + to * modulePx);
      from = to;
    }
    for (let line = 1; line < modulePx; line += 1)
      colors.copyWithin(start + line * widthPx, start, start + size * modulePx);
  }
  return encodePixels(pixels);
};
