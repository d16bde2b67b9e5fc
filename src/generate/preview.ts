/** Shows a design as a small picture, for free, and says how easily it can be scanned. */
import type { RenderPlan } from '../../workers/plan.ts';
import type { PrintSize } from '../../workers/print/dots.ts';
import type { Design, ErrorCorrectionLevel, TextLoss } from '../../workers/protocol.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import { okOrThrow } from '../result.ts';
import { type DrawCall, drawOne } from './draw.ts';
import { type FileSpec, fillFile, layOutFile } from './file.ts';
import { noTimings, type Parts, type Timings } from './parts.ts';
import { planPicture } from './plan.ts';
import { prepareFree } from './prepare.ts';
import { type Picture, toPicture } from './quality/graded.ts';
import { gradeOne } from './quality/grader.ts';
import { scaleDesign } from './redraw.ts';
import { refuse } from './refusals.ts';
import { toDesign } from './request/design.ts';
import type { Print } from './request/print.ts';
import type { SingleRequest } from './request/request.ts';
import { contentValues } from './request/words.ts';

/** Longest side of a preview: too small to print, large enough to judge the design. */
export const PREVIEW_MAX_PX = 240;

/** What makes a picture easy or hard to scan. Describes the picture that was asked for, not its preview. */
export interface Scannability {
  /** Modules on a side of the symbol, without quiet zone. */
  readonly modules: number;
  /** Side of a module in pixels. */
  readonly modulePx: number;
  /** Width of the quiet zone where it is narrowest, in modules. */
  readonly quietZoneModules: number;
  /** Share of the symbol that the logo covers, 0 to 1. */
  readonly logoCover: number;
  readonly level: ErrorCorrectionLevel;
}

/** A small picture of a design, and grade and scannability of the full one. */
export interface Preview extends Picture {
  /** What its caption loses; absent: nothing. */
  readonly lost?: readonly TextLoss[];
  readonly scannability: Scannability;
  readonly timings: Timings;
}

/** Empty modules between a symbol and the dots that fill its circle (`circleFiller`). */
const CIRCLE_FRAME_MODULES = 1;

/** Measures a picture by its plan. Draws nothing. */
export const scannabilityOf = (
  { widthPx, heightPx }: Design,
  { symbol, geometry }: RenderPlan,
): Scannability => {
  const { moduleCount, modulePx, xPx, yPx, fillerRings, logo, hidden } = geometry;
  const symbolPx = moduleCount * modulePx;
  // A rounding error may place a symbol that fills its canvas slightly outside of it.
  const marginPx = Math.max(0, Math.min(xPx, yPx, widthPx - symbolPx - xPx, heightPx - symbolPx - yPx));
  const hiddenShare = hidden === null ? 0 : (hidden.columns * hidden.rows) / moduleCount ** 2;
  const logoShare = logo === null ? 0 : (logo.width * logo.height) / symbolPx ** 2;
  return {
    modules: moduleCount,
    modulePx,
    quietZoneModules: fillerRings > 1 ? CIRCLE_FRAME_MODULES : marginPx / modulePx,
    logoCover: Math.max(hiddenShare, logoShare),
    level: symbol.level,
  };
};

/** Scales a design down to `PREVIEW_MAX_PX`. One that is small enough stays as it is. */
const shrink = (design: Design): Design => {
  const longerPx = Math.max(design.widthPx, design.heightPx);
  if (longerPx <= PREVIEW_MAX_PX) return design;
  return scaleDesign(design, Math.floor((design.widthPx * PREVIEW_MAX_PX) / longerPx));
};

interface Candidate {
  readonly design: Design;
  readonly found: FoundLogo | null;
}

/**
 * Returns the pictures that may serve as the preview, best first. In the small picture a module may be less than a
 * pixel, or the logo may vanish. The next ones take a square canvas, then drop margins and circle (so that the largest
 * symbol, 177 modules, fits), then drop the logo.
 */
const candidates = (full: Design, found: FoundLogo | null): readonly Candidate[] => {
  const small = shrink(full);
  const square = { ...small, widthPx: PREVIEW_MAX_PX, heightPx: PREVIEW_MAX_PX };
  const bare: Design = { ...square, marginPx: 0, shape: 'square', image: { ...small.image, marginPx: 0 } };
  return [
    { design: small, found },
    { design: square, found },
    { design: bare, found },
    { design: bare, found: null },
  ];
};

/** Of a quiet zone in modules, so that a module of a vector has ten pixels, and pictures are small. */
const ZONE_STEPS = 10;

/** Returns the file that shows a design on paper with what stands around it. */
const toShown = (print: Print, size: PrintSize): FileSpec => {
  const { quietZone } = size;
  const rounded =
    quietZone === undefined ? {} : { quietZone: Math.round(quietZone * ZONE_STEPS) / ZONE_STEPS };
  return { format: 'pdf', print: { ...print, size: { ...size, ...rounded } } };
};

/** Draws a design on paper with what stands around it, as in a vector file, and shrinks the picture. */
const previewOnPaper = async (
  parts: Parts,
  call: DrawCall,
  { data: text, image, ...options }: SingleRequest,
  file: FileSpec,
): Promise<Preview> => {
  const { accountId, timings } = call;
  const filled = fillFile(file, contentValues(text));
  const laid = okOrThrow(layOutFile(text, toDesign(options), filled), refuse);
  const subject = await prepareFree(parts, accountId, { text, ...laid }, image);
  const drawn = await drawOne(parts, call, { ...subject, format: 'png' });
  const png = await parts.webp.shrink(drawn.bytes, PREVIEW_MAX_PX, accountId, timings);
  parts.freeWork.spend(accountId, timings.drawnMs);
  const { lost } = drawn;
  const scannability = scannabilityOf(laid.design, subject.plan);
  return { ...toPicture(drawn), png, ...(lost && { lost }), scannability, timings };
};

/** Makes the use case of a preview. */
export const createPreview =
  (parts: Parts) =>
  /**
   * Draws a preview. It counts as free work.
   *
   * @param print Shows the design on paper, if it has a size there.
   * @throws {AppError} 400 with the same text as the single call, 429 when the logo is more free work than the account
   *   has left, 503 when the render queue is full.
   */
  async (request: SingleRequest, accountId: string, print: Print): Promise<Preview> => {
    const call = { accountId, timings: noTimings() };
    if (print.size !== null) return previewOnPaper(parts, call, request, toShown(print, print.size));
    const { data: text, image } = request;
    const design = toDesign(request);
    const subject = await prepareFree(parts, accountId, { text, design }, image);
    const plan = okOrThrow(planPicture(text, design, subject.found?.logo ?? null), refuse);

    const drawable = candidates(design, subject.found).find(
      (each) => planPicture(text, each.design, each.found?.logo ?? null).ok,
    );
    if (drawable === undefined) throw new Error('a picture can be drawn, but no preview of it');
    const drawn = await drawOne(parts, call, { ...drawable, text, format: 'png' });
    parts.freeWork.spend(accountId, call.timings.drawnMs);
    const isFull = drawable.design === design;
    const { grade, warnings } = isFull ? drawn : await gradeOne(parts, call, subject);
    const scannability = scannabilityOf(design, plan);
    return { ...toPicture(drawn), grade, warnings, scannability, timings: call.timings };
  };
