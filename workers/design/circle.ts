import type { QrSymbol } from '../symbol/symbol.ts';
import type { Grid } from './dots.ts';

/**
 * Returns the dots that fill the circle around a symbol: `rings` modules on every side, as far as they lie inside the
 * circle and outside an empty frame of one module around the symbol. They repeat the symbol's own modules, transposed,
 * so that the same symbol always gets the same filler. The design is that of `qr-code-styling`; where that library
 * would read outside the symbol, the index wraps around.
 */
export function circleFiller({ size, modules }: Pick<QrSymbol, 'size' | 'modules'>, rings: number): Grid {
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
