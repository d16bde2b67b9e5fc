import type { Design, ErrorCorrectionLevel, Fault } from '../protocol.ts';
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
export function placeLogo(room: LogoRoom, image: Design['image'], logo: LogoSize): LogoPlacement | Fault {
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
    ...{ x: image.marginPx + (symbolPx - widthPx) / 2, y: image.marginPx + (symbolPx - heightPx) / 2 },
    ...{ width: widthPx - 2 * image.marginPx, height: heightPx - 2 * image.marginPx },
  };
  return { box, covered: { columns, rows } };
}

/** Returns the smallest odd number of whole modules that spans `modules`. */
const oddSpan = (modules: number): number => 1 + 2 * Math.ceil((modules - 1) / 2);

/** Returns the modules to hide, and the picture's size before its margin. `aspect` is height divided by width. */
function logoArea({ moduleCount, modulePx }: LogoRoom, maxHidden: number, aspect: number) {
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
}
