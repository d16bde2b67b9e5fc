/** One picture for one unit: a single call, as JSON or as a file, and the image endpoint. */
import Type, { type Static } from 'typebox';
import { estimateFileMs } from '../../workers/plan.ts';
import type { Fault, LogoVector, TextLoss } from '../../workers/protocol.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import type { Balance } from '../quota/quota.ts';
import { pictureKey } from '../render/result-cache.ts';
import { okOrThrow } from '../result.ts';
import { orNull } from '../stored-json.ts';
import { drawFile } from './draw-file.ts';
import { type FileSpec, fillFile, type LaidOut, layOutFile, PNG_FILE } from './file.ts';
import { type Payment, payFor, payUnit, readRecord } from './paid-call.ts';
import {
  type Caller,
  type GradeTerms,
  NO_GRADE_TERMS,
  noTimings,
  type Parts,
  type Timings,
} from './parts.ts';
import { planPicture } from './plan.ts';
import { findLogo, isRemote } from './prepare.ts';
import { type Graded, requireGrade } from './quality/graded.ts';
import { type Refusal, refuse } from './refusals.ts';
import { toDesign, toImageDesign } from './request/design.ts';
import type { ImageQuery, SingleRequest } from './request/request.ts';
import { contentValues } from './request/words.ts';

/** What an answer says about the units of its account. */
interface Units {
  readonly usageCount: number;
  readonly remaining: number;
  readonly strategy: 'monthly' | 'credits';
}

/** The picture of a call, and the balance after it. */
interface SingleAnswer extends Units, Graded {
  /** The file. */
  readonly bytes: Uint8Array;
  /** What a repair changed, as the header `Tessera-Repaired` has it; '' when nothing was changed. */
  readonly repaired: string;
  /** What its caption loses; absent: nothing. */
  readonly lost?: readonly TextLoss[];
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

const describeUnits = ({ balance: { usageCount, remaining }, fromCredits }: Payment): Units => ({
  ...{ usageCount, remaining },
  strategy: fromCredits > 0 ? 'credits' : 'monthly',
});

const writeRecord = (units: Units, logo: FoundLogo | null): string => {
  const record: Static<typeof SingleRecord> = { kind: 'single', ...units, logo: logo && keepLogo(logo) };
  return JSON.stringify(record);
};

/** A picture that a call asks for. */
interface PictureSpec {
  readonly text: string;
  readonly laid: LaidOut;
  readonly image?: string | undefined;
  readonly use: 'single' | 'image';
  /** Its `pictureKey`, by which it may be in the cache; `null`: the cache is not asked before it is paid. */
  readonly key: string | null;
  readonly refusal: Refusal;
}

/**
 * Makes one picture for one unit. One in the cache is paid at once, and needs no place in the render queue, so a full
 * queue does not refuse it.
 */
const makePicture = async (
  parts: Parts,
  { text, laid, image, use, key, refusal }: PictureSpec,
  caller: Caller,
  terms: GradeTerms,
  file: FileSpec,
): Promise<SingleAnswer> => {
  const { accountId, claim } = caller;
  const timings = noTimings();
  const call = { ...caller, terms, timings };

  const kept = key === null ? null : parts.cache.find(key);
  if (kept !== null && !(terms.repair && kept.grade < terms.minGrade)) {
    requireGrade(parts, call, kept, refusal);
    const paid = await payUnit(parts.quota, caller, use, timings);
    const { bytes, grade, warnings, lost } = kept;
    const picture = { bytes, grade, warnings, repaired: '', ...(lost && { lost }) };
    return { ...picture, ...describeUnits(paid), month: paid.balance, replayed: false, timings };
  }

  const plan = okOrThrow(planPicture(text, laid.design, null), refusal);
  const estimatedMs = [estimateFileMs(laid.format, plan, false, laid.print)];
  const draw = (found: FoundLogo | null) => drawFile(parts, call, { text, ...laid, found, plan }, file);
  const paid = await payFor(parts, call, { use, units: 1, estimatedMs }, async (taken) => {
    const found = await findLogo(parts, accountId, image);
    const drawn = await draw(found);
    requireGrade(parts, call, drawn, refusal);
    const units = describeUnits(taken);
    const record = claim && writeRecord(units, isRemote(image) ? found : null);
    return { kind: 'made', value: { ...drawn, ...units }, refundUnits: 0, record };
  });
  if (paid.kind === 'paid') return { ...paid.value, month: paid.month, replayed: false, timings };
  if (paid.kind === 'answered before') throw new Error('a single call saves nothing');

  const { logo, usageCount, remaining, strategy } = readRecord(SingleRecord, paid.answer);
  parts.freeWork.admit(accountId);
  const drawn = await draw(logo === null ? await findLogo(parts, accountId, image) : restoreLogo(logo));
  parts.freeWork.spend(accountId, timings.drawnMs);
  return { ...drawn, usageCount, remaining, strategy, month: paid.month, replayed: true, timings };
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
    terms: GradeTerms = NO_GRADE_TERMS,
    asked: FileSpec = PNG_FILE,
  ): Promise<SingleAnswer> => {
    const { data: text, image } = request;
    const file = fillFile(asked, contentValues(text));
    const laid = okOrThrow(layOutFile(text, toDesign(request), file), refuse);
    // With an Idempotency-Key the stored answer has precedence, and a logo must be found first. A WebP is not cached.
    const isKeyed = caller.claim === undefined && image === undefined && file.format !== 'webp';
    const key = isKeyed ? pictureKey({ text, ...laid, logoSha256: null }) : null;
    const spec = { text, laid, image, use: 'single', key, refusal: refuse } as const;
    return makePicture(parts, spec, caller, terms, file);
  };

/** The endpoint's names for fields of request bodies. */
const IMAGE_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['data', 'content'],
  ['dotsOptions.color', 'dark'],
  ['dotsOptions.gradient', 'dark'],
  // The corners take the colour of the dots.
  ['cornersDotOptions.type', 'dark'],
  ['cornersSquareOptions.type', 'dark'],
  ['backgroundOptions.color', 'light'],
]);

const imageRefusal = ({ field, message }: Fault) =>
  refuse({ field: IMAGE_PARAMETERS.get(field) ?? field, message }, 'invalid_query');

/** Returns the picture that a validated query asks for. */
export const toImage = (query: ImageQuery): PictureSpec & { readonly key: string } => {
  const { content: text } = query;
  const design = toImageDesign(query);
  const key = pictureKey({ text, design, format: 'png', logoSha256: null });
  return { text, laid: { design, format: 'png' }, use: 'image', key, refusal: imageRefusal };
};

/** Makes the use case of the image endpoint. A picture costs one unit, even when the gateway's cache has it. */
export const createImage =
  (parts: Parts) =>
  (image: PictureSpec, caller: Caller, terms: GradeTerms = NO_GRADE_TERMS): Promise<SingleAnswer> =>
    makePicture(parts, image, caller, terms, PNG_FILE);
