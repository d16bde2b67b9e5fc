import { LRUCache } from 'lru-cache';
import { dotPath, type Grid } from '../design/dots.ts';
import type { Geometry } from '../design/geometry.ts';
import { svgElement, writeElement } from '../design/markup.ts';
import {
  CENTRE_INSET,
  CENTRE_MODULES,
  centrePath,
  circleFiller,
  dataModules,
  FINDER_MODULES,
  finderCells,
  type HiddenArea,
  ringPath,
} from '../design/modules.ts';
import { getOrMake } from '../kept.ts';
import { type CornerType, type DotType, isLone } from '../lists.ts';
import type { Design } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import type { GlyphLines } from './deflate/glyph-code.ts';
import { randomSource } from './deflate/row-code.ts';
import { wholePixels } from './lane.ts';
import { rasterise } from './rasterise.ts';

/** How much of each pixel of its box a glyph covers, row-major, 0 to 255. */
export interface Mask {
  readonly widthPx: number;
  readonly coverage: Uint8Array;
  /** The coverages that occur, without 0. */
  readonly levels: readonly number[];
}

/** One tile for each neighbour mask: four edges, each with or without a neighbour. */
export const TILES = 16;

/** A finder pattern at 2000 px takes at most 0.5 MB and the tiles of a style 0.15 MB. */
const MAX_CACHE_BYTES = 16 * 1024 * 1024;
const cache = new LRUCache<string, Mask>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ coverage }) => coverage.length + 1024,
});

/** Returns the sixteen tiles of a style at one size, one below the other, ordered by neighbour mask. */
export const tilesOf = (type: DotType, modulePx: number): Mask =>
  getMask(`dots ${type} ${modulePx}`, modulePx, TILES * modulePx, () =>
    Array.from({ length: TILES }, (_, i) => dotPath(type, i, 0, i * modulePx, modulePx)).join(''),
  );

/** Returns the ring of a finder pattern: a box of seven modules. A `null` type draws it from dots of type `dots`. */
export const ringOf = (type: CornerType | null, dots: DotType, modulePx: number): Mask => {
  const sidePx = FINDER_MODULES * modulePx;
  return getMask(`ring ${type ?? `cells ${dots}`} ${modulePx}`, sidePx, sidePx, () =>
    ringPath(type, dots, 0, 0, modulePx),
  );
};

/** Returns the centre of a finder pattern: a box of three modules. A `null` type draws it from dots of type `dots`. */
export const centreOf = (type: CornerType | null, dots: DotType, modulePx: number): Mask => {
  const sidePx = CENTRE_MODULES * modulePx;
  const insetPx = CENTRE_INSET * modulePx;
  return getMask(`centre ${type ?? `cells ${dots}`} ${modulePx}`, sidePx, sidePx, () =>
    centrePath(type, dots, -insetPx, -insetPx, modulePx),
  );
};

/** Draws white on transparent; the alpha of each pixel is its coverage. */
const getMask = (key: string, widthPx: number, heightPx: number, path: () => string): Mask =>
  getOrMake(cache, key, () => {
    const shape = writeElement('path', { fill: '#fff', d: path() });
    const { colors } = rasterise(svgElement({ width: widthPx, height: heightPx }, shape));
    const coverage = Uint8Array.from(colors, (color) => color >>> 24);
    const levels = [...new Set(coverage)].filter((level) => level > 0);
    return { widthPx, coverage, levels };
  });

/** Glyphs: the tiles of a dot, the lines of a finder pattern, the same of the one at the right, the lines of a logo. */
const FINDER = TILES;
const RIGHT_FINDER = FINDER + FINDER_MODULES;
const LOGO = RIGHT_FINDER + FINDER_MODULES;

type Pattern = Pick<QrSymbol, 'size' | 'modules'>;

let glyphs = new Uint8Array(0);
let xsPx = new Int32Array(0);

