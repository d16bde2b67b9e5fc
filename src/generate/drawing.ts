/** A picture: planned, refused when it can't be drawn, drawn or taken from the cache. */
import type { RenderPlan } from '../../workers/plan.ts';
import type { Design, Fault, Rendered } from '../../workers/protocol.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Failure } from '../render/outcome.ts';
import type { RenderPool } from '../render/pool.ts';
import type { Parts, Timings } from './parts.ts';
import { type PlannedTask, planPicture } from './task.ts';

/** What callers read of a picture that was not drawn through no fault of theirs. */
export const FAILURES: Readonly<Record<Failure, string>> = {
  queue_full: 'The render queue is full; try again.',
  deadline: 'The picture could not be drawn in time; try again.',
  crashed: 'The renderer failed on this picture; try again.',
  closed: 'The service is shutting down; try again.',
};

/** 503, with when to come again. */
export const overloaded = (failure: Failure, pool: Pick<RenderPool, 'retryAfterS'>): AppError =>
  new AppError('overloaded', FAILURES[failure], { retryAfterS: pool.retryAfterS() });

/** 400, in the words of the fault. */
export const refuse = (fault: Fault, code: ErrorCode = 'invalid_body'): AppError =>
  new AppError(code, `${fault.field}: ${fault.message}`);

/** @throws {AppError} 400 when no such picture can be drawn; nothing has been paid by then. */
export const planOrRefuse = (text: string, design: Design): RenderPlan => {
  const plan = planPicture(text, design, null);
  if (!plan.ok) throw refuse(plan.fault);
  return plan.value;
};

/** @throws {AppError} 503 when the pool would not take this work; nothing has been paid by then. */
export const refuseWhenFull = (
  { pool, deadlineMs }: Pick<Parts, 'pool' | 'deadlineMs'>,
  accountId: string,
  kind: 'single' | 'bulk',
  estimatedMs: readonly number[],
): void => {
  if (pool.hasRoom({ accountId, kind, estimatedMs, deadlineMs: Date.now() + deadlineMs })) return;
  throw overloaded('queue_full', pool);
};

/** What drawing needs of the parts. */
export type DrawParts = Pick<Parts, 'pool' | 'cache' | 'fitLogo' | 'deadlineMs' | 'freeWork'>;

/** Draws one picture, or takes it from the cache. */
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
  if (outcome.ok) return outcome.value;
  const { fault } = outcome;
  throw fault.reason === 'unfit' ? refuse(fault.fault) : overloaded(fault.reason, parts.pool);
};
