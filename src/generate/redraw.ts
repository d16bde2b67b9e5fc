/** Draws saved codes again from their design, in any size. It costs no units and counts as free work. */
import { LRUCache } from 'lru-cache';
import type { FileFormat } from '../../workers/lists.ts';
import type { RenderPlan } from '../../workers/plan.ts';
import type { Design, Fault, Logo, Rendered } from '../../workers/protocol.ts';
import type { StoredCode } from '../db/tables/codes/codes.ts';
import { type FoundLogo, logoBytes } from '../logo/outcome.ts';
import type { RenderOutcome } from '../render/outcome.ts';
import { ok, type Result, refused } from '../result.ts';
import { drawAll, drawOne } from './draw.ts';
import { fillFile, layOutFile } from './file.ts';
import { noTimings, type Parts, type Timings } from './parts.ts';
import { planPicture, type Subject } from './plan.ts';
import { refuseSketch } from './refusals.ts';
import { SIZE_MAX_PX, SIZE_MIN_PX } from './request/picture-options.ts';
import type { Print } from './request/print.ts';
import { contentValues, type ValueOf } from './request/words.ts';

/** What decides the picture of a saved code. */
export interface DrawnFrom extends Pick<StoredCode, 'content' | 'slug' | 'place' | 'design' | 'logoSha256'> {
  /** As in `StoredCode`. Absent: it is no saved code. */
  readonly grade?: StoredCode['grade'];
  /** What captions may name. */
  readonly id?: string;
  readonly name?: string | null;
  readonly externalId?: string | null;
}

/** A picture that can be drawn once its logo is loaded. */
export interface Sketch extends Omit<Subject, 'found'> {
  readonly plan: RenderPlan;
  /** Hexadecimal; `null` without a logo. */
  readonly logoSha256: string | null;
  /** The logo, when it is at hand; else it is loaded by its SHA-256. */
  readonly found?: FoundLogo | null;
}

/** What drawing saved codes needs beyond drawing itself. */
export interface RedrawParts extends Parts {
  /** Returns the logo that was saved with one of the account's codes; `null`: there is none with this SHA-256. */
  findLogo(accountId: string, sha256: string): Promise<Logo | null>;
  shortUrl(slug: string, place: string | null): string;
}

/** Of a code whose link was imported. */
export const NO_PICTURE: Fault = {
  field: 'id',
  message:
    'has no picture yet, because its link was imported; POST /codes/{id}/picture draws it for one unit',
};

/** For the logos used most recently. The codes of an archive often share one logo. */
const LOGOS_MAX_BYTES = 32 * 1024 * 1024;

/**
 * Returns the design of the same picture at another width. The height, the margin and the logo's margin scale with it,
 * so the proportions stay. The margin is rounded to whole pixels, as modules are, so its share may differ slightly.
 */
export const scaleDesign = (design: Design, widthPx: number): Design => {
  const scale = widthPx / design.widthPx;
  if (scale === 1) return design;
  const { heightPx, marginPx, image } = design;
  return {
    ...design,
    widthPx,
    heightPx: Math.round(heightPx * scale),
    marginPx: marginPx === null ? null : Math.round(marginPx * scale),
    image: { ...image, marginPx: image.marginPx * scale },
  };
};

const sizeFault = ({ heightPx }: Design): Fault | null =>
  heightPx >= SIZE_MIN_PX && heightPx <= SIZE_MAX_PX
    ? null
    : {
        field: 'width',
        message: `gives a height of ${heightPx} pixels; it must be ${SIZE_MIN_PX} to ${SIZE_MAX_PX}`,
      };

/** Returns what the caption of a saved code may say. @param text What it encodes. */
const valuesOf = ({ content, slug, name, externalId, id }: DrawnFrom, text: string): ValueOf => {
  const ofContent = contentValues(content);
  const own: Readonly<Record<string, string>> = {
    name: name ?? '',
    external_id: externalId ?? '',
    id: externalId ?? id ?? '',
    slug: slug ?? '',
    short_url: slug === null ? '' : text,
  };
  return (each) => (Object.hasOwn(own, each) ? own[each] : ofContent(each));
};

