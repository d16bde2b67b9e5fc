/**
 * Threads that read pictures, and who may read one now. They have the lowest priority (`worker.ts`), start with the
 * first picture, and end when there is none for a while.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import { ZXING_WASM_VERSION } from 'zxing-wasm/reader';
import { EXTENSION, SURROUNDINGS } from '../execution/asked-thread.ts';
import type { Log } from '../log.ts';
import type { Luma } from './png.ts';
import type { Reader, Reading } from './read.ts';
import type { FoundSymbols } from './symbols.ts';
import type { ReadingAnswer, ReadingSettings, SymbolsAnswer } from './worker.ts';

const REST_MAX_MS = 5000;

/** A share of the processor, for work of which only so much may run at a time. */
export type Shares = ReturnType<typeof createShares>;

/**
 * Creates the shares.
 *
 * @param share Returns how many may work at the moment. A part of one is made up by rests. It is asked before and after
 *   each piece of work, so at least one caller works at any time.
 */
export const createShares = (share: () => number) => {
  const waiting: (() => void)[] = [];
  const ending = new AbortController();
  let busy = 0;
  const places = (): number =>
    ending.signal.aborted ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(share()));

  const admit = (): void => {
    while (busy < places()) {
      const next = waiting.shift();
      if (next === undefined) return;
      busy += 1;
      next();
    }
  };

  return {
    /** Resolves when the caller may work, in the order of the calls. Each caller must `leave`. */
    enter: (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        admit();
      }),
    /** Passes the place to the next caller, after a rest that throttles the work of all places to the share. */
    async leave(workedMs: number): Promise<void> {
      const restMs = Math.min(REST_MAX_MS, workedMs * (places() / Math.max(0.01, share()) - 1));
      if (restMs >= 1) await sleep(restMs, undefined, { signal: ending.signal }).catch(() => {});
      busy -= 1;
      admit();
    },
    /** Ends all rests, so that every caller may work at once. */
    close(): void {
      ending.abort();
      admit();
    },
  };
};

/** How many threads there are, and how many of them may work. */
export interface ReadersOptions {
  readonly threads: number;
  /**
   * Returns how many threads may work at the moment; below 1, one thread rests in between. Asked before and after each
   * picture.
   */
  share(): number;
}

/** The reading threads. */
export type Readers = Awaited<ReturnType<typeof createReaders>>;

const require = createRequire(import.meta.url);
const WORKER_URL = new URL(`./worker${EXTENSION}`, import.meta.url);
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256 };
const IDLE_MS = 10_000;
/** On a machine whose cores are all busy, a thread of the lowest priority gets one percent of one. */
const HANG_LIMIT_MS = 300_000;
/** A caller waits for it, and few proxies wait longer. */
const SYMBOLS_LIMIT_MS = 60_000;

/** The readers with the versions of their packages. */
export const READER_VERSIONS: Readonly<Record<Reader, string>> = {
  zxing: `zxing-wasm ${ZXING_WASM_VERSION}`,
  zbar: `@undecaf/zbar-wasm ${require('@undecaf/zbar-wasm/package.json').version}`,
};

/** Creates the readers, which are loaded from the installed packages, never from the network. */
export const createReaders = async ({ threads, share }: ReadersOptions, log: Pick<Log, 'error'>) => {
  const workerData: ReadingSettings = {
    zxingWasm: new Uint8Array(await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'))),
    zbarPath: require.resolve('@undecaf/zbar-wasm/dist/zbar.wasm'),
  };
  const piscina = new Piscina<Uint8Array | Luma, ReadingAnswer | SymbolsAnswer>({
    ...SURROUNDINGS,
    filename: WORKER_URL.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    resourceLimits: RESOURCE_LIMITS,
    workerData,
  });
  piscina.on('error', (err: unknown) => log.error({ err }, 'reading thread failed outside a task'));
  const shares = createShares(() => Math.min(threads, share()));
  let closed = false;

  const ask = async (png: Uint8Array): Promise<ReadingAnswer> => {
    try {
      const signal = AbortSignal.timeout(HANG_LIMIT_MS);
      return (await piscina.run(png, { signal })) as ReadingAnswer;
    } catch (err) {
      if (closed) throw err;
      log.error({ err }, 'readers failed on a picture');
      const sha256 = createHash('sha256').update(png).digest('hex');
      return { readMs: 0, reading: { sha256, fault: 'the readers failed on it', sights: [] } };
    }
  };

  const askForSymbols = async (luma: Luma): Promise<SymbolsAnswer | null> => {
    const signal = AbortSignal.timeout(SYMBOLS_LIMIT_MS);
    try {
      return (await piscina.run(luma, { signal, name: 'findAll' })) as SymbolsAnswer;
    } catch (err) {
      if (closed || !signal.aborted) throw err;
      return null;
    }
  };

  /** Works when its turn comes. @param onWorked Told what it took a thread. */
  const inTurn = async <T>(
    work: () => Promise<readonly [done: T, workedMs: number]>,
    onWorked: (workedMs: number) => void,
  ): Promise<T> => {
    await shares.enter();
    let workedMs = 0;
    try {
      if (closed) throw new Error('the readers are closed');
      const [done, ms] = await work();
      workedMs = ms;
      onWorked(ms);
      return done;
    } finally {
      void shares.leave(workedMs);
    }
  };

  return {
    /** Reads a PNG, when its turn comes. A reader that fails is a fault of the reading. Rejects only after `close`. @param onRead Told what it took a thread. */
    read: (png: Uint8Array, onRead: (workedMs: number) => void = () => {}): Promise<Reading> =>
      inTurn(async () => {
        const { reading, readMs } = await ask(png);
        return [reading, readMs];
      }, onRead),
    /**
     * Finds every symbol in a picture of prints, when its turn comes. `late`: that took too long, and was given up.
     *
     * @param onRead Told what it took a thread.
     */
    findSymbols: (luma: Luma, onRead: (workedMs: number) => void): Promise<FoundSymbols | 'late'> =>
      inTurn<FoundSymbols | 'late'>(async () => {
        const found = await askForSymbols(luma);
        return found === null ? ['late', SYMBOLS_LIMIT_MS] : [found.symbols, found.readMs];
      }, onRead),
    async close(): Promise<void> {
      closed = true;
      shares.close();
      await piscina.destroy();
    },
  };
};
