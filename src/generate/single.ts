import Type, { type Static } from 'typebox';
import { estimateFileMs } from '../../workers/plan.ts';
import type { LogoVector, Rendered } from '../../workers/protocol.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import type { Balance } from '../quota/quota.ts';
import { pictureKey } from '../render/result-cache.ts';
import { orNull } from '../stored-json.ts';
import { drawFile, inFormat, type Wanted } from './draw-file.ts';
import { planOrRefuse, refuseFile, refuseWhenFull, requireGrade } from './drawing.ts';
import { drawnFormat, type FileTerms, type LaidOut, layOutFile, PNG_FILE } from './file.ts';
import { findLogo, isRemote } from './logos.ts';
import { type Caller, noTimings, type Parts, type Timings } from './parts.ts';
import { type Graded, NO_TERMS, type Terms } from './quality/graded.ts';
import { toDesign } from './request/design.ts';
import type { SingleRequest } from './request/request.ts';
import {
  giveBack,
  type Paid,
  payUnit,
  RefusedRecord,
  type Replay,
  readRecord,
  refuseAgain,
  settleNow,
  type Taken,
  takeUnits,
} from './units.ts';

/** The picture of a single call, and the balance after it. */
export interface SingleAnswer extends Graded {
  /** The file. */
  readonly bytes: Uint8Array;
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

/** The logo of a call when it came from a URL, which may give another one later. */
const KeptLogo = Type.Object({
  pngBase64: Type.String(),
  widthPx: Type.Number(),
  heightPx: Type.Number(),
  sha256: Type.String(),
  vector: Type.Optional(
    Type.Unsafe<LogoVector>(
      Type.Object({ width: Type.Number(), height: Type.Number(), figures: Type.Array(Type.Object({})) }),
    ),
  ),
});

/** What is kept for a replay. The picture is not: the same request gives the same bytes when it is drawn again. */
const SingleRecord = Type.Object({
  kind: Type.Literal('single'),
  usageCount: Type.Integer(),
  remaining: Type.Integer(),
  strategy: Type.Enum(['monthly', 'credits']),
  logo: orNull(KeptLogo),
});

const KeptRecord = Type.Union([SingleRecord, RefusedRecord]);

const keepLogo = ({ logo, sha256 }: FoundLogo): Static<typeof KeptLogo> => ({
  pngBase64: Buffer.from(logo.png).toString('base64'),
  widthPx: logo.widthPx,
  heightPx: logo.heightPx,
  sha256,
  ...(logo.vector === undefined ? {} : { vector: logo.vector }),
});

const restoreLogo = ({ pngBase64, sha256, ...logo }: Static<typeof KeptLogo>): FoundLogo => ({
  logo: { ...logo, png: Buffer.from(pngBase64, 'base64') },
  sha256,
});

/** Returns what an answer says about the account. */
const describeUnits = ({ balance, fromCredits }: Paid) => ({
  usageCount: balance.usageCount,
  remaining: balance.remaining,
  strategy: fromCredits > 0 ? ('credits' as const) : ('monthly' as const),
});

const fileOf = ({ bytes, grade, warnings }: Rendered) => ({ bytes, grade, warnings });

const layOutOrRefuse = (request: SingleRequest, file: FileTerms): LaidOut => {
  const laid = layOutFile(request.data, toDesign(request), file);
  if (!laid.ok) throw refuseFile(laid.fault);
  return laid.value;
};

/**
 * Makes the use case of a single call: it draws one code for one unit. A call that fails costs nothing, whatever
 * `QUOTA_REFUND` says, because that policy is about the items of bulk calls and the rows of batches.
 */
export const createSingle = (parts: Parts) => {
  /**
   * Returns the picture from the cache when it can be paid at once. With an Idempotency-Key the stored answer has
   * precedence, and with a logo the picture is known only after the logo is found. A WebP is not cached.
   */
  const findKept = (
    request: SingleRequest,
    laid: LaidOut,
    caller: Caller,
    file: FileTerms,
  ): Rendered | null => {
    const { format } = file;
    if (caller.claim !== undefined || request.image !== undefined || format === 'webp') return null;
    return parts.cache.find(pictureKey({ text: request.data, ...laid, format, logoSha256: null }));
  };

  const replay = async (
    request: SingleRequest,
    laid: LaidOut,
    caller: Caller,
    kept: Replay,
    wanted: Wanted,
  ) => {
    const record = readRecord(KeptRecord, kept.answer);
    if (record.kind === 'refused') throw refuseAgain(record);
    const { accountId } = caller;
    parts.freeWork.admit(accountId);
    const found =
      record.logo === null ? await findLogo(parts, accountId, request.image) : restoreLogo(record.logo);
    const picture = await drawFile(parts, accountId, { text: request.data, laid, found }, wanted);
    const { timings } = wanted;
    const bytes = await inFormat(parts, picture.bytes, accountId, wanted);
    parts.freeWork.spend(accountId, timings.drawnMs);
    return { ...picture, bytes, ...record, month: kept.month, replayed: true, timings };
  };

  const pay = async (caller: Caller, taken: Taken, record: object, timings: Timings): Promise<void> => {
    const settle = { id: taken.id, accountId: caller.accountId, refundUnits: 0 };
    // With a claim, the answer is kept before it is sent, because a quick retry must find it.
    if (caller.claim === undefined) parts.quota.settleLater(settle);
    else await settleNow(parts, taken, { ...settle, answer: JSON.stringify(record) }, timings);
  };

  return async (
    request: SingleRequest,
    caller: Caller,
    terms: Terms = NO_TERMS,
    file: FileTerms = PNG_FILE,
  ): Promise<SingleAnswer> => {
    const timings = noTimings();
    const wanted = { file, terms, timings };
    const { accountId } = caller;
    const laid = layOutOrRefuse(request, file);
    const kept = findKept(request, laid, caller, file);
    if (kept !== null && (kept.grade >= terms.minGrade || !terms.repair)) {
      requireGrade(parts, accountId, kept, wanted);
      const paid = await payUnit(parts.quota, caller, 'single', timings);
      const answer = { ...fileOf(kept), repaired: '', ...describeUnits(paid) };
      return { ...answer, month: paid.balance, replayed: false, timings };
    }
    const plan = planOrRefuse(request.data, laid.design);
    const estimatedMs = estimateFileMs(drawnFormat(file.format), plan, false, laid.print);
    refuseWhenFull(parts, accountId, 'single', [estimatedMs]);
    if (terms.minGrade > 0) parts.freeWork.admit(accountId);
    const taken = await takeUnits(parts.quota, caller, { units: 1, kind: 'single' }, timings);
    if (taken.kind === 'replay') return replay(request, laid, caller, taken, wanted);
    try {
      const found = await findLogo(parts, accountId, request.image);
      const picture = await drawFile(parts, accountId, { text: request.data, laid, found }, wanted);
      requireGrade(parts, accountId, picture, wanted);
      const bytes = await inFormat(parts, picture.bytes, accountId, wanted);
      const record: Static<typeof SingleRecord> = {
        kind: 'single',
        ...describeUnits(taken),
        logo: found !== null && isRemote(request.image) ? keepLogo(found) : null,
      };
      await pay(caller, taken, record, timings);
      return { ...picture, bytes, ...record, month: taken.balance, replayed: false, timings };
    } catch (error) {
      await giveBack(parts, caller, taken, 1, error);
      throw error;
    }
  };
};
