import type { Fault } from '../protocol.ts';

/** A size on paper, as a caller asks for it. `moduleMm` and `widthMm` exclude each other. */
export interface PrintSize {
  readonly moduleMm?: number;
  /** Of the canvas without its bleed. */
  readonly widthMm?: number;
  readonly dpi?: number;
  /** In modules. */
  readonly quietZone?: number;
  readonly bleedMm?: number;
}

const MM_PER_INCH = 25.4;
/** A module that misses whole dots by less has the same picture. */
const TOLERANCE_DOTS = 1e-3;

/**
 * Returns the dots of a module in a bitmap, or a fault on the size that names the nearest sizes below and above at
 * which a module has whole dots.
 */
export function wholeDots(
  moduleMm: number,
  dpi: number,
  sideModules: number,
  { widthMm }: PrintSize,
): number | Fault {
  const dots = (moduleMm * dpi) / MM_PER_INCH;
  const whole = Math.round(dots);
  if (whole >= 1 && Math.abs(dots - whole) <= TOLERANCE_DOTS) return whole;
  const modules = widthMm === undefined ? 1 : sideModules;
  const nearest = [Math.floor(dots), Math.floor(dots) + 1]
    .filter((count) => count >= 1)
    // Six decimals are exact enough to be sent back at 2400 dpi.
    .map((count) => Number(((count * modules * MM_PER_INCH) / dpi).toFixed(6)));
  return {
    field: widthMm === undefined ? 'module_mm' : 'width_mm',
    message: `gives ${Number(dots.toFixed(3))} dots a module at ${dpi} dpi, and a PNG or WebP has whole dots; send ${nearest.join(' or ')}`,
  };
}