/** Creates the functions that draw saved codes again. They cache recently used logos, at most `LOGOS_MAX_BYTES`. */
export const createRedraw = (parts: RedrawParts) => {
  const logos = new LRUCache<string, FoundLogo, { accountId: string; sha256: string }>({
    maxSize: LOGOS_MAX_BYTES,
    sizeCalculation: ({ logo }) => logoBytes(logo) + 1,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: { accountId, sha256 } }) => {
      const logo = await parts.findLogo(accountId, sha256);
      return logo === null ? undefined : { logo, sha256 };
    },
  });

  const findLogo = (accountId: string, sha256: string): Promise<FoundLogo | undefined> =>
    logos.fetch(`${accountId} ${sha256}`, { context: { accountId, sha256 } });

  /** Returns a picture with its logo, which is loaded unless it is at hand. */
  const withLogo = async (accountId: string, sketch: Sketch): Promise<Subject> => {
    const { logoSha256, found: known, ...picture } = sketch;
    const found = known ?? (logoSha256 === null ? null : await findLogo(accountId, logoSha256));
    if (found === undefined) throw new Error('the logo of a saved code is gone');
    return { ...picture, found };
  };

  return {
    /** Returns the logo of a saved code, or `undefined` when it is gone. @param sha256 Hexadecimal. */
    findLogo,

    /**
     * Plans the picture of a code; draws nothing. Returns a fault when the picture cannot be drawn at this width, or
     * when its short link has become too long because `PUBLIC_URL` changed. A size in millimetres replaces the
     * width.
     */
    sketch(
      code: DrawnFrom,
      format: FileFormat,
      widthPx?: number,
      print: Print | null = null,
    ): Result<Sketch, Fault> {
      if (code.grade === null) return refused(NO_PICTURE);
      const text = code.slug === null ? code.content : parts.shortUrl(code.slug, code.place);
      const scaled = widthPx === undefined ? code.design : scaleDesign(code.design, widthPx);
      const wrongSize = sizeFault(scaled);
      if (wrongSize !== null) return refused(wrongSize);
      const file = fillFile({ format, print }, valuesOf(code, text));
      const laid = layOutFile(text, scaled, file);
      if (!laid.ok) return laid;
      const plan = planPicture(text, laid.value.design, null);
      if (!plan.ok) return plan;
      const logoSha256 = code.logoSha256?.toString('hex') ?? null;
      return ok({ text, ...laid.value, logoSha256, plan: plan.value });
    },

    withLogo,

    /**
     * Draws one picture as free work, ahead of bulk calls and batches, or takes it from the cache.
     *
     * @throws {AppError} 400 when the picture cannot be drawn, 503 when the service could not draw it in time.
     */
    async draw(accountId: string, sketch: Sketch, timings: Timings): Promise<Rendered> {
      const subject = await withLogo(accountId, sketch);
      const drawn = await drawOne(parts, { accountId, timings }, subject, refuseSketch);
      parts.freeWork.spend(accountId, timings.drawnMs);
      return drawn;
    },

    /**
     * Draws many pictures, behind all single ones and at the pace of free work. Returns one outcome for each, in order.
     */
    async drawAll(accountId: string, sketches: readonly Sketch[]): Promise<readonly RenderOutcome[]> {
      const subjects = await Promise.all(sketches.map((sketch) => withLogo(accountId, sketch)));
      await parts.freeWork.pace(accountId);
      const call = { accountId, timings: noTimings() };
      const outcomes = await drawAll(parts, call, 'bulk', subjects);
      parts.freeWork.spend(accountId, call.timings.drawnMs);
      return outcomes;
    },
  };
};

/** What `createRedraw` returns. */
export type Redraw = ReturnType<typeof createRedraw>;
