/** Width and height of a picture; fractions are allowed for an SVG. */
export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Beyond this a logo is a line: it would cover a row of modules and show nothing. */
const MAX_RATIO = 20;

/** Longest side of a written logo. The largest canvas is 2000 px and a logo covers at most 30 % of its area. */
export const MAX_SIDE_PX = 1024;

const ratioOf = ({ widthPx, heightPx }: Size): number =>
  Math.max(widthPx, heightPx) / Math.min(widthPx, heightPx);

/** What is wrong with the aspect ratio, or `null`. Both sides are above 0. */
export const ratioFault = (size: Size): string | null =>
  ratioOf(size) <= MAX_RATIO
    ? null
    : `is ${ratioOf(size).toFixed(0)} times as long as it is wide; at most ${MAX_RATIO} times is accepted`;

/** `natural` in whole pixels, scaled so that its longest side is `longestPx`. */
export const scaleTo = (natural: Size, longestPx: number): Size => {
  const scale = longestPx / Math.max(natural.widthPx, natural.heightPx);
  return {
    widthPx: Math.max(1, Math.round(natural.widthPx * scale)),
    heightPx: Math.max(1, Math.round(natural.heightPx * scale)),
  };
};
