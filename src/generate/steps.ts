/** Steps that calls for pictures have in common, paid and free ones. */
import type { RenderPlan } from '../../workers/plan.ts';
import type { Fault, Rendered } from '../../workers/protocol.ts';
import type { AppError } from '../errors.ts';
import { MAX_MEASURED_MS } from '../limits/free-work.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import { type RenderOutcome, refuseUnfit } from '../render/outcome.ts';
import type { RenderPool } from '../render/pool.ts';
import type { RenderKind } from '../render/request.ts';
import { isOk, type Result } from '../result.ts';
import type { Parts, Timings } from './parts.ts';
import { type Graded, gradeFault, type Terms } from './quality/graded.ts';
import { FAILURES, inWords, overloaded, refuse, refuseDrawing } from './refusals.ts';
import { type PictureTask, planPicture, planTask, type QueueTask, type Subject } from './task.ts';

/** Makes the error of a fault. */
export type Refusal = (fault: Fault) => AppError;

/** Returns the value of a result. @throws {AppError} 400 for its fault, as `refusal` makes it. */
export const okOrRefuse = <T>(result: Result<T, Fault>, refusal: Refusal = refuse): T => {
  if (!result.ok) throw refusal(result.fault);
  return result.value;
};

/** For whom pictures are drawn, and before which others. */
export interface Asker {
  readonly accountId: string;
  readonly kind: RenderKind;
}

type Drawing = Pick<Parts, 'pool' | 'deadlineMs'>;

/**
 * Refuses work for which the render queue has no room, before any unit is reserved.
 *
 * @param estimatedMs Milliseconds of a render thread for each picture.
 * @throws {AppError} 503.
 */
export const refuseWhenFull = (
  { pool, deadlineMs }: Drawing,
  asker: Asker,
  estimatedMs: readonly number[],
): void => {
  if (pool.hasRoom({ ...asker, estimatedMs, deadlineMs: Date.now() + deadlineMs })) return;
  throw overloaded(FAILURES.queue_full, pool);
};

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

/**
 * Prepares a picture that costs no units: plans it, refuses it when it cannot be drawn or the render queue is full, and
 * finds its logo.
 *
 * @throws {AppError} 400, 429 and 503, with the texts of the single call.
 */
export const prepareFree = async (
  parts: Drawing & Pick<Parts, 'logos' | 'freeWork'>,
  accountId: string,
  { text, design }: Pick<Subject, 'text' | 'design'>,
  image: string | FoundLogo | undefined,
): Promise<Omit<Subject, 'format' | 'print'> & { readonly plan: RenderPlan }> => {
  const plan = okOrRefuse(planPicture(text, design, null));
  refuseWhenFull(parts, { accountId, kind: 'single' }, [plan.estimatedMs]);
  const found = typeof image === 'object' ? image : await findLogo(parts, accountId, image, true);
  return { text, design, plan, found };
};

/**
 * Runs tasks together on the render threads, and adds their waiting and drawing time to `timings`. Returns one outcome
 * for each, and the milliseconds of render threads that they took together; a task that failed counts by its estimate.
 */
export const runTasks = async (
  { pool, deadlineMs }: Drawing,
  asker: Asker,
  planned: readonly QueueTask[],
  timings: Timings,
): Promise<{ readonly outcomes: readonly RenderOutcome[]; readonly spentMs: number }> => {
  const estimatedMs = planned.map((each) => each.estimatedMs);
  const run = await pool.render({
    ...asker,
    tasks: planned.map(({ task }) => task),
    layers: planned.map(({ layers = null }) => layers),
    estimatedMs,
    deadlineMs: Date.now() + deadlineMs,
  });
  timings.queueMs += run.queueMs;
  timings.renderMs += run.renderMs;
  const tookMs = run.outcomes.map((outcome, index) =>
    Math.min(MAX_MEASURED_MS, outcome.ok ? outcome.value.renderMs : estimatedMs[index]!),
  );
  const spentMs = run.renderMs > 0 ? tookMs.reduce((sum, ms) => sum + ms, 0) : 0;
  timings.drawnMs += spentMs;
  return { outcomes: run.outcomes, spentMs };
};

/**
 * Draws pictures together, past the cache, and adds what that took to `timings`. Returns one outcome for each, in order.
 *
 * @param toTask Makes another task of a picture than drawing it.
 */
export const drawAll = async (
  parts: Drawing & Pick<Parts, 'fitLogo'>,
  asker: Asker,
  subjects: readonly Subject[],
  timings: Timings,
  toTask: (planned: PictureTask) => QueueTask = (planned) => planned,
): Promise<readonly RenderOutcome[]> => {
  const planned = await Promise.all(subjects.map((subject) => planTask(parts.fitLogo, subject)));
  const tasks = planned.filter(isOk).map(({ value }) => toTask(value));
  const { outcomes } = await runTasks(parts, asker, tasks, timings);
  const drawn = outcomes.values();
  return planned.map((each) => (each.ok ? drawn.next().value! : refuseUnfit(each.fault)));
};

/**
 * Refuses a call of several pictures when the render queue had no room for any of them, instead of answering with
 * failed items only.
 *
 * @throws {AppError} 503.
 */
export const refuseWithoutRoom = (
  outcomes: readonly RenderOutcome[],
  pool: Pick<RenderPool, 'retryAfterS'>,
): void => {
  const reasons = outcomes.map((outcome) => (outcome.ok ? 'drawn' : outcome.fault.reason));
  const ran = reasons.filter((reason) => reason !== 'unfit');
  if (ran.length > 0 && ran.every((reason) => reason === 'queue_full'))
    throw overloaded(FAILURES.queue_full, pool);
};

/** Returns the picture of an outcome. @throws {AppError} 400, 500 or 503 (`refuseDrawing`) when there is none. */
export const drawnOrThrow = (outcome: RenderOutcome, pool: Pick<RenderPool, 'retryAfterS'>): Rendered => {
  if (outcome.ok) return outcome.value;
  throw refuseDrawing(outcome.fault, pool);
};

/** The parts that drawing one picture needs. */
export type DrawParts = Pick<Parts, 'pool' | 'cache' | 'fitLogo' | 'deadlineMs' | 'freeWork'>;

/**
 * Draws one picture, or takes it from the cache. Adds what that took to `timings`.
 *
 * @throws {AppError} 400 when the picture cannot be drawn, 503 when the service could not draw it in time.
 */
export const drawOne = async (
  parts: DrawParts,
  accountId: string,
  subject: Subject,
  timings: Timings,
  refusal: Refusal = refuse,
): Promise<Rendered> => {
  const planned = okOrRefuse(await planTask(parts.fitLogo, subject), refusal);
  const outcome = await parts.cache.through(planned.task, subject.found?.sha256 ?? null, async () => {
    const ran = await runTasks(parts, { accountId, kind: 'single' }, [planned], timings);
    return ran.outcomes[0]!;
  });
  return drawnOrThrow(outcome, parts.pool);
};

/**
 * Refuses a picture below the grade that its call asks for. The call then costs no units, so what it took to draw
 * counts as free work.
 *
 * @throws {AppError} 400.
 */
export const requireGrade = (
  { freeWork }: Pick<Parts, 'freeWork'>,
  accountId: string,
  picture: Graded,
  { terms, timings }: { readonly terms: Terms; readonly timings: Timings },
  refusal: Refusal = refuse,
): void => {
  const fault = gradeFault(picture, terms);
  if (fault === null) return;
  freeWork.spend(accountId, timings.drawnMs);
  throw refusal(fault);
};
