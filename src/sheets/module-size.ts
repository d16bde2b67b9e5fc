/** How large the modules of a code come out on paper. */
import type { Design } from '../../workers/protocol.ts';
import type { Sheet } from './sheet.ts';

/** The least module that phones read in a usual print (docs/printing.md). */
export const MODULE_LEAST_MM = 0.33;
/** Modules of quiet zone on both sides. */
const QUIET_ZONES_MODULES = 8;

/** Returns the side of a module on a sheet, in mm. */
export const moduleMm = ({ label }: Sheet, moduleCount: number, { shape }: Pick<Design, 'shape'>): number =>
  label.code.widthMm /
  ((shape === 'circle' ? Math.ceil(moduleCount * Math.SQRT2) : moduleCount) + QUIET_ZONES_MODULES);
