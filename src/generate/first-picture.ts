/** Draws a saved code that has no picture yet, because its link was imported. */
import { estimateFileMs } from '../../workers/plan.ts';
import type { NewLogo } from '../db/tables/logos.ts';
import { okOrThrow } from '../result.ts';
import { drawFile } from './draw-file.ts';
import { PNG_FILE } from './file.ts';
import { payFor } from './paid-call.ts';
import { type Caller, type GradeTerms, noTimings, type Parts, type Timings } from './parts.ts';
import { planPicture } from './plan.ts';
import { findLogo } from './prepare.ts';
import { type Graded, requireGrade } from './quality/graded.ts';
import type { Mended } from './quality/repair.ts';
import { refuse } from './refusals.ts';
import { toDesign } from './request/design.ts';
import type { PictureOptions } from './request/picture-options.ts';

/** How a code looks from its first picture on. */
export interface FirstPicture extends Graded, Mended {
  readonly logo: NewLogo | null;
}

/** A code without a picture. */
export interface Undrawn {
  readonly id: string;
  /** What its symbol encodes. */
  readonly text: string;
  readonly options: PictureOptions;
}

/** What a first picture needs beyond the parts of every use case. */
export interface FirstPictureParts extends Parts {
  /** Saves the picture unless the code has one. Returns whether it did. */
  saveFirst(accountId: string, codeId: string, picture: FirstPicture): Promise<boolean>;
}

/** What was drawn. */
export interface FirstAnswer {
  /** `null`: another call drew the code meanwhile, so this one costs nothing. */
  readonly picture: FirstPicture | null;
  readonly timings: Timings;
}

/**
 * Makes the use case. The picture costs one unit. A call that fails costs nothing, unless the database does not say
 * whether the picture was saved.
 */
export const createFirstPicture =
  (parts: FirstPictureParts) =>
  async ({ id, text, options }: Undrawn, caller: Caller, terms: GradeTerms): Promise<FirstAnswer> => {
    const { accountId } = caller;
    const timings = noTimings();
    const call = { ...caller, terms, timings };
    const design = toDesign(options);
    const plan = okOrThrow(planPicture(text, design, null), refuse);
    const need = { use: 'code', units: 1, estimatedMs: [estimateFileMs('png', plan, false)] } as const;
    const paid = await payFor(parts, call, need, async () => {
      const found = await findLogo(parts, accountId, options.image);
      const { bytes: _, ...drawn } = await drawFile(
        parts,
        call,
        { text, design, format: 'png', plan, found },
        PNG_FILE,
      );
      requireGrade(parts, call, drawn);
      const logo = found === null ? null : { ...found.logo, sha256: Buffer.from(found.sha256, 'hex') };
      const picture = { ...drawn, logo };
      const isSaved = await parts.saveFirst(accountId, id, picture);
      return { kind: 'made', value: isSaved ? picture : null, refundUnits: isSaved ? 0 : 1 };
    });
    if (paid.kind !== 'paid') throw new Error('a call without an Idempotency-Key was replayed');
    return { picture: paid.value, timings };
  };
