import { type Grid, neighboursAt } from '../../design/dots.ts';
import { paintOpaque, paintTranslucent } from '../blend.ts';
import type { TileRuns } from './tile-runs.ts';

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
  const stamp = ink.isOpaque ? stampOpaque : stampTranslucent;
  for (let row = 0; row < size; row += 1) {
    const start = (y + row * modulePx) * canvas.widthPx + x;
    for (let column = 0; column < size; column += 1) {
      if (!cells[row * size + column]) continue;
      stamp(canvas, tiles[neighboursAt(grid, row, column)]!, ink, start + column * modulePx);
    }
  }
}

function stampOpaque({ widthPx, colors }: Canvas, { whole, edge }: TileRuns, ink: Ink, start: number): void {
  const { colors: inkColors, placeMask } = ink;
  for (let i = 0; i < whole.length; i += 3) {
    const at = start + whole[i]! * widthPx;
    const end = at + whole[i + 2]!;
    for (let place = at + whole[i + 1]!; place < end; place += 1) {
      colors[place] = inkColors[place & placeMask]!;
    }
  }
  for (let i = 0; i < edge.length; i += 3) {
    const place = start + edge[i]! * widthPx + edge[i + 1]!;
    colors[place] = paintOpaque(inkColors[place & placeMask]!, edge[i + 2]!, colors[place]!);
  }
}

function stampTranslucent(
  { widthPx, colors }: Canvas,
  { whole, edge }: TileRuns,
  ink: Ink,
  start: number,
): void {
  const { colors: inkColors, placeMask } = ink;
  for (let i = 0; i < whole.length; i += 3) {
    const at = start + whole[i]! * widthPx;
    const end = at + whole[i + 2]!;
    for (let place = at + whole[i + 1]!; place < end; place += 1) {
      colors[place] = paintTranslucent(inkColors[place & placeMask]!, 255, colors[place]!);
    }
  }
  for (let i = 0; i < edge.length; i += 3) {
    const place = start + edge[i]! * widthPx + edge[i + 1]!;
    colors[place] = paintTranslucent(inkColors[place & placeMask]!, edge[i + 2]!, colors[place]!);
  }
}
