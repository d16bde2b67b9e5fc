/**
 * Hands admitted tasks from the queue to the threads, and their outcomes back to the requests.
 *
 * Piscina's own queue stays empty: a thread gets its next group when it has finished the last. Keeping a second
 * group waiting at each thread gained 6 % for singles of 0.5 ms under load, where grouping them gains 8 %, and
 * Piscina could not have replaced a hung thread.
 *
 * At most `threads` groups run at a time, and one more on the express thread. A picture cannot be interrupted, and a
 * large one holds its thread for 50 ms and more. So while a large picture, a bulk call or a batch holds a thread, one
 * more group of short singles may run. While short singles hold all threads, one more group of another kind may run.
 * Neither can hold up the other for ever, and the operating system shares out the cores.
 */
import type { TaskResult } from '../../../workers/protocol.ts';
import { waitAtMost } from '../../execution/time-limits.ts';
import type { Meter } from '../meter.ts';
import { failDrawing, toOutcome } from '../outcome.ts';
import type { RenderKind, RenderRequest, RenderRun } from '../request.ts';
import type { GroupFailure, RenderThreads } from '../threads.ts';
import type { Amount } from './fair-queue.ts';
import { BANDS, bandOf, createRenderQueue } from './render-queue.ts';
import { createRunning, type Job, jobsOf } from './running.ts';

/** `pace` is a moving average over about this much estimated work, within the limits below. */
const PACE_WORK_MS = 1000;
const PACE_MIN = 0.1;
const PACE_MAX = 10;

/** Creates a pace of 1, which learns from every group. */
export const createPace = () => {
  let pace = 1;

  /**
   * Learns how long tasks take compared with their estimates. Only time in the thread counts: the way there and
   * back takes ten times as long as a picture of 0.1 ms. Each picture counts as much as it costs, since a thousand
   * small ones say little about a few large ones.
   */
  const learn = (jobs: readonly { readonly costMs: number }[], results: readonly TaskResult[]): void => {
    let [costMs, drawnMs] = [0, 0];
    for (const [index, result] of results.entries()) {
      if (!result.ok) continue;
      costMs += jobs[index]!.costMs;
      drawnMs += result.value.renderMs;
    }
    if (costMs === 0) return;
    const ratio = Math.min(PACE_MAX, Math.max(PACE_MIN, drawnMs / costMs));
    pace += (costMs / (costMs + PACE_WORK_MS)) * (ratio - pace);
  };

  return {
    get value(): number {
      return pace;
    },
    /** Learns from the results of a group, which stand in the order of its jobs. */
    learn,
  };
};

/** How often the queue is searched for tasks past their deadline. */
const SWEEP_MS = 50;

/** How much may run and wait at a time. */
export interface DispatcherOptions {
  /** Groups that run at a time, besides the one on the express thread. */
  readonly threads: number;
  /** Tasks that may wait. */
  readonly queueMax: number;
  /** Memory that waiting tasks may hold. */
  readonly queueMaxBytes: number;
}

/**
 * Moves tasks from a queue of its own to `threads`, which must have one thread more than `options.threads`: the
 * express thread. Where no singles are sent, that one may be missing.
 */
