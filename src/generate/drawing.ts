/** Plans one picture, refuses it when it cannot be drawn, and draws it or takes it from the cache. */
import type { RenderPlan } from '../../workers/plan.ts';
import type { Design, Fault, Rendered } from '../../workers/protocol.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Failure, RenderOutcome } from '../render/outcome.ts';
import type { RenderPool } from '../render/pool.ts';
import type { Parts, Timings } from './parts.ts';
import { type Graded, gradeFault, type Terms } from './quality/graded.ts';
import { isPrintField } from './request/print.ts';
import { type PlannedTask, planPicture } from './task.ts';

/** The caller's message when the service could not draw a picture. */
export const FAILURES: Readonly<Record<Failure, string>> = {
  queue_full: 'The render queue is full; try again.',
  deadline: 'The picture could not be drawn in time; try again.',
  crashed: 'The renderer failed on this picture; try again.',
  closed: 'The service is shutting down; try again.',
};

/** Returns a 503 with `Retry-After`. */
export const overloaded = (failure: Failure, pool: Pick<RenderPool, 'retryAfterS'>): AppError =>
  new AppError('overloaded', FAILURES[failure], { retryAfterS: pool.retryAfterS() });

/** Returns a 400 that names the field and what is wrong with it. */
export const refuse = (fault: Fault, code: ErrorCode = 'invalid_body'): AppError =>
  new AppError(code, `${fault.field}: ${fault.message}`);

/** Returns the same for the fault of a file, whose size comes from the query. */
export const refuseFile = (fault: Fault): AppError =>
  refuse(fault, isPrintField(fault.field) ? 'invalid_query' : 'invalid_body');

/**
 * Plans a picture without its logo, before any unit is reserved.
 *
 * @throws {AppError} 400 when the picture cannot be drawn.
 */
export const planOrRefuse = (text: string, design: Design): RenderPlan => {
  const plan = planPicture(text, design, null);
  if (!plan.ok) throw refuse(plan.fault);
  return plan.value;
};

/**
 * Refuses work for which the render queue has no room, before any unit is reserved.
 *
 * @param estimatedMs Milliseconds of a render thread for each picture.
 * @throws {AppError} 503.
 */
export const refuseWhenFull = (
  { pool, deadlineMs }: Pick<Parts, 'pool' | 'deadlineMs'>,
  accountId: string,
  kind: 'single' | 'bulk',
  estimatedMs: readonly number[],
): void => {
  if (pool.hasRoom({ accountId, kind, estimatedMs, deadlineMs: Date.now() + deadlineMs })) return;
  throw overloaded('queue_full', pool);
};

/**
 * Refuses a picture below the grade that its call asks for. The call then costs no units, so what it took to draw
 * counts as free work.
 *
 * @param refusal Makes the error of a fault.
 * @throws {AppError} 400.
 */
export const requireGrade = (
  { freeWork }: Pick<Parts, 'freeWork'>,
  accountId: string,
  picture: Graded,
  { terms, timings }: { readonly terms: Terms; readonly timings: Timings },
  refusal: (fault: Fault) => AppError = refuse,
): void => {
  const fault = gradeFault(picture, terms);
  if (fault === null) return;
  freeWork.spend(accountId, timings.drawnMs);
  throw refusal(fault);
};

/**
 * Returns the picture of an outcome.
 *
 * @throws {AppError} 400 when it cannot be drawn, 503 when the service could not draw it in time.
 */
export const drawnOrThrow = (outcome: RenderOutcome, pool: Pick<RenderPool, 'retryAfterS'>): Rendered => {
  if (outcome.ok) return outcome.value;
  const { fault } = outcome;
  throw fault.reason === 'unfit' ? refuse(fault.fault) : overloaded(fault.reason, pool);
};

/** The parts that drawing one picture needs. */
export type DrawParts = Pick<Parts, 'pool' | 'cache' | 'fitLogo' | 'deadlineMs' | 'freeWork'>;

/**
 * Draws one picture, or takes it from the cache. Adds what that took to `timings`.
 *
 * @param logoHash SHA-256 of the logo, hexadecimal; `null` without a logo.
 * @throws {AppError} 400 when the picture cannot be drawn, 503 when the service could not draw it in time.
 */
export const draw = async (
  parts: DrawParts,
  accountId: string,
  { task, estimatedMs }: PlannedTask,
  logoHash: string | null,
  timings: Timings,
): Promise<Rendered> => {
  const outcome = await parts.cache.through(task, logoHash, async () => {
    const run = await parts.pool.render({
      tasks: [task],
      estimatedMs: [estimatedMs],
      accountId,
      kind: 'single',
      deadlineMs: Date.now() + parts.deadlineMs,
    });
    timings.queueMs += run.queueMs;
    timings.renderMs += run.renderMs;
    if (run.renderMs > 0) timings.drawnMs += estimatedMs;
    return run.outcomes[0]!;
  });
  return drawnOrThrow(outcome, parts.pool);
};
