/** The file of one picture: laid out in pixels or in millimetres, repaired if its call asks for that, and drawn. */

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
import type { Parts, Timings } from './parts.ts';
import type { Graded, Terms } from './quality/graded.ts';
import { repairOne } from './quality/repair.ts';
import { readGs1 } from './request/gs1.ts';
import type { Print } from './request/print.ts';
import { drawOne, findLogo, okOrRefuse, type Refusal, requireGrade } from './steps.ts';
import type { Subject } from './task.ts';

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
const layOutAgain = (
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

/** What a call for one picture asks for in addition to its body. */
export interface Wanted {
  readonly file: FileTerms;
  readonly terms: Terms;
  readonly timings: Timings;
}

/** A picture as a render thread draws it. */
export interface DrawnFile<S extends Subject = Subject> extends Graded {
  readonly bytes: Uint8Array;
  /** What was to be drawn, in its design before the repair. */
  readonly subject: S;
  /** After its repair. */
  readonly design: Design;
  /** What a repair changed, as the header `Tessera-Repaired` has it; '' when nothing was changed. */
  readonly repaired: string;
}

/** Returns a picture in its repaired design. Its plan is that of another design. */
const redesign = (subject: Subject, repaired: Design, file: FileTerms): Result<Subject, Fault> => {
  const { text, design, print, format, found } = subject;
  const laid = layOutAgain(text, { design, ...(print && { print }) }, repaired, file);
  return laid.ok ? ok({ text, format, found, ...laid.value }) : laid;
};

/** The steps of a call for one picture: finding its logo, drawing and grading it. */
export const fileSteps = <S extends Subject>(
  parts: Parts,
  accountId: string,
  image: string | undefined,
  { file, terms, timings }: Wanted,
  refusal?: Refusal,
) => ({
  findLogos: async (subject: S): Promise<S> => ({
    ...subject,
    found: await findLogo(parts, accountId, image),
  }),

  /** Draws a WebP as a PNG; `inFormat` converts it later, so that no refused picture is converted. */
  async draw(subject: S): Promise<DrawnFile<S>> {
    const { design, repaired } = await repairOne(parts, accountId, subject, terms, timings);
    const toDraw = repaired === '' ? subject : okOrRefuse(redesign(subject, design, file));
    const { bytes, grade, warnings } = await drawOne(parts, accountId, toDraw, timings);
    return { bytes, grade, warnings, subject, design, repaired };
  },

  grade(drawn: DrawnFile<S>): DrawnFile<S> {
    requireGrade(parts, accountId, drawn, { terms, timings }, refusal);
    return drawn;
  },
});

/** Returns drawn bytes in the format of their call. @throws {AppError} 503 when that took too long. */
export const inFormat = (
  { webp }: Pick<Parts, 'webp'>,
  bytes: Uint8Array,
  accountId: string,
  { file, timings }: Wanted,
): Uint8Array | Promise<Uint8Array> =>
  file.format === 'webp' ? webp.write(bytes, accountId, timings) : bytes;
