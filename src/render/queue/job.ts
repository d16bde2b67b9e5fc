import type { RenderTask } from '../../../workers/protocol.ts';
import { footprintsOf } from '../footprint.ts';
import type { Meter } from '../meter.ts';
import type { RenderOutcome } from '../outcome.ts';
import type { RenderRequest, RenderRun } from '../request.ts';
import type { QueuedJob } from './render-queue.ts';

/** One task of a request on its way through the queue and a thread. */
export interface Job extends QueuedJob {
  readonly task: RenderTask;
  /** Call it when the task is handed to a thread. */
  begin(nowMs: number): void;
  /** Stores the outcome; the last one of a request resolves the request. Call it once. */
  end(outcome: RenderOutcome): void;
}

/** Makes the jobs of a request, which must have at least one task. Calls `resolve` when all of them have ended. */
export const jobsOf = (request: RenderRequest, meter: Meter, resolve: (run: RenderRun) => void): Job[] => {
  const { tasks, estimatedMs, accountId, kind } = request;
  const arrivedMs = performance.now();
  // The wall clock may be adjusted, so from here on the deadline is on the monotonic clock.
  const deadlineMs = arrivedMs + request.deadlineMs - Date.now();
  const outcomes: RenderOutcome[] = [];
  const bytes = footprintsOf(tasks);
  let left = tasks.length;
  let firstBegunMs: number | null = null;

  const begin = (nowMs: number): void => {
    firstBegunMs ??= nowMs;
    meter.waited(nowMs - arrivedMs);
  };

  const endAt = (index: number) => (outcome: RenderOutcome) => {
    meter.ended(outcome);
    outcomes[index] = outcome;
    left -= 1;
    if (left > 0) return;
    const nowMs = performance.now();
    const begunMs = firstBegunMs ?? nowMs;
    resolve({ outcomes, queueMs: begunMs - arrivedMs, renderMs: nowMs - begunMs });
  };

  return tasks.map((task, index) => ({
    task,
    accountId,
    kind,
    costMs: estimatedMs[index]!,
    bytes: bytes[index]!,
    deadlineMs,
    begin,
    end: endAt(index),
  }));
};
