/** Starts the threads that draw documents. Each draws one and then ends; it has the lowest priority (`worker.ts`). */
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SheetAnswer, SheetOrder, SheetSettings } from '../../workers/sheets/protocol.ts';

/** A thread with its document. */
export interface SheetThread {
  /**
   * Asks for the next page, or for the end. Ask one thing at a time.
   *
   * @throws {Error} The thread has failed.
   */
  ask(order: SheetOrder): Promise<SheetAnswer>;
  /** Ends the thread, whatever it does. */
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);
/** DejaVu Sans Condensed: Latin, Greek, Cyrillic and many signs. Its licence permits to pass it on and to embed it. */
const FONT_PATH = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf');
/** `.ts` when run from source, `.js` from the build. From source a thread needs the loader that the flags name. */
const EXTENSION = extname(new URL(import.meta.url).pathname);
const SURROUNDINGS = EXTENSION === '.js' ? { env: {}, execArgv: [] } : {};
const WORKER_URL = new URL(`../../workers/sheets/worker${EXTENSION}`, import.meta.url);
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256 };

/** Starts a thread. What fails in it fails the next `ask`. */
export const startThread = (settings: Omit<SheetSettings, 'fontPath'>): SheetThread => {
  const workerData: SheetSettings = { ...settings, fontPath: FONT_PATH };
  const worker = new Worker(WORKER_URL, { ...SURROUNDINGS, workerData, resourceLimits: RESOURCE_LIMITS });
  const died = new Promise<never>((_, reject) => {
    worker.once('error', (cause: unknown) => reject(new Error('a thread of sheets failed', { cause })));
    worker.once('exit', () => reject(new Error('a thread of sheets has ended')));
  });
  // It may die, or be closed, while nobody asks.
  died.catch(() => {});
  return {
    ask: (order) => {
      const answered = new Promise<SheetAnswer>((resolve) => worker.once('message', resolve));
      worker.postMessage(order);
      return Promise.race([answered, died]);
    },
    close: async () => void (await worker.terminate()),
  };
};
