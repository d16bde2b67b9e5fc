import type { Design, Paint } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { type Grid, gridPath } from './dots.ts';
import type { Fill } from './fill.ts';
import { CENTRE_INSET, CENTRE_MODULES, centrePath, FINDER_MODULES, ringPath } from './finders.ts';
import type { Geometry } from './geometry.ts';
import { turnGradient } from './gradient.ts';
import { circleFiller, dataModules, finderCells } from './modules.ts';

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
export function symbolLayers(
  design: Design,
  geometry: Geometry,
  symbol: QrSymbol,
  units: Pick<Geometry, 'xPx' | 'yPx' | 'modulePx'> = geometry,
  drawGrid = (grid: Grid, x: number, y: number) => gridPath(grid, design.dots.type, x, y, units.modulePx),
): readonly Layer[] {
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
}

/** Returns the fill of the dots: a gradient spans the whole canvas. */
export const dotsFill = ({ dots, widthPx, heightPx }: Design): Fill => ({
  paint: dots.paint,
  box: { x: 0, y: 0, width: widthPx, height: heightPx },
});

/**
 * Returns the fills of ring and centre of the finder pattern at (`x`, `y`). A ring without a paint of its own takes
 * the dots' paint. A centre without one takes the ring's paint, over the ring's box.
 */
export function finderFills(design: Design, x: number, y: number, d: number, turnRad: number) {
  const own = (paint: Paint, inset: number, modules: number): Fill => ({
    paint: typeof paint === 'string' ? paint : turnGradient(paint, turnRad),
    box: { x: x + inset * d, y: y + inset * d, width: modules * d, height: modules * d },
  });
  const { cornersSquare, cornersDot } = design;
  const ring = cornersSquare.paint === null ? dotsFill(design) : own(cornersSquare.paint, 0, FINDER_MODULES);
  const centre = cornersDot.paint === null ? ring : own(cornersDot.paint, CENTRE_INSET, CENTRE_MODULES);
  return { ring, centre };
}
