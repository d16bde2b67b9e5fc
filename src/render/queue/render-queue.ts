/**
 * The tasks that wait for a render thread, fair over accounts (`fair-queue.ts`) in each of four bands: short
 * single pictures, long single pictures, pictures of bulk calls, and pictures of batches.
 *
 * The queue is bounded in tasks, in estimated work and in memory. Bulk calls are refused first: part of each bound is
 * kept for singles. Batches have a small part of their own, in which nothing counts against the others. No account may
 * fill the queue alone. Each bound accepts one request whose own part of the queue is empty, whatever its size, so that
 * no valid request is refused for ever. What such a request takes beyond its account's share does not count against
 * others.
 */
import type { RenderKind } from '../request.ts';
import { type Amount, add, createFairQueue, type FairJob, limitAmount, shareOf } from './fair-queue.ts';

/** What the queue needs to know of a job. */
export interface QueuedJob extends FairJob {
  readonly kind: RenderKind;
}

/** A class of tasks with a queue of its own. */
export type Band = 'short' | 'long' | 'bulk' | 'batch';

/** In the order in which threads look for work. */
export const BANDS: readonly Band[] = ['short', 'long', 'bulk', 'batch'];

/** The bands in which a caller waits for the answer. */
const CALLS: readonly Band[] = ['short', 'long', 'bulk'];

/** Estimated time. A gradient of 300 px with a long text takes 6 ms, one of 1000 px 15 ms. */
const SHORT_MAX_MS = 8;

/** Returns the band of a job, by its kind and its estimated time. */
export const bandOf = ({ kind, costMs }: Pick<QueuedJob, 'kind' | 'costMs'>): Band => {
  if (kind !== 'single') return kind;
  return costMs <= SHORT_MAX_MS ? 'short' : 'long';
};

/** Shares of each bound that bulk calls, batches, and that one account may take. */
const BULK_SHARE = 3 / 4;
const BATCH_SHARE = 1 / 8;
const ACCOUNT_SHARE = 1 / 2;

/**
 * Estimated work in a group. Handing a group over costs 40 to 90 µs and waits until the event loop is free. Singles
 * are answered one by one, and with larger groups the gateway and the thread would wait for each other. A bulk call is
 * answered only when all of it is drawn, so its groups may be larger.
 */
const GROUP_MS: Readonly<Record<Band, number>> = { short: 2.5, long: 2.5, bulk: 8, batch: 8 };
const GROUP_JOBS_MAX = 64;

const MEASURES = ['tasks', 'workMs', 'bytes'] as const;

const fits = (held: Amount, more: Amount, most: Amount): boolean =>
  held.tasks === 0 || MEASURES.every((measure) => held[measure] + more[measure] <= most[measure]);

/** Creates an empty queue. @param threads Threads that share the work. */
export const createRenderQueue = <J extends QueuedJob>(threads: number) => {
  const queues = {
    short: createFairQueue<J>(),
    long: createFairQueue<J>(),
    bulk: createFairQueue<J>(),
    batch: createFairQueue<J>(),
  };
  const held = (): Amount => BANDS.map((band) => queues[band].held).reduce(add);

  return {
    get size(): number {
      return queues.short.size + queues.long.size + queues.bulk.size + queues.batch.size;
    },

    /** Everything that is queued. */
    get held(): Amount {
      return held();
    },

    sizeOf: (band: Band): number => queues[band].size,

    /** Whether a request for `more` would be accepted now, if at most `bounds` may be queued. */
    admits(accountId: string, kind: RenderKind, more: Amount, bounds: Amount): boolean {
      if (kind === 'batch') return fits(queues.batch.held, more, shareOf(bounds, BATCH_SHARE));
      const [ownMost, bulkMost] = [shareOf(bounds, ACCOUNT_SHARE), shareOf(bounds, BULK_SHARE)];
      // What fits into the smallest of all bounds fits into each.
      if (fits(held(), more, ownMost)) return true;
      const own = CALLS.map((band) => queues[band].heldBy(accountId)).reduce(add);
      const [short, long, bulk] = CALLS.map((band) => queues[band].heldUpTo(ownMost)) as [
        Amount,
        Amount,
        Amount,
      ];
      return (
        fits([short, long, limitAmount(bulk, bulkMost)].reduce(add), more, bounds) &&
        fits(own, more, ownMost) &&
        (kind === 'single' || fits(bulk, more, bulkMost))
      );
    },

    /** Work that would be taken before a new job of this account and band, if no other job came. */
    aheadMs(accountId: string, band: Band): number {
      const before = BANDS.slice(0, BANDS.indexOf(band)).map((other) => queues[other].held.workMs);
      return before.reduce((sumMs, workMs) => sumMs + workMs, queues[band].aheadMs(accountId));
    },

    push: (job: J): void => queues[bandOf(job)].push(job),

    /**
     * The jobs of a band that one thread should run next, possibly of several accounts: about `GROUP_MS` of work,
     * or one longer job. Empty when the band is empty. When less work is queued, the threads share it (C.
     * Polychronopoulos, D. Kuck, "Guided Self-Scheduling", IEEE Trans. Computers 1987).
     */
    takeGroup: (band: Band): J[] =>
      queues[band].take(Math.min(GROUP_MS[band], queues[band].held.workMs / threads), GROUP_JOBS_MAX),

    /** Removes and returns the jobs whose deadline has passed. */
    expire: (nowMs: number): J[] => BANDS.flatMap((band) => queues[band].expire(nowMs)),

    /** Removes and returns everything. */
    drain: (): J[] => BANDS.flatMap((band) => queues[band].drain()),

    /** Call it when nothing is queued or running. */
    endBusyPeriod(): void {
      for (const band of BANDS) queues[band].endBusyPeriod();
    },
  };
};
