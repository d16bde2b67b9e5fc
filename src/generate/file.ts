/** Lays pictures out as files, in pixels or in millimetres. */

import type { FileFormat } from '../../workers/lists.ts';
import { layOutPrint } from '../../workers/print/layout.ts';
import {
  type Design,
  type Fault,
  isFault,
  type PrintTerms,
  type RenderTask,
} from '../../workers/protocol.ts';
import { ok, type Result, refused } from '../result.ts';
import { readGs1 } from './request/gs1.ts';
import type { Print } from './request/print.ts';

/** The file that a call asks for. */
export interface FileTerms {
  readonly format: FileFormat;
  /** `null`: in pixels, with the colours of screens. */
  readonly print: Print | null;
}

/** A PNG in pixels. */
export const PNG_FILE: FileTerms = { format: 'png', print: null };

/** The format that a render thread draws. */
export const drawnFormat = (format: FileFormat): RenderTask['format'] => (format === 'webp' ? 'png' : format);

/** A design as it is drawn, and what else changes its bytes. */
export interface LaidOut {
  readonly design: Design;
  readonly print?: PrintTerms;
}

/**
 * Returns the design of a file: as it is, or laid out for its size in millimetres. Faults are those of `layOutPrint`, and
 * those of the GS1 data that tills read or that is printed below.
 */
export const layOutFile = (
  text: string,
  design: Design,
  { format, print }: FileTerms,
): Result<LaidOut, Fault> => {
  if (print === null) return ok({ design });
  const { size, inks } = print;
  const hasText = print.text !== undefined;
  const isBitmap = drawnFormat(format) === 'png';
  // The bytes of a bitmap in pixels do not depend on inks.
  if (size === null) return ok(isBitmap ? { design } : { design, print: { page: null, inks } });
  const parts = hasText || size.till ? readGs1(text, design.symbol, size.till) : ok([]);
  if (!parts.ok) return parts;
  const kind = isBitmap ? 'bitmap' : 'vector';
  const laid = layOutPrint(text, design, size, kind, hasText ? parts.value : []);
  if (isFault(laid)) return refused(laid);
  const { page, text: below } = laid;
  const terms = { page, inks, ...(below && { text: below }), ...(size.till && { till: true as const }) };
  return ok({ design: laid.design, print: terms });
};

/**
 * Returns a laid-out design after its repair. On paper, a repaired quiet zone has four modules, for which the design is
 * laid out again.
 */
export const layOutAgain = (
  text: string,
  laid: LaidOut,
  repaired: Design,
  file: FileTerms,
): Result<LaidOut, Fault> => {
  const { marginPx } = laid.design;
  const size = file.print?.size ?? null;
  if (size === null || repaired.marginPx === marginPx) return ok({ ...laid, design: repaired });
  const { quietZone: _, ...others } = size;
  const print = { ...file.print!, size: others };
  return layOutFile(text, { ...repaired, marginPx }, { ...file, print });
};
