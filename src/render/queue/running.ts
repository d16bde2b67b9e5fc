import { isBarcode, type ThreadTask } from '../../../workers/group.ts';
import type { Meter } from '../meter.ts';
import type { RenderOutcome } from '../outcome.ts';
import type { RenderRequest, RenderRun } from '../request.ts';
import { type Band, bandOf, type QueuedJob } from './render-queue.ts';

/** A task with its design, its job and its place in an answer, as measured on V8 and rounded up. */
const TASK_BYTES = 2048;
/** JavaScript keeps text as UTF-16, or as Latin-1 where that suffices. */
const CHARACTER_BYTES = 2;

/**
 * Returns the estimated memory, in bytes, that each task of a request holds while it waits. Tasks of a request often
 * share one logo, which is counted once, with the first of them.
 */
export const footprintsOf = (tasks: readonly ThreadTask[]): readonly number[] => {
  const counted = new Set<Uint8Array>();
  return tasks.map((task) => {
    const bytes = TASK_BYTES + CHARACTER_BYTES * task.text.length;
    const logo = isBarcode(task) ? null : task.logo;
    if (logo === null || counted.has(logo.png)) return bytes;
    counted.add(logo.png);
    return bytes + logo.png.byteLength + (logo.grid === undefined ? 0 : 2 * logo.grid.luma.byteLength);
  });
};

/** One task of a request on its way through the queue and a thread. */
export interface Job extends QueuedJob {
  readonly task: ThreadTask;
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

/** Tasks that one thread runs together. */
interface Group {
  readonly band: Band;
  readonly begunMs: number;
  readonly costMs: number;
  readonly tasks: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Keeps the groups of `threadCount` threads and the express thread. */
export const createRunning = (threadCount: number) => {
  const running = new Set<Group>();
  return {
    get size(): number {
      return running.size;
    },
    /** Notes that these jobs, at least one, are handed to a thread now. */
    begin(jobs: readonly Job[]): Group {
      const begunMs = performance.now();
      for (const job of jobs) job.begin(begunMs);
      const costMs = sum(jobs.map((job) => job.costMs));
      const group = { band: bandOf(jobs[0]!), begunMs, costMs, tasks: jobs.length };
      running.add(group);
      return group;
    },
    end(group: Group): void {
      running.delete(group);
    },
    /**
     * The express thread is for short singles while another kind of task runs, and for another kind while none runs.
     */
    /** Whether a group of this band may run now. */
    hasThreadFor(band: Band): boolean {
      if (running.size !== threadCount) return running.size < threadCount;
      return [...running].some((group) => group.band !== 'short') === (band === 'short');
    },
    /** Time that all groups still need, on one thread and by their estimates. @param pace Multiple of the estimates. */
    leftMs(pace: number): number {
      const nowMs = performance.now();
      return sum([...running].map((group) => Math.max(0, group.costMs * pace - (nowMs - group.begunMs))));
    },
    tasks: (): number => sum([...running].map(({ tasks }) => tasks)),
  };
};
