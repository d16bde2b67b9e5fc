/**
 * Draws pictures on render threads.
 *
 * A task is admitted here, waits in `queue/render-queue.ts`, is handed over in a group by `queue/dispatcher.ts`, is
 * drawn in a thread (`threads.ts`), and its outcome returns to its place in the request.
 */
import type { ThreadTask } from '../../workers/group.ts';
import type { Design } from '../../workers/protocol.ts';
import type { Log } from '../log.ts';
import { currentTrace, noteSpan } from '../tracing/trace.ts';
import { createMeter } from './meter.ts';
import { type Failure, failDrawing } from './outcome.ts';
import { createDispatcher, type DispatcherOptions } from './queue/dispatcher.ts';
import { footprintsOf } from './queue/running.ts';
import { createKeptLayers, type RenderLoad, type RenderRequest, type RenderRun } from './request.ts';
import { createThreads, layersMaxBytesOf, type ThreadOptions } from './threads.ts';

const plain: Design = {
  widthPx: 300,
  heightPx: 300,
  marginPx: null,
  shape: 'square',
  symbol: { typeNumber: 0, mode: null, levels: ['Q'] },
  dots: { type: 'square', paint: '#000000', roundSize: true },
  cornersSquare: { type: null, paint: null },
  cornersDot: { type: null, paint: null },
  background: { paint: '#ffffff', round: 0 },
  image: { size: 0.4, marginPx: 0, hideBackgroundDots: true },
};

const stamped: Design = { ...plain, dots: { ...plain.dots, type: 'rounded' } };

const layered: Design = {
  ...plain,
  dots: {
    ...plain.dots,
    paint: {
      type: 'linear',
      rotationRad: 0,
      colorStops: [
        { offset: 0, color: '#000000' },
        { offset: 1, color: '#0000ff' },
      ],
    },
  },
};

const reference: Design = { ...stamped, dots: { ...stamped.dots, roundSize: false } };

/** One picture for each lane, which every thread draws before the first request. */
const WARM_UP: readonly ThreadTask[] = [plain, stamped, layered, reference].map((design) => ({
  text: 'https://example.com/',
  design,
  logo: null,
  format: 'png',
}));

/** Threads and the bounds of the queue. */
export type RenderPoolOptions = ThreadOptions & DispatcherOptions;

/** The render threads with their queue. */
export type RenderPool = ReturnType<typeof createRenderPool>;

const RETRY_AFTER_MAX_S = 30;
/** A thread loads the renderer before its first picture: 0.3 s on an idle machine, and far more on a busy one. */
const START_TIMEOUT_MS = 60_000;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Starts the threads. Wait for `ready` before the first request. */
export const createRenderPool = (options: RenderPoolOptions, log: Pick<Log, 'error'>) => {
  // One more than those asked for draws short singles while the others draw longer tasks (`queue/`).
  const threadCount = options.threads + 1;
  const threads = createThreads({ ...options, threads: threadCount }, log);
  const meter = createMeter();
  const kept = createKeptLayers(layersMaxBytesOf(threadCount));
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

  const refuse = (tasks: readonly ThreadTask[], failure: Failure): RenderRun => {
    const outcomes = tasks.map(() => failDrawing(failure));
    outcomes.forEach(meter.ended);
    return { outcomes, queueMs: 0, renderMs: 0 };
  };

  /** Queue and threads serve many requests at once, so a request's spans are recorded afterwards, from its times. */
  const submit = async (request: RenderRequest): Promise<RenderRun> => {
    const trace = currentTrace();
    const startMs = Date.now();
    const run = await dispatcher.submit(request);
    if (!trace?.span) return run;
    const begunMs = startMs + run.queueMs;
    const attributes = { 'tessera.kind': request.kind, 'tessera.pictures': request.tasks.length };
    noteSpan(trace, 'render queue', { startMs, endMs: begunMs }, { attributes });
    noteSpan(trace, 'render draw', { startMs: begunMs, endMs: begunMs + run.renderMs }, { attributes });
    return run;
  };

  const shutDown = async (timeoutMs: number): Promise<void> => {
    await dispatcher.close(timeoutMs);
    await threads.close();
  };

  return {
    /**
     * Resolves when every thread has drawn a picture. Rejects when a thread cannot, or has not after a minute: the
     * worker is broken.
     */
    async ready(): Promise<void> {
      const warmUp = async (): Promise<void> => {
        const ran = await threads.run(WARM_UP, START_TIMEOUT_MS);
        if (!ran.ok) throw new Error('a render thread failed to draw its first picture');
        for (const result of ran.value) {
          if (!result.ok) throw new Error('the renderer cannot draw its warm-up pictures', { cause: result });
        }
      };
      await Promise.all(Array.from({ length: threadCount }, warmUp));
    },

    /**
     * Draws the tasks of a request. Overload, a missed deadline, a crash and shutting down are outcomes. Rejects only
     * when an estimate is missing.
     */
    async render({ layers, ...load }: RenderRequest): Promise<RenderRun> {
      const { tasks } = load;
      if (
        tasks.length !== load.estimatedMs.length ||
        !load.estimatedMs.every((ms) => Number.isFinite(ms) && ms >= 0)
      ) {
        throw new TypeError('each task needs an estimate of 0 ms or more');
      }
      if (tasks.length === 0) return { outcomes: [], queueMs: 0, renderMs: 0 };
      const estimatedMs = load.estimatedMs.map((ms, index) => ms + kept.missingMs(layers?.[index] ?? null));
      const request = { ...load, estimatedMs };
      const refusal = refusalOf(request, sum(footprintsOf(tasks)));
      if (refusal === null) return submit(request);
      for (const one of layers ?? []) kept.forget(one);
      return refuse(tasks, refusal);
    },

    /**
     * Whether `render` would accept such a request now, so that it can be refused before units are taken. Memory is
     * left to `render`: it is mostly logos, which are fetched and reduced after units are taken.
     */
    hasRoom: (load: RenderLoad): boolean => refusalOf(load, 0) === null,

    /** Returns whole seconds after which a refused caller should try again: when all that waits now will be drawn. */
    retryAfterS: (): number =>
      Math.min(RETRY_AFTER_MAX_S, Math.max(1, Math.ceil(dispatcher.drainedMs() / 1000))),

    /** Whether tasks wait for a thread. */
    hasWaiting: (): boolean => dispatcher.drainedMs() > 0,

    stats: () => ({
      ...meter.snapshot(),
      ...dispatcher.snapshot(),
      threads: options.threads,
      /** Threads that hang and cannot be stopped. At two the process should end. */
      stuckThreads: threads.stuck,
    }),

    /**
     * Refuses new requests and lets admitted ones finish. What has not finished after `timeoutMs` fails with
     * `closed`. A thread that hangs in native code outlives this and blocks `process.exit`.
     */
    close: ({ timeoutMs }: { readonly timeoutMs: number }): Promise<void> => {
      closing ??= shutDown(timeoutMs);
      return closing;
    },
  };
};
