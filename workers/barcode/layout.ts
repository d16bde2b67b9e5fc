/** Sizes of barcodes on paper: one module for all of them, whole dots in bitmaps, and their quiet zones. */
import { SYMBOLOGIES } from '../lists.ts';
import { BITMAP_MAX_PX, MM_PER_INCH, moduleFaultOfTill, tillModuleMm, wholeDots } from '../print/dots.ts';
import { askedModuleMm, DPI, sizeFault } from '../print/layout.ts';
import type { Fault, PrintPage } from '../protocol.ts';
import type { BarcodeTask } from './protocol.ts';
import { RULES } from './symbologies.ts';

/** Pixels of a module in a vector, where only the proportions matter. */
const VECTOR_MODULE_PX = 10;

/** The scale of a barcode. */
export interface Scale {
  readonly moduleMm: number;
  readonly modulePx: number;
  readonly mmPerPx: number;
  readonly leftModules: number;
  readonly rightModules: number;
  /** Whether pixels are dots of a printer. */
  readonly isBitmap: boolean;
}

/**
 * Returns the scale of a symbol of so many modules across. Without a size a module has the whole dots that are nearest to
 * what GS1 advises. Faults name a query parameter: a quiet zone that is too narrow, a size that tills do not read, and
 * those of `wholeDots`.
 */
export const scaleOf = ({ symbology, size, format }: BarcodeTask, modules: number): Scale | Fault => {
  const rules = RULES[symbology];
  const least = Math.max(...rules.quietModules);
  const { quietZone, dpi = DPI } = size;
  if (quietZone !== undefined && quietZone < least) {
    return { field: 'quiet_zone', message: `must be at least ${least} for ${SYMBOLOGIES[symbology].name}` };
  }
  const [leftModules, rightModules] = quietZone === undefined ? rules.quietModules : [quietZone, quietZone];
  const sideModules = leftModules + modules + rightModules;
  const usualMm = tillModuleMm(dpi, rules);
  const moduleMm = askedModuleMm(size, { sideModules, quietModules: 0, usualMm });
  if (typeof moduleMm !== 'number') return moduleMm;
  const unread = size.till ? moduleFaultOfTill(rules, size, { moduleMm, sideModules }) : null;
  if (unread !== null) return unread;
  const isBitmap = format === 'png';
  const measures = { moduleMm, sideModules, quietModules: 0 };
  const modulePx = isBitmap ? wholeDots(measures, dpi, size, BITMAP_MAX_PX / sideModules) : VECTOR_MODULE_PX;
  if (typeof modulePx !== 'number') return modulePx;
  const mmPerPx = isBitmap ? MM_PER_INCH / dpi : moduleMm / modulePx;
  return { moduleMm, modulePx, mmPerPx, leftModules, rightModules, isBitmap };
};

/** Returns the page of a canvas; a fault when it is too large. */
export const pageOf = (
  { size }: Pick<BarcodeTask, 'size'>,
  { mmPerPx, isBitmap }: Scale,
  { widthPx, heightPx }: Readonly<Record<'widthPx' | 'heightPx', number>>,
): PrintPage | Fault => {
  const page = { widthMm: widthPx * mmPerPx, heightMm: heightPx * mmPerPx, bleedMm: 0, mmPerPx, bleedPx: 0 };
  return sizeFault(isBitmap ? Math.max(widthPx, heightPx) : 0, page, size) ?? page;
};