export const createDispatcher = (
  { threads: threadCount, queueMax, queueMaxBytes }: DispatcherOptions,
  threads: RenderThreads,
  meter: Meter,
) => {
  const queue = createRenderQueue<Job>(threadCount);
  const running = createRunning(threadCount);
  /**
   * Tasks of groups that failed. Each runs alone, so that the culprit fails no other task. Deadlines no longer apply,
   * since each task started in time the first time.
   */
  const suspects: Job[] = [];
  const pace = createPace();
  let closed = false;
  let sweeper: NodeJS.Timeout | undefined;
  let whenIdle: (() => void) | undefined;

  const run = async (jobs: readonly Job[]): Promise<void> => {
    const group = running.begin(jobs);
    const ran = await threads.run(jobs.map((job) => job.task));
    running.end(group);
    if (ran.ok) {
      pace.learn(jobs, ran.value);
      for (const [index, job] of jobs.entries()) job.end(toOutcome(ran.value[index]!));
    } else if (closed) {
      for (const job of jobs) job.end(failDrawing('closed'));
    } else takeApart(jobs, ran.fault);
    dispatch();
  };

  /** Fails the task that failed its group, and no other. One that hangs is not run again: that would cost a thread. */
  const takeApart = (jobs: readonly Job[], { hungAt, cause }: GroupFailure): void => {
    const guilty = jobs.length === 1 ? 0 : hungAt;
    for (const [index, job] of jobs.entries()) {
      if (index === guilty) job.end(failDrawing(hungAt === null ? 'crashed' : 'hung', cause));
      else suspects.push({ ...job, deadlineMs: Number.POSITIVE_INFINITY });
    }
  };

  /**
   * Fails the tasks past their deadline and returns the others. The sweep alone is not enough: it runs every 50 ms,
   * and later when the process is busy.
   */
  const inTime = (group: readonly Job[]): Job[] => {
    const nowMs = performance.now();
    for (const job of group) if (job.deadlineMs <= nowMs) job.end(failDrawing('deadline'));
    return group.filter((job) => job.deadlineMs > nowMs);
  };

  /** Takes the group that a thread should run now. It is empty when no thread is free for any waiting task. */
  const takeNext = (): readonly Job[] => {
    const suspect = suspects.findIndex((job) => running.hasThreadFor(bandOf(job)));
    if (suspect !== -1) return suspects.splice(suspect, 1);
    const band = BANDS.find((waiting) => queue.sizeOf(waiting) > 0 && running.hasThreadFor(waiting));
    return band === undefined ? [] : queue.takeGroup(band);
  };

  /** Called after everything that may have freed a thread or changed the queue. */
  const dispatch = (): void => {
    for (let jobs = closed ? [] : takeNext(); jobs.length > 0; jobs = takeNext()) {
      const group = inTime(jobs);
      if (group.length > 0) void run(group);
    }
    if (queue.size > 0) {
      sweeper ??= setInterval(sweep, SWEEP_MS);
      return;
    }
    clearInterval(sweeper);
    sweeper = undefined;
    if (running.size + suspects.length > 0) return;
    queue.endBusyPeriod();
    whenIdle?.();
  };

  const sweep = (): void => {
    for (const job of queue.expire(performance.now())) job.end(failDrawing('deadline'));
    dispatch();
  };

  return {
    /**
     * Whether a request for `more` would be accepted now: there is room for it, and everything that waits can be
     * drawn in `withinMs`, by the estimates and the current pace.
     */
    admits(accountId: string, kind: RenderKind, more: Amount, withinMs: number): boolean {
      const workMs = (withinMs * threadCount) / pace.value;
      return queue.admits(accountId, kind, more, { tasks: queueMax, workMs, bytes: queueMaxBytes });
    },

    /** Time until a new task of this account would start, by the estimates and the current pace. */
    waitMs(accountId: string, kind: RenderKind, costMs: number): number {
      const band = bandOf({ kind, costMs });
      if (running.hasThreadFor(band)) return 0;
      return (running.leftMs(pace.value) + queue.aheadMs(accountId, band) * pace.value) / threadCount;
    },

    /** Queues at least one task. Resolves when all have an outcome; never rejects. */
    submit: (request: RenderRequest): Promise<RenderRun> =>
      new Promise((resolve) => {
        for (const job of jobsOf(request, meter, resolve)) queue.push(job);
        dispatch();
      }),

    /** Time until everything that waits now is drawn. */
    drainedMs: (): number => (queue.held.workMs * pace.value) / threadCount,

    snapshot: () => ({
      /** Tasks that wait. */
      queued: {
        single: queue.sizeOf('short') + queue.sizeOf('long'),
        bulk: queue.sizeOf('bulk'),
        batch: queue.sizeOf('batch'),
      },
      /** Estimated time of the waiting tasks, on one thread. */
      queuedMs: queue.held.workMs,
      /** Estimated memory of the waiting tasks. */
      queuedBytes: queue.held.bytes,
      /** Tasks in threads. */
      running: running.tasks(),
      /** How long tasks take, as a multiple of their estimates: a moving average. */
      pace: pace.value,
    }),

    /** Waits at most `timeoutMs` for all tasks to finish. Tasks that still wait then fail with `closed`. */
    async close(timeoutMs: number): Promise<void> {
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
      dispatch();
      await waitAtMost(idle, timeoutMs);
      closed = true;
      for (const job of [...suspects.splice(0), ...queue.drain()]) job.end(failDrawing('closed'));
      dispatch();
    },
  };
};
