/** Draws EAN-13 and UPC-A. */
import { boxPath } from '../design/markup.ts';
import { type Fault, isFault } from '../protocol.ts';
import { isLonger } from './digits.ts';
import { type Drawing, inked } from './drawing.ts';
import { barsOf } from './ean.ts';
import { layOutBars } from './fit.ts';
import type { BarsTask } from './protocol.ts';

/** Draws bars, with their digits if text is asked for. Returns the faults of `layOutBars`. */
export const drawBars = (task: BarsTask): Drawing | Fault => {
  const laid = layOutBars(task);
  if (isFault(laid)) return laid;
  const { scale, placed, below, widthPx, heightPx } = laid;
  const { modulePx } = scale;
  const { symbology, digits, xPx, barsPx } = placed;
  const boxes = barsOf(digits).map(({ from, modules }) =>
    boxPath(
      xPx + from * modulePx,
      0,
      modules * modulePx,
      barsPx + (isLonger(symbology, from) ? below.longerPx : 0),
    ),
  );
  return { scale, widthPx, heightPx, symbol: inked(boxes.join('')), texts: below.texts };
};
