/** What tills read: GS1 General Specifications, symbol specification table 1 for two-dimensional codes at retail. */
import type { Design, Fault, Grade } from '../protocol.ts';
import { MM_PER_INCH, type PrintSize } from './dots.ts';

/** Sides of a module, the quiet zone, and the grade: 1.5 of ISO/IEC 15415 is the least that counts as 2. */
export const TILL = { leastMm: 0.396, targetMm: 0.495, mostMm: 0.99, quietModules: 4, grade: 2 as Grade };

/** Lengths that differ by less are equal: sums of doubles have rounding errors. */
const TOLERANCE_MM = 1e-6;

/** Returns the module of whole printer dots that is nearest to the target: 0.508 mm at 300 dpi. */
export const tillModuleMm = (dpi: number): number => {
  const dotMm = MM_PER_INCH / dpi;
  return dotMm * Math.max(Math.ceil(TILL.leastMm / dotMm), Math.round(TILL.targetMm / dotMm));
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
  const { leastMm, mostMm, quietModules: least } = TILL;
  if (quietModules < least) {
    return { field: 'quiet_zone', message: `must be at least ${least} for tills` };
  }
  if (moduleMm >= leastMm - TOLERANCE_MM && moduleMm <= mostMm + TOLERANCE_MM) return null;
  const sides = [Math.ceil(leastMm * sideModules * 100) / 100, Math.floor(mostMm * sideModules * 100) / 100];
  return {
    field: size.widthMm === undefined ? 'module_mm' : 'width_mm',
    message: `modules would be ${Number(moduleMm.toFixed(3))} mm; tills need ${leastMm} to ${mostMm} mm: print this code ${sides.join(' to ')} mm wide`,
  };
};
