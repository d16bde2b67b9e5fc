import type { Mask } from '../glyph-masks.ts';

/** The pixels of one tile that are not empty; places are counted from the tile's top left corner. */
export interface TileRuns {
  /** Pixels that the tile covers wholly, as runs within a row: row, first column, column after the last. */
  readonly whole: Uint16Array;
  /** The other pixels: row, column, coverage from 1 to 254. */
  readonly edge: Uint16Array;
}

const known = new WeakMap<Mask, readonly TileRuns[]>();

/** Returns the runs of each tile in a mask of square tiles, one below the other. Kept as long as the mask. */
export function tileRunsOf(mask: Mask): readonly TileRuns[] {
  const kept = known.get(mask);
  if (kept) return kept;
  const tilePx = mask.widthPx ** 2;
  const count = mask.coverage.length / tilePx;
  const tiles = Array.from({ length: count }, (_, i) =>
    runsOf(mask.coverage.subarray(i * tilePx, (i + 1) * tilePx), mask.widthPx),
  );
  known.set(mask, tiles);
  return tiles;
}

function runsOf(coverage: Uint8Array, sidePx: number): TileRuns {
  const whole: number[] = [];
  const edge: number[] = [];
  for (let row = 0; row < sidePx; row += 1) {
    for (let x = 0; x < sidePx; x += 1) {
      const covered = coverage[row * sidePx + x]!;
      if (covered > 0 && covered < 255) edge.push(row, x, covered);
      if (covered < 255) continue;
      const from = x;
      while (x + 1 < sidePx && coverage[row * sidePx + x + 1] === 255) x += 1;
      whole.push(row, from, x + 1);
    }
  }
  return { whole: Uint16Array.from(whole), edge: Uint16Array.from(edge) };
}
