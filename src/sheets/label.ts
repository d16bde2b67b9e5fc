/** Where code and caption are on a label. Pure; lengths in millimetres from the label's top left corner. */
import { sideModulesOf, sizeWithin } from '../../workers/print/dots.ts';
import { type Design, type Fault, isFault } from '../../workers/protocol.ts';
import type { LabelLayout } from '../../workers/sheets/protocol.ts';
import { ok, type Result, refused } from '../result.ts';

/** Where the caption stands. */
export type CaptionSide = 'above' | 'below' | 'beside';

export interface LabelContent {
  /** Side of the code with its quiet zone; `null` takes the largest that fits. */
  readonly codeMm: number | null;
  readonly captionSide: CaptionSide;
  /** Lines of the caption's text; 0 without a caption. */
  readonly captionLines: number;
}

const MM_PER_PT = 25.4 / 72;
/** Distance between the baselines of two lines, in sizes of the font. */
export const LINE_HEIGHT = 1.2;
/** Labels are cut, and sheets are fed, to about a millimetre. */
const PADDING_MAX_MM = 1.5;
const PADDING_SHARE = 0.05;
const GAP_MM = 1;
/** The size down to which type shrinks: digits are 0.9 mm high, as in text below a code (`workers/print/text.ts`). */
export const SIZE_LEAST_PT = 3.5;
/** Usual sizes of the type. */
const SIZE_MIN_PT = 4.5;
const SIZE_MAX_PT = 12;
/** Font size, as a share of the label's shorter side. */
const SIZE_SHARE = 0.07;
/** The least width of a caption beside its code, as a share of the label's width. */
const BESIDE_SHARE = 0.3;
/** A version 1 code of this side has modules of 0.14 mm: no printer of labels prints it smaller. */
export const CODE_MIN_MM = 4;

const sizeOf = (widthMm: number, heightMm: number): number => {
  const pt = (Math.min(widthMm, heightMm) * SIZE_SHARE) / MM_PER_PT;
  return Math.round(2 * Math.min(SIZE_MAX_PT, Math.max(SIZE_MIN_PT, pt))) / 2;
};

/** Rounds down to hundredths, so that a value that a message names is accepted. */
const floorHundredth = (mm: number): number => Math.floor(mm * 100 + 1e-6) / 100;

/**
 * Lays a label out. Code and caption do not overlap, and keep a small distance from the label's edge. Without a size
 * the code is as large as the label and its caption allow.
 *
 * Faults: `label.code_mm` when the code does not fit, `label` when not even the smallest does.
 */
export const layOutLabel = (
  { widthMm, heightMm }: { readonly widthMm: number; readonly heightMm: number },
  { codeMm, captionSide, captionLines }: LabelContent,
): Result<LabelLayout, Fault> => {
  const paddingMm = Math.min(PADDING_MAX_MM, PADDING_SHARE * Math.min(widthMm, heightMm));
  const innerX = widthMm - 2 * paddingMm;
  const innerY = heightMm - 2 * paddingMm;
  const sizePt = sizeOf(widthMm, heightMm);
  const lineMm = sizePt * LINE_HEIGHT * MM_PER_PT;
  const hasCaption = captionLines > 0;
  const isBeside = hasCaption && captionSide === 'beside';
  const rowsMm = hasCaption && !isBeside ? captionLines * lineMm : 0;
  const mostMm = floorHundredth(
    Math.min(isBeside ? innerX - GAP_MM - BESIDE_SHARE * widthMm : innerX, innerY - rowsMm),
  );
  if (!(mostMm >= CODE_MIN_MM)) {
    const what = hasCaption ? 'a code with its caption' : 'a code';
    const size = `${floorHundredth(widthMm)} x ${floorHundredth(heightMm)} mm`;
    return refused({ field: 'label', message: `${size} is too small for ${what}` });
  }
  const sideMm = codeMm ?? mostMm;
  if (sideMm > mostMm)
    return refused({ field: 'label.code_mm', message: `must be at most ${mostMm} on this label` });

  const code = { widthMm: sideMm, heightMm: sideMm };
  if (isBeside) {
    const yMm = (heightMm - sideMm) / 2;
    const xMm = paddingMm + sideMm + GAP_MM;
    const area = { xMm, yMm: paddingMm, widthMm: widthMm - paddingMm - xMm, heightMm: innerY };
    const linesMax = Math.max(1, Math.floor(innerY / lineMm));
    return ok({
      code: { xMm: paddingMm, yMm, ...code },
      caption: { ...area, sizePt, leastPt: SIZE_LEAST_PT, linesMax, align: 'left' },
    });
  }
  const topMm = (heightMm - sideMm - rowsMm) / 2;
  const xMm = (widthMm - sideMm) / 2;
  if (!hasCaption) return ok({ code: { xMm, yMm: topMm, ...code }, caption: null });
  const isAbove = captionSide === 'above';
  return ok({
    code: { xMm, yMm: isAbove ? topMm + rowsMm : topMm, ...code },
    caption: {
      xMm: paddingMm,
      yMm: isAbove ? topMm : topMm + sideMm,
      widthMm: innerX,
      heightMm: rowsMm,
      sizePt,
      leastPt: SIZE_LEAST_PT,
      linesMax: captionLines,
      align: 'center',
    },
  });
};

/** The least module that phones read in a usual print (docs/printing.md). */
export const MODULE_LEAST_MM = 0.33;

/** Returns the side of a module on a label; 0 when the printer has no dots that are small enough. */
export const moduleMm = (
  { label, dpi }: { readonly label: LabelLayout; readonly dpi: number | null },
  moduleCount: number,
  design: Pick<Design, 'shape'>,
): number => {
  const sideModules = sideModulesOf(moduleCount, design);
  const size = sizeWithin(label.code.widthMm, sideModules, dpi);
  return isFault(size) ? 0 : (size.moduleMm ?? label.code.widthMm / sideModules);
};
