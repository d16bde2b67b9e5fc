import type { CornerType, DotType } from '../lists.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { type Grid, gridPath } from './dots.ts';
import { boxPath } from './markup.ts';

/** Modules along one side of a finder pattern: ISO/IEC 18004:2015, 6.3.3. */
export const FINDER_MODULES = 7;
/** Modules along one side of its centre, from the same clause. */
export const CENTRE_MODULES = 3;
/** Modules between the edge of the pattern and its centre. */
export const CENTRE_INSET = 2;

const gridOf = (size: number, drawn: (row: number, column: number) => boolean): Grid => ({
  size,
  cells: Uint8Array.from({ length: size * size }, (_, i) => Number(drawn(Math.floor(i / size), i % size))),
});

const isEdge = (i: number): boolean => i === 0 || i === FINDER_MODULES - 1;
const RING: Grid = gridOf(FINDER_MODULES, (row, column) => isEdge(row) || isEdge(column));
const CENTRE: Grid = gridOf(CENTRE_MODULES, () => true);

/** Returns a box that is inset by `inset` modules on every side of the finder pattern at (`x`, `y`). */
const figure = (x: number, y: number, d: number, inset: number, radius: number, hole = false): string => {
  const [side, r] = [(FINDER_MODULES - 2 * inset) * d, radius * d];
  const left = x + inset * d;
  return boxPath(hole ? left + side : left, y + inset * d, hole ? -side : side, side, [r, r, r, r]);
};

const ring = (x: number, y: number, d: number, outerRadius: number, innerRadius: number): string =>
  figure(x, y, d, 0, outerRadius) + figure(x, y, d, 1, innerRadius, true);

/**
 * Returns path data of the ring of the finder pattern whose top left corner is at (`x`, `y`); a module has `d` pixels.
 * `square`, `dot` and `extra-rounded` are single figures. Every other type draws the 24 modules of the ring one by one,
 * and so does `null`, which means the dots' type.
 */
export const ringPath = (type: CornerType | null, dots: DotType, x: number, y: number, d: number): string => {
  if ((type ?? dots) === 'square') return ring(x, y, d, 0, 0);
  if (type === 'dot') return ring(x, y, d, 3.5, 2.5);
  if (type === 'extra-rounded') return ring(x, y, d, 2.5, 1.5);
  return gridPath(RING, type ?? dots, x, y, d);
};

/**
 * Returns path data of the centre of the finder pattern whose top left corner is at (`x`, `y`). `square` and `dot` are
 * single figures; every other type, and `null`, draws the nine modules one by one.
 */
export const centrePath = (
  type: CornerType | null,
  dots: DotType,
  x: number,
  y: number,
  d: number,
): string => {
  if ((type ?? dots) === 'square') return figure(x, y, d, CENTRE_INSET, 0);
  if (type === 'dot') return figure(x, y, d, CENTRE_INSET, 1.5);
  return gridPath(CENTRE, type ?? dots, x + CENTRE_INSET * d, y + CENTRE_INSET * d, d);
};

/** Modules in the middle of the symbol that are left out for the logo. Both counts are odd. */
export type HiddenArea = Readonly<Record<'columns' | 'rows', number>>;

type Modules = Pick<QrSymbol, 'size' | 'modules'>;

/** Returns the symbol's dark modules without the finder patterns and without what the logo hides. */
export const dataModules = ({ size, modules }: Modules, hidden: HiddenArea | null): Grid => {
  const cells = modules.slice();
  const clear = (top: number, left: number, rows: number, columns: number): void => {
    for (let row = top; row < top + rows; row++)
      cells.fill(0, row * size + left, row * size + left + columns);
  };
  for (const [row, column] of finderCells(size)) clear(row, column, FINDER_MODULES, FINDER_MODULES);
  if (hidden !== null)
    clear((size - hidden.rows) / 2, (size - hidden.columns) / 2, hidden.rows, hidden.columns);
  return { size, cells };
};

/** Returns row and column of the finder patterns' top left modules, in the order top left, top right, bottom left. */
export const finderCells = (size: number): readonly (readonly [row: number, column: number])[] => [
  [0, 0],
  [0, size - FINDER_MODULES],
  [size - FINDER_MODULES, 0],
];

/**
 * Returns the dots that fill the circle around a symbol: `rings` modules on every side, as far as they lie inside the
 * circle and outside an empty frame of one module around the symbol. They repeat the symbol's own modules, transposed,
 * so that the same symbol always gets the same filler. The design is that of `qr-code-styling`; where that library
 * would read outside the symbol, the index wraps around.
 */
export const circleFiller = ({ size, modules }: Modules, rings: number): Grid => {
  const fillerSize = size + 2 * rings;
  const centre = Math.floor(fillerSize / 2);
  const cells = new Uint8Array(fillerSize * fillerSize);
  const inFrame = (i: number): boolean => i >= rings - 1 && i <= fillerSize - rings;
  const source = (i: number): number => {
    if (i < 2 * rings) return i % size;
    return i >= size ? i - 2 * rings : i - rings;
  };
  for (let row = 0; row < fillerSize; row++) {
    for (let column = 0; column < fillerSize; column++) {
      if (inFrame(row) && inFrame(column)) continue;
      if (Math.hypot(row - centre, column - centre) > centre) continue;
      cells[row * fillerSize + column] = modules[source(column) * size + source(row)]!;
    }
  }
  return { size: fillerSize, cells };
};
