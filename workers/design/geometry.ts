import { isFault } from '../fault.ts';
import type { Design, Fault } from '../protocol.ts';
import type { SymbolPlan } from '../symbol/fit.ts';
import type { Box } from './gradient.ts';
import { type LogoSize, placeLogo } from './logo.ts';
import type { HiddenArea } from './modules.ts';

/** Where everything is, in pixels from the canvas' top left corner. */
export interface Geometry {
  readonly moduleCount: number;
  /** Side of a module, at least 1. A whole number when `dots.roundSize` is set. */
  readonly modulePx: number;
  /** The symbol's top left corner, without quiet zone. */
  readonly xPx: number;
  readonly yPx: number;
  /** Modules of filler on each side of a circle's symbol; 0 for a square. */
  readonly fillerRings: number;
  readonly logo: Box | null;
  /** The modules that are left out for the logo. */
  readonly hidden: HiddenArea | null;
}

/** Modules of quiet zone on each side when the caller asks for no margin: ISO/IEC 18004:2015, 6.3.8. */
const QUIET_ZONE_MODULES = 4;

/**
 * Lays the symbol out on the canvas: centred, and as large as canvas and margin allow. In a circle the symbol is
 * the square inside it, so it is smaller by the root of two.
 *
 * Faults: `width` or `height` when the canvas is too small for the content, `margin` when the margin leaves less
 * than a pixel for each module, and those of `placeLogo`.
 */
export function layOut(design: Design, symbol: SymbolPlan, logo: LogoSize | null): Geometry | Fault {
  const { moduleCount, level } = symbol;
  const { widthPx, heightPx, marginPx, shape } = design;
  const round = roundingOf(design.dots);
  const side = Math.min(widthPx, heightPx);
  const modulesAcross = shape === 'circle' ? moduleCount * Math.SQRT2 : moduleCount;

  const modulePx =
    marginPx === null
      ? round(side / (modulesAcross + 2 * QUIET_ZONE_MODULES))
      : round((side - 2 * marginPx) / modulesAcross);
  if (modulePx < 1) return tooSmall(design, modulesAcross);

  const innerPx = side - 2 * (marginPx ?? QUIET_ZONE_MODULES * modulePx);
  const fillerRings = shape === 'circle' ? Math.floor((innerPx / modulePx - moduleCount) / 2) : 0;
  const placed = logo === null ? null : placeLogo({ moduleCount, modulePx, level }, design.image, logo);
  if (placed !== null && isFault(placed)) return placed;

  const symbolPx = moduleCount * modulePx;
  const xPx = round((widthPx - symbolPx) / 2);
  const yPx = round((heightPx - symbolPx) / 2);
  const onCanvas = placed && { ...placed.box, x: xPx + round(placed.box.x), y: yPx + round(placed.box.y) };
  const hidden = placed !== null && design.image.hideBackgroundDots ? placed.covered : null;
  return { moduleCount, modulePx, xPx, yPx, fillerRings, logo: onCanvas, hidden };
}

/** Returns a function that rounds sizes and positions down to whole pixels, unless the design asks for exact ones. */
export const roundingOf = ({ roundSize }: Design['dots']): ((px: number) => number) =>
  roundSize ? Math.floor : (px) => px;

function tooSmall({ widthPx, heightPx, marginPx }: Design, modulesAcross: number): Fault {
  const side = Math.min(widthPx, heightPx);
  const leastPx = Math.ceil(modulesAcross);
  if (marginPx !== null && side >= leastPx) {
    const most = Math.floor((side - modulesAcross) / 2);
    return { field: 'margin', message: `must be at most ${most} for this content at this size` };
  }
  const least = Math.ceil(modulesAcross + 2 * (marginPx ?? QUIET_ZONE_MODULES));
  const field = widthPx <= heightPx ? 'width' : 'height';
  return { field, message: `must be at least ${least} for this content` };
}
