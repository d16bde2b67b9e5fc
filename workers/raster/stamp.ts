import { constants } from 'node:zlib';
import { circleFiller } from '../design/circle.ts';
import { type Grid, neighboursAt } from '../design/dots.ts';
import { CENTRE_INSET } from '../design/finders.ts';
import type { Geometry } from '../design/geometry.ts';
import { dataModules, finderCells } from '../design/modules.ts';
import type { Design } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { atlasOf, type Stamp } from './glyph-atlas.ts';
import { COLOR_TYPE, pngFile } from './png-file.ts';
import { FILTER } from './png-filters.ts';
import { zeroedScratch } from './scratch.ts';
import type { SolidColors } from './solid-colors.ts';

/** One byte a pixel, each row behind its filter byte. */
interface Scanlines {
  readonly stride: number;
  readonly bytes: Uint8Array;
}

/** Run lengths alone: a seventh less time for a picture than level 2, and fewer bytes from 600 px on. */
const RUN_LENGTHS = { level: 2, strategy: constants.Z_RLE };
/** Lone dots are one figure over and over, in which there are few runs: half the bytes, in less time. */
const REPEATS = { level: 2 };

/**
 * The stamped lane: dots and corners of any style in solid colours on whole pixels. Each figure is drawn by resvg
 * once for each size and kept as a mask; a picture is those masks stamped into an indexed image, whose palette
 * is the ramp from the background to each ink. No two figures share a pixel, so each pixel has one ink.
 * resvg knows some 30 coverages between none and all, so three of them never need more than 256 colours.
 */
export function drawStamped(
  symbol: QrSymbol,
  design: Design,
  { xPx, yPx, modulePx, fillerRings, hidden }: Geometry,
  colors: SolidColors,
): Uint8Array<ArrayBuffer> {
  const { widthPx, heightPx, dots } = design;
  const scanlines = blankScanlines(widthPx, heightPx, yPx, modulePx);
  const { palette, tiles, ring, centre } = atlasOf(design, colors, modulePx, scanlines.stride);

  stampGrid(scanlines, dataModules(symbol, hidden), tiles, xPx, yPx);
  if (fillerRings > 0) {
    const insetPx = fillerRings * modulePx;
    stampGrid(scanlines, circleFiller(symbol, fillerRings), tiles, xPx - insetPx, yPx - insetPx);
  }
  for (const [row, column] of finderCells(symbol.size)) {
    const [x, y] = [xPx + column * modulePx, yPx + row * modulePx];
    const insetPx = CENTRE_INSET * modulePx;
    stamp(scanlines, ring, 0, x, y);
    stamp(scanlines, centre, 0, x + insetPx, y + insetPx);
  }
  const format = { bitDepth: 8, colorType: COLOR_TYPE.indexed, palette } as const;
  const deflate = dots.type === 'dots' ? REPEATS : RUN_LENGTHS;
  return pngFile({ widthPx, heightPx, ...format, scanlines: scanlines.bytes }, deflate);
}

/**
 * Scanlines of index 0 throughout. Rows in which modules begin, `firstPx` and every `modulePx` up and down from
 * there, are unfiltered, the others `Up`.
 */
function blankScanlines(widthPx: number, heightPx: number, firstPx: number, modulePx: number): Scanlines {
  const stride = widthPx + 1;
  const bytes = zeroedScratch(stride * heightPx);
  for (let y = 0; y < heightPx; y += 1) {
    bytes[y * stride] = (y - firstPx) % modulePx === 0 ? FILTER.none : FILTER.up;
  }
  return { stride, bytes };
}

/** The tile of every drawn cell; the grid's upper left corner is at (`x`, `y`). */
function stampGrid(scanlines: Scanlines, grid: Grid, tiles: Stamp, x: number, y: number): void {
  const { size, cells } = grid;
  const { sidePx } = tiles;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!cells[row * size + column]) continue;
      stamp(scanlines, tiles, neighboursAt(grid, row, column), x + column * sidePx, y + row * sidePx);
    }
  }
}

/** Puts a figure where its upper left pixel is (`x`, `y`). */
function stamp({ stride, bytes }: Scanlines, figures: Stamp, figure: number, x: number, y: number): void {
  const { firsts, offsets, values } = figures;
  const at = y * stride + 1 + x;
  const end = firsts[figure + 1]!;
  for (let i = firsts[figure]!; i < end; i += 1) bytes[at + offsets[i]!] = values[i]!;
}
