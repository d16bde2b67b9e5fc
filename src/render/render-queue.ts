/**
 * What waits for a render thread, fair over accounts (`fair-queue.ts`) in each of three bands: short single pictures,
 * long ones, and what batches are made of.
 *
 * Bounded in tasks, in estimated work and in memory. Bulk is shed first: part of each is kept for singles. No account
 * may fill the queue alone. Each bound gives way to one request that finds its own part empty, so that no legal request
 * is refused for ever; what such a request takes beyond its account's share is not held against others.
 */
import { type Amount, add, atMost, createFairQueue, type FairJob, shareOf } from './fair-queue.ts';
import type { RenderKind } from './request.ts';

export interface QueuedJob extends FairJob {
  readonly kind: RenderKind;
}

export type Band = 'short' | 'long' | 'bulk';

/** In the order in which threads look for work. */
export const BANDS: readonly Band[] = ['short', 'long', 'bulk'];

/** Estimated: a gradient of 300 px with a long text takes 6 ms, one of 1000 px 15. */
const SHORT_MAX_MS = 8;

export const bandOf = ({ kind, costMs }: Pick<QueuedJob, 'kind' | 'costMs'>): Band => {
  if (kind === 'bulk') return 'bulk';
  return costMs <= SHORT_MAX_MS ? 'short' : 'long';
};

/** Shares of each bound. */
const BULK_SHARE = 3 / 4;
const ACCOUNT_SHARE = 1 / 2;

/**
 * A thread hop costs 40 to 90 µs and waits until the event loop is free. Singles are answered one by one, and a larger
 * group makes gateway and thread wait for each other; of a batch nothing is sent before all of it is drawn.
 */
const GROUP_MS: Readonly<Record<Band, number>> = { short: 2.5, long: 2.5, bulk: 8 };
const GROUP_JOBS_MAX = 64;

const MEASURES = ['tasks', 'workMs', 'bytes'] as const;

const fits = (held: Amount, more: Amount, most: Amount): boolean =>
  held.tasks === 0 || MEASURES.every((measure) => held[measure] + more[measure] <= most[measure]);

export const createRenderQueue = <J extends QueuedJob>(threads: number) => {
  const queues = { short: createFairQueue<J>(), long: createFairQueue<J>(), bulk: createFairQueue<J>() };
  const held = (): Amount => BANDS.map((band) => queues[band].held).reduce(add);

  return {
    get size(): number {
      return held().tasks;
    },

    /** Everything that is queued. */
    get held(): Amount {
      return held();
    },

    sizeOf: (band: Band): number => queues[band].size,

    /** Whether a request for so much would be taken now, if at most `bounds` may be queued. */
    admits(accountId: string, kind: RenderKind, more: Amount, bounds: Amount): boolean {
      const [ownMost, bulkMost] = [shareOf(bounds, ACCOUNT_SHARE), shareOf(bounds, BULK_SHARE)];
      const own = BANDS.map((band) => queues[band].heldBy(accountId)).reduce(add);
      const [short, long, bulk] = BANDS.map((band) => queues[band].heldUpTo(ownMost)) as [
        Amount,
        Amount,
        Amount,
      ];
      return (
        fits([short, long, atMost(bulk, bulkMost)].reduce(add), more, bounds) &&
        fits(own, more, ownMost) &&
        (kind === 'single' || fits(bulk, more, bulkMost))
      );
    },

    /** Work that would be taken before a new job of this account and band, if nothing else came. */
    aheadMs(accountId: string, band: Band): number {
      const before = BANDS.slice(0, BANDS.indexOf(band)).map((other) => queues[other].held.workMs);
      return before.reduce((sumMs, workMs) => sumMs + workMs, queues[band].aheadMs(accountId));
    },

    push: (job: J): void => queues[bandOf(job)].push(job),

    /**
     * The jobs of a band that one thread should run next, maybe of several accounts: about `GROUP_MS` of work or one
     * longer job; none when the band is empty. While less is queued, the threads share what there is
     * (C. Polychronopoulos, D. Kuck, "Guided Self-Scheduling", IEEE Trans. Computers 1987).
     */
    takeGroup: (band: Band): J[] =>
      queues[band].take(Math.min(GROUP_MS[band], queues[band].held.workMs / threads), GROUP_JOBS_MAX),

    /** Removes and returns the jobs whose deadline has come. */
    expire: (nowMs: number): J[] => BANDS.flatMap((band) => queues[band].expire(nowMs)),

    /** Removes and returns everything. */
    drain: (): J[] => BANDS.flatMap((band) => queues[band].drain()),

    /** To be called when nothing is queued or running any more. */
    endBusyPeriod(): void {
      for (const band of BANDS) queues[band].endBusyPeriod();
    },
  };
};
