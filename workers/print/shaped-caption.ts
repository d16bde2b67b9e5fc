/** Fits a caption that is shaped into its room, in the largest type between a greatest and a least size. */
import { CHAINS, type ChainName } from '../shaping/chain.ts';
import type { Letter, PrintableLetters } from '../shaping/letters.ts';
import { type ShapedLine, shapeLine } from '../shaping/line.ts';
import type { Weight } from './font.ts';
import { breakLines, ELLIPSIS, type Piece } from './lines.ts';
import { growthThat, type Room, TOLERANCE } from './room.ts';
import { CAP_HEIGHT, LINE_HEIGHT } from './text.ts';

/** The height of each line in ems, and where in it the baseline is. */
export interface LineBox {
  readonly height: number;
  readonly baseline: number;
}

/** That of lines that are set letter by letter: digits are centred vertically. */
export const LINE_BOX: LineBox = { height: LINE_HEIGHT, baseline: (LINE_HEIGHT + CAP_HEIGHT) / 2 };

/** Between what is drawn of two lines, in ems. */
const GAP = 0.04;
const SIZE_STEPS = 16;
const CUT_STEPS = 8;
const CUT_SHARE = 0.95;
/** Letters at the end of a broken line may be wider than within it. */
const SHRINK_STEPS = 4;
const SHRINK_SHARE = 0.97;

/** Returns a box in which marks above and below letters have room. */
export const lineBoxOf = (lines: readonly ShapedLine[]): LineBox => {
  const above = Math.max(LINE_BOX.baseline, ...lines.map((line) => line.above + GAP));
  const below = Math.max(LINE_BOX.height - LINE_BOX.baseline, ...lines.map((line) => line.below + GAP));
  return { height: above + below, baseline: above };
};

const widthOf = ({ left, right }: ShapedLine): number => right - left;

const withoutSpaces = (letters: readonly Letter[]): readonly Letter[] => {
  let [from, to] = [0, letters.length];
  while (from < to && letters[from]!.text === ' ') from += 1;
  while (to > from && letters[to - 1]!.text === ' ') to -= 1;
  return letters.slice(from, to);
};

/** A caption in lines: how they are set, and whether the end is cut. */
export interface FittedLines {
  readonly sizePx: number;
  readonly lines: readonly ShapedLine[];
}

/** Makes the functions that fit lines of letters into a room. */
export const createShapedFitting = (
  { lines }: PrintableLetters,
  {
    linesMax,
    weight,
    chain,
  }: { readonly linesMax: number; readonly weight: Weight; readonly chain: ChainName },
  room: Omit<Room, 'codePx'>,
) => {
  const whole = lines.map((line) => shapeLine(line, 'auto'));
  const box = lineBoxOf(whole);
  const longest = Math.max(...whole.map(widthOf));
  const texts = lines.map((line) => line.map(({ text }) => text));
  const ellipsis: Letter = { text: ELLIPSIS, font: `${CHAINS[chain][0]} ${weight}`, script: 0 };
  const ellipsisWidth = widthOf(shapeLine([ellipsis], 'ltr'));
  const mostLines = (sizePx: number, growth: number): number =>
    room.heightPx === null
      ? linesMax
      : Math.floor((growth * room.heightPx) / (sizePx * box.height) + TOLERANCE);

  const breakAt = (sizePx: number, growth = 1, share = 1) => {
    const most = mostLines(sizePx, growth);
    if (most < 1) return { pieces: [], isCut: true };
    const width = (growth * share * room.widthPx) / sizePx + TOLERANCE;
    return breakLines(texts, { width, linesMax: most }, (_, line, at) =>
      at < 0 ? ellipsisWidth : whole[line]!.widths[at]!,
    );
  };
  const shapePiece = ({ line, from, to, hasEllipsis }: Piece): ShapedLine => {
    const { isRightToLeft } = whole[line]!;
    if (from === 0 && to === lines[line]!.length && !hasEllipsis) return whole[line]!;
    const letters = withoutSpaces(lines[line]!.slice(from, to));
    return shapeLine(hasEllipsis ? [...letters, ellipsis] : letters, isRightToLeft ? 'rtl' : 'ltr');
  };
  /** Returns the largest size in which lines fit by the widths that their letters have in whole lines. */
  const largestSize = (mostPx: number, leastPx: number): number => {
    if (!breakAt(mostPx).isCut) return mostPx;
    let [fitting, above] = [leastPx, mostPx];
    for (let step = 0; step < SIZE_STEPS; step += 1) {
      const middle = (fitting + above) / 2;
      if (breakAt(middle).isCut) above = middle;
      else fitting = middle;
    }
    return fitting;
  };
  /** Returns the lines of a size if these fit. Where a line ends, letters may have another form than within it. */
  const shapeAt = (sizePx: number, isCutAllowed: boolean, share = 1): readonly ShapedLine[] | null => {
    const { pieces, isCut } = breakAt(sizePx, 1, share);
    if (pieces.length === 0 || (isCut && !isCutAllowed)) return null;
    const shaped = pieces.map(shapePiece);
    const isWide = shaped.some((line) => widthOf(line) * sizePx > room.widthPx + TOLERANCE);
    return isWide ? null : shaped;
  };

  return {
    box,
    shapeAt,
    /** Returns lines in the largest type in which they fit; `null`: they fit in none. */
    fit(mostPx: number, leastPx: number): FittedLines | null {
      if (room.heightPx === null && linesMax <= lines.length) {
        const sizePx = Math.min(mostPx, room.widthPx / Math.max(longest, TOLERANCE));
        return sizePx < leastPx - TOLERANCE ? null : { sizePx, lines: whole };
      }
      for (let step = 0, sizePx = largestSize(mostPx, leastPx); step < SHRINK_STEPS; step += 1) {
        const shaped = sizePx < leastPx ? null : shapeAt(sizePx, false);
        if (shaped !== null) return { sizePx, lines: shaped };
        sizePx *= SHRINK_SHARE;
      }
      const least = shapeAt(leastPx, false);
      return least && { sizePx: leastPx, lines: least };
    },
    /** Returns what fits in the least size, with an ellipsis; `null`: nothing does. */
    cut(leastPx: number): readonly ShapedLine[] | null {
      for (let step = 0; step < CUT_STEPS; step += 1) {
        const lines = shapeAt(leastPx, true, CUT_SHARE ** step);
        if (lines !== null) return lines;
      }
      return null;
    },
    growthNeeded: (leastPx: number): number | null => growthThat((growth) => !breakAt(leastPx, growth).isCut),
  };
};
