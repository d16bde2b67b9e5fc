import type { Design, Paint } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { circleFiller } from './circle.ts';
import { gridPath } from './dots.ts';
import type { Fill } from './fill.ts';
import { CENTRE_INSET, CENTRE_MODULES, centrePath, FINDER_MODULES, ringPath } from './finders.ts';
import type { Geometry } from './geometry.ts';
import { turned } from './gradient.ts';
import { dataModules, finderCells } from './modules.ts';

/** A fill and the path data of everything that it fills. */
export interface Layer extends Fill {
  readonly path: string;
}

/** How far a gradient is turned in each finder pattern: top left, top right, bottom left. */
export const FINDER_TURNS_RAD = [0, Math.PI / 2, -Math.PI / 2] as const;

/**
 * Returns all figures of the symbol, one layer for each fill. Figures of one colour share a path, so that nothing
 * translucent is painted over itself. No two figures overlap, so the order of the layers does not matter.
 */
export function symbolLayers(design: Design, geometry: Geometry, symbol: QrSymbol): readonly Layer[] {
  const layers = new Map<string, Layer>();
  const add = (fill: Fill, path: string): void => {
    const key = typeof fill.paint === 'string' ? fill.paint : JSON.stringify(fill);
    layers.set(key, { ...fill, path: (layers.get(key)?.path ?? '') + path });
  };
  const { dots, cornersSquare, cornersDot } = design;
  const { xPx, yPx, modulePx } = geometry;

  add(dotsFill(design), dotsPath(design, geometry, symbol));
  for (const [index, [row, column]] of finderCells(symbol.size).entries()) {
    const [x, y] = [xPx + column * modulePx, yPx + row * modulePx];
    const fills = finderFills(design, x, y, modulePx, FINDER_TURNS_RAD[index]!);
    add(fills.ring, ringPath(cornersSquare.type, dots.type, x, y, modulePx));
    add(fills.centre, centrePath(cornersDot.type, dots.type, x, y, modulePx));
  }
  return [...layers.values()];
}

/** Returns the path of the data modules and, in a circle, of the dots around the symbol. */
function dotsPath({ dots }: Design, geometry: Geometry, symbol: QrSymbol): string {
  const { xPx, yPx, modulePx, fillerRings, hidden } = geometry;
  const data = gridPath(dataModules(symbol, hidden), dots.type, xPx, yPx, modulePx);
  if (fillerRings === 0) return data;
  const inset = fillerRings * modulePx;
  return data + gridPath(circleFiller(symbol, fillerRings), dots.type, xPx - inset, yPx - inset, modulePx);
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
    paint: typeof paint === 'string' ? paint : turned(paint, turnRad),
    box: { x: x + inset * d, y: y + inset * d, width: modules * d, height: modules * d },
  });
  const { cornersSquare, cornersDot } = design;
  const ring = cornersSquare.paint === null ? dotsFill(design) : own(cornersSquare.paint, 0, FINDER_MODULES);
  const centre = cornersDot.paint === null ? ring : own(cornersDot.paint, CENTRE_INSET, CENTRE_MODULES);
  return { ring, centre };
}
