import { DOT_TYPES, type DotType, isLone, namesOf } from '../lists.ts';
import { boxPath, moveTo, outline, type Radii } from './markup.ts';

/** Bits of a neighbour mask: which of a module's four edge neighbours are drawn in the same figure. */
const TOP = 1;
/** The bit of the neighbour at the right. */
export const RIGHT = 2;
const BOTTOM = 4;
/** The bit of the neighbour at the left. */
export const LEFT = 8;

/** A square of cells, row by row; 1 means drawn. */
export interface Grid {
  readonly size: number;
  readonly cells: Uint8Array;
}

/** The two edges that meet in each corner, clockwise from the top left. */
const CORNER_EDGES = [TOP | LEFT, TOP | RIGHT, BOTTOM | RIGHT, BOTTOM | LEFT] as const;
const ALL_CORNERS = [true, true, true, true] as const;
const LEAF_CORNERS = [true, false, true, false] as const;

/** Which corners may be round, and their radius in modules for a module with `count` neighbours. */
const FREE_CORNERS = {
  rounded: { round: ALL_CORNERS, radius: () => 0.5 },
  'extra-rounded': { round: ALL_CORNERS, radius: (count: number) => (count === 2 ? 1 : 0.5) },
  classy: { round: LEAF_CORNERS, radius: () => 0.5 },
  'classy-rounded': { round: LEAF_CORNERS, radius: (count: number) => (count === 0 ? 0.5 : 1) },
};

const bitCount = (mask: number): number => (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + (mask >> 3);

/** A corner is round when no drawn neighbour touches either of its edges (design of `qr-code-styling`). */
const unitRadii = (type: DotType, neighbours: number): Radii => {
  if (type === 'square') return [0, 0, 0, 0];
  if (isLone(type)) return [0.5, 0.5, 0.5, 0.5];
  const { round, radius } = FREE_CORNERS[type];
  const size = radius(bitCount(neighbours));
  return CORNER_EDGES.map((edges, i) =>
    round[i] && (neighbours & edges) === 0 ? size : 0,
  ) as unknown as Radii;
};

const NEIGHBOUR_MASKS = Array.from({ length: 16 }, (_, mask) => mask);
const tilesOf = (type: DotType) => {
  const radii = NEIGHBOUR_MASKS.map((mask) => unitRadii(type, mask));
  return { radii, sharp: radii.map((corners) => corners.every((radius) => radius === 0)) };
};

/** All tiles: each style by sixteen neighbour masks. A `sharp` tile fills its whole cell. */
const TILES = Object.fromEntries(namesOf(DOT_TYPES).map((type) => [type, tilesOf(type)])) as Readonly<
  Record<DotType, ReturnType<typeof tilesOf>>
>;

/** Returns path data of one module of side `d` pixels whose top left corner is at (`x`, `y`). */
export const dotPath = (type: DotType, neighbours: number, x: number, y: number, d: number): string =>
  boxPath(x, y, d, d, radiiOf(type, neighbours, d));

const radiiOf = (type: DotType, neighbours: number, d: number): Radii => {
  const [topLeft, topRight, bottomRight, bottomLeft] = TILES[type].radii[neighbours]!;
  return [topLeft * d, topRight * d, bottomRight * d, bottomLeft * d];
};

/** Whether the module fills its whole cell, so that it can be joined with others like it. */
const isWholeCell = (type: DotType, neighbours: number): boolean => TILES[type].sharp[neighbours]!;

/** Returns the neighbour mask of a cell; cells outside the grid count as not drawn. */
export const neighboursAt = ({ size, cells }: Grid, row: number, column: number): number => {
  const at = row * size + column;
  return (
    (row > 0 && cells[at - size] ? TOP : 0) |
    (column < size - 1 && cells[at + 1] ? RIGHT : 0) |
    (row < size - 1 && cells[at + size] ? BOTTOM : 0) |
    (column > 0 && cells[at - 1] ? LEFT : 0)
  );
};

/** Returns path data of all drawn cells of a grid from (`x`, `y`) on. Whole cells in a row are joined. */
export const gridPath = (grid: Grid, type: DotType, x: number, y: number, d: number): string => {
  const { size, cells } = grid;
  const tileAt = tilePainter(type, x, y, d);
  let data = '';
  for (let row = 0; row < size; row++) {
    const top = y + row * d;
    let runStart = -1;
    for (let column = 0; column <= size; column++) {
      const drawn = column < size && cells[row * size + column] === 1;
      const neighbours = drawn ? neighboursAt(grid, row, column) : 0;
      if (drawn && isWholeCell(type, neighbours)) {
        if (runStart < 0) runStart = column;
        continue;
      }
      if (runStart >= 0) data += boxPath(x + runStart * d, top, (column - runStart) * d, d);
      runStart = -1;
      if (drawn) data += tileAt(neighbours, x + column * d, top);
    }
  }
  return data;
};

/** Does what `dotPath` does, but on whole pixels it formats the outline of each tile only once. */
const tilePainter = (type: DotType, originX: number, originY: number, d: number) => {
  const isWhole = [originX, originY, d].every(Number.isInteger);
  if (!isWhole) return (neighbours: number, x: number, y: number) => dotPath(type, neighbours, x, y, d);
  const radii = NEIGHBOUR_MASKS.map((mask) => radiiOf(type, mask, d));
  const outlines = radii.map((corners) => outline(0, 0, d, d, corners));
  return (neighbours: number, x: number, y: number) =>
    moveTo(x + radii[neighbours]![0], y) + outlines[neighbours]!;
};
