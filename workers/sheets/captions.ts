/**
 * Sets the captions of labels: the type shrinks down to a least size, then the text is cut.
 */
import { PT_PER_MM } from '../print/dots.ts';
import { fitLines, printableLines } from '../print/lines.ts';
import { createShapedFitting, type LineBox } from '../print/shaped-caption.ts';
import type { ShapedText } from '../protocol.ts';
import { type PrintableLetters, printableLetters } from '../shaping/letters.ts';
import type { ShapedLine } from '../shaping/line.ts';
import type { DocumentFont } from '../vector/pdf-objects.ts';
import type { CaptionArea, CaptionLoss, SheetLabel } from './protocol.ts';

/** Distance between two baselines, in sizes of the font; `LINE_HEIGHT` of `src/sheets/label.ts` reserves it. */
const LINE_HEIGHT = 1.2;
const STEP_PT = 0.25;
const MIDDLE = 2;
/** A line that is higher than its area by less than this fits: sums of doubles have rounding errors. */
const TOLERANCE_LINES = 1e-6;
/** The height of the area decides the number of lines. */
const SHAPED = { chain: 'labels', weight: 'regular', linesMax: Number.POSITIVE_INFINITY } as const;

/** A caption on its page. Places are those of the page's top left corner, in points; each line begins on its baseline. */
export interface PlacedCaption {
  readonly sizePt: number;
  readonly lines: readonly PlacedLine[];
}

/** A line, and if it is shaped its glyphs. */
export interface PlacedLine {
  readonly text: string;
  readonly xPt: number;
  readonly yPt: number;
  readonly shaped?: ShapedText;
}

/** A caption that is shaped. Its lines are empty when nothing of it fits. */
interface ShapedCaption {
  readonly sizePt: number;
  readonly lines: readonly ShapedLine[];
  readonly isCut: boolean;
  readonly lineBox: LineBox;
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

  const setShaped = (letters: PrintableLetters): ShapedCaption => {
    const fitting = createShapedFitting(letters, SHAPED, { widthPx: widthPt, heightPx: heightPt });
    for (let { sizePt } = area; sizePt >= area.leastPt && !letters.isCut; sizePt -= STEP_PT) {
      const lines = fitting.shapeAt(sizePt, false);
      if (lines !== null) return { sizePt, lines, isCut: false, lineBox: fitting.box };
    }
    const lines = fitting.cut(area.leastPt) ?? [];
    return { sizePt: area.leastPt, lines, isCut: true, lineBox: fitting.box };
  };

  /** Returns the letters of a text of which more can be printed when they are shaped. */
  const lettersOf = (text: string, missing: readonly string[]): PrintableLetters | null => {
    if (missing.length === 0) return null;
    const letters = printableLetters(text, SHAPED.chain, SHAPED.weight);
    return letters.missing.length < missing.length ? letters : null;
  };

  /** Returns the lines of a text in the greatest size in which it fits, and what of it is lost. */
  const set = (text: string) => {
    const printable = printableLines(text, font.has);
    const letters = lettersOf(text, printable.missing);
    if (letters !== null) {
      const shaped = setShaped(letters);
      return { shaped, isCut: shaped.isCut, missing: letters.missing };
    }
    let fitted = setAt(printable.lines, area.sizePt);
    for (let sizePt = area.sizePt - STEP_PT; sizePt >= area.leastPt; sizePt -= STEP_PT) {
      if (!fitted.isCut && !fitted.isHigher) break;
      fitted = setAt(printable.lines, sizePt);
    }
    return { fitted, isCut: fitted.isCut || printable.isCut, missing: printable.missing };
  };

  const placeShaped = (
    { sizePt, lines, lineBox }: ShapedCaption,
    leftPt: number,
    topPt: number,
  ): PlacedCaption => {
    const firstPt = topPt + (heightPt - lines.length * lineBox.height * sizePt) / MIDDLE;
    return {
      sizePt,
      lines: lines.map(({ text, left, right, shaped }, index) => {
        const spare = widthPt - (right - left) * sizePt;
        const xPt = leftPt + (area.align === 'center' ? spare / MIDDLE : 0) - left * sizePt;
        return { text, shaped, xPt, yPt: firstPt + (index * lineBox.height + lineBox.baseline) * sizePt };
      }),
    };
  };

  return {
    /** Returns what of a text cannot be printed; `null`: nothing is lost. */
    findLoss(text: string): CaptionLoss | null {
      const { isCut, missing } = set(text);
      return isCut || missing.length > 0 ? { isCut, missing } : null;
    },
    /** Returns where the caption of a label stands, without what is lost of it. */
    place({ caption, xMm, yMm }: Pick<SheetLabel, 'caption' | 'xMm' | 'yMm'>): PlacedCaption {
      const topPt = (yMm + area.yMm) * PT_PER_MM;
      const leftPt = (xMm + area.xMm) * PT_PER_MM;
      const { fitted, shaped } = set(caption);
      if (fitted === undefined) return placeShaped(shaped, leftPt, topPt);
      const { lines, sizePt, reach } = fitted;
      const lineHeightPt = sizePt * LINE_HEIGHT;
      // Letters are centred vertically in their line.
      const centredPt =
        (heightPt - (lines.length - 1) * lineHeightPt + (font.ascent - font.descent) * sizePt) / MIDDLE;
      const lowestPt = heightPt - (lines.length - 1) * lineHeightPt - reach.below * sizePt;
      // An accent on a capital stays out of the quiet zone above it.
      const baselinePt = Math.max(reach.above * sizePt, Math.min(centredPt, lowestPt));
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
