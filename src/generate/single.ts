import type { Design, Rendered } from '../../workers/protocol.ts';
import { AppError } from '../errors.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import type { Balance } from '../quota/quota.ts';
import { pictureKey } from '../render/picture-key.ts';
import { draw, planOrRefuse, refuse, refuseWhenFull, requireGrade } from './drawing.ts';
import { findLogo, isRemote } from './logos.ts';
import { type Caller, noTimings, type Parts, type Timings } from './parts.ts';
import { NO_TERMS, type Picture, type Terms, toPicture } from './quality/graded.ts';
import type { Subject } from './quality/grader.ts';
import { repairOne } from './repair/repair.ts';
import { toDesign } from './request/design.ts';
import type { SingleRequest } from './request/request.ts';
import { planTask } from './task.ts';
import {
  giveBack,
  type Paid,
  payUnit,
  type RefusedRecord,
  type Replay,
  settleNow,
  type Taken,
  takeUnits,
} from './units.ts';

/** The picture of a single call, and the balance after it. */
export interface SingleAnswer extends Picture {
  /** What a repair changed, as the header `Tessera-Repaired` has it; '' when nothing was changed. */
  readonly repaired: string;
  readonly usageCount: number;
  readonly remaining: number;
  readonly strategy: 'monthly' | 'credits';
  /** The balance now. In a replay, `usageCount` and `remaining` above are those of the first answer. */
  readonly month: Balance;
  readonly replayed: boolean;
  readonly timings: Timings;
}

/** What is kept for a replay. The picture is not: the same request gives the same bytes when it is drawn again. */
interface SingleRecord {
  readonly kind: 'single';
  readonly usageCount: number;
  readonly remaining: number;
  readonly strategy: 'monthly' | 'credits';
  /** The logo of the first call when it came from a URL, which may give another one now; else `null`. */
  readonly logo: KeptLogo | null;
}

interface KeptLogo {
  readonly pngBase64: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sha256: string;
}

const keepLogo = ({ logo, sha256 }: FoundLogo): KeptLogo => ({
  pngBase64: Buffer.from(logo.png).toString('base64'),
  widthPx: logo.widthPx,
  heightPx: logo.heightPx,
  sha256,
});

const restoreLogo = ({ pngBase64, widthPx, heightPx, sha256 }: KeptLogo): FoundLogo => ({
  logo: { png: Buffer.from(pngBase64, 'base64'), widthPx, heightPx },
  sha256,
});

/** Returns what an answer says about the account. */
const standing = ({ balance, fromCredits }: Paid) => ({
  usageCount: balance.usageCount,
  remaining: balance.remaining,
  strategy: fromCredits > 0 ? ('credits' as const) : ('monthly' as const),
});

/**
 * Makes the use case of a single call: it draws one code for one unit. A call that fails costs nothing, whatever
 * `QUOTA_REFUND` says, because that policy is about the items of a batch.
 */
export const createSingle = (parts: Parts) => {
  /**
   * Returns the picture from the cache when it can be paid at once. With an Idempotency-Key the first answer comes first,
   * and with a logo the picture is known only after the logo is found.
   */
  const findKept = (request: SingleRequest, design: Design, caller: Caller): Rendered | null =>
    caller.claim === undefined && request.image === undefined
      ? parts.cache.find(pictureKey({ text: request.data, design, format: 'png', logoSha256: null }))
      : null;

  const pictureOf = async (
    subject: Subject,
    caller: Caller,
    { terms, timings }: { readonly terms: Terms; readonly timings: Timings },
  ) => {
    const { design, repaired } = await repairOne(parts, caller.accountId, subject, terms, timings);
    const planned = await planTask(parts.fitLogo, { ...subject, design, format: 'png' });
    if (!planned.ok) throw refuse(planned.fault);
    const drawn = await draw(parts, caller.accountId, planned.value, subject.found?.sha256 ?? null, timings);
    return { ...toPicture(drawn), repaired };
  };

  const replay = async (
    request: SingleRequest,
    design: Design,
    caller: Caller,
    kept: Replay,
    terms: Terms,
    timings: Timings,
  ) => {
    const record = JSON.parse(kept.answer) as SingleRecord | RefusedRecord;
    if (record.kind === 'refused') throw new AppError(record.code, record.details);
    parts.freeWork.admit(caller.accountId);
    const found =
      record.logo === null
        ? await findLogo(parts, caller.accountId, request.image)
        : restoreLogo(record.logo);
    const subject = { text: request.data, design, found };
    const picture = await pictureOf(subject, caller, { terms, timings });
    parts.freeWork.spend(caller.accountId, timings.drawnMs);
    return { ...picture, ...record, month: kept.month, replayed: true, timings };
  };

  const pay = async (caller: Caller, taken: Taken, record: SingleRecord, timings: Timings): Promise<void> => {
    const settle = { id: taken.id, accountId: caller.accountId, refundUnits: 0 };
    // With a claim, the answer is kept before it is sent, because a quick retry must find it.
    if (caller.claim === undefined) parts.quota.settleLater(settle);
    else await settleNow(parts, taken, { ...settle, answer: JSON.stringify(record) }, timings);
  };

  return async (request: SingleRequest, caller: Caller, terms: Terms = NO_TERMS): Promise<SingleAnswer> => {
    const timings = noTimings();
    const design = toDesign(request);
    const kept = findKept(request, design, caller);
    if (kept !== null && (kept.grade >= terms.minGrade || !terms.repair)) {
      requireGrade(parts, caller.accountId, kept, { terms, timings });
      const paid = await payUnit(parts.quota, caller, 'single', timings);
      return {
        ...toPicture(kept),
        repaired: '',
        ...standing(paid),
        month: paid.balance,
        replayed: false,
        timings,
      };
    }
    const plan = planOrRefuse(request.data, design);
    refuseWhenFull(parts, caller.accountId, 'single', [plan.estimatedMs]);
    if (terms.minGrade > 0) parts.freeWork.admit(caller.accountId);
    const taken = await takeUnits(parts.quota, caller, { units: 1, kind: 'single' }, timings);
    if (taken.kind === 'replay') return replay(request, design, caller, taken, terms, timings);
    try {
      const found = await findLogo(parts, caller.accountId, request.image);
      const subject = { text: request.data, design, found };
      const picture = await pictureOf(subject, caller, { terms, timings });
      requireGrade(parts, caller.accountId, picture, { terms, timings });
      const record: SingleRecord = {
        kind: 'single',
        ...standing(taken),
        logo: found !== null && isRemote(request.image) ? keepLogo(found) : null,
      };
      await pay(caller, taken, record, timings);
      return { ...picture, ...record, month: taken.balance, replayed: false, timings };
    } catch (error) {
      await giveBack(parts, caller, taken, 1, error);
      throw error;
    }
  };
};
