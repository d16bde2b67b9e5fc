/** Whether a barcode can have the size and the text that are asked for, as far as that is known before its symbol is made. */
import { type Fault, isFault } from '../protocol.ts';
import { type Digits, layOutDigits, type Placed } from './digits.ts';
import { BARS_ACROSS } from './ean.ts';
import { pageOf, type Scale, scaleOf } from './layout.ts';
import { type BarcodeTask, type BarsTask, isBars } from './protocol.ts';
import { BARS_MODULES } from './symbologies.ts';

const NO_DIGITS: Digits = { texts: [], heightPx: 0, longerPx: 0 };

/** Bars on their canvas. */
export interface BarsLayout {
  readonly scale: Scale;
  readonly placed: Placed;
  readonly below: Digits;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Lays out bars, with their digits if text is asked for. Returns the faults of `scaleOf` and `layOutDigits`. */
export const layOutBars = (task: BarsTask): BarsLayout | Fault => {
  const scale = scaleOf(task, BARS_ACROSS);
  if (isFault(scale)) return scale;
  const { symbology, text: digits } = task;
  const { modulePx, isBitmap, leftModules, rightModules } = scale;
  const xPx = leftModules * modulePx;
  const barsPx = isBitmap ? Math.round(BARS_MODULES * modulePx) : BARS_MODULES * modulePx;
  const placed = { ...scale, symbology, digits, xPx, barsPx };
  const below = task.below === undefined ? NO_DIGITS : layOutDigits(placed);
  if (isFault(below)) return below;
  const widthPx = (leftModules + BARS_ACROSS + rightModules) * modulePx;
  return { scale, placed, below, widthPx, heightPx: barsPx + below.heightPx };
};

const barsMisfit = (task: BarsTask): Fault | null => {
  const laid = layOutBars(task);
  if (isFault(laid)) return laid;
  const page = pageOf(task, laid.scale, laid);
  return isFault(page) ? page : null;
};

/** Modules of the smallest matrix. */
const LEAST_MODULES = 10;

/** The modules of a matrix are known when it is made, and so is what depends on them: what a width means, and the text. */
const matrixMisfit = (task: BarcodeTask): Fault | null => {
  const { widthMm, ...size } = task.size;
  if (widthMm !== undefined) return null;
  const scale = scaleOf({ ...task, size }, LEAST_MODULES);
  return isFault(scale) ? scale : null;
};

/** Returns why a barcode cannot be drawn so; `null`: as far as known it can. */
export const findMisfit = (task: BarcodeTask): Fault | null =>
  isBars(task) ? barsMisfit(task) : matrixMisfit(task);
