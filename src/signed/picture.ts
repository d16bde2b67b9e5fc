/** Draws signed pictures. One that is drawn in a month costs one unit that month, however often it is shown. */
import { estimateFileMs } from '../../workers/plan.ts';
import type { Fault, Rendered } from '../../workers/protocol.ts';
import type { StoredCode } from '../db/tables/codes/codes.ts';
import { AppError } from '../errors.ts';
import { drawOne } from '../generate/draw.ts';
import { payFor } from '../generate/paid-call.ts';
import { type Caller, NO_GRADE_TERMS, noTimings, type Parts, type Timings } from '../generate/parts.ts';
import { findLogo } from '../generate/prepare.ts';
import type { Graded } from '../generate/quality/graded.ts';
import type { Redraw, Sketch } from '../generate/redraw.ts';
import { refuseSketch } from '../generate/refusals.ts';
import { toDesign } from '../generate/request/design.ts';
import { mergeOptions } from '../generate/request/options.ts';
import type { PictureOptions } from '../generate/request/picture-options.ts';
import type { Print } from '../generate/request/print.ts';
import { pictureKey } from '../render/result-cache.ts';
import { ok, type Result, refused } from '../result.ts';
import type { SignedFormat } from './address.ts';
import { type PaidPictures, pictureId } from './paid.ts';
import { type ContentParameters, readNamed, type SignedParameters } from './parameters.ts';

/** What drawing signed pictures needs. */
export interface SignedPictureParts extends Parts {
  readonly redraw: Redraw;
  readonly paid: PaidPictures;
  /** Returns the account's code; `null`: it has none with this id. */
  findCode(accountId: string, id: string): Promise<StoredCode | null>;
  /** Returns the options of the account's preset; `null`: it has none of this name. */
  findPreset(accountId: string, name: string): Promise<{ readonly options: PictureOptions } | null>;
}

export interface SignedPicture extends Graded {
  /** The file. */
  readonly bytes: Uint8Array;
  readonly timings: Timings;
}

/** For whom a picture is drawn: it counts as use of the key that made the secret. */
type Owner = Omit<Caller, 'claim'>;

/** In pixels, with the colours of screens: the bytes that a file without a size in millimetres has. */
const ON_SCREEN: Print = { size: null, inks: { color: 'rgb', paper: '#ffffff' } };

/** The use cases of signed pictures. */
export type SignedPictures = ReturnType<typeof createSignedPictures>;

/** Creates the use cases. */
export const createSignedPictures = (parts: SignedPictureParts) => {
  const { redraw, paid } = parts;
  /** Equal requests that arrive together and are charged to the same key share one unit and one drawing. */
  const underWay = new Map<string, Promise<SignedPicture>>();

  /**
   * The first request of a month pays: the picture is noted before its reservation is settled. A gateway that is killed
   * between the two, or Redis that loses the reservation, gives this one unit away; no failure takes a second one.
   */
  const draw = async (
    sketch: Sketch,
    id: string,
    { accountId, keyId, keyQuota, makers }: Owner,
  ): Promise<SignedPicture> => {
    const timings = noTimings();
    const call = { accountId, keyId, keyQuota, makers, terms: NO_GRADE_TERMS, timings };
    if (await paid.has({ accountId, id })) {
      // A picture that is paid is free work when it must be drawn again.
      if (parts.cache.find(pictureKey(sketch)) === null) parts.freeWork.admit(accountId);
      return toAnswer(await redraw.draw(accountId, sketch, timings), timings);
    }
    const estimatedMs = [estimateFileMs(sketch.format, sketch.plan, false)];
    const drawn = await payFor(parts, call, { use: 'image', units: 1, estimatedMs }, async (taken) => {
      const subject = await redraw.withLogo(accountId, sketch);
      const value = await drawOne(parts, call, subject, refuseSketch);
      const isFirst = await paid.note({ accountId, id }, taken.balance.period, taken.id);
      return { kind: 'made', value, refundUnits: isFirst ? 0 : 1 };
    });
    if (drawn.kind !== 'paid') throw new Error('a signed picture has no Idempotency-Key');
    return toAnswer(drawn.value, timings);
  };

  /** Plans a picture of parameters that name no saved code. */
  const sketchContent = async (
    accountId: string,
    { data: content, preset, ...own }: ContentParameters,
    format: SignedFormat,
  ): Promise<Result<Sketch, Fault | 'no preset'>> => {
    const named = preset === undefined ? { options: {} } : await parts.findPreset(accountId, preset);
    if (named === null) return refused('no preset');
    const options: PictureOptions = mergeOptions<PictureOptions>(named.options, own);
    const found = await findLogo(parts, accountId, options.image, true);
    const logoSha256 = found === null ? null : Buffer.from(found.sha256, 'hex');
    const drawn = { content, slug: null, place: null, design: toDesign(options), logoSha256 };
    const sketch = redraw.sketch(drawn, format, undefined, ON_SCREEN);
    return sketch.ok ? ok({ ...sketch.value, found }) : sketch;
  };

  return {
    /** Plans the picture that validated parameters ask for; draws nothing. A fault names the parameter. */
    async sketch(
      accountId: string,
      parameters: SignedParameters,
      format: SignedFormat,
    ): Promise<Result<Sketch, Fault | 'no code' | 'no preset'>> {
      const named = readNamed(parameters);
      if (!named.ok) return named;
      if (named.value.kind === 'code') {
        const { codeId, widthPx } = named.value;
        const code = await parts.findCode(accountId, codeId);
        return code === null ? refused('no code') : redraw.sketch(code, format, widthPx, ON_SCREEN);
      }
      return sketchContent(accountId, named.value.parameters, format);
    },

    /**
     * Draws the picture, or takes it from the cache. The first one of a month costs a unit.
     *
     * @throws {AppError} 429 when no unit is left or the account's free work is spent, 503 when the service could not
     *   draw or pay. A call that fails costs nothing.
     */
    draw(sketch: Sketch, owner: Owner): Promise<SignedPicture> {
      const id = pictureId(sketch);
      const key = `${owner.keyId} ${id}`;
      const joined = underWay.get(key);
      if (joined !== undefined) return joined;
      const drawing = draw(sketch, id, owner)
        .catch(withoutBalance)
        .finally(() => underWay.delete(key));
      underWay.set(key, drawing);
      return drawing;
    },
  };
};

/** Callers are unauthenticated, and must not learn how many units the account has left. */
const withoutBalance = (error: unknown): never => {
  if (!(error instanceof AppError) || error.code !== 'quota_exhausted') throw error;
  throw new AppError(error.code, 'No units are left this month to pay for this picture.', {
    retryAfterS: error.retryAfterS ?? 1,
  });
};

const toAnswer = ({ bytes, grade, warnings }: Rendered, timings: Timings): SignedPicture => ({
  bytes,
  grade,
  warnings,
  timings,
});
