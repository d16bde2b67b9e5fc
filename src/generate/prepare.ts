/** What is done before pictures are drawn: finding their logos, and all that a free call needs. */
import type { RenderPlan } from '../../workers/plan.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import type { RenderLoad } from '../render/request.ts';
import { okOrThrow } from '../result.ts';
import type { Parts } from './parts.ts';
import { planPicture, type Subject } from './plan.ts';
import { inWords, overloaded, queueFull, refuse } from './refusals.ts';

/** Whether the logo comes from a URL, which may give another one, or none, when the same request is repeated. */
export const isRemote = (image: string | undefined): image is string => /^https?:/i.test(image ?? '');

/**
 * Finds the logo of a picture. Returns `null` when the request names none.
 *
 * @param isFree The call costs no units, so the logo counts as free work even when it can be used.
 * @throws {AppError} 400 when the logo cannot be used, 429 when the account has used up its free work, 503 when it
 *   could not be prepared in time.
 */
export const findLogo = async (
  { logos, pool, freeWork }: Pick<Parts, 'logos' | 'pool' | 'freeWork'>,
  accountId: string,
  image: string | undefined,
  isFree = false,
): Promise<FoundLogo | null> => {
  if (image === undefined) return null;
  const found = await logos.resolve(image, { accountId, isFree });
  if (found.ok) return found.value;
  const { fault } = found;
  if (fault.stage === 'busy') throw overloaded(inWords(fault), pool);
  if (fault.stage === 'spent') freeWork.admit(accountId);
  throw refuse(fault);
};

/** Refuses a free call for which the render queue has no room. @throws {AppError} 503. */
export const refuseWhenFull = (
  { pool, deadlineMs }: Pick<Parts, 'pool' | 'deadlineMs'>,
  load: Omit<RenderLoad, 'deadlineMs'>,
): void => {
  if (!pool.hasRoom({ ...load, deadlineMs: Date.now() + deadlineMs })) throw queueFull(pool);
};

/** A picture of a free call, whose format does not matter. */
export type FreeSubject = Omit<Subject, 'format'>;

/**
 * Prepares a picture that costs no units: plans it, refuses it when it cannot be drawn or the render queue is full, and
 * finds its logo.
 *
 * @throws {AppError} 400, 429 and 503, with the texts of the single call.
 */
export const prepareFree = async (
  parts: Parts,
  accountId: string,
  { text, design, print }: Pick<Subject, 'text' | 'design' | 'print'>,
  image: string | FoundLogo | undefined,
): Promise<FreeSubject & { readonly plan: RenderPlan }> => {
  const plan = okOrThrow(planPicture(text, design, null), refuse);
  refuseWhenFull(parts, { accountId, kind: 'single', estimatedMs: [plan.estimatedMs] });
  const found = typeof image === 'object' ? image : await findLogo(parts, accountId, image, true);
  return { text, design, plan, found, ...(print && { print }) };
};
