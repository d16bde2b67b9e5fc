import { constants } from 'node:zlib';
import { circleFiller } from '../design/circle.ts';
import { type Grid, neighboursAt } from '../design/dots.ts';
import { CENTRE_INSET } from '../design/finders.ts';
import type { Geometry } from '../design/geometry.ts';
import { dataModules, finderCells } from '../design/modules.ts';
import type { Design } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { type PixelColor, paintOver, paletteOf } from './blend.ts';
import type { Inks } from './inks.ts';
import { COLOR_TYPE, pngFile } from './png-file.ts';
import { centreOf, type Mask, ringOf, tilesOf } from './stamp-masks.ts';
import { blankScanlines, copyRows, type Scanlines, type Stamp, stampOf } from './stamp-rows.ts';

/** Run lengths alone: a seventh less time for a picture than level 2, and fewer bytes from 600 px on. */
const RUN_LENGTHS = { level: 2, strategy: constants.Z_RLE };
/** Lone dots are one figure over and over, in which there are few runs: half the bytes, in less time. */
const REPEATS = { level: 2 };

/**
 * The stamped lane: dots and corners of any style in solid colours on whole pixels. Each figure is drawn by resvg
 * once for each size and kept as a mask; a picture is those masks stamped into an indexed image, whose palette
 * is the ramp from the background to each ink. No two figures share a pixel, so each pixel has one ink.
 * resvg knows some 30 coverages between none and all, so three inks never need more than 256 colours.
 */
export function drawStamped(
  symbol: QrSymbol,
  { widthPx, heightPx, dots, cornersSquare, cornersDot }: Design,
  { xPx, yPx, modulePx, fillerRings, hidden }: Geometry,
  inks: Inks,
): Uint8Array<ArrayBuffer> {
  const { colors, rampOf } = createPalette(inks.background);
  const stampIn = (ink: PixelColor, mask: Mask) => stampOf(mask, rampOf(ink, mask), modulePx);
  const scanlines = blankScanlines(widthPx, heightPx, yPx, modulePx);

  const tiles = stampIn(inks.dots, tilesOf(dots.type, modulePx));
  stampGrid(scanlines, dataModules(symbol, hidden), tiles, xPx, yPx);
  if (fillerRings > 0) {
    const insetPx = fillerRings * modulePx;
    stampGrid(scanlines, circleFiller(symbol, fillerRings), tiles, xPx - insetPx, yPx - insetPx);
  }

  const ring = stampIn(inks.ring, ringOf(cornersSquare.type, dots.type, modulePx));
  const centre = stampIn(inks.centre, centreOf(cornersDot.type, dots.type, modulePx));
  for (const [row, column] of finderCells(symbol.size)) {
    const [x, y] = [xPx + column * modulePx, yPx + row * modulePx];
    const insetPx = CENTRE_INSET * modulePx;
    copyRows(scanlines, ring, 0, ring.widthPx, x, y);
    copyRows(scanlines, centre, 0, centre.widthPx, x + insetPx, y + insetPx);
  }
  const format = { bitDepth: 8, colorType: COLOR_TYPE.indexed, palette: paletteOf(colors) } as const;
  const deflate = dots.type === 'dots' ? REPEATS : RUN_LENGTHS;
  return pngFile({ widthPx, heightPx, ...format, scanlines: scanlines.bytes }, deflate);
}

/** Colours are numbered as they are met, the background first. A ramp gives the number for a coverage. */
function createPalette(background: PixelColor) {
  const colors = [background];
  const rampOf = (ink: PixelColor, { levels }: Mask): Uint8Array => {
    const ramp = new Uint8Array(256);
    for (const level of levels) {
      const color = paintOver(ink, level, background);
      const known = colors.indexOf(color);
      ramp[level] = known < 0 ? colors.push(color) - 1 : known;
    }
    return ramp;
  };
  return { colors, rampOf };
}

/** The tile of every drawn cell; the grid's upper left corner is at (`x`, `y`). */
function stampGrid(scanlines: Scanlines, grid: Grid, tiles: Stamp, x: number, y: number): void {
  const { size, cells } = grid;
  const sidePx = tiles.widthPx;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!cells[row * size + column]) continue;
      const first = neighboursAt(grid, row, column) * sidePx;
      copyRows(scanlines, tiles, first, sidePx, x + column * sidePx, y + row * sidePx);
    }
  }
}
