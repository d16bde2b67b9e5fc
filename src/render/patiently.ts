/** Draws after all other work: waits while the render queue is full, and retries tasks that crashed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure, RenderOutcome } from './outcome.ts';

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
    throw new Error('the render queue had no room for half a minute');
  };
  const drawn: RenderOutcome[] = [];
  for (const [place, outcome] of (await tryAll(tasks)).entries())
    drawn.push(failsBy(outcome, 'crashed', 'hung') ? (await tryAll([tasks[place]!]))[0]! : outcome);
  return drawn;
};
