/**
 * What becomes of a task, and drawing after all other work: that waits while the render queue is full, and retries
 * tasks that crashed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Rendered, TaskResult } from '../../workers/protocol.ts';
import { type Result, refused } from '../result.ts';

/**
 * Why a task was not drawn, through no fault of the caller. `queue_full`: it was refused on arrival. `deadline`: it
 * did not start in time. `crashed`: its thread died, or the renderer failed on it. `hung`: it exceeded the hang
 * limit. `closed`: the pool is shutting down.
 */
export type Failure = 'queue_full' | 'deadline' | 'crashed' | 'hung' | 'closed';

/** Why there is no picture. `unfit`: what was asked for cannot be drawn. Any other reason is a failure of ours. */
export type NotDrawn =
  | { readonly reason: 'unfit'; readonly fault: Fault }
  /** `cause` is for the log. */
  | { readonly reason: Failure; readonly cause?: unknown };

/** A picture, or why there is none. */
export type RenderOutcome = Result<Rendered, NotDrawn>;

/** Returns the outcome of a task that failed. */
export const failDrawing = (reason: Failure, cause?: unknown): RenderOutcome =>
  refused(cause === undefined ? { reason } : { reason, cause });

/** Returns the outcome of a task that cannot be drawn. */
export const refuseUnfit = (fault: Fault): RenderOutcome => refused({ reason: 'unfit', fault });

/** Returns the outcome of a task that a thread has answered. */
export const toOutcome = (result: TaskResult): RenderOutcome => {
  if (result.ok) return result;
  return 'fault' in result ? refuseUnfit(result.fault) : failDrawing('crashed', result.thrown);
};

const failsBy = (outcome: RenderOutcome, ...failures: readonly Failure[]): boolean =>
  !outcome.ok && outcome.fault.reason !== 'unfit' && failures.includes(outcome.fault.reason);

/**
 * Draws tasks and returns their outcomes in order. A task that crashes is retried once, alone: its neighbours in a
 * thread may be the cause.
 *
 * @param pausesMs Pauses between tries while the queue is full.
 * @param draw Hands tasks to the render threads.
 * @throws When the pool closes, or has no room after all pauses.
 */
export const drawPatiently = async <Task>(
  tasks: readonly Task[],
  pausesMs: readonly number[],
  draw: (tasks: readonly Task[]) => Promise<readonly RenderOutcome[]>,
): Promise<readonly RenderOutcome[]> => {
  const tryAll = async (some: readonly Task[]): Promise<readonly RenderOutcome[]> => {
    for (const pauseMs of pausesMs) {
      const outcomes = await draw(some);
      if (outcomes.some((outcome) => failsBy(outcome, 'closed')))
        throw new Error('the render pool is closed');
      if (!outcomes.some((outcome) => failsBy(outcome, 'queue_full', 'deadline'))) return outcomes;
      await sleep(pauseMs);
    }
    throw new Error('the render queue was full for half a minute');
  };
  const drawn: RenderOutcome[] = [];
  for (const [place, outcome] of (await tryAll(tasks)).entries())
    drawn.push(failsBy(outcome, 'crashed', 'hung') ? (await tryAll([tasks[place]!]))[0]! : outcome);
  return drawn;
};
