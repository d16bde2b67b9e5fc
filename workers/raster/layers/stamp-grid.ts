import { type Grid, neighboursAt } from '../../design/dots.ts';
import { getOrMake } from '../../kept.ts';
import { paintOpaque, paintTranslucent } from '../blend.ts';
import type { Mask } from '../glyph-masks.ts';

/** A picture as it is put together, in premultiplied words. */
export interface Canvas {
  readonly widthPx: number;
  readonly colors: Int32Array;
}

/** What dots are painted with: one colour, or a colour for each pixel of the canvas. */
export interface Ink {
  readonly colors: Int32Array;
  /** The colour of pixel `i` is `colors[i & placeMask]`. */
  readonly placeMask: 0 | -1;
  /** Whether resvg paints with the blend mode for opaque paints, which rounds differently. */
  readonly isOpaque: boolean;
}

/** Stamps the matching tile for every drawn cell; the grid's top left corner is at (`x`, `y`). */
export function stampGrid(
  canvas: Canvas,
  grid: Grid,
  tiles: readonly TileRuns[],
  ink: Ink,
  x: number,
  y: number,
  modulePx: number,
): void {
  const { size, cells } = grid;
  for (let row = 0; row < size; row += 1) {
    const start = (y + row * modulePx) * canvas.widthPx + x;
    for (let column = 0; column < size; column += 1) {
      if (!cells[row * size + column]) continue;
      stamp(canvas, tiles[neighboursAt(grid, row, column)]!, ink, start + column * modulePx);
    }
  }
}

function stamp({ widthPx, colors }: Canvas, { whole, edge }: TileRuns, ink: Ink, start: number): void {
  const { colors: inkColors, placeMask, isOpaque } = ink;
  for (let i = 0; i < whole.length; i += 3) {
    const at = start + whole[i]! * widthPx;
    const end = at + whole[i + 2]!;
    const from = at + whole[i + 1]!;
    if (isOpaque)
      for (let place = from; place < end; place += 1) colors[place] = inkColors[place & placeMask]!;
    else
      for (let place = from; place < end; place += 1)
        colors[place] = paintTranslucent(inkColors[place & placeMask]!, 255, colors[place]!);
  }
  for (let i = 0; i < edge.length; i += 3) {
    const place = start + edge[i]! * widthPx + edge[i + 1]!;
    const color = inkColors[place & placeMask]!;
    const [coverage, under] = [edge[i + 2]!, colors[place]!];
    colors[place] = isOpaque ? paintOpaque(color, coverage, under) : paintTranslucent(color, coverage, under);
  }
}

/** The pixels of one tile that are not empty; places are counted from the tile's top left corner. */
interface TileRuns {
  /** Pixels that the tile covers wholly, as runs within a row: row, first column, column after the last. */
  readonly whole: Uint16Array;
  /** The other pixels: row, column, coverage from 1 to 254. */
  readonly edge: Uint16Array;
}

const kept = new WeakMap<Mask, readonly TileRuns[]>();

/** Returns the runs of each tile in a mask of square tiles, one below the other. Kept as long as the mask. */
export const tileRunsOf = (mask: Mask): readonly TileRuns[] =>
  getOrMake(kept, mask, () => {
    const { coverage, widthPx } = mask;
    const tilePx = widthPx ** 2;
    return Array.from({ length: coverage.length / tilePx }, (_, i) =>
      runsOf(coverage.subarray(i * tilePx, (i + 1) * tilePx), widthPx),
    );
  });

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
