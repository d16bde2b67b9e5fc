import type { Design, Fault, Grade } from '../protocol.ts';

/** A size on paper, as a caller asks for it. `moduleMm` and `widthMm` exclude each other. */
export interface PrintSize {
  readonly moduleMm?: number;
  /** Of the canvas without its bleed. */
  readonly widthMm?: number;
  readonly dpi?: number;
  /** In modules. */
  readonly quietZone?: number;
  readonly bleedMm?: number;
  /** The rules of tills apply: `till.ts`. */
  readonly till?: true;
  /** The size is the most: modules have the greatest number of whole dots within it. */
  readonly round?: 'down';
}

/** Millimetres of an inch, exactly. */
export const MM_PER_INCH = 25.4;
/** Points of a millimetre. */
export const PT_PER_MM = 72 / MM_PER_INCH;
/** A bitmap has at most 16.8 million pixels. */
export const BITMAP_MAX_PX = 4096;
/** A length that is off whole dots by less than this gives the same picture. */
const TOLERANCE_DOTS = 1e-3;

/** The sizes that may be asked for. */
export const RANGES = {
  module_mm: { minimum: 0.1, maximum: 50 },
  width_mm: { minimum: 1, maximum: 5000 },
} as const;

/** A module, the canvas without its bleed, and a quiet zone. */
type Measures = Readonly<Record<'moduleMm' | 'sideModules' | 'quietModules', number>>;

const missOf = (dots: number): number => Math.abs(dots - Math.round(dots));

/** Whether a quiet zone has whole dots when a module has `dots`. */
const hasWholeZone = (dots: number, quietModules: number): boolean =>
  missOf(dots * quietModules) <= TOLERANCE_DOTS;

/**
 * Returns the dots per module in a bitmap: a whole number at which the quiet zone has whole dots too. Without one, a
 * fault on the size or the quiet zone names the nearest values that work. If the bleed leaves no room for a picture,
 * the number is arbitrary.
 *
 * @param mostDots Dots per module in the largest bitmap.
 */
export const wholeDots = (
  { moduleMm, sideModules, quietModules }: Measures,
  dpi: number,
  { widthMm }: PrintSize,
  mostDots: number,
): number | Fault => {
  const dots = (moduleMm * dpi) / MM_PER_INCH;
  const whole = Math.max(1, Math.round(dots));
  const isModule = Math.abs(dots - whole) <= TOLERANCE_DOTS;
  const suits = (count: number): boolean => hasWholeZone(count, quietModules);
  if (isModule && suits(whole)) return whole;

  const faultOf = (field: string, count: number, part: string, values: readonly number[]): Fault => ({
    field,
    // Six decimals are exact enough to round-trip at 2400 dpi.
    message: `gives ${Number(count.toFixed(3))} dots ${part} at ${dpi} dpi, and a PNG or WebP has whole dots; send ${values.map((value) => Number(value.toFixed(6))).join(' or ')}`,
  });
  const faultOfZone = (steps: number): Fault =>
    faultOf('quiet_zone', quietModules * dots, 'on each side', [
      Math.floor(quietModules * steps) / steps,
      Math.ceil(quietModules * steps) / steps,
    ]);
  const unitMm = MM_PER_INCH / dpi;
  if (widthMm === undefined) {
    if (isModule) return faultOfZone(whole);
    const modules = sizesNear(dots, mostDots, unitMm, RANGES.module_mm, () => true);
    return modules.length > 0 ? faultOf('module_mm', dots, 'a module', modules) : Math.ceil(dots);
  }
  // The width decides the module and, with it, the dots of the quiet zone.
  const widths = sizesNear(dots, mostDots, unitMm * sideModules, RANGES.width_mm, suits);
  if (widths.length > 0) return faultOf('width_mm', dots, 'a module', widths);
  return mostDots < 1 ? whole : faultOfZone(1);
};

/** Returns the sizes in millimetres of the nearest suitable counts of dots, below and above. */
const sizesNear = (
  dots: number,
  mostDots: number,
  unitMm: number,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  suits: (count: number) => boolean,
): readonly number[] => {
  const counts = Array.from({ length: Math.max(0, Math.floor(mostDots)) }, (_, index) => index + 1).filter(
    (count) => count * unitMm >= minimum && count * unitMm <= maximum && suits(count),
  );
  return [counts.findLast((count) => count <= dots), counts.find((count) => count > dots)]
    .filter((count) => count !== undefined)
    .map((count) => count * unitMm);
};

