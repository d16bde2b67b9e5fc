/** Plans one picture, refuses it when it cannot be drawn, and draws it or takes it from the cache. */
import type { RenderPlan } from '../../workers/plan.ts';
import type { Design, Fault, Rendered } from '../../workers/protocol.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { MAX_MEASURED_MS } from '../limits/free-work.ts';
import type { Failure, NotDrawn, RenderOutcome } from '../render/outcome.ts';
import type { RenderPool } from '../render/pool.ts';
import type { RenderKind } from '../render/request.ts';
import type { Parts, Timings } from './parts.ts';
import { type Graded, gradeFault, type Terms } from './quality/graded.ts';
import { isPrintField } from './request/print.ts';
import { type PlannedTask, planPicture } from './task.ts';

/** The caller's message when the service could not draw a picture. */
export const FAILURES: Readonly<Record<Failure, string>> = {
  queue_full: 'The render queue is full; try again.',
  deadline: 'The picture could not be drawn in time; try again.',
  crashed: 'The renderer failed on this picture. Change its design, or tell the operator of the service.',
  // On a busy machine that is not the picture's fault.
  hung: 'The picture could not be drawn in time; try again.',
  closed: 'The service is shutting down; try again.',
};

/** Returns a 503 with `Retry-After`. */
const overloadError = (
  failure: Exclude<Failure, 'crashed'>,
  pool: Pick<RenderPool, 'retryAfterS'>,
): AppError => new AppError('overloaded', FAILURES[failure], { retryAfterS: pool.retryAfterS() });

/** Returns a fault as one text, in the form of the specification (7.1). */
export const inWords = ({ field, message }: Fault): string => `${field}: ${message}`;

/** Returns the caller's message for a picture among others that was not drawn. */
export const tellNotDrawn = (notDrawn: NotDrawn): string =>
  notDrawn.reason === 'unfit' ? inWords(notDrawn.fault) : FAILURES[notDrawn.reason];

/** Returns a 400 that names the field and what is wrong with it. */
export const refuse = (fault: Fault, code: ErrorCode = 'invalid_body'): AppError =>
  new AppError(code, inWords(fault));

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
  throw overloadError('queue_full', pool);
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
 * @throws {AppError} 400 when it cannot be drawn, 500 when the renderer failed on it, 503 when it was late.
 */
export const drawnOrThrow = (outcome: RenderOutcome, pool: Pick<RenderPool, 'retryAfterS'>): Rendered => {
  if (outcome.ok) return outcome.value;
  const { fault } = outcome;
  if (fault.reason === 'unfit') throw refuse(fault.fault);
  if (fault.reason === 'crashed') throw new AppError('internal', FAILURES.crashed, { cause: fault.cause });
  throw overloadError(fault.reason, pool);
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
  const foundNoRoom = (outcome: RenderOutcome) => !outcome.ok && outcome.fault.reason === 'queue_full';
  if (outcomes.length > 0 && outcomes.every(foundNoRoom)) throw overloadError('queue_full', pool);
};

/** The tasks of a call, and for whom they are. */
export interface Tasks {
  readonly accountId: string;
  readonly kind: RenderKind;
  readonly tasks: readonly PlannedTask[];
}

/**
 * Runs tasks together on the render threads, and adds their waiting and drawing time to `timings`. Returns one outcome
 * for each, and the milliseconds of render threads that they took together; a task that failed counts by its estimate.
 */
export const runTasks = async (
  { pool, deadlineMs }: Pick<Parts, 'pool' | 'deadlineMs'>,
  { accountId, kind, tasks }: Tasks,
  timings: Timings,
): Promise<{ readonly outcomes: readonly RenderOutcome[]; readonly spentMs: number }> => {
  const estimatedMs = tasks.map((planned) => planned.estimatedMs);
  const run = await pool.render({
    tasks: tasks.map(({ task }) => task),
    layers: tasks.map(({ layers = null }) => layers),
    estimatedMs,
    accountId,
    kind,
    deadlineMs: Date.now() + deadlineMs,
  });
  timings.queueMs += run.queueMs;
  timings.renderMs += run.renderMs;
  const tookMs = run.outcomes.map((outcome, index) =>
    Math.min(MAX_MEASURED_MS, outcome.ok ? outcome.value.renderMs : estimatedMs[index]!),
  );
  const spentMs = run.renderMs > 0 ? tookMs.reduce((sum, ms) => sum + ms, 0) : 0;
  return { outcomes: run.outcomes, spentMs };
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
  planned: PlannedTask,
  logoHash: string | null,
  timings: Timings,
): Promise<Rendered> => {
  const outcome = await parts.cache.through(planned.task, logoHash, async () => {
    const ran = await runTasks(parts, { accountId, kind: 'single', tasks: [planned] }, timings);
    timings.drawnMs += ran.spentMs;
    return ran.outcomes[0]!;
  });
  return drawnOrThrow(outcome, parts.pool);
};
