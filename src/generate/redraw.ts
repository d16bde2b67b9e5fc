/** Saved codes, drawn again from their design: for free, in any size. */
import { LRUCache } from 'lru-cache';
import type { Design, Fault, Logo, Rendered, RenderTask } from '../../workers/protocol.ts';
import type { StoredCode } from '../db/tables/codes.ts';
import { fieldError } from '../errors.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import { type RenderOutcome, unfit } from '../render/outcome.ts';
import { isOk, ok, type Result, refused } from '../result.ts';
import { type DrawParts, draw } from './drawing.ts';
import type { Timings } from './parts.ts';
import { SIZE_MAX_PX, SIZE_MIN_PX } from './request.ts';
import { type PlannedTask, planPicture, planTask } from './task.ts';

/** What is kept of a code that decides its picture. */
export type DrawnFrom = Pick<StoredCode, 'content' | 'slug' | 'design' | 'logoSha256'>;

/** A picture that can be drawn, up to its logo's pixels. */
export interface Sketch {
  readonly text: string;
  readonly design: Design;
  /** Hexadecimal. */
  readonly logoSha256: string | null;
  readonly format: RenderTask['format'];
}

export interface RedrawParts extends DrawParts {
  /** A logo saved with one of the account's codes, by its SHA-256. */
  findLogo(accountId: string, sha256: string): Promise<Logo | null>;
  shortUrl(slug: string): string;
}

/** Logos of codes drawn lately: those of an archive are often one and the same. */
const LOGOS_MAX_BYTES = 32 * 1024 * 1024;

/**
 * The same picture at another width: the height, a margin in pixels and the logo's margin grow with it, and so
 * the proportions stay. A margin is rounded to whole pixels, as modules are, so its share differs by a trifle.
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

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const createRedraw = (parts: RedrawParts) => {
  const logos = new LRUCache<string, FoundLogo, { accountId: string; sha256: string }>({
    maxSize: LOGOS_MAX_BYTES,
    sizeCalculation: ({ logo }) => logo.png.byteLength + 1,
    fetchMethod: async (_key, _stale, { context: { accountId, sha256 } }) => {
      const logo = await parts.findLogo(accountId, sha256);
      return logo === null ? undefined : { logo, sha256 };
    },
  });

  const logoOf = async (accountId: string, sha256: string | null): Promise<FoundLogo | null> => {
    if (sha256 === null) return null;
    const found = await logos.fetch(`${accountId} ${sha256}`, { context: { accountId, sha256 } });
    if (found === undefined) throw new Error('the logo of a saved code is gone');
    return found;
  };

  const taskOf = async (accountId: string, sketch: Sketch): Promise<Result<PlannedTask, Fault>> =>
    planTask(parts.fitLogo, { ...sketch, found: await logoOf(accountId, sketch.logoSha256) });

  return {
    /** A fault: no such picture can be drawn, in that size or under a longer `PUBLIC_URL`. */
    sketch(code: DrawnFrom, format: RenderTask['format'], widthPx?: number): Result<Sketch, Fault> {
      const design = widthPx === undefined ? code.design : scaleDesign(code.design, widthPx);
      const text = code.slug === null ? code.content : parts.shortUrl(code.slug);
      const wrongSize = sizeFault(design);
      if (wrongSize !== null) return refused(wrongSize);
      const plan = planPicture(text, design, null);
      if (!plan.ok) return plan;
      const logoSha256 = code.logoSha256?.toString('hex') ?? null;
      return ok({ text, design, format, logoSha256 });
    },

    /** One picture, ahead of batches, or the one that the cache has. Counts as free work, as all here do. */
    async draw(accountId: string, sketch: Sketch, timings: Timings): Promise<Rendered> {
      const planned = await taskOf(accountId, sketch);
      if (!planned.ok) throw refuseSketch(planned.fault);
      const drawn = await draw(parts, accountId, planned.value, sketch.logoSha256, timings);
      parts.freeWork.spend(accountId, timings.drawnMs);
      return drawn;
    },

    /** Many pictures, behind everyone's single ones and no faster than free work may go; an outcome for each. */
    async drawAll(accountId: string, sketches: readonly Sketch[]): Promise<readonly RenderOutcome[]> {
      const planned = await Promise.all(sketches.map((sketch) => taskOf(accountId, sketch)));
      const tasks = planned.filter(isOk).map(({ value }) => value);
      await parts.freeWork.pace(accountId);
      const run = await parts.pool.render({
        tasks: tasks.map(({ task }) => task),
        estimatedMs: tasks.map(({ estimatedMs }) => estimatedMs),
        accountId,
        kind: 'bulk',
        deadlineMs: Date.now() + parts.deadlineMs,
      });
      if (run.renderMs > 0) parts.freeWork.spend(accountId, sum(tasks.map(({ estimatedMs }) => estimatedMs)));
      const drawn = run.outcomes.values();
      return planned.map((item) => (item.ok ? drawn.next().value! : unfit(item.fault)));
    },
  };
};

export type Redraw = ReturnType<typeof createRedraw>;

/** A caller chooses nothing but the width, so whatever is at fault is told of it. */
export const refuseSketch = ({ field, message }: Fault) =>
  field === 'width'
    ? fieldError('width', message, 'invalid_query')
    : fieldError('width', `this code cannot be drawn so: ${field} ${message}`, 'invalid_query');
