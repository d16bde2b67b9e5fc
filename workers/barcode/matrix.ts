/** Draws GS1 DataMatrix. */
import { layOutText, leastWidthPx } from '../print/text.ts';
import { type Fault, isFault } from '../protocol.ts';
import { traceGrid } from '../vector/scene.ts';
import { encodeMatrix } from './data-matrix.ts';
import { type Drawing, inked } from './drawing.ts';
import { scaleOf } from './layout.ts';
import type { BarcodeTask } from './protocol.ts';

/**
 * Draws a matrix in the middle of its canvas, which is as wide as the text needs, unless a width is asked for. Returns the
 * faults of `encodeMatrix`, `scaleOf` and `layOutText`.
 */
export const drawMatrix = (task: BarcodeTask): Drawing | Fault => {
  const grid = encodeMatrix(task.text);
  if (isFault(grid)) return grid;
  const scale = scaleOf(task, grid.size);
  if (isFault(scale)) return scale;
  const { modulePx: scalePx, leftModules: quietModules } = scale;
  const quietPx = quietModules * scalePx;
  const sidePx = grid.size * scalePx + 2 * quietPx;
  const { below: parts, size } = task;
  const above = { ...scale, quietModules, heightPx: sidePx, bleedPx: 0 };
  const textPx = parts === undefined || size.widthMm !== undefined ? 0 : leastWidthPx(parts, above);
  const widthPx = Math.max(sidePx, scale.isBitmap ? Math.ceil(textPx) : textPx);
  const text = parts === undefined ? null : layOutText(parts, { ...above, widthPx });
  if (text !== null && isFault(text)) return text;
  const xPx = Math.floor((widthPx - sidePx) / 2) + quietPx;
  return {
    scale,
    widthPx,
    heightPx: sidePx + (text?.heightPx ?? 0),
    symbol: inked(traceGrid(grid), { xPx, yPx: quietPx, scalePx }),
    texts: text === null ? [] : [text],
  };
};
