/**
 * The one way of a call that units pay for. `payFor` has the steps and their order; what differs between the kinds of
 * calls (a single code, the image endpoint, a signed picture, a saved code, a bulk call) is in a `PaidCall`.
 *
 * Guarantees: a call that cannot be drawn, or for which the render queue has no room, takes no units; a call that fails
 * afterwards has them back before it is answered; a call whose codes are saved is paid, even when the gateway is killed
 * meanwhile.
 */
import type { Balance, Use } from '../quota/quota.ts';
import type { Caller, Parts, Timings } from './parts.ts';
import type { Terms } from './quality/graded.ts';
import { unknownOutcome } from './refusals.ts';
import { refuseWhenFull } from './steps.ts';
import { giveBack, type Replay, settleUnits, type Taken, takeUnits } from './units.ts';

/** What is known of a call before its units are taken. Kinds of calls add what they need to keep its pictures. */
export interface Planned<Pictures> {
  readonly units: number;
  /** Milliseconds of a render thread for each picture. */
  readonly estimatedMs: readonly number[];
  readonly pictures: Pictures;
}

/**
 * What became of the pictures of a call. `done`: they can be answered, and their units are used. `again`: a short
 * link that they show is taken, so they are drawn with another. `answered before`: a call with the same Idempotency-Key
 * was saved meanwhile. `unknown`: the database does not say whether it has saved the codes; the ledger learns it later.
 */
export type Kept<Pictures, Answer> =
  | {
      readonly kind: 'done';
      /** Units of items that failed. */
      readonly refundUnits: number;
      /** What the ledger keeps under the Idempotency-Key. Absent: nothing. */
      readonly record?: string;
      /** @param month The balance after the call. */
      answer(month: Balance): Answer;
    }
  | { readonly kind: 'again'; readonly pictures: Pictures }
  | { readonly kind: 'answered before' }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** What one kind of call does in each step. Every step may refuse the call by an `AppError`. */
export interface PaidCall<Pictures, Drawn, Answer, Plan extends Planned<Pictures> = Planned<Pictures>> {
  readonly caller: Caller;
  /** What the units are used for. */
  readonly use: Use['kind'];
  readonly terms: Terms;
  readonly timings: Timings;
  /** Returns the answer if an earlier call, or a picture at hand, has it; `null`: the call goes on. */
  findEarlier(): Promise<Answer | null> | null;
  /** Checks and plans the pictures. Fetches and draws nothing. */
  plan(): Promise<Plan> | Plan;
  /** Answers from the record that the ledger has under the Idempotency-Key. */
  replay(kept: Replay, pictures: Pictures): Promise<Answer>;
  findLogos(pictures: Pictures): Promise<Pictures>;
  draw(pictures: Pictures): Promise<Drawn>;
  /** Refuses what is below the grade that the call asks for. */
  grade(drawn: Drawn): Drawn;
  /** Makes the answer, and saves the codes of calls that save any. */
  keep(drawn: Drawn, taken: Taken, planned: Plan): Promise<Kept<Pictures, Answer>>;
}

/** There are 62^8 slugs: five clashes in a row mean that something else is wrong. */
const ATTEMPTS_MAX = 5;

/** Draws until the pictures can be kept. */
const makePictures = async <Pictures, Drawn, Answer, Plan extends Planned<Pictures>>(
  call: PaidCall<Pictures, Drawn, Answer, Plan>,
  planned: Plan,
  taken: Taken,
): Promise<Exclude<Kept<Pictures, Answer>, { readonly kind: 'again' }>> => {
  let pictures: Pictures = await call.findLogos(planned.pictures);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const drawn = call.grade(await call.draw(pictures));
    const kept = await call.keep(drawn, taken, planned);
    if (kept.kind !== 'again') return kept;
    pictures = kept.pictures;
  }
  throw new Error('no free slug was found');
};

/**
 * Answers a call and takes its units.
 *
 * @throws {AppError} 400 for a fault of the call, 409 and 422 for its Idempotency-Key, 429 when too few units or too
 *   little free work is left, 503 when the service cannot draw, pay or save. A call that throws costs nothing, unless
 *   its codes may be saved.
 */
export const payFor = async <Pictures, Drawn, Answer, Plan extends Planned<Pictures>>(
  parts: Parts,
  call: PaidCall<Pictures, Drawn, Answer, Plan>,
): Promise<Answer> => {
  const { caller, use, terms, timings } = call;
  const { accountId } = caller;
  const earlier = await call.findEarlier();
  if (earlier !== null) return earlier;
  const planned = await call.plan();
  const { units } = planned;
  refuseWhenFull(parts, { accountId, kind: use === 'bulk' ? 'bulk' : 'single' }, planned.estimatedMs);
  // Pictures that are refused for their grade cost no units, and count as free work.
  if (terms.minGrade > 0) parts.freeWork.admit(accountId);
  const taken = await takeUnits(parts.quota, caller, { units, kind: use }, timings);
  if (taken.kind === 'replay') return call.replay(taken, planned.pictures);
  const kept = await makePictures(call, planned, taken).catch(async (error: unknown) => {
    await giveBack(parts, caller, taken, units, error, timings);
    throw error;
  });
  if (kept.kind === 'unknown') throw unknownOutcome(kept.cause);
  const { refundUnits, record } = kept.kind === 'done' ? kept : { refundUnits: units, record: undefined };
  const closing = { id: taken.id, accountId, refundUnits, ...(record !== undefined && { answer: record }) };
  const month = await settleUnits(parts, taken, closing, timings);
  return kept.kind === 'done' ? kept.answer(month) : (await call.findEarlier())!;
};
