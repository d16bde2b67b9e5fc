import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { readTimeMs } from '../../../workers/thread-time.ts';
import { EXTENSION, SURROUNDINGS } from '../../execution/asked-thread.ts';
import type { SvgAnswer } from './worker.ts';

/** Section ids and limit flags: WebAssembly Core Specification 2.0, 5.5.2 and 5.3.7. */
const MEMORY_SECTION = 5;
const HEADER_BYTES = 8;
const PAGE_BYTES = 65_536;

/** Unsigned LEB128 (5.2.2). */
const writeUnsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeUnsigned(value >>> 7)];

const readUnsigned = (bytes: Uint8Array, at: number): { value: number; next: number } => {
  let value = 0;
  let next = at;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[next++];
    if (byte === undefined) throw new Error('WebAssembly module ends within a number');
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next };
  }
};

/**
 * Returns the same WebAssembly module with a maximum on its memory. An allocation beyond `maxBytes` fails inside the
 * module, as a trap that JavaScript can catch. Nothing else bounds that memory: Node's `resourceLimits` count only the
 * JavaScript heap.
 *
 * Throws unless the module has a single memory of its own without a maximum.
 *
 * @param maxBytes A multiple of 64 KiB.
 */
export const limitMemory = (module: Uint8Array, maxBytes: number): Uint8Array => {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const { value: length, next: body } = readUnsigned(module, at + 1);
    if (module[at] === MEMORY_SECTION) {
      const minimum = readUnsigned(module, body + 2);
      if (module[body] !== 1 || module[body + 1] !== 0) break;
      const content = [1, 1, ...writeUnsigned(minimum.value), ...writeUnsigned(maxBytes / PAGE_BYTES)];
      const section = [MEMORY_SECTION, ...writeUnsigned(content.length), ...content];
      return Buffer.concat([module.subarray(0, at), Buffer.from(section), module.subarray(body + length)]);
    }
    at = body + length;
  }
  throw new Error('WebAssembly module has no single unbounded memory of its own');
};

/** Bounds of the thread that draws SVG. */
interface SvgRasterOptions {
  /** A drawing that takes more processor time is stopped together with its thread. */
  readonly timeoutMs: number;
  /** One that has not ended by then is stopped too. On a busy machine that says nothing about the drawing. */
  readonly waitMs: number;
  /** Bound on the memory of the rasteriser; a multiple of 64 KiB. */
  readonly maxMemoryBytes: number;
  /** A thread without work for this long is ended. */
  readonly idleMs: number;
}

/** The thread's answer, or which of the two bounds it exceeded. */
export type SvgOutcome = SvgAnswer | { readonly outcome: 'timed out' } | { readonly outcome: 'starved' };

interface Thread {
  readonly worker: Worker;
  /** Of the system; 0 until it is ready, and where the system has none. */
  id: number;
}

const START_TIMEOUT_MS = 30_000;
/** The least pause between two checks of the thread's time. */
const LOOK_MS = 20;
/** Bounds for the part in JavaScript. The module itself bounds the memory of the rasteriser. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

const WORKER_URL = new URL(`./worker${EXTENSION}`, import.meta.url);

/** The types of Node.js leave it out. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/** Reads the rasteriser from the installed package, never from the network. All threads share what is compiled. */
const readRasteriser = async (maxMemoryBytes: number): Promise<object> => {
  const path = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  return WebAssembly.compile(limitMemory(await readFile(path), maxMemoryBytes));
};

/** Resolves once, whatever happens to the thread. */
const ask = (
  { worker, id }: Thread,
  svg: Uint8Array<ArrayBuffer>,
  { timeoutMs, waitMs }: SvgRasterOptions,
): Promise<SvgOutcome> =>
  new Promise((resolve) => {
    const settle = (outcome: SvgOutcome) => {
      clearTimeout(timer);
      worker.off('message', settle).off('error', onError).off('exit', onExit);
      resolve(outcome);
    };
    const onError = (error: Error) => settle({ outcome: 'broken', reason: String(error) });
    const onExit = () => settle({ outcome: 'broken', reason: 'thread ended' });
    const timeMs = (): number => readTimeMs(id) ?? 0;
    const endMs = performance.now() + waitMs;
    const startedMs = timeMs();
    const look = (): void => {
      const leftMs = timeoutMs - (timeMs() - startedMs);
      if (leftMs <= 0) settle({ outcome: 'timed out' });
      else if (performance.now() >= endMs) settle({ outcome: 'starved' });
      else timer = setTimeout(look, Math.min(Math.max(leftMs, LOOK_MS), waitMs));
    };
    let timer = setTimeout(look, Math.min(timeoutMs, waitMs));
    worker.on('message', settle).on('error', onError).on('exit', onExit);
    worker.postMessage(svg, [svg.buffer]);
  });

/**
 * Creates a rasteriser that draws untrusted SVG in a separate thread, with bounds on memory and time. It is
 * WebAssembly, so it cannot access files or the network, and unlike native code it can be stopped at any moment. After
 * a thread was stopped or has failed, the next job starts a new one (about 40 ms). Call it for one job at a time.
 */
export const createSvgRaster = (options: SvgRasterOptions) => {
  let module: Promise<object> | undefined;
  let thread: Thread | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const counts = { drawn: 0, refused: 0, broken: 0, timedOut: 0, starved: 0, started: 0 };

  const drop = async (): Promise<void> => {
    const dropped = thread;
    thread = undefined;
    clearTimeout(idleTimer);
    await dropped?.worker.terminate();
  };

  /** Returns `null` when the machine is too busy to start one. */
  const start = async (): Promise<Thread | null> => {
    module ??= readRasteriser(options.maxMemoryBytes);
    const workerData = await module;
    const worker = new Worker(WORKER_URL, { ...SURROUNDINGS, workerData, resourceLimits: RESOURCE_LIMITS });
    counts.started++;
    // A running job has listeners of its own. Between jobs, a thread that dies is only forgotten.
    worker.on('error', () => undefined);
    const ended = new AbortController();
    worker.on('exit', () => {
      ended.abort();
      if (thread?.worker === worker) thread = undefined;
    });
    const started: Thread = { worker, id: 0 };
    thread = started;
    try {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
      const [id] = (await once(worker, 'message', { signal })) as [number];
      return Object.assign(started, { id });
    } catch (error) {
      const hasEnded = ended.signal.aborted;
      await drop();
      if (!hasEnded) return null;
      throw new Error('the SVG thread did not start', { cause: error });
    }
  };

  return {
    /** Checks and draws an SVG. Throws when no thread can be started. */
    draw: async (svg: Uint8Array): Promise<SvgOutcome> => {
      clearTimeout(idleTimer);
      const asked = thread ?? (await start());
      asked?.worker.ref();
      const outcome: SvgOutcome =
        asked === null ? { outcome: 'starved' } : await ask(asked, new Uint8Array(svg), options);
      asked?.worker.unref();
      counts[outcome.outcome === 'timed out' ? 'timedOut' : outcome.outcome]++;
      if (outcome.outcome !== 'drawn' && outcome.outcome !== 'refused') await drop();
      else idleTimer = setTimeout(() => void drop(), options.idleMs).unref();
      return outcome;
    },
    stats: () => ({ ...counts }),
    close: drop,
  };
};
