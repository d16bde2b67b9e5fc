/**
 * The render threads. Only this file imports Piscina.
 *
 * Native code cannot be stopped once it runs. When a task takes more processor time than the hang limit, or has not
 * ended at the wait limit, its group is given up and its thread is told to end and replaced at once, so no capacity is
 * lost. A thread that has not ended a second later counts as stuck and keeps a core busy. When a second thread is stuck,
 * `onStuck` is called: the process should drain and exit.
 */

import { EventEmitter } from 'node:events';
import { extname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { RenderGroup, ThreadTask } from '../../workers/group.ts';
import type { TaskResult, ThreadSettings } from '../../workers/protocol.ts';
import { readTimeMs } from '../../workers/thread-time.ts';
import { waitAtMost } from '../execution/time-limits.ts';
import type { Log } from '../log.ts';
import { ok, type Result, refused } from '../result.ts';

/** How many threads there are, and when one is given up. */
export interface ThreadOptions {
  readonly threads: number;
  /**
   * Processor time that a task may take, 10 s by default; time on the clock on systems that do not tell a thread's
   * processor time. It is measured to a tenth of the limit.
   */
  readonly hangLimitMs?: number;
  /** Time on the clock that a task may take, 30 s by default: a thread beside busy ones gets little of a core. */
  readonly waitLimitMs?: number;
  /**
   * Module whose default export draws a `RenderGroup` into `TaskResult[]`, one for each task, in order.
   */
  readonly workerUrl?: URL;
  /** Called when a second thread is stuck. */
  readonly onStuck: () => void;
}

/** The render threads, running. */
export type RenderThreads = ReturnType<typeof createThreads>;

/** Why a group has no results. */
export interface GroupFailure {
  /** The index of the task that hung; `null`: the thread died, and any task of the group may be the cause. */
  readonly hungAt: number | null;
  /** For the log. */
  readonly cause: unknown;
}

/** The outcome of a group. */
export type Ran = Result<readonly TaskResult[], GroupFailure>;

const HANG_LIMIT_MS = 10_000;
const WAIT_LIMIT_MS = 30_000;
const LOOKS_PER_LIMIT = 10;
/** Time after which a thread that was told to end counts as stuck. JavaScript ends within a few ms. */
const TERMINATION_MS = 1000;
/** The same time while the process shuts down, when no task needs the core. */
const CLOSE_MS = 3000;
const STUCK_MAX = 2;
/** JavaScript heap of one thread. Pixels are outside it. */
const HEAP_MAX_MB = 512;
/**
 * Memory of all threads together for the layers that they keep: gradients, logos, finder patterns. A style at 300 px
 * takes up to 0.7 MB. Styles beyond that are drawn just as correctly, but as slowly as by the reference.
 */
const LAYERS_MAX_BYTES = 64 * 1024 * 1024;

/** Returns how many bytes of layers each of so many threads keeps. */
export const layersMaxBytesOf = (threads: number): number => Math.floor(LAYERS_MAX_BYTES / threads);

/** Returns the worker with this file's extension: `.ts` in the sources, `.js` in the build. */
const ownWorkerUrl = (): URL =>
  new URL(`../../workers/render-worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);

/** Starts the threads at once. A thread that dies is replaced. */
export const createThreads = (options: ThreadOptions, log: Pick<Log, 'error'>) => {
  const { threads, workerUrl = ownWorkerUrl(), onStuck } = options;
  const { hangLimitMs = HANG_LIMIT_MS, waitLimitMs = WAIT_LIMIT_MS } = options;
  /** Threads that were told to end. */
  const ending = new Set<Worker>();
  const stuck = new Set<Worker>();

  const piscina = new Piscina<RenderGroup, readonly TaskResult[]>({
    filename: workerUrl.href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    // The two modes with Atomics gain nothing measurable here. `sync` never returns to the thread's event loop, so
    // that the native pictures of resvg are never freed: each picture of 700 px would leak 4 MB.
    atomics: 'disabled',
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    workerData: { layersMaxBytes: layersMaxBytesOf(threads) } satisfies ThreadSettings,
  });
  piscina.on('error', (err: unknown) => log.error({ err }, 'render thread failed outside a task'));

  const noteEnd = (thread: Worker): void => {
    ending.add(thread);
    thread.once('exit', () => {
      ending.delete(thread);
      stuck.delete(thread);
    });
  };

  const watch = (thread: Worker): void => {
    noteEnd(thread);
    const overdue = setTimeout(() => {
      stuck.add(thread);
      log.error({ stuckThreads: stuck.size }, 'render thread hangs and cannot be stopped');
      if (stuck.size === STUCK_MAX) onStuck();
    }, TERMINATION_MS);
    overdue.unref();
    thread.once('exit', () => clearTimeout(overdue));
  };

  /** On an abort Piscina drops the thread and starts another before `emit` returns. */
  const giveUp = (abort: EventEmitter): void => {
    const before = piscina.threads;
    abort.emit('abort');
    const kept = new Set(piscina.threads);
    for (const thread of before) if (!kept.has(thread)) watch(thread);
  };

  return {
    get stuck(): number {
      return stuck.size;
    },

    /**
     * Runs a group on one thread, which is given up when a task takes `timeoutMs` of processor time. Never rejects.
     * Callers should run at most `threads` groups at a time.
     */
    async run(tasks: readonly ThreadTask[], timeoutMs = hangLimitMs): Promise<Ran> {
      // An emitter does the same as an AbortSignal and costs less.
      const abort = new EventEmitter();
      const at = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
      let hungAt: number | null = null;
      const lookMs = timeoutMs / LOOKS_PER_LIMIT;
      let seen = { index: -1, atMs: 0, usedMs: null as number | null };
      const look = (): void => {
        const now = {
          index: Atomics.load(at, 0),
          atMs: performance.now(),
          usedMs: readTimeMs(Atomics.load(at, 1)),
        };
        if (now.index !== seen.index) seen = now;
        const waitedMs = now.atMs - seen.atMs;
        const takenMs = now.usedMs === null || seen.usedMs === null ? waitedMs : now.usedMs - seen.usedMs;
        // It had begun up to one look before it was seen.
        if (takenMs < timeoutMs - lookMs && waitedMs < Math.max(timeoutMs, waitLimitMs) - lookMs) {
          timer = setTimeout(look, lookMs);
          return;
        }
        hungAt = now.index;
        giveUp(abort);
      };
      let timer = setTimeout(look, lookMs);
      try {
        const results = await piscina.run({ tasks, at }, { signal: abort });
        if (results.length !== tasks.length)
          throw new Error(`the worker answered ${tasks.length} tasks with ${results.length} results`);
        for (const result of results) {
          if ('thrown' in result) log.error({ err: result.thrown }, 'render task failed');
        }
        return ok(results);
      } catch (err) {
        log.error({ err, tasks: tasks.length, hungAt }, 'group of render tasks failed');
        return refused({ hungAt, cause: err });
      } finally {
        clearTimeout(timer);
      }
    },

    /** Ends the threads. A thread that hangs is left behind and counts as stuck; only SIGKILL ends it. */
    async close(): Promise<void> {
      piscina.threads.forEach(noteEnd);
      const exits = [...ending].map((thread) => new Promise((resolve) => thread.once('exit', resolve)));
      const ended = Promise.all([piscina.destroy(), ...exits]);
      await waitAtMost(ended, CLOSE_MS);
      for (const thread of ending) stuck.add(thread);
    },
  };
};
