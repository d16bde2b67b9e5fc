import type { Geometry } from '../../design/geometry.ts';
import type { Logo } from '../../protocol.ts';
import { averageOver, type BoxLights, type LogoLight, logoLightOf, spanOf } from './logo-light.ts';

/** Rows and columns of modules; the last ones are not included. */
export type Area = Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>;

/** Where a logo and the modules hidden for it lie, in modules, and what it shows. */
export interface Cover {
  /** Around logo and hidden modules. */
  readonly area: Area;
  readonly hidden: Area;
  /** The modules in which the logo shows. */
  readonly shown: Area;
  /** The logo in the middle half of each module of `shown`. */
  readonly over: BoxLights;
  /** The narrower side of the logo, in modules. */
  readonly narrowModules: number;
  readonly light: LogoLight;
  /** Returns the column of `light` at a place across the symbol, in modules; -1 outside the logo. */
  columnAt(x: number): number;
  rowAt(y: number): number;
}

/** Whether an area has a module. */
export const isIn = ({ left, top, right, bottom }: Area, row: number, column: number): boolean =>
  row >= top && row < bottom && column >= left && column < right;

/** Returns what a logo covers in a box of the canvas. */
export function coverOf(geometry: Geometry, box: NonNullable<Geometry['logo']>, logo: Logo): Cover {
  const { moduleCount, modulePx, xPx, yPx, hidden: hiddenArea } = geometry;
  const light = logoLightOf(logo);
  const [x, y] = [(box.x - xPx) / modulePx, (box.y - yPx) / modulePx];
  const [width, height] = [box.width / modulePx, box.height / modulePx];
  const inside = (at: number) => Math.min(Math.max(at, 0), moduleCount);
  const shown: Area = {
    ...{ left: inside(Math.floor(x)), top: inside(Math.floor(y)) },
    ...{ right: inside(Math.ceil(x + width)), bottom: inside(Math.ceil(y + height)) },
  };
  const [columns, rows] = [hiddenArea?.columns ?? 0, hiddenArea?.rows ?? 0];
  const [left, top] = [Math.floor((moduleCount - columns) / 2), Math.floor((moduleCount - rows) / 2)];
  const hidden: Area = { left, top, right: left + columns, bottom: top + rows };
  /** The middle half of each module, as a stretch of the logo. */
  const spans = (first: number, count: number, start: number, length: number, pixels: number) =>
    Array.from({ length: count }, (_, i) => {
      const from = (first + i + 0.25 - start) / length;
      return spanOf(from, from + 0.5 / length, pixels);
    });
  const across = spans(shown.left, shown.right - shown.left, x, width, light.columns);
  const down = spans(shown.top, shown.bottom - shown.top, y, height, light.rows);
  const pixelAt = (share: number, count: number): number =>
    share >= 0 && share < 1 ? Math.floor(share * count) : -1;
  return {
    area: {
      ...{ left: Math.min(left, shown.left), top: Math.min(top, shown.top) },
      ...{ right: Math.max(hidden.right, shown.right), bottom: Math.max(hidden.bottom, shown.bottom) },
    },
    ...{ hidden, shown, light },
    over: averageOver(light, across, down),
    narrowModules: Math.min(width, height),
    columnAt: (atX) => pixelAt((atX - x) / width, light.columns),
    rowAt: (atY) => pixelAt((atY - y) / height, light.rows),
  };
}
