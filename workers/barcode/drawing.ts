/** A barcode as it is drawn, before it is written in a format. */
import type { TextBlock } from '../protocol.ts';
import { CANVAS, type Frame, type Shape } from '../vector/scene.ts';
import type { Scale } from './layout.ts';

/** The symbol and its text, and the canvas that they need. */
export interface Drawing {
  readonly scale: Scale;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly symbol: Shape;
  readonly texts: readonly TextBlock[];
}

/** The ink of symbols and texts. */
export const INK = '#000000';

/** Returns a path in the ink. @param frame Absent: the path is in pixels of the canvas. */
export const inked = (path: string, frame: Frame = CANVAS): Shape => ({
  path,
  paint: INK,
  // Only gradients have one.
  box: { x: 0, y: 0, width: 0, height: 0 },
  frame,
});
