import { type Design, type ErrorCorrectionLevel, type Fault, isFault } from '../protocol.ts';
import type { SymbolPlan } from '../symbol/fit.ts';
import type { Box } from './gradient.ts';
import type { HiddenArea } from './modules.ts';

/** The logo's own size, of which only the proportions matter. */
export type LogoSize = Readonly<Record<'widthPx' | 'heightPx', number>>;

/** Where a logo lies in the symbol: `box` is its area without margin, from the symbol's top left corner. */
type LogoPlacement = { readonly box: Box; readonly covered: HiddenArea };

/** Share of the codewords that a level can restore: ISO/IEC 18004:2015, 6.5.1. */
export const RESTORABLE: Readonly<Record<ErrorCorrectionLevel, number>> = {
  L: 0.07,
  M: 0.15,
  Q: 0.25,
  H: 0.3,
};

/** Rows (and columns) that the finder patterns take, which a logo must not cover. */
const FINDER_ROWS = 14;

/** The symbol that a logo is placed in. */
type LogoRoom = Readonly<Record<'moduleCount' | 'modulePx', number>> & {
  readonly level: ErrorCorrectionLevel;
};

/**
 * Sizes and centres a logo in its own proportions. It covers up to the share `image.size` of what the error correction
 * can restore, and takes an odd number of modules each way, so that it lies on the module grid (design of
 * `qr-code-styling`). Faults name the option that would leave no visible logo.
 */
export const placeLogo = (room: LogoRoom, image: Design['image'], logo: LogoSize): LogoPlacement | Fault => {
  const { moduleCount, modulePx, level } = room;
  const budget = RESTORABLE[level] * moduleCount ** 2;
  const maxHidden = Math.floor(image.size * budget);
  if (maxHidden <= 0) {
    const least = Math.ceil(1000 / budget) / 1000;
    return { field: 'imageOptions.imageSize', message: `must be at least ${least} for this content` };
  }
  const { columns, rows, widthPx, heightPx } = logoArea(room, maxHidden, logo.heightPx / logo.widthPx);
  const shortSidePx = Math.min(widthPx, heightPx);
  if (shortSidePx <= 0) return { field: 'image', message: 'is too long and narrow to be drawn at this size' };
  if (shortSidePx <= 2 * image.marginPx) {
    const most = Math.ceil(shortSidePx / 2) - 1;
    return { field: 'imageOptions.margin', message: `must be at most ${most} for this image at this size` };
  }
  const symbolPx = moduleCount * modulePx;
  const box = {
    x: image.marginPx + (symbolPx - widthPx) / 2,
    y: image.marginPx + (symbolPx - heightPx) / 2,
    width: widthPx - 2 * image.marginPx,
    height: heightPx - 2 * image.marginPx,
  };
  return { box, covered: { columns, rows } };
};

/** Returns the smallest odd number of whole modules that spans `modules`. */
const oddSpan = (modules: number): number => 1 + 2 * Math.ceil((modules - 1) / 2);

/** Returns the modules to hide, and the picture's size before its margin. `aspect` is height divided by width. */
const logoArea = ({ moduleCount, modulePx }: LogoRoom, maxHidden: number, aspect: number) => {
  const maxSpan = moduleCount - FINDER_ROWS;
  const widest = Math.min(Math.max(Math.floor(Math.sqrt(maxHidden / aspect)), 1), maxSpan);
  const columns = widest % 2 === 0 ? widest - 1 : widest;
  const rows = oddSpan(columns * aspect);
  if (columns * rows <= maxHidden && rows <= maxSpan) {
    const widthPx = columns * modulePx;
    return { columns, rows, widthPx, heightPx: Math.round(widthPx * aspect) };
  }
  const fewerRows = rows > maxSpan ? maxSpan : rows - 2;
  const heightPx = fewerRows * modulePx;
  const widthPx = Math.round(heightPx / aspect);
  return { columns: oddSpan(fewerRows / aspect), rows: fewerRows, widthPx, heightPx };
};

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
export const layOut = (design: Design, symbol: SymbolPlan, logo: LogoSize | null): Geometry | Fault => {
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
};

/** Returns a function that rounds sizes and positions down to whole pixels, unless the design asks for exact ones. */
export const roundingOf = ({ roundSize }: Design['dots']): ((px: number) => number) =>
  roundSize ? Math.floor : (px) => px;

const tooSmall = ({ widthPx, heightPx, marginPx }: Design, modulesAcross: number): Fault => {
  const side = Math.min(widthPx, heightPx);
  const leastPx = Math.ceil(modulesAcross);
  if (marginPx !== null && side >= leastPx) {
    const most = Math.floor((side - modulesAcross) / 2);
    return { field: 'margin', message: `must be at most ${most} for this content at this size` };
  }
  const least = Math.ceil(modulesAcross + 2 * (marginPx ?? QUIET_ZONE_MODULES));
  const field = widthPx <= heightPx ? 'width' : 'height';
  return { field, message: `must be at least ${least} for this content` };
};
