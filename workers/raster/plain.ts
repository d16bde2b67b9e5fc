import { CENTRE_INSET, CENTRE_MODULES, FINDER_MODULES } from '../design/finders.ts';
import type { Geometry } from '../design/geometry.ts';
import { finderCells } from '../design/modules.ts';
import type { Design } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { paintOver, paletteOf } from './blend.ts';
import { wholePixels } from './lane.ts';
import { COLOR_TYPE, pngFile } from './png/file.ts';
import { FILTER } from './png/filters.ts';
import { indexBits } from './png/indices.ts';
import { zeroedScratch } from './scratch.ts';
import type { SolidColors } from './solid-colors.ts';

/**
 * Parts of a picture. Modules of a symbol are 0 or 1, which mean background and dots. The finder patterns add these
 * two.
 */
const RING = 2;
const CENTRE = 3;

/**
 * Measured on rows of one and two bits: hardly slower than level 1 or run lengths alone, and smaller than both. With
 * half the usual memory a quarter less time goes into the same bytes, since most of it is only cleared.
 */
const DEFLATE = { level: 3, memLevel: 7 };

/**
 * Draws in the plain lane: square modules in solid colours on whole pixels, written as PNG rows of one or two bits a
 * pixel, without a rasteriser. A row of modules is packed once and repeated by the `Up` filter, as zeros.
 */
export function drawPlain(
  symbol: QrSymbol,
  { widthPx, heightPx }: Design,
  geometry: Geometry,
  solidColors: SolidColors,
): Uint8Array<ArrayBuffer> {
  const { xPx, yPx, modulePx } = wholePixels(geometry);
  const { palette, indexOfPart } = paletteOfParts(solidColors);
  const parts = partsOf(symbol);
  const bitDepth = indexBits(palette.length / 4);
  // An index multiplied by this fills every place of a byte.
  const repeated = bitDepth === 1 ? 0xff : 0x55;
  const stride = 1 + Math.ceil((widthPx * bitDepth) / 8);
  const scanlines = zeroedScratch(stride * heightPx);
  for (let y = 0; y < heightPx; y += 1) scanlines[y * stride] = FILTER.up;

  const moduleBits = modulePx * bitDepth;
  for (let row = 0; row < symbol.size; row += 1) {
    const start = (yPx + row * modulePx) * stride;
    scanlines[start] = FILTER.none;
    let bit = (start + 1) * 8 + xPx * bitDepth;
    for (let column = 0; column < symbol.size; column += 1, bit += moduleBits) {
      const index = indexOfPart[parts[row * symbol.size + column]!]!;
      if (index > 0) fillBits(scanlines, bit, bit + moduleBits, index * repeated);
    }
  }
  const below = yPx + symbol.size * modulePx;
  if (below < heightPx) scanlines[below * stride] = FILTER.none;
  return pngFile({ widthPx, heightPx, bitDepth, colorType: COLOR_TYPE.indexed, palette, scanlines }, DEFLATE);
}

/** Sets the bits `from` to `to` - 1 to those of `pattern`. Bit 0 is the highest bit of the first byte. */
function fillBits(bytes: Uint8Array, from: number, to: number, pattern: number): void {
  for (let at = from >>> 3; at * 8 < to; at += 1) {
    const before = Math.max(from - at * 8, 0);
    const after = Math.max(at * 8 + 8 - to, 0);
    bytes[at]! |= pattern & (0xff >>> before) & (0xff << after);
  }
}

/** Returns the distinct colours, the background first, and the palette index of each part. */
function paletteOfParts({ background, dots, ring, centre }: SolidColors) {
  const colors = [dots, ring, centre].map((color) => paintOver(color, 255, background));
  const distinct = [...new Set([background, ...colors])];
  return {
    palette: paletteOf(distinct),
    indexOfPart: [background, ...colors].map((color) => distinct.indexOf(color)),
  };
}

/** Returns the part that each module belongs to, row-major. */
function partsOf({ size, modules }: QrSymbol): Uint8Array {
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
}
