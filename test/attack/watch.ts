/** Asks as those do who must not notice an attack: a health check, and a customer. In a thread of its own. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface Watched {
  readonly health: Seen;
  readonly customer: Seen;
}

export interface Seen {
  readonly asked: number;
  readonly slowestMs: number;
  /** Answers that were no 200, by status; `0` when there was none. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface WatchJob {
  readonly url: string;
  readonly key: string;
}

export interface Watch {
  /** Ends it and tells what was seen. */
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
