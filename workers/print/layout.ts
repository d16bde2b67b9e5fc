import { planRender } from '../plan.ts';
import { type Design, type Fault, isFault, type PrintPage, type Surround } from '../protocol.ts';
import { fitSymbol } from '../symbol/fit.ts';
import {
  BITMAP_MAX_PX,
  downToDots,
  MM_PER_INCH,
  type PrintSize,
  QUIET_ZONE_MODULES,
  sideModulesOf,
  sizeFaultOfTill,
  tillModuleMm,
  wholeDots,
} from './dots.ts';
import { layOutSurround, type Words } from './surround.ts';

/** A design for paper, and the size of its page. */
export interface PrintLayout {
  /** Its canvas is symbol and quiet zone; in a bitmap also the bleed. Canvas and modules are whole pixels. */
  readonly design: Design;
  readonly page: PrintPage;
  /** Absent without text, caption and frame. */
  readonly around?: Surround;
}

const NO_WORDS: Words = { parts: [] };

const hasWords = ({ parts, caption, frame }: Words): boolean =>
  parts.length > 0 || caption !== undefined || frame !== undefined;

/** Pixels per module in the design of a vector, where only the proportions matter. */
const VECTOR_MODULE_PX = 10;
/** The same where the quiet zone is not a whole number of those; rounding it changes modules by 0.05 % at most. */
const FINE_VECTOR_MODULE_PX = 100;
const DOTS_PER_MODULE = 10;
/** Dots per inch where nothing is asked. */
export const DPI = 300;
/** The largest page of a PDF has 14,400 points a side: ISO 32000-1, annex C. */
const PAGE_MAX_MM = 5000;

/**
 * Lays a design out in millimetres: the canvas is the symbol, or the whole modules around a circle, with the quiet zone
 * on each side. `width`, `height` and `margin` of the design do not apply, nor does `roundSize`, and the margin of the
 * logo is scaled with the module. Without a size a module has ten dots, or for tills what `tillModuleMm` says; without
 * `dpi` there are 300.
 *
 * Faults name a query parameter: the size or the quiet zone when a bitmap would not have whole dots, or the size when
 * the page is too large or, rounded down, a module has no dot. Those of `fitSymbol` name the content; others are those of
 * `sizeFaultOfTill` and `layOutSurround`. What stands around the code makes the page larger; the code stays as it is.
 */
export const layOutPrint = (
  text: string,
  design: Design,
  size: PrintSize,
  kind: 'bitmap' | 'vector',
  words: Words = NO_WORDS,
): PrintLayout | Fault => {
  const symbol = fitSymbol(text, design.symbol);
  if (isFault(symbol)) return symbol;
  const { moduleCount } = symbol;
  const quietModules = size.quietZone ?? QUIET_ZONE_MODULES;
  const sideModules = sideModulesOf(moduleCount, design, quietModules);
  const acrossModules = sideModulesOf(moduleCount, design, 0);

  const dpi = size.dpi ?? DPI;
  const usualMm = size.till ? tillModuleMm(dpi) : (DOTS_PER_MODULE * MM_PER_INCH) / dpi;
  const wantedMm = askedModuleMm(size, { sideModules, quietModules, usualMm });
  if (typeof wantedMm !== 'number') return wantedMm;
  const measures = { moduleMm: wantedMm, sideModules, quietModules };
  const unread = size.till ? sizeFaultOfTill(design, size, measures) : null;
  if (unread !== null) return unread;
  const bleedMm = size.bleedMm ?? 0;
  const bleedPx = kind === 'bitmap' ? Math.round((bleedMm * dpi) / MM_PER_INCH) : 0;
  const dots =
    kind === 'vector'
      ? vectorModulePx(quietModules)
      : wholeDots(measures, dpi, size, (BITMAP_MAX_PX - 2 * bleedPx) / sideModules);
  if (typeof dots !== 'number') return dots;
  const sidePx = acrossModules * dots + 2 * Math.round(quietModules * dots);
  const mmPerPx = kind === 'bitmap' ? MM_PER_INCH / dpi : (wantedMm * sideModules) / sidePx;
  const isBitmap = kind === 'bitmap';
  const square = { sidePx, modulePx: dots, quietModules, bleedPx, mmPerPx, isBitmap };
  const around = hasWords(words) ? layOutSurround(words, square, design) : null;
  if (around !== null && isFault(around)) return around;
  const widthPx = sidePx + (around === null ? 0 : around.leftPx + around.rightPx);
  const heightPx = sidePx + (around === null ? 0 : around.topPx + around.bottomPx);
  const page = { widthMm: widthPx * mmPerPx, heightMm: heightPx * mmPerPx, bleedMm, mmPerPx, bleedPx };
  const tooLarge = sizeFault(isBitmap ? Math.max(widthPx, heightPx) + 2 * bleedPx : 0, page, size);
  if (tooLarge !== null) return tooLarge;
  // In a circle the design needs the root of two, and the rest of the last module is margin.
  const innerPx =
    design.shape === 'circle' ? Math.ceil(moduleCount * Math.SQRT2 * dots) : acrossModules * dots;
  return {
    page,
    ...(around === null ? {} : { around }),
    design: {
      ...design,
      widthPx: sidePx + 2 * bleedPx,
      heightPx: sidePx + 2 * bleedPx,
      marginPx: bleedPx + (sidePx - innerPx) / 2,
      dots: { ...design.dots, roundSize: true },
      image: { ...design.image, marginPx: design.image.marginPx * (dots / modulePxOf(text, design)) },
    },
  };
};