/** Returns the glyphs of a picture, from a circle's upper rings on. They stay valid until the next call. */
export const glyphLinesOf = (symbol: Pattern, design: Design, geometry: Geometry): GlyphLines => {
  const { xPx, modulePx, fillerRings } = wholePixels(geometry);
  const dots = framed(dotsOf(symbol, geometry.hidden, fillerRings));
  const side = dots.size;
  const figures = figuresOf(symbol.size, geometry.hidden, fillerRings, side);
  const areLone = isLone(design.dots.type);
  const firsts = new Int32Array(side - 1);
  if (glyphs.length < side * side) {
    glyphs = new Uint8Array(side * side);
    xsPx = new Int32Array(side * side);
  }
  const leftPx = xPx - (fillerRings + 1) * modulePx;
  let count = 0;
  for (let row = 1; row < side - 1; row += 1) {
    firsts[row - 1] = count;
    let last = -TILES;
    let dotsInRow = 0;
    for (let column = 1; column < side - 1; column += 1) {
      const at = row * side + column;
      const isDot = dots.cells[at]!;
      const figure = figures[at]!;
      const tile = areLone ? sinceLast(column - last, dotsInRow) : neighboursIn(dots.cells, at, side);
      // What is neither is overwritten by the next glyph.
      glyphs[count] = figure === 0 ? tile : figure;
      xsPx[count] = leftPx + column * modulePx;
      count += figure === 0 ? isDot : 1;
      last = isDot === 0 ? last : column;
      dotsInRow = figure === 0 ? dotsInRow + isDot : 0;
    }
  }
  firsts[side - 2] = count;
  return { count: side - 2, firsts, glyphs, xsPx };
};

/**
 * Returns the tile of a lone dot: the distance in modules to the previous one at its left, or 0. The first dot of a row
 * or after a figure is not preceded by zeros alone, so the next one does not repeat it.
 */
const sinceLast = (columns: number, dotsBefore: number): number =>
  columns < TILES && (columns > 1 || dotsBefore > 1) ? columns : 0;

/** Returns the neighbour mask of a cell with a frame around, where each cell is 0 or 1. */
const neighboursIn = (cells: Uint8Array, at: number, side: number): number =>
  cells[at - side]! | (cells[at + 1]! << 1) | (cells[at + side]! << 2) | (cells[at - 1]! << 3);

/** Returns random modules, the same every time. */
export const randomSymbol = (size: number): Pattern => {
  const next = randomSource();
  return { size, modules: Uint8Array.from({ length: size * size }, () => (next() < 0.5 ? 0 : 1)) };
};

/** Returns all dots, those around a circle's symbol too. */
const dotsOf = (symbol: Pattern, hidden: HiddenArea | null, rings: number): Grid => {
  const data = dataModules(symbol, hidden);
  if (rings === 0) return data;
  const filler = circleFiller(symbol, rings);
  for (let row = 0; row < data.size; row += 1) {
    const line = data.cells.subarray(row * data.size, (row + 1) * data.size);
    filler.cells.set(line, (rings + row) * filler.size + rings);
  }
  return filler;
};

/** Returns a grid with a frame of blank cells. */
const framed = ({ size, cells }: Grid): Grid => {
  const side = size + 2;
  const all = new Uint8Array(side * side);
  for (let row = 0; row < size; row += 1)
    all.set(cells.subarray(row * size, (row + 1) * size), (row + 1) * side + 1);
  return { size: side, cells: all };
};

/** Returns the glyph of each cell in which a line of a finder pattern or of a logo begins, and 0 elsewhere. */
const figuresOf = (size: number, hidden: HiddenArea | null, rings: number, side: number): Uint8Array => {
  const figures = new Uint8Array(side * side);
  const place = (first: number, rows: number, top: number, left: number) => {
    for (let row = 0; row < rows; row += 1)
      figures[(rings + 1 + top + row) * side + rings + 1 + left] = first + row;
  };
  for (const [top, left] of finderCells(size))
    place(left === 0 ? FINDER : RIGHT_FINDER, FINDER_MODULES, top, left);
  if (hidden !== null) place(LOGO, hidden.rows, (size - hidden.rows) / 2, (size - hidden.columns) / 2);
  return figures;
};
