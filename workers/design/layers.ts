import type { Design, HexColor, Paint } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { type Grid, gridPath } from './dots.ts';
import type { Fill } from './fill.ts';
import type { Geometry } from './geometry.ts';
import { type Box, turnGradient } from './gradient.ts';
import { boxPath } from './markup.ts';
import {
  CENTRE_INSET,
  CENTRE_MODULES,
  centrePath,
  circleFiller,
  dataModules,
  FINDER_MODULES,
  finderCells,
  ringPath,
} from './modules.ts';

/** A fill and the path data of everything that it fills. */
export interface Layer extends Fill {
  readonly path: string;
}

/** How far a gradient is turned in each finder pattern: top left, top right, bottom left. */
export const FINDER_TURNS_RAD = [0, Math.PI / 2, -Math.PI / 2] as const;

/**
 * Returns all figures of the symbol, one layer for each fill. Figures of one colour share a path, so that nothing
 * translucent is painted over itself. No two figures overlap, so the order of the layers does not matter.
 *
 * @param units The units of the paths; fills are in pixels.
 * @param drawGrid Returns the path data of a grid that begins at (`x`, `y`).
 */
export const symbolLayers = (
  design: Design,
  geometry: Geometry,
  symbol: QrSymbol,
  units: Pick<Geometry, 'xPx' | 'yPx' | 'modulePx'> = geometry,
  drawGrid = (grid: Grid, x: number, y: number) => gridPath(grid, design.dots.type, x, y, units.modulePx),
): readonly Layer[] => {
  const layers = new Map<string, Layer>();
  const add = (fill: Fill, path: string): void => {
    const key = typeof fill.paint === 'string' ? fill.paint : JSON.stringify(fill);
    layers.set(key, { ...fill, path: (layers.get(key)?.path ?? '') + path });
  };
  const { dots, cornersSquare, cornersDot } = design;
  const { xPx, yPx, modulePx, fillerRings, hidden } = geometry;

  add(dotsFill(design), drawGrid(dataModules(symbol, hidden), units.xPx, units.yPx));
  if (fillerRings > 0) {
    const inset = fillerRings * units.modulePx;
    add(dotsFill(design), drawGrid(circleFiller(symbol, fillerRings), units.xPx - inset, units.yPx - inset));
  }
  for (const [index, [row, column]] of finderCells(symbol.size).entries()) {
    const [left, top] = [xPx + column * modulePx, yPx + row * modulePx];
    const fills = finderFills(design, left, top, modulePx, FINDER_TURNS_RAD[index]!);
    const [x, y] = [units.xPx + column * units.modulePx, units.yPx + row * units.modulePx];
    add(fills.ring, ringPath(cornersSquare.type, dots.type, x, y, units.modulePx));
    add(fills.centre, centrePath(cornersDot.type, dots.type, x, y, units.modulePx));
  }
  return [...layers.values()];
};

/** Returns the fill of the dots: a gradient spans the whole canvas. */
export const dotsFill = ({ dots, widthPx, heightPx }: Design): Fill => ({
  paint: dots.paint,
  box: { x: 0, y: 0, width: widthPx, height: heightPx },
});

/**
 * Returns the fills of ring and centre of the finder pattern at (`x`, `y`). A ring without a paint of its own takes
 * the dots' paint. A centre without one takes the ring's paint, over the ring's box.
 */
export const finderFills = (design: Design, x: number, y: number, d: number, turnRad: number) => {
  const own = (paint: Paint, inset: number, modules: number): Fill => ({
    paint: typeof paint === 'string' ? paint : turnGradient(paint, turnRad),
    box: { x: x + inset * d, y: y + inset * d, width: modules * d, height: modules * d },
  });
  const { cornersSquare, cornersDot } = design;
  const ring = cornersSquare.paint === null ? dotsFill(design) : own(cornersSquare.paint, 0, FINDER_MODULES);
  const centre = cornersDot.paint === null ? ring : own(cornersDot.paint, CENTRE_INSET, CENTRE_MODULES);
  return { ring, centre };
};

/** The letters in cells, row by row: where a run of cells begins, and how many they are. */
const LETTERS: Readonly<Record<'T' | 'E' | 'S', readonly (readonly [from: number, cells: number])[]>> = {
  T: [
    [0, 3],
    [1, 1],
    [1, 1],
    [1, 1],
    [1, 1],
  ],
  E: [
    [0, 3],
    [0, 1],
    [0, 2],
    [0, 1],
    [0, 3],
  ],
  S: [
    [0, 3],
    [0, 1],
    [0, 3],
    [2, 1],
    [0, 3],
  ],
};
const WORD = ['T', 'E', 'S', 'T'] as const;
const LETTER_STEP = 4;
/** A word with a cell of space around it. */
const WORD_COLUMNS = WORD.length * LETTER_STEP + 1;
const WORD_ROWS = 7;

/** What the letters add to the background: a red that is light enough on white and dark enough on black to be read over. */
const TINT = { red: 214, green: 0, blue: 0, alpha: 0.3 };

/**
 * Returns the mark of a picture that nobody paid for: the word TEST over the background and under the symbol. It tints
 * only what the symbol leaves free, so the picture reads as well as it would without the mark. The tint is opaque where
 * the background is.
 *
 * @param box The box that the background's paint spans.
 */
export const markLayer = (
  { widthPx, heightPx, background }: Pick<Design, 'widthPx' | 'heightPx' | 'background'>,
  box: Box,
): Layer => {
  const cellPx = Math.max(1, Math.floor(Math.min(widthPx / WORD_COLUMNS, heightPx / WORD_ROWS)));
  const lines = Math.max(1, Math.floor(heightPx / (WORD_ROWS * cellPx)));
  const left = Math.round((widthPx - (WORD_COLUMNS - 2) * cellPx) / 2);
  const path = Array.from({ length: lines }, (_, line) =>
    wordPath(left, Math.round((heightPx * (line + 0.5)) / lines - 2.5 * cellPx), cellPx),
  ).join('');
  return { paint: tintPaint(background.paint), box, path };
};

const wordPath = (left: number, top: number, cellPx: number): string =>
  WORD.flatMap((letter, at) =>
    LETTERS[letter].map(([from, cells], row) => {
      const x = left + (at * LETTER_STEP + from) * cellPx;
      return boxPath(x, top + row * cellPx, cells * cellPx, cellPx);
    }),
  ).join('');

const tintPaint = (paint: Paint): Paint =>
  typeof paint === 'string'
    ? tintedColor(paint)
    : { ...paint, colorStops: paint.colorStops.map((stop) => ({ ...stop, color: tintedColor(stop.color) })) };

/** Returns the tint over a colour: W3C Compositing and Blending, "source over". */
const tintedColor = (color: HexColor): HexColor => {
  const byte = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  const below = (color.length === 9 ? byte(7) / 255 : 1) * (1 - TINT.alpha);
  const alpha = TINT.alpha + below;
  const over = (top: number, at: number) => hex((top * TINT.alpha + byte(at) * below) / alpha);
  const opaque = `#${over(TINT.red, 1)}${over(TINT.green, 3)}${over(TINT.blue, 5)}`;
  return alpha > 0.999 ? opaque : opaque + hex(alpha * 255);
};

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0');
