/** What each symbology needs on paper, for what is sold at retail: GS1 General Specifications, symbol specification table 1. */
import type { Symbology } from '../lists.ts';
import { TILL, type TillModules } from '../print/dots.ts';

/** Sides of a module, and the modules that stay empty left and right; above and below, only a matrix needs them. */
interface Rules extends TillModules {
  readonly quietModules: readonly [left: number, right: number];
}

/** 80 to 200 % of the size that is nominal for bars. */
const BARS: TillModules = { leastMm: 0.264, targetMm: 0.33, mostMm: 0.66 };

/** The quiet zones of bars are in section 5.2, that of the matrix in 5.6. */
export const RULES: Readonly<Record<Symbology, Rules>> = {
  'gs1-datamatrix': { ...TILL, quietModules: [1, 1] },
  'ean-13': { ...BARS, quietModules: [11, 7] },
  'upc-a': { ...BARS, quietModules: [9, 9] },
};

/** Height of bars, in modules: 22.85 mm where a module has 0.33 mm. */
export const BARS_MODULES = 22.85 / BARS.targetMm;
