import type { QrSymbol } from '../symbol/symbol.ts';
import type { Grid } from './dots.ts';
import { FINDER_MODULES } from './finders.ts';

/** Modules in the middle of the symbol that are left out for the logo. Both counts are odd. */
export interface HiddenArea {
  readonly columns: number;
  readonly rows: number;
}

/** Returns the symbol's dark modules without the finder patterns and without what the logo hides. */
export function dataModules(
  { size, modules }: Pick<QrSymbol, 'size' | 'modules'>,
  hidden: HiddenArea | null,
): Grid {
  const cells = modules.slice();
  const clear = (top: number, left: number, rows: number, columns: number): void => {
    for (let row = top; row < top + rows; row++) {
      cells.fill(0, row * size + left, row * size + left + columns);
    }
  };
  for (const [row, column] of finderCells(size)) clear(row, column, FINDER_MODULES, FINDER_MODULES);
  if (hidden !== null) {
    clear((size - hidden.rows) / 2, (size - hidden.columns) / 2, hidden.rows, hidden.columns);
  }
  return { size, cells };
}

/** Returns row and column of the finder patterns' top left cells, in the order top left, top right, bottom left. */
export const finderCells = (size: number): readonly (readonly [row: number, column: number])[] => [
  [0, 0],
  [0, size - FINDER_MODULES],
  [size - FINDER_MODULES, 0],
];
