/** Frames around a picture and its texts, as path data to be filled by the even-odd rule. Pure. */
import { boxPath, formatPx, moveTo, type Radii } from '../design/markup.ts';
import { FRAME_TYPES, type FrameType } from '../lists.ts';
import type { Scale } from './text.ts';

/** Sides of a box, from the corner of the canvas. */
export type Sides = Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>;

/** The least thickness of a line that every printer prints, and label printers too. */
const LINE_LEAST_MM = 0.3;
/** In modules: lines, the radius of round corners on their inner side, and what these need beside the quiet zone. */
const LINE = 1;
const RADIUS = 3;
const ROUND_PADDING = 1;
/** Background outside of a frame, in modules: what is cut off inexactly must not be a part of it. */
const OUTSIDE = 1;
/** Length of the lines of `corners`, as a share of the shorter side. */
const CORNER_SHARE = 0.25;

/** Returns sides that lie further out. */
export const grown = ({ left, top, right, bottom }: Sides, byPx: number): Sides => ({
  left: left - byPx,
  top: top - byPx,
  right: right + byPx,
  bottom: bottom + byPx,
});

const boxOf = ({ left, top, right, bottom }: Sides, radii?: Radii): string =>
  boxPath(left, top, right - left, bottom - top, radii);

const allRound = (radius: number): Radii => [radius, radius, radius, radius];

/** Returns the figure of two lines in each corner. */
const cornersPath = ({ left, top, right, bottom }: Sides, linePx: number): string => {
  const armPx = Math.min(right - left, bottom - top) * CORNER_SHARE;
  const angle = (x: number, y: number, across: 1 | -1, down: 1 | -1): string =>
    [
      moveTo(x, y),
      `h${formatPx(across * armPx)}v${formatPx(down * linePx)}h${formatPx(-across * (armPx - linePx))}`,
      `v${formatPx(down * (armPx - linePx))}h${formatPx(-across * linePx)}z`,
    ].join('');
  return (
    angle(left, top, 1, 1) +
    angle(right, top, -1, 1) +
    angle(left, bottom, 1, -1) +
    angle(right, bottom, -1, -1)
  );
};

/** Where a frame and its band are on the canvas. */
export interface PlacedFrame {
  readonly path: string;
  /** The band of a banner; `null`: there is none. */
  readonly band: Sides | null;
  /** The frame with the background outside of it. */
  readonly outside: Sides;
}

/** Returns the width of the band of a banner around this content. */
export const bandWidthPx = ({ left, right }: Sides, modulePx: number): number =>
  right - left + 2 * ROUND_PADDING * modulePx;

/**
 * Places a frame around its content, into which nothing of it reaches.
 *
 * @param bandPx Height of the band of a banner.
 */
export const placeFrame = (
  type: FrameType,
  content: Sides,
  { modulePx, mmPerPx, isBitmap }: Scale & { readonly modulePx: number },
  bandPx: number,
): PlacedFrame => {
  const thinPx = Math.max(LINE * modulePx, LINE_LEAST_MM / mmPerPx);
  const linePx = isBitmap ? Math.ceil(thinPx - 1e-6) : thinPx;
  const { banner } = FRAME_TYPES[type];
  const isRound = type === 'rounded' || banner !== null;
  const inner = isRound ? grown(content, ROUND_PADDING * modulePx) : content;
  const around = grown(inner, linePx);
  const radius = RADIUS * modulePx;
  const outer = {
    ...around,
    ...(banner === 'below' && { bottom: inner.bottom + bandPx }),
    ...(banner === 'above' && { top: inner.top - bandPx }),
  };
  const outside = grown(outer, OUTSIDE * modulePx);
  if (type === 'corners') return { path: cornersPath(outer, linePx), band: null, outside };
  if (!isRound) return { path: boxOf(outer) + boxOf(inner), band: null, outside };
  // The window is round where there is no band.
  const [up, down] = [banner === 'above' ? 0 : radius, banner === 'below' ? 0 : radius];
  const path = boxOf(outer, allRound(radius + linePx)) + boxOf(inner, [up, up, down, down]);
  if (banner === null) return { path, band: null, outside };
  const band = banner === 'below' ? { ...outer, top: inner.bottom } : { ...outer, bottom: inner.top };
  return { path, band, outside };
};
