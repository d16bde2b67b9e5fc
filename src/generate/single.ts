/** One picture for one unit: a single call, as JSON or as a file, and the image endpoint. */
import Type, { type Static } from 'typebox';
import { estimateFileMs } from '../../workers/plan.ts';
import type { LogoVector } from '../../workers/protocol.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import type { Balance } from '../quota/quota.ts';
import { pictureKey } from '../render/result-cache.ts';
import { orNull } from '../stored-json.ts';
import {
  type DrawnFile,
  drawnFormat,
  type FileTerms,
  fileSteps,
  inFormat,
  type LaidOut,
  layOutFile,
  PNG_FILE,
} from './file.ts';
import { type PaidCall, payFor } from './paid-call.ts';
import { type Caller, noTimings, type Parts, type Timings } from './parts.ts';
import { type Graded, NO_TERMS, type Terms } from './quality/graded.ts';
import { toDesign } from './request/design.ts';
import type { SingleRequest } from './request/request.ts';
import { isRemote, okOrRefuse, type Refusal, requireGrade } from './steps.ts';
import { planPicture, type Subject } from './task.ts';
import { type Paid, payUnit, RefusedRecord, readRecord, refuseAgain } from './units.ts';

/** The picture of a call, and the balance after it. */
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

const writeRecord = (units: ReturnType<typeof describeUnits>, logo: FoundLogo | null): string => {
  const record: Static<typeof SingleRecord> = { kind: 'single', ...units, logo: logo && keepLogo(logo) };
  return JSON.stringify(record);
};

/** A picture that a call asks for. */
export interface AskedPicture {
  readonly text: string;
  readonly laid: LaidOut;
  readonly image?: string | undefined;
  readonly use: 'single' | 'image';
  /** Its `pictureKey`, by which it may be in the cache; `null`: the cache is not asked before it is paid. */
  readonly key: string | null;
  readonly refusal?: Refusal;
}

/**
 * Returns what a call for one picture does in the steps of `payFor`. A picture in the cache is paid at once, and needs no
 * place in the render queue, so a full queue does not refuse it.
 */
export const callFor = (
  parts: Parts,
  { text, laid, image, use, key, refusal }: AskedPicture,
  caller: Caller,
  terms: Terms,
  file: FileTerms = PNG_FILE,
): PaidCall<Subject, DrawnFile, SingleAnswer> => {
  const timings = noTimings();
  const wanted = { file, terms, timings };
  const { accountId, claim } = caller;
  const format = drawnFormat(file.format);
  const steps = fileSteps<Subject>(parts, accountId, image, wanted, refusal);

  const answer = (
    { bytes, grade, warnings, repaired }: Pick<SingleAnswer, 'bytes' | 'grade' | 'warnings' | 'repaired'>,
    { usageCount, remaining, strategy }: Pick<SingleAnswer, 'usageCount' | 'remaining' | 'strategy'>,
    month: Balance,
    replayed = false,
  ): SingleAnswer => ({
    ...{ bytes, grade, warnings, repaired },
    ...{ usageCount, remaining, strategy, month, replayed, timings },
  });

  return {
    ...{ caller, use, terms, timings },
    findEarlier() {
      const kept = key === null ? null : parts.cache.find(key);
      if (kept === null || (terms.repair && kept.grade < terms.minGrade)) return null;
      requireGrade(parts, accountId, kept, wanted, refusal);
      return payUnit(parts.quota, caller, use, timings).then((paid) =>
        answer({ ...kept, repaired: '' }, describeUnits(paid), paid.balance),
      );
    },
    plan() {
      const plan = okOrRefuse(planPicture(text, laid.design, null), refusal);
      const estimatedMs = [estimateFileMs(format, plan, false, laid.print)];
      return { units: 1, estimatedMs, pictures: { text, ...laid, format, found: null, plan } };
    },
    ...steps,
    async replay(kept, subject) {
      const record = readRecord(KeptRecord, kept.answer);
      if (record.kind === 'refused') throw refuseAgain(record);
      parts.freeWork.admit(accountId);
      const drawn = await steps.draw(
        record.logo === null
          ? await steps.findLogos(subject)
          : { ...subject, found: restoreLogo(record.logo) },
      );
      const bytes = await inFormat(parts, drawn.bytes, accountId, wanted);
      parts.freeWork.spend(accountId, timings.drawnMs);
      return answer({ ...drawn, bytes }, record, kept.month, true);
    },
    async keep(drawn, taken) {
      const bytes = await inFormat(parts, drawn.bytes, accountId, wanted);
      const units = describeUnits(taken);
      const logo = isRemote(image) ? drawn.subject.found : null;
      return {
        kind: 'done',
        refundUnits: 0,
        ...(claim && { record: writeRecord(units, logo) }),
        answer: (month) => answer({ ...drawn, bytes }, units, month),
      };
    },
  };
};

/**
 * Makes the use case of a single call: it draws one code for one unit. A call that fails costs nothing, whatever
 * `QUOTA_REFUND` says, because that policy is about the items of bulk calls and the rows of batches.
 */
export const createSingle =
  (parts: Parts) =>
  async (
    request: SingleRequest,
    caller: Caller,
    terms: Terms = NO_TERMS,
    file: FileTerms = PNG_FILE,
  ): Promise<SingleAnswer> => {
    const { data: text, image } = request;
    const { format } = file;
    const laid = okOrRefuse(layOutFile(text, toDesign(request), file));
    // With an Idempotency-Key the stored answer has precedence, and a logo must be found first. A WebP is not cached.
    const isKeyed = caller.claim === undefined && image === undefined && format !== 'webp';
    const key = isKeyed ? pictureKey({ text, ...laid, format, logoSha256: null }) : null;
    return payFor(parts, callFor(parts, { text, laid, image, use: 'single', key }, caller, terms, file));
  };
