/**
 * Draws pictures on render threads.
 *
 * A task's way: admitted here -> waits in `render-queue.ts` -> `dispatcher.ts` hands it over in a group ->
 * drawn in a thread (`threads.ts`) -> its outcome is back in its request's place.
 */

import type { RenderTask } from '../../workers/protocol.ts';
import type { Log } from '../log.ts';
import { createDispatcher, type DispatcherOptions } from './dispatcher.ts';
import { footprintsOf } from './footprint.ts';
import { createMeter } from './meter.ts';
import { type Failure, failed } from './outcome.ts';
import type { RenderLoad, RenderRequest, RenderRun } from './request.ts';
import { createThreads, type ThreadOptions } from './threads.ts';
import { WARM_UP } from './warm-up.ts';

export interface RenderPoolOptions extends ThreadOptions, DispatcherOptions {}

export type RenderPool = ReturnType<typeof createRenderPool>;

const RETRY_AFTER_MAX_S = 30;
const START_ATTEMPTS = 3;
/** Beside the threads asked for, one draws short singles while others draw what takes longer (`dispatcher.ts`). */
const EXPRESS_THREADS = 1;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const createRenderPool = (options: RenderPoolOptions, log: Pick<Log, 'error'>) => {
  const threadCount = options.threads + EXPRESS_THREADS;
  const threads = createThreads({ ...options, threads: threadCount }, log);
  const meter = createMeter();
  const dispatcher = createDispatcher(options, threads, meter);
  let closing: Promise<void> | undefined;

  const refusalOf = (load: RenderLoad, bytes: number): Failure | null => {
    const { accountId, kind, estimatedMs, deadlineMs } = load;
    if (closing !== undefined) return 'closed';
    const leftMs = deadlineMs - Date.now();
    if (leftMs <= 0) return 'deadline';
    const more = { tasks: estimatedMs.length, workMs: sum(estimatedMs), bytes };
    if (!dispatcher.admits(accountId, kind, more, leftMs)) return 'queue_full';
    return dispatcher.waitMs(accountId, kind, estimatedMs[0] ?? 0) > leftMs ? 'queue_full' : null;
  };

  const refuse = (tasks: readonly RenderTask[], failure: Failure): RenderRun => {
    const outcomes = tasks.map(() => failed(failure));
    outcomes.forEach(meter.ended);
    return { outcomes, queueMs: 0, renderMs: 0 };
  };

  const shutDown = async (timeoutMs: number): Promise<void> => {
    await dispatcher.close(timeoutMs);
    await threads.close();
  };

  return {
    /**
     * Resolves when every thread has drawn; rejects when one can't: the worker is broken. A thread that starts
     * slowly, on a machine that starts much else, is given another chance.
     */
    async ready(): Promise<void> {
      const warmUp = async (attempt: number): Promise<void> => {
        const ran = await threads.run(WARM_UP);
        if (!ran.ok) {
          if (attempt < START_ATTEMPTS) return warmUp(attempt + 1);
          throw new Error('a render thread failed before it drew anything');
        }
        for (const result of ran.value) {
          if (!result.ok) throw new Error(`the renderer refuses a plain code: ${result.fault.message}`);
        }
      };
      await Promise.all(Array.from({ length: threadCount }, () => warmUp(1)));
    },

    /** Load, time, crashes and shutting down are outcomes; rejects only for a wrong call. */
    async render(request: RenderRequest): Promise<RenderRun> {
      const { tasks, estimatedMs } = request;
      if (tasks.length !== estimatedMs.length || !estimatedMs.every((ms) => Number.isFinite(ms) && ms >= 0)) {
        throw new TypeError('each task needs an estimate');
      }
      if (tasks.length === 0) return { outcomes: [], queueMs: 0, renderMs: 0 };
      const refusal = refusalOf(request, sum(footprintsOf(tasks)));
      return refusal === null ? dispatcher.submit(request) : refuse(tasks, refusal);
    },

    /**
     * Whether `render` would take such a request now, so that it can be refused before it is paid for. Its memory is
     * asked for by `render` alone: it is mostly logos, which are fetched and made smaller after units are taken.
     */
    hasRoom: (load: RenderLoad): boolean => refusalOf(load, 0) === null,

    /** When a refused caller should come back, in whole seconds: until what is queued now is done. */
    retryAfterS: (): number =>
      Math.min(RETRY_AFTER_MAX_S, Math.max(1, Math.ceil(dispatcher.drainedMs() / 1000))),

    stats: () => ({
      ...meter.snapshot(),
      ...dispatcher.snapshot(),
      threads: options.threads,
      /** Threads that hang and can't be stopped; the process should end at two. */
      stuckThreads: threads.stuck,
    }),

    /**
     * Refuses what comes from now on and lets what was admitted end; what has not after `timeoutMs` fails
     * with `closed`. A thread that hangs in native code outlives this and holds up `process.exit`.
     */
    close: ({ timeoutMs }: { readonly timeoutMs: number }): Promise<void> => {
      closing ??= shutDown(timeoutMs);
      return closing;
    },
  };
};
