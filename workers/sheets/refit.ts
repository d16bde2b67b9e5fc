import { layOut } from '../design/geometry.ts';
import type { LogoSize } from '../design/logo.ts';
import { isFault } from '../plan.ts';
import type { Design, Fault } from '../protocol.ts';
import { fitSymbol } from '../symbol/fit.ts';

/** Pixels a module of a refitted design. Paths have three decimals, so this is a tenth of a thousandth of a module. */
const MODULE_PX = 10;
/** Modules of quiet zone on each side: ISO/IEC 18004:2015, 6.3.8. */
const QUIET_ZONE_MODULES = 4;

/**
 * Returns a design whose canvas is exactly the symbol and its quiet zone, square, at `MODULE_PX` a module. The margin of
 * the logo keeps its size in modules. Returns the faults of `fitSymbol`.
 */
export function refit(text: string, design: Design, logo: LogoSize | null): Design | Fault {
  const symbol = fitSymbol(text, design.symbol);
  if (isFault(symbol)) return symbol;
  const across = design.shape === 'circle' ? symbol.moduleCount * Math.SQRT2 : symbol.moduleCount;
  const sidePx = Math.ceil((across + 2 * QUIET_ZONE_MODULES) * MODULE_PX);
  const before = logo === null ? null : layOut(design, symbol, null);
  const scale = before === null || isFault(before) ? 1 : MODULE_PX / before.modulePx;
  return {
    ...design,
    widthPx: sidePx,
    heightPx: sidePx,
    marginPx: QUIET_ZONE_MODULES * MODULE_PX,
    image: { ...design.image, marginPx: design.image.marginPx * scale },
  };
}
