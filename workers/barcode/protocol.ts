/** The barcodes beside the QR code: what the gateway asks a render thread for. */
import type { Symbology } from '../lists.ts';
import { BITMAP_MAX_PX, MM_PER_INCH, type PrintSize } from '../print/dots.ts';
import type { RenderTask } from '../protocol.ts';

/** One barcode to draw, black on white, in millimetres. */
export interface BarcodeTask extends Pick<RenderTask, 'format'> {
  readonly symbology: Symbology;
  /** A matrix: elements with their AIs in brackets. Bars: 13 digits, with a zero before the 12 of UPC-A. */
  readonly text: string;
  /** `quietZone` is a whole number. */
  readonly size: Omit<PrintSize, 'bleedMm'>;
  /** The text below, in parts that are never broken. Absent: none. Below bars it is always their digits. */
  readonly below?: readonly string[];
  /** The word TEST under the symbol. Absent: none. */
  readonly mark?: 'test';
}

/** A barcode of bars. */
export interface BarsTask extends BarcodeTask {
  readonly symbology: Exclude<Symbology, 'gs1-datamatrix'>;
}

/** Whether a barcode has bars. */
export const isBars = (task: BarcodeTask): task is BarsTask => task.symbology !== 'gs1-datamatrix';

/** Milliseconds for each file, and for a million pixels. */
const COSTS: Readonly<Record<RenderTask['format'], readonly [file: number, megapixel: number]>> = {
  png: [2, 13],
  svg: [1, 0],
  pdf: [3, 0],
  eps: [1.5, 0],
};
/** Of all bars with their quiet zones, and of more than most matrices have. */
const ACROSS_MODULES = 113;
/** To make the symbol: a matrix of up to some 300 characters, and bars. */
const SYMBOL_MS = { matrix: 7, bars: 0 } as const;

/** Estimates the time that a barcode takes in a render thread, before its symbol is made. */
export const estimateBarcodeMs = (task: BarcodeTask): number => {
  const { format, size } = task;
  const [file, megapixel] = COSTS[format];
  const symbol = SYMBOL_MS[isBars(task) ? 'bars' : 'matrix'];
  const { moduleMm = 0.5, widthMm = moduleMm * ACROSS_MODULES, dpi = 300 } = size;
  const sidePx = Math.min(BITMAP_MAX_PX, (widthMm * dpi) / MM_PER_INCH);
  return symbol + file + (megapixel * sidePx ** 2) / 1e6;
};
