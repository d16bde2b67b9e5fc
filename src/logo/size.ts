/** Width and height of a picture. Those of an SVG may be fractions. */
export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A logo that is longer would show as a line over a row of modules. */
const MAX_RATIO = 20;

/** Longest side of a written logo. The largest canvas is 2000 px and a logo covers at most 30 % of its area. */
export const MAX_SIDE_PX = 1024;

const ratioOf = ({ widthPx, heightPx }: Size): number =>
  Math.max(widthPx, heightPx) / Math.min(widthPx, heightPx);

/** Returns what is wrong with the aspect ratio, or `null`. Both sides must be above 0. */
export const ratioFault = (size: Size): string | null =>
  ratioOf(size) <= MAX_RATIO
    ? null
    : `is ${ratioOf(size).toFixed(0)} times as long as it is wide; at most ${MAX_RATIO} times is accepted`;

/** Returns the size in whole pixels, at least 1, when `natural` is scaled so that its longest side is `longestPx`. */
export const scaleTo = (natural: Size, longestPx: number): Size => {
  const scale = longestPx / Math.max(natural.widthPx, natural.heightPx);
  return {
    widthPx: Math.max(1, Math.round(natural.widthPx * scale)),
    heightPx: Math.max(1, Math.round(natural.heightPx * scale)),
  };
};
