/** Draws EAN-13 and UPC-A. */
import { boxPath } from '../design/markup.ts';
import { type Fault, isFault } from '../protocol.ts';
import { type Digits, isLonger, layOutDigits } from './digits.ts';
import { type Drawing, inked } from './drawing.ts';
import { BARS_ACROSS, barsOf } from './ean.ts';
import { scaleOf } from './layout.ts';
import type { BarsTask } from './protocol.ts';
import { BARS_MODULES } from './symbologies.ts';

const NO_DIGITS: Digits = { texts: [], heightPx: 0, longerPx: 0 };

/** Draws bars, with their digits if text is asked for. Returns the faults of `scaleOf` and `layOutDigits`. */
export const drawBars = (task: BarsTask): Drawing | Fault => {
  const scale = scaleOf(task, BARS_ACROSS);
  if (isFault(scale)) return scale;
  const { symbology, text: digits } = task;
  const { modulePx, isBitmap, leftModules, rightModules } = scale;
  const xPx = leftModules * modulePx;
  const barsPx = isBitmap ? Math.round(BARS_MODULES * modulePx) : BARS_MODULES * modulePx;
  const placed = { ...scale, symbology, digits, xPx, barsPx };
  const below = task.below === undefined ? NO_DIGITS : layOutDigits(placed);
  if (isFault(below)) return below;
  const { texts, longerPx } = below;
  const boxes = barsOf(digits).map(({ from, modules }) =>
    boxPath(
      xPx + from * modulePx,
      0,
      modules * modulePx,
      barsPx + (isLonger(symbology, from) ? longerPx : 0),
    ),
  );
  return {
    scale,
    widthPx: (leftModules + BARS_ACROSS + rightModules) * modulePx,
    heightPx: barsPx + below.heightPx,
    symbol: inked(boxes.join('')),
    texts,
  };
};
