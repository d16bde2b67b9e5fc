import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { limitMemory } from './wasm-limit.ts';
import type { SvgAnswer } from './worker.ts';

/** Bounds of the thread that draws SVG. */
export interface SvgRasterOptions {
  /** A drawing that takes longer is stopped together with its thread. */
  readonly timeoutMs: number;
  /** Bound on the memory of the rasteriser; a multiple of 64 KiB. */
  readonly maxMemoryBytes: number;
  /** A thread without work for this long is ended. */
  readonly idleMs: number;
}

/** The thread's answer, or that none came within `timeoutMs`. */
export type SvgOutcome = SvgAnswer | { readonly outcome: 'timed out' };

const START_TIMEOUT_MS = 30_000;
/** Bounds for the part in JavaScript. The module itself bounds the memory of the rasteriser. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** `.ts` when run from source, `.js` from the build: the trees mirror each other. */
const EXTENSION = extname(import.meta.url);
const WORKER_URL = new URL(`./worker${EXTENSION}`, import.meta.url);
/**
 * The thread gets no secrets from the environment and no flags. From source it needs the loader that the flags name.
 */
const SURROUNDINGS = EXTENSION === '.js' ? { env: {}, execArgv: [] } : {};

/** Reads the rasteriser from the installed package, never from the network. */
const readRasteriser = async (maxMemoryBytes: number): Promise<Uint8Array> => {
  const path = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  return limitMemory(await readFile(path), maxMemoryBytes);
};

/** Resolves once, whatever happens to the thread. */
const ask = (worker: Worker, svg: Uint8Array<ArrayBuffer>, timeoutMs: number): Promise<SvgOutcome> =>
  new Promise((resolve) => {
    const settle = (outcome: SvgOutcome) => {
      clearTimeout(timer);
      worker.off('message', settle).off('error', onError).off('exit', onExit);
      resolve(outcome);
    };
    const onError = (error: Error) => settle({ outcome: 'broken', reason: String(error) });
    const onExit = () => settle({ outcome: 'broken', reason: 'thread ended' });
    const timer = setTimeout(() => settle({ outcome: 'timed out' }), timeoutMs);
    worker.on('message', settle).on('error', onError).on('exit', onExit);
    worker.postMessage(svg, [svg.buffer]);
  });

/**
 * Creates a rasteriser that draws untrusted SVG in a thread of its own, with bounds on memory and time. It is
 * WebAssembly: it has no access to files or the network, and can be stopped at any moment, which native code cannot.
 * After a thread was stopped or broke, the next job starts a new one (about 40 ms). Call it for one job at a time.
 */
export const createSvgRaster = (options: SvgRasterOptions) => {
  let module: Promise<Uint8Array> | undefined;
  let thread: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const counts = { drawn: 0, refused: 0, broken: 0, timedOut: 0, started: 0 };

  const drop = async (): Promise<void> => {
    const worker = thread;
    thread = undefined;
    clearTimeout(idleTimer);
    await worker?.terminate();
  };

  const start = async (): Promise<Worker> => {
    module ??= readRasteriser(options.maxMemoryBytes);
    const workerData = await module;
    const worker = new Worker(WORKER_URL, { ...SURROUNDINGS, workerData, resourceLimits: RESOURCE_LIMITS });
    counts.started++;
    // A running job has listeners of its own. Between jobs, a thread that dies is only forgotten.
    worker.on('error', () => undefined);
    const ended = new AbortController();
    worker.on('exit', () => {
      ended.abort();
      if (thread === worker) thread = undefined;
    });
    thread = worker;
    try {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
      await once(worker, 'message', { signal });
    } catch (error) {
      await drop();
      throw new Error('the SVG thread did not start', { cause: error });
    }
    return worker;
  };

  return {
    /** Checks and draws an SVG. Throws when no thread can be started. */
    draw: async (svg: Uint8Array): Promise<SvgOutcome> => {
      clearTimeout(idleTimer);
      const worker = thread ?? (await start());
      worker.ref();
      const outcome = await ask(worker, new Uint8Array(svg), options.timeoutMs);
      worker.unref();
      counts[outcome.outcome === 'timed out' ? 'timedOut' : outcome.outcome]++;
      if (outcome.outcome === 'timed out' || outcome.outcome === 'broken') await drop();
      else idleTimer = setTimeout(() => void drop(), options.idleMs).unref();
      return outcome;
    },
    stats: () => ({ ...counts }),
    close: drop,
  };
};