/** Modules of quiet zone on each side: ISO/IEC 18004:2015, 6.3.8. */
export const QUIET_ZONE_MODULES = 4;

/** Returns the modules of a picture's side: the symbol, or the whole modules around a circle, and both quiet zones. */
export const sideModulesOf = (
  moduleCount: number,
  { shape }: Pick<Design, 'shape'>,
  quietModules = QUIET_ZONE_MODULES,
): number => (shape === 'circle' ? Math.ceil(moduleCount * Math.SQRT2) : moduleCount) + 2 * quietModules;

/** The dots per inch of label printers. */
export const PRINTER_DPI = [203, 300, 600] as const;

/**
 * Returns the largest module of whole dots that is not larger, and at which the quiet zone has whole dots too if there is
 * one; 0 when it has less than one dot.
 */
export const downToDots = (moduleMm: number, dpi: number, quietModules = QUIET_ZONE_MODULES): number => {
  const most = Math.floor((moduleMm * dpi) / MM_PER_INCH + TOLERANCE_DOTS);
  let dots = most;
  while (dots > 0 && !hasWholeZone(dots, quietModules)) dots -= 1;
  return ((dots || most) * MM_PER_INCH) / dpi;
};

/** Returns the size of a code that fills a width; with `dpi`, of whole dots of that printer within it. */
export const sizeOnLabel = (widthMm: number, dpi: number | null, isForTill: boolean): PrintSize => ({
  widthMm,
  ...(dpi !== null && { dpi, round: 'down' }),
  ...(isForTill && { till: true }),
});

/**
 * What tills read: sides of a module, the quiet zone, and the grade. GS1 General Specifications, symbol specification
 * table 1 for two-dimensional codes at retail; 1.5 of ISO/IEC 15415 is the least that counts as 2.
 */
export const TILL = { leastMm: 0.396, targetMm: 0.495, mostMm: 0.99, quietModules: 4, grade: 2 as Grade };

/** Lengths that differ by less are equal: sums of doubles have rounding errors. */
const TOLERANCE_MM = 1e-6;

/** The sides of a module that tills read, and the one that GS1 advises. */
export type TillModules = Readonly<Record<'leastMm' | 'targetMm' | 'mostMm', number>>;

/** Returns the module of whole printer dots that is nearest to the target: 0.508 mm at 300 dpi. */
export const tillModuleMm = (dpi: number, { leastMm, targetMm }: TillModules = TILL): number => {
  const dotMm = MM_PER_INCH / dpi;
  return dotMm * Math.max(Math.ceil(leastMm / dotMm), Math.round(targetMm / dotMm));
};

/** Returns why tills do not read a design of this size; `null`: they do. */
export const sizeFaultOfTill = (
  { shape }: Pick<Design, 'shape'>,
  size: PrintSize,
  {
    moduleMm,
    sideModules,
    quietModules,
  }: Readonly<Record<'moduleMm' | 'sideModules' | 'quietModules', number>>,
): Fault | null => {
  if (shape !== 'square') return { field: 'shape', message: 'must be square for tills' };
  const { quietModules: least } = TILL;
  if (quietModules < least) {
    return { field: 'quiet_zone', message: `must be at least ${least} for tills` };
  }
  return moduleFaultOfTill(TILL, size, { moduleMm, sideModules });
};

/** Returns why tills do not read modules of this side; `null`: they do. @param sideModules Those of the whole width. */
export const moduleFaultOfTill = (
  { leastMm, mostMm }: TillModules,
  size: PrintSize,
  { moduleMm, sideModules }: Readonly<Record<'moduleMm' | 'sideModules', number>>,
): Fault | null => {
  if (moduleMm >= leastMm - TOLERANCE_MM && moduleMm <= mostMm + TOLERANCE_MM) return null;
  const sides = [Math.ceil(leastMm * sideModules * 100) / 100, Math.floor(mostMm * sideModules * 100) / 100];
  return {
    field: size.widthMm === undefined ? 'module_mm' : 'width_mm',
    message: `modules would be ${Number(moduleMm.toFixed(3))} mm; tills need ${leastMm} to ${mostMm} mm: print this code ${sides.join(' to ')} mm wide`,
  };
};
