import type { CornerType, DotType } from '../lists.ts';
import { type Grid, gridPath } from './dots.ts';
import { boxPath } from './path.ts';

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
function figure(x: number, y: number, d: number, inset: number, radius: number, hole = false): string {
  const [side, r] = [(FINDER_MODULES - 2 * inset) * d, radius * d];
  const left = x + inset * d;
  return boxPath(hole ? left + side : left, y + inset * d, hole ? -side : side, side, [r, r, r, r]);
}

const ring = (x: number, y: number, d: number, outerRadius: number, innerRadius: number): string =>
  figure(x, y, d, 0, outerRadius) + figure(x, y, d, 1, innerRadius, true);

/**
 * Returns path data of the ring of the finder pattern whose top left corner is at (`x`, `y`); a module has `d` pixels.
 * `square`, `dot` and `extra-rounded` are single figures. Every other type draws the 24 modules of the ring one by one,
 * and so does `null`, which means the dots' type.
 */
export function ringPath(type: CornerType | null, dots: DotType, x: number, y: number, d: number): string {
  if ((type ?? dots) === 'square') return ring(x, y, d, 0, 0);
  if (type === 'dot') return ring(x, y, d, 3.5, 2.5);
  if (type === 'extra-rounded') return ring(x, y, d, 2.5, 1.5);
  return gridPath(RING, type ?? dots, x, y, d);
}

/**
 * Returns path data of the centre of the finder pattern whose top left corner is at (`x`, `y`). `square` and `dot` are
 * single figures; every other type, and `null`, draws the nine modules one by one.
 */
export function centrePath(type: CornerType | null, dots: DotType, x: number, y: number, d: number): string {
  if ((type ?? dots) === 'square') return figure(x, y, d, CENTRE_INSET, 0);
  if (type === 'dot') return figure(x, y, d, CENTRE_INSET, 1.5);
  return gridPath(CENTRE, type ?? dots, x + CENTRE_INSET * d, y + CENTRE_INSET * d, d);
}
