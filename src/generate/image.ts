import type { RenderPlan } from '../../workers/plan.ts';
import type { Fault, Rendered, RenderTask } from '../../workers/protocol.ts';
import type { AppError } from '../errors.ts';
import type { Balance } from '../quota/quota.ts';
import { pictureKey } from '../render/result-cache.ts';
import { draw, refuse, refuseWhenFull, requireGrade } from './drawing.ts';
import { type Caller, noTimings, type Parts, type Timings } from './parts.ts';
import { NO_TERMS, type Picture, type Terms, toPicture } from './quality/graded.ts';
import { toImageDesign } from './request/design.ts';
import type { ImageQuery } from './request/request.ts';
import { planPicture } from './task.ts';
import { giveBack, payUnit, takeUnits } from './units.ts';

/** The picture, and the balance after its unit was taken. */
export interface ImageAnswer extends Picture {
  readonly usageCount: number;
  readonly month: Balance;
  readonly timings: Timings;
}

/** A picture without a logo. */
export interface Image {
  readonly task: RenderTask;
  /** Its `pictureKey`. */
  readonly key: string;
}

/** Returns the picture that a validated query asks for. */
export const toImage = (query: ImageQuery): Image => {
  const { content: text } = query;
  const design = toImageDesign(query);
  const key = pictureKey({ text, design, format: 'png', logoSha256: null });
  return { task: { text, design, format: 'png', logo: null }, key };
};

/** The endpoint's names for fields of request bodies. */
const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['data', 'content'],
  ['dotsOptions.color', 'dark'],
  ['dotsOptions.gradient', 'dark'],
  // The corners take the colour of the dots.
  ['cornersDotOptions.type', 'dark'],
  ['cornersSquareOptions.type', 'dark'],
  ['backgroundOptions.color', 'light'],
]);

const refuseQuery = ({ field, message }: Fault): AppError =>
  refuse({ field: PARAMETERS.get(field) ?? field, message }, 'invalid_query');

const planImage = ({ text, design }: RenderTask): RenderPlan => {
  const plan = planPicture(text, design, null);
  if (plan.ok) return plan.value;
  throw refuseQuery(plan.fault);
};

const toAnswer = (drawn: Rendered, month: Balance, timings: Timings): ImageAnswer => ({
  ...toPicture(drawn),
  usageCount: month.usageCount,
  month,
  timings,
});

/**
 * Makes the use case of the image endpoint. A picture costs one unit, even when the gateway's cache has it. A call that
 * fails costs nothing. A picture in the cache needs no place in the render queue, so a full queue does not refuse it.
 */
export const createImage =
  (parts: Parts) =>
  async ({ task, key }: Image, caller: Caller, terms: Terms = NO_TERMS): Promise<ImageAnswer> => {
    const timings = noTimings();
    const wanted = { terms, timings };
    const kept = parts.cache.find(key);
    if (kept !== null) {
      requireGrade(parts, caller.accountId, kept, wanted, refuseQuery);
      const { balance } = await payUnit(parts.quota, caller, 'image', timings);
      return toAnswer(kept, balance, timings);
    }
    const plan = planImage(task);
    refuseWhenFull(parts, caller.accountId, 'single', [plan.estimatedMs]);
    if (terms.minGrade > 0) parts.freeWork.admit(caller.accountId);
    const taken = await takeUnits(parts.quota, caller, { units: 1, kind: 'image' }, timings);
    if (taken.kind === 'replay') throw new Error('the image endpoint claims no Idempotency-Key');
    try {
      const planned = { task, estimatedMs: plan.estimatedMs };
      const drawn = await draw(parts, caller.accountId, planned, null, timings);
      requireGrade(parts, caller.accountId, drawn, wanted, refuseQuery);
      parts.quota.settleLater({ id: taken.id, accountId: caller.accountId, refundUnits: 0 });
      return toAnswer(drawn, taken.balance, timings);
    } catch (error) {
      await giveBack(parts, caller, taken, 1, error);
      throw error;
    }
  };
