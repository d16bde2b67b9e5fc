/**
 * Sets the captions of labels: the type shrinks down to a least size, then the text is cut.
 */
import { PT_PER_MM } from '../print/dots.ts';
import { fitLines, printableLines } from '../print/lines.ts';
import type { DocumentFont } from '../vector/pdf-objects.ts';
import type { CaptionArea, CaptionLoss, SheetLabel } from './protocol.ts';

/** Distance between two baselines, in sizes of the font; `LINE_HEIGHT` of `src/sheets/label.ts` reserves it. */
const LINE_HEIGHT = 1.2;
const STEP_PT = 0.25;
const MIDDLE = 2;
/** A line that is higher than its area by less than this fits: sums of doubles have rounding errors. */
const TOLERANCE_LINES = 1e-6;

/** A caption on its page. Places are those of the page's top left corner, in points; each line begins on its baseline. */
export interface PlacedCaption {
  readonly sizePt: number;
  readonly lines: readonly { readonly text: string; readonly xPt: number; readonly yPt: number }[];
}

/** Makes the functions that set captions in an area of each label. */
export const createCaptions = (
  font: Pick<DocumentFont, 'has' | 'widthOf' | 'reachOf' | 'ascent' | 'descent'>,
  area: CaptionArea,
) => {
  const [widthPt, heightPt] = [area.widthMm * PT_PER_MM, area.heightMm * PT_PER_MM];

  /** Returns how far lines are drawn above their first baseline and below their last one, in sizes of the font. */
  const reachOf = (lines: readonly string[]) => ({
    above: Math.max(0, ...[...(lines[0] ?? '')].map((character) => font.reachOf(character).above)),
    below: Math.max(0, ...[...(lines.at(-1) ?? '')].map((character) => font.reachOf(character).below)),
  });

  const setAt = (lines: readonly (readonly string[])[], sizePt: number) => {
    const linesMax = Math.max(1, Math.floor(heightPt / (sizePt * LINE_HEIGHT) + TOLERANCE_LINES));
    const fitted = fitLines(lines, { width: widthPt / sizePt, linesMax }, font.widthOf);
    const reach = reachOf(fitted.lines);
    const drawn = reach.above + (fitted.lines.length - 1) * LINE_HEIGHT + reach.below;
    return { sizePt, ...fitted, reach, isHigher: drawn * sizePt > heightPt };
  };

  /** Returns the lines of a text in the greatest size in which it fits, and what of it is lost. */
  const set = (text: string) => {
    const printable = printableLines(text, font.has);
    let fitted = setAt(printable.lines, area.sizePt);
    for (let sizePt = area.sizePt - STEP_PT; sizePt >= area.leastPt; sizePt -= STEP_PT) {
      if (!fitted.isCut && !fitted.isHigher) break;
      fitted = setAt(printable.lines, sizePt);
    }
    return { ...fitted, isCut: fitted.isCut || printable.isCut, missing: printable.missing };
  };

  return {
    /** Returns what of a text cannot be printed; `null`: nothing is lost. */
    findLoss(text: string): CaptionLoss | null {
      const { isCut, missing } = set(text);
      return isCut || missing.length > 0 ? { isCut, missing } : null;
    },
    /** Returns where the caption of a label stands, without what is lost of it. */
    place({ caption, xMm, yMm }: Pick<SheetLabel, 'caption' | 'xMm' | 'yMm'>): PlacedCaption {
      const { lines, sizePt, reach } = set(caption);
      const lineHeightPt = sizePt * LINE_HEIGHT;
      const topPt = (yMm + area.yMm) * PT_PER_MM;
      // Letters are centred vertically in their line.
      const centredPt =
        (heightPt - (lines.length - 1) * lineHeightPt + (font.ascent - font.descent) * sizePt) / MIDDLE;
      const lowestPt = heightPt - (lines.length - 1) * lineHeightPt - reach.below * sizePt;
      // An accent on a capital stays out of the quiet zone above it.
      const baselinePt = Math.max(reach.above * sizePt, Math.min(centredPt, lowestPt));
      const leftPt = (xMm + area.xMm) * PT_PER_MM;
      return {
        sizePt,
        lines: lines.map((text, index) => {
          const width = [...text].reduce((sum, character) => sum + font.widthOf(character), 0) * sizePt;
          const xPt = leftPt + (area.align === 'center' ? (widthPt - width) / MIDDLE : 0);
          return { text, xPt, yPt: topPt + index * lineHeightPt + baselinePt };
        }),
      };
    },
  };
};