/**
 * Returns the side of a module in millimetres that a size asks for, rounded down if it asks for that; a fault when it
 * then has no dot.
 *
 * @param usualMm The side where no size is asked.
 */
export const askedModuleMm = (
  size: PrintSize,
  {
    sideModules,
    quietModules,
    usualMm,
  }: Readonly<Record<'sideModules' | 'quietModules' | 'usualMm', number>>,
): number | Fault => {
  const { moduleMm, widthMm, dpi = DPI } = size;
  const askedMm = moduleMm ?? (widthMm === undefined ? usualMm : widthMm / sideModules);
  if (size.round !== 'down') return askedMm;
  return downToDots(askedMm, dpi, quietModules) || dotFault(size, dpi, sideModules);
};

/** Returns the parameter that decides the size. */
const fieldOf = ({ moduleMm, widthMm }: PrintSize): string =>
  moduleMm !== undefined ? 'module_mm' : widthMm !== undefined ? 'width_mm' : 'dpi';

const dotFault = (size: PrintSize, dpi: number, sideModules: number): Fault => {
  const leastMm = Math.ceil((sideModules * MM_PER_INCH * 100) / dpi) / 100;
  const message = `gives less than a dot a module at ${dpi} dpi; this code needs at least ${leastMm} mm`;
  return { field: fieldOf(size), message };
};

const vectorModulePx = (quietModules: number): number =>
  Number.isInteger(quietModules * VECTOR_MODULE_PX) ? VECTOR_MODULE_PX : FINE_VECTOR_MODULE_PX;

/** The design's own pixels per module, but at least 1. */
const modulePxOf = (text: string, design: Design): number => {
  const plan = planRender(text, design, null);
  return isFault(plan) ? 1 : plan.geometry.modulePx;
};

/** Returns why a page is not drawn; `null`: it is. @param bitmapPx The longest side of a bitmap; 0: it is a vector. */
export const sizeFault = (bitmapPx: number, page: PrintPage, size: PrintSize): Fault | null => {
  const field = fieldOf(size);
  if (bitmapPx > BITMAP_MAX_PX) {
    return { field, message: `gives ${bitmapPx} pixels a side; a PNG or WebP has at most ${BITMAP_MAX_PX}` };
  }
  const sideMm = Math.max(page.widthMm, page.heightMm) + 2 * page.bleedMm;
  return sideMm <= PAGE_MAX_MM
    ? null
    : { field, message: `gives ${Math.ceil(sideMm)} mm a side; at most ${PAGE_MAX_MM} are drawn` };
};
