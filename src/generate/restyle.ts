/** Prepares another design for a saved code. It costs no units and counts as free work. */
import type { FoundLogo } from '../logo/outcome.ts';
import type { GradeTerms, Parts, Timings } from './parts.ts';
import { prepareFree } from './prepare.ts';
import { type Graded, gradeFault } from './quality/graded.ts';
import { gradeOne } from './quality/grader.ts';
import { type Mended, repairOne } from './quality/repair.ts';
import { refuse } from './refusals.ts';
import { toDesign } from './request/design.ts';
import type { PictureOptions } from './request/picture-options.ts';

/** A code, and the design that its caller wants. */
export interface Restyling {
  /** What the symbol encodes: the content, or the short link of a dynamic code. */
  readonly text: string;
  readonly options: PictureOptions;
  /** The logo to take; `null`: the one that the options name. */
  readonly kept: FoundLogo | null;
}

/** A design that can be drawn, with its grade. */
export interface Restyled extends Graded, Mended {
  readonly found: FoundLogo | null;
}

/** Makes the use case of a new design. */
export const createRestyle =
  (parts: Parts) =>
  /**
   * Plans, repairs and grades the picture. Draws nothing, because pictures of saved codes are drawn when they are asked
   * for.
   *
   * @throws {AppError} 400 when the design cannot be drawn or is below the grade that the call asks for, 429 for a logo
   *   when free work is used up, 503 when the service is too busy.
   */
  async (
    { text, options, kept }: Restyling,
    accountId: string,
    terms: GradeTerms,
    timings: Timings,
  ): Promise<Restyled> => {
    const call = { accountId, terms, timings };
    const subject = await prepareFree(
      parts,
      accountId,
      { text, design: toDesign(options) },
      kept ?? options.image,
    );
    const { found } = subject;
    const { design, repaired } = await repairOne(parts, call, subject);
    parts.freeWork.spend(accountId, timings.drawnMs);
    const toGrade = repaired === '' ? subject : { text, design, found };
    const { grade, warnings } = await gradeOne(parts, call, toGrade);
    const low = gradeFault({ grade, warnings }, terms);
    if (low !== null) throw refuse(low);
    return { design, found, repaired, grade, warnings };
  };
