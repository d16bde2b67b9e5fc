/** Calls the gateway from a separate thread as a health check and as a customer: neither must notice an attack. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface Watched {
  readonly health: Seen;
  readonly customer: Seen;
}

export interface Seen {
  readonly asked: number;
  readonly slowestMs: number;
  /** Number of answers other than 200, by status; `0` stands for calls without an answer. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface WatchJob {
  readonly url: string;
  readonly key: string;
}

export interface Watch {
  /** Stops and returns the results. */
  end(): Promise<Watched>;
}

export const startWatch = async (job: WatchJob): Promise<Watch> => {
  const thread = new Worker(new URL('./watch-thread.js', import.meta.url), { workerData: job });
  await once(thread, 'message');
  return {
    async end() {
      const told = once(thread, 'message');
      thread.postMessage('end');
      const [watched] = (await told) as [Watched];
      return watched;
    },
  };
};
