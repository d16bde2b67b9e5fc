import type { QrSymbol } from '../symbol/symbol.ts';
import type { Grid } from './dots.ts';
import { FINDER_MODULES } from './finders.ts';

/** Modules in the middle of the symbol that are left out for the logo. Both counts are odd. */
export type HiddenArea = Readonly<Record<'columns' | 'rows', number>>;

type Modules = Pick<QrSymbol, 'size' | 'modules'>;

/** Returns the symbol's dark modules without the finder patterns and without what the logo hides. */
export function dataModules({ size, modules }: Modules, hidden: HiddenArea | null): Grid {
  const cells = modules.slice();
  const clear = (top: number, left: number, rows: number, columns: number): void => {
    for (let row = top; row < top + rows; row++)
      cells.fill(0, row * size + left, row * size + left + columns);
  };
  for (const [row, column] of finderCells(size)) clear(row, column, FINDER_MODULES, FINDER_MODULES);
  if (hidden !== null)
    clear((size - hidden.rows) / 2, (size - hidden.columns) / 2, hidden.rows, hidden.columns);
  return { size, cells };
}

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
export function circleFiller({ size, modules }: Modules, rings: number): Grid {
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
}
