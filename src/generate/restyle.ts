/** Prepares another design for a saved code. It costs no units and counts as free work. */
import type { Design } from '../../workers/protocol.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import { drawnOrThrow, planOrRefuse, refuse, refuseWhenFull } from './drawing.ts';
import { findLogo } from './logos.ts';
import type { Parts, Timings } from './parts.ts';
import { type Graded, gradeFault, type Terms } from './quality/graded.ts';
import { gradeAll, sampleOf } from './quality/grader.ts';
import { repairOne } from './repair/repair.ts';
import { toDesign } from './request/design.ts';
import type { PictureOptions } from './request/picture-options.ts';

/** The parts that a new design needs. */
export type RestyleParts = Pick<Parts, 'pool' | 'logos' | 'fitLogo' | 'freeWork' | 'deadlineMs'>;

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
    const asked = toDesign(options);
    refuseWhenFull(parts, accountId, 'single', [planOrRefuse(text, asked).estimatedMs]);
    const found = kept ?? (await findLogo(parts, accountId, options.image, true));
    const mended = await repairOne(parts, accountId, { text, design: asked, found }, terms, timings);
    parts.freeWork.spend(accountId, timings.drawnMs);
    const { design, repaired } = mended;
    const sample = await sampleOf(parts.fitLogo, { text, design, found });
    if (!sample.ok) throw refuse(sample.fault);
    const [outcome] = await gradeAll(parts, { accountId, kind: 'single' }, [sample.value], timings);
    const { grade, warnings } = drawnOrThrow(outcome!, parts.pool);
    const low = gradeFault({ grade, warnings }, terms);
    if (low !== null) throw refuse(low);
    return { design, found, repaired, grade, warnings };
  };
