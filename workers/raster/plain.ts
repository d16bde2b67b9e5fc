import type { Geometry } from '../design/geometry.ts';
import { CENTRE_INSET, CENTRE_MODULES, FINDER_MODULES, finderCells } from '../design/modules.ts';
import type { Design } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { paintOver, paletteOf } from './colors.ts';
import { deflateModules } from './deflate/deflate-modules.ts';
import { type SolidColors, wholePixels } from './lane.ts';
import { COLOR_TYPE, pngOf } from './png-file.ts';

/** Parts of a picture besides background and dots, which are 0 and 1 as in the modules of a symbol. */
const RING = 2;
const CENTRE = 3;

/**
 * Draws in the plain lane: square modules in solid colours on whole pixels, written as PNG rows of one or two bits a
 * pixel from the modules themselves, without a rasteriser.
 */
export const drawPlain = (
  symbol: QrSymbol,
  { widthPx, heightPx }: Design,
  geometry: Geometry,
  solidColors: SolidColors,
): Uint8Array<ArrayBuffer> => {
  const { xPx, yPx, modulePx } = wholePixels(geometry);
  const { palette, indexOfPart } = paletteOfParts(solidColors);
  const indices = partsOf(symbol);
  for (let i = 0; i < indices.length; i += 1) indices[i] = indexOfPart[indices[i]!]!;
  const colors = palette.length / 4;
  const bitDepth = colors <= 2 ? 1 : 2;
  const rows = { widthPx, heightPx, xPx, yPx, modulePx, size: symbol.size, bitDepth, colors } as const;
  const format = { widthPx, heightPx, bitDepth, colorType: COLOR_TYPE.indexed, palette } as const;
  return pngOf(format, deflateModules(rows, indices));
};

/** Returns the distinct colours, the background first, and the palette index of each part. */
const paletteOfParts = ({ background, dots, ring, centre }: SolidColors) => {
  const colors = [dots, ring, centre].map((color) => paintOver(color, 255, background));
  const distinct = [...new Set([background, ...colors])];
  return {
    palette: paletteOf(distinct),
    indexOfPart: [background, ...colors].map((color) => distinct.indexOf(color)),
  };
};

/** Returns the part that each module belongs to, row-major. */
const partsOf = ({ size, modules }: QrSymbol): Uint8Array => {
  const parts = modules.slice();
  const inCentre = (at: number) => at >= CENTRE_INSET && at < CENTRE_INSET + CENTRE_MODULES;
  for (const [top, left] of finderCells(size)) {
    for (let row = 0; row < FINDER_MODULES; row += 1) {
      for (let column = 0; column < FINDER_MODULES; column += 1) {
        const cell = (top + row) * size + left + column;
        if (parts[cell]) parts[cell] = inCentre(row) && inCentre(column) ? CENTRE : RING;
      }
    }
  }
  return parts;
};
