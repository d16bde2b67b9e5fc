/** Prepares another design for a saved code. It costs no units and counts as free work. */
import type { Design } from '../../workers/protocol.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import type { Parts, Timings } from './parts.ts';
import { type Graded, gradeFault, type Terms } from './quality/graded.ts';
import { type GradeParts, gradeOne } from './quality/grader.ts';
import { repairOne } from './quality/repair.ts';
import { refuse } from './refusals.ts';
import { toDesign } from './request/design.ts';
import type { PictureOptions } from './request/picture-options.ts';
import { prepareFree } from './steps.ts';

/** The parts that a new design needs. */
export type RestyleParts = GradeParts & Pick<Parts, 'logos'>;

/** A code, and the design that its caller wants. */
export interface Restyling {
  /** What the symbol encodes: the content, or the short link of a dynamic code. */
  readonly text: string;
  readonly options: PictureOptions;
  /** The logo to take; `null`: the one that the options name. */
  readonly kept: FoundLogo | null;
}

/** A design that can be drawn, with its grade. */
export interface Restyled extends Graded {
  readonly design: Design;
  readonly found: FoundLogo | null;
  /** What a repair changed, as the header `Tessera-Repaired` has it; '' when nothing was changed. */
  readonly repaired: string;
}

/** Makes the use case of a new design. */
export const createRestyle =
  (parts: RestyleParts) =>
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
    terms: Terms,
    timings: Timings,
  ): Promise<Restyled> => {
    const asked = { text, design: toDesign(options) };
    const subject = await prepareFree(parts, accountId, asked, kept ?? options.image);
    const { design, repaired } = await repairOne(parts, accountId, subject, terms, timings);
    parts.freeWork.spend(accountId, timings.drawnMs);
    const { found } = subject;
    const graded = repaired === '' ? subject : { text, design, found };
    const { grade, warnings } = await gradeOne(parts, accountId, graded, timings);
    const low = gradeFault({ grade, warnings }, terms);
    if (low !== null) throw refuse(low);
    return { design, found, repaired, grade, warnings };
  };
