import { constants } from 'node:zlib';
import { circleFiller } from '../design/circle.ts';
import { type Grid, neighboursAt } from '../design/dots.ts';
import { CENTRE_INSET } from '../design/finders.ts';
import type { Geometry } from '../design/geometry.ts';
import { dataModules, finderCells } from '../design/modules.ts';
import type { Design, Logo } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { paintOver } from './blend.ts';
import { type Glyphs, glyphAtlasOf } from './glyph-atlas.ts';
import { wholePixels } from './lane.ts';
import { backdropOf, logoKeyOf } from './layers/backdrop.ts';
import { COLOR_TYPE, pngFile } from './png/file.ts';
import { FILTER } from './png/filters.ts';
import { zeroedScratch } from './scratch.ts';
import type { SolidColors } from './solid-colors.ts';

/** One byte for each pixel; each row begins with its filter byte. */
interface Scanlines {
  readonly stride: number;
  readonly bytes: Uint8Array;
}

/** Deflate by run lengths alone takes a seventh less time than level 2, and makes fewer bytes from 600 px on. */
const RUN_LENGTHS = { level: 2, strategy: constants.Z_RLE };
/**
 * Lone dots repeat one figure and have few runs: for them plain level 2 makes half the bytes in less time. So it does
 * for a picture that is blank but for its corners, where run lengths would make more bytes than resvg.
 */
const REPEATS = { level: 2 };

/**
 * Draws in the stamped lane: dots and corners of any style, in solid colours on whole pixels. resvg draws each glyph
 * once for each size; its coverage is kept as a mask. A picture is those glyphs stamped into an indexed image whose
 * palette is the ramp from the background to each colour. No two glyphs share a pixel, so each pixel has one colour
 * over the background. resvg uses some 30 levels of coverage between none and all, so three colours never need more
 * than 256 palette entries. A logo, whose modules must be hidden, is one more glyph; returns `null` when its colours do
 * not fit the palette.
 */
export function drawStamped(
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  solidColors: SolidColors,
  logo: Logo | null,
): Uint8Array<ArrayBuffer> | null {
  const { widthPx, heightPx, dots } = design;
  const { xPx, yPx, modulePx, fillerRings } = wholePixels(geometry);
  const { hidden } = geometry;
  const stride = widthPx + 1;
  const patch = logo && {
    key: `${logoKeyOf(geometry, logo)} ${yPx}`,
    patch: () => backdropOf(symbol, design, geometry, logo).logo!,
  };
  const atlas = glyphAtlasOf({ design, solidColors, modulePx, yPx, stride }, patch);
  if (atlas === null) return null;
  const { palette, tiles, ring, centre } = atlas;
  const scanlines = blankScanlines(stride, heightPx, yPx, modulePx);

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
  if (atlas.logo !== null) stamp(scanlines, atlas.logo.glyphs, 0, atlas.logo.xPx, atlas.logo.yPx);
  const format = { bitDepth: 8, colorType: COLOR_TYPE.indexed, palette } as const;
  const deflate = dots.type === 'dots' || areUnseen(solidColors) ? REPEATS : RUN_LENGTHS;
  return pngFile({ widthPx, heightPx, ...format, scanlines: scanlines.bytes }, deflate);
}

/** Whether the dots leave the background as it is. */
const areUnseen = ({ dots, background }: SolidColors): boolean =>
  paintOver(dots, 255, background) === background;

/**
 * Returns scanlines of index 0 throughout. Rows in which modules begin (`firstPx`, and every `modulePx` up and down from
 * there) are unfiltered; all other rows have the filter `Up`.
 */
function blankScanlines(stride: number, heightPx: number, firstPx: number, modulePx: number): Scanlines {
  const bytes = zeroedScratch(stride * heightPx);
  for (let y = 0; y < heightPx; y += 1) {
    bytes[y * stride] = (y - firstPx) % modulePx === 0 ? FILTER.none : FILTER.up;
  }
  return { stride, bytes };
}

/** Stamps the matching tile for every drawn cell; the grid's top left corner is at (`x`, `y`). */
function stampGrid(scanlines: Scanlines, grid: Grid, tiles: Glyphs, x: number, y: number): void {
  const { size, cells } = grid;
  const { sidePx } = tiles;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!cells[row * size + column]) continue;
      stamp(scanlines, tiles, neighboursAt(grid, row, column), x + column * sidePx, y + row * sidePx);
    }
  }
}

/** Writes one glyph so that its top left pixel is at (`x`, `y`). */
function stamp({ stride, bytes }: Scanlines, glyphs: Glyphs, glyph: number, x: number, y: number): void {
  const { firsts, offsets, values } = glyphs;
  const at = y * stride + 1 + x;
  const end = firsts[glyph + 1]!;
  for (let i = firsts[glyph]!; i < end; i += 1) bytes[at + offsets[i]!] = values[i]!;
}
