/** Threads that do one thing after the other, each when they are asked: a slow caller holds a fast thread back. */
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A thread. */
export interface AskedThread<Order, Answer> {
  /**
   * Asks for one thing. Ask for the next one when it is answered.
   *
   * @throws {Error} The thread has failed; `cause` says why.
   */
  ask(order: Order): Promise<Answer>;
  /** Ends the thread, whatever it does. */
  close(): Promise<void>;
}

/** What a thread is started with. */
export interface ThreadSettings {
  readonly workerData: object;
  /** Its JavaScript heap. Buffers are beside it. */
  readonly maxHeapMb: number;
  /** What `workerData` hands over instead of copying it. */
  readonly transferList?: readonly ArrayBuffer[];
}

/** `.ts` when run from source, `.js` from the build. From source a thread needs the loader that the flags name. */
export const EXTENSION = extname(new URL(import.meta.url).pathname);
/** What a thread is started with: nothing of the environment, and no flags, unless it runs from source. */
export const SURROUNDINGS = EXTENSION === '.js' ? { env: {}, execArgv: [] } : {};

/**
 * Starts a thread. What fails in it fails the next `ask`.
 *
 * @param module Its entry point without the extension. It answers each message with one.
 */
export const startThread = <Order, Answer>(
  module: URL,
  { workerData, maxHeapMb, transferList = [] }: ThreadSettings,
): AskedThread<Order, Answer> => {
  const worker = new Worker(new URL(module.href + EXTENSION), {
    ...SURROUNDINGS,
    workerData,
    transferList: [...transferList],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const died = new Promise<never>((_, reject) => {
    worker.once('error', (cause: unknown) => reject(new Error('a thread failed', { cause })));
    worker.once('exit', () => reject(new Error('a thread has ended')));
  });
  // It may die, or be closed, while nobody asks.
  died.catch(() => {});
  return {
    ask: (order) => {
      const answered = new Promise<Answer>((resolve) => worker.once('message', resolve));
      worker.postMessage(order);
      return Promise.race([answered, died]);
    },
    close: async () => void (await worker.terminate()),
  };
};

/**
 * Lowers the priority of the calling thread. Does nothing where only a whole process has one: on systems other than Linux.
 *
 * @param nice 1 to 19. A thread at 10 gets a tenth of what another that wants the core gets; one at 19, a hundredth
 *   (sched(7); `sched_prio_to_weight` of Linux).
 */
export const lowerPriority = (nice: number): void => {
  // On Linux 0 means the calling thread.
  if (process.platform === 'linux') setPriority(0, nice);
};
