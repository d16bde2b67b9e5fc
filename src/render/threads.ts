/**
 * The render threads. All that knows Piscina is in this file.
 *
 * Native code that has begun cannot be stopped. A group that runs longer than the hang limit is given up: its
 * thread is abandoned and replaced at once, so no capacity is lost, and counts as stuck when it has not ended
 * soon after it was told to. Each stuck thread keeps a core busy, so at two `onStuck` is called: the process
 * should drain and exit.
 */

import { EventEmitter } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { RenderResult, RenderTask } from '../../workers/protocol.ts';
import type { Log } from '../log.ts';
import { ok, type Result, refused } from '../result.ts';

export interface ThreadOptions {
  readonly threads: number;
  /** The longest that a group of tasks may run; 10 s unless told. */
  readonly hangLimitMs?: number;
  /** Module whose default export draws `readonly RenderTask[]` into `RenderResult[]`, one a task, in order. */
  readonly workerUrl?: URL;
  /** Called when a second thread is stuck. */
  readonly onStuck: () => void;
}

export type RenderThreads = ReturnType<typeof createThreads>;

/** `threw`: the thread died, or the worker failed on one of the tasks. `hung`: given up. */
export type Ran = Result<readonly RenderResult[], 'threw' | 'hung'>;

const HANG_LIMIT_MS = 10_000;
/** How long a thread that was told to end may take before it counts as stuck; JavaScript ends in a few ms. */
const TERMINATION_MS = 1000;
/** The same at the end of all, when nobody waits for a core. */
const CLOSE_MS = 3000;
const STUCK_MAX = 2;
/** JavaScript heap of one thread; the pixels lie outside it. */
const HEAP_MAX_MB = 512;

/** Beside this file's tree, with this file's ending: `.ts` from the sources, `.js` from the build. */
const ownWorkerUrl = (): URL =>
  new URL(`../../workers/render-worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);

export const createThreads = (options: ThreadOptions, log: Pick<Log, 'error'>) => {
  const { threads, hangLimitMs = HANG_LIMIT_MS, workerUrl = ownWorkerUrl(), onStuck } = options;
  /** Told to end. */
  const ending = new Set<Worker>();
  const stuck = new Set<Worker>();

  const piscina = new Piscina<readonly RenderTask[], readonly RenderResult[]>({
    filename: workerUrl.href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    // The two modes with Atomics gain nothing measurable here, and `sync` never returns to the thread's event
    // loop, so that the native pictures of resvg are never freed: 4 MB lost with each picture of 700 px.
    atomics: 'disabled',
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
  });
  piscina.on('error', (err: unknown) => log.error({ err }, 'a render thread failed outside a task'));

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
      log.error({ stuckThreads: stuck.size }, 'a render thread hangs and cannot be stopped');
      if (stuck.size === STUCK_MAX) onStuck();
    }, TERMINATION_MS);
    overdue.unref();
    thread.once('exit', () => clearTimeout(overdue));
  };

  /** Piscina answers an abort by dropping the thread and starting another, all before `emit` returns. */
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

    /** Runs a group on one thread. Never rejects. At most `threads` groups should run at a time. */
    async run(tasks: readonly RenderTask[]): Promise<Ran> {
      // An emitter does what an AbortSignal would, for less.
      const abort = new EventEmitter();
      let hung = false;
      const timer = setTimeout(() => {
        hung = true;
        giveUp(abort);
      }, hangLimitMs);
      try {
        const results = await piscina.run(tasks, { signal: abort });
        if (results.length === tasks.length) return ok(results);
        throw new Error(`the worker answered ${tasks.length} tasks with ${results.length} results`);
      } catch (err) {
        log.error({ err, tasks: tasks.length, hung }, 'a group of render tasks failed');
        return refused(hung ? 'hung' : 'threw');
      } finally {
        clearTimeout(timer);
      }
    },

    /** Ends the threads; one that hangs is left behind, counts as stuck, and only SIGKILL ends it. */
    async close(): Promise<void> {
      piscina.threads.forEach(noteEnd);
      const exits = [...ending].map((thread) => new Promise((resolve) => thread.once('exit', resolve)));
      const ended = Promise.all([piscina.destroy(), ...exits]);
      await Promise.race([ended, delay(CLOSE_MS, undefined, { ref: false })]);
      for (const thread of ending) stuck.add(thread);
    },
  };
};
