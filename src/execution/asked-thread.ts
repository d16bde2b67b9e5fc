/** Threads that do one thing at a time, each only on request: a slow caller exerts backpressure on a fast thread. */
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface AskedThread<Order, Answer> {
  /**
   * Sends one request. Send the next one only after the answer.
   *
   * @throws {Error} The thread has failed; `cause` says why.
   */
  ask(order: Order): Promise<Answer>;
  /** Ends the thread, whatever it is doing. */
  close(): Promise<void>;
}

/** What a thread is started with. */
export interface ThreadSettings {
  readonly workerData: object;
  /** Limit of its JavaScript heap. Buffers do not count. */
  readonly maxHeapMb: number;
  /** What `workerData` transfers instead of copying. */
  readonly transferList?: readonly ArrayBuffer[];
}

/** `.ts` when run from source, `.js` from the build. From source a thread needs the loader that the flags name. */
export const EXTENSION = extname(new URL(import.meta.url).pathname);
/** How a thread starts: without environment variables and flags, unless it runs from source. */
export const SURROUNDINGS = EXTENSION === '.js' ? { env: {}, execArgv: [] } : {};

/**
 * Starts a thread. A failure in it rejects the next `ask`.
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
  // It may die or be closed while no request is pending.
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
 * Lowers the priority of the calling thread. A no-op outside Linux, where only a whole process has a priority.
 *
 * @param nice 1 to 19. On a contended core, a thread at 10 gets a tenth of what a normal one gets; at 19, a seventieth
 *   (sched(7); `sched_prio_to_weight` of Linux).
 */
export const lowerPriority = (nice: number): void => {
  // On Linux 0 means the calling thread.
  if (process.platform === 'linux') setPriority(0, nice);
};
