import type { RenderPlan } from '../../workers/plan.ts';
import type { RenderTask } from '../../workers/protocol.ts';
import type { Balance } from '../quota/quota.ts';
import { pictureKey } from '../render/picture-key.ts';
import { draw, refuse, refuseWhenFull } from './drawing.ts';
import { type Caller, noTimings, type Parts, type Timings } from './parts.ts';
import { toImageDesign } from './request/design.ts';
import type { ImageQuery } from './request/request.ts';
import { planPicture } from './task.ts';
import { giveBack, payUnit, takeUnits } from './units.ts';

/** The picture, and the balance after its unit was taken. */
export interface ImageAnswer {
  readonly png: Uint8Array;
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

/** Plans a picture. Faults call the text `content`, as the endpoint does, and not `data`, as request bodies do. */
const planImage = ({ text, design }: RenderTask): RenderPlan => {
  const plan = planPicture(text, design, null);
  if (plan.ok) return plan.value;
  const { field, message } = plan.fault;
  throw refuse({ field: field === 'data' ? 'content' : field, message }, 'invalid_query');
};

/**
 * Makes the use case of the image endpoint. A picture costs one unit, even when the gateway's cache has it. A call that
 * fails costs nothing. A picture in the cache needs no place in the render queue, so a full queue does not refuse it.
 */
export const createImage =
  (parts: Parts) =>
  async ({ task, key }: Image, caller: Caller): Promise<ImageAnswer> => {
    const timings = noTimings();
    const kept = parts.cache.find(key);
    if (kept !== null) {
      const { balance } = await payUnit(parts.quota, caller, 'image', timings);
      return { png: kept.bytes, usageCount: balance.usageCount, month: balance, timings };
    }
    const plan = planImage(task);
    refuseWhenFull(parts, caller.accountId, 'single', [plan.estimatedMs]);
    const taken = await takeUnits(parts.quota, caller, { units: 1, kind: 'image' }, timings);
    if (taken.kind === 'replay') throw new Error('the image endpoint claims no Idempotency-Key');
    try {
      const planned = { task, estimatedMs: plan.estimatedMs };
      const drawn = await draw(parts, caller.accountId, planned, null, timings);
      parts.quota.settleLater({ id: taken.id, accountId: caller.accountId, refundUnits: 0 });
      return { png: drawn.bytes, usageCount: taken.balance.usageCount, month: taken.balance, timings };
    } catch (error) {
      await giveBack(parts, caller, taken, 1, error);
      throw error;
    }
  };
