/**
 * What waits for a render thread: single and image requests before bulk items, each kind fair over accounts
 * (`fair-queue.ts`), all of it bounded.
 *
 * Bulk is shed first: part of the queue is kept for singles. No account may fill the queue alone. Each bound
 * gives way to one request that finds its own part empty, so that no legal request is refused for ever: at
 * most `entriesMax` jobs or one request, whichever is more, are queued.
 */
import { createFairQueue, type FairJob } from './fair-queue.ts';
import type { RenderKind } from './request.ts';

export interface QueuedJob extends FairJob {
  readonly kind: RenderKind;
}

/** Shares of the queue's entries. */
const BULK_SHARE = 3 / 4;
const ACCOUNT_SHARE = 1 / 2;

/**
 * A thread hop costs 40 to 90 µs and waits until the event loop is free. Singles are answered one by one, and a larger
 * group makes gateway and thread wait for each other; of a batch nothing is sent before all of it is drawn.
 */
const GROUP_MS: Readonly<Record<RenderKind, number>> = { single: 2.5, bulk: 8 };
const GROUP_JOBS_MAX = 64;

export const createRenderQueue = <J extends QueuedJob>(entriesMax: number, threads: number) => {
  const singles = createFairQueue<J>();
  const bulk = createFairQueue<J>();
  const queueOf = (kind: RenderKind) => (kind === 'single' ? singles : bulk);
  const size = (): number => singles.size + bulk.size;
  const next = (): RenderKind => (singles.size > 0 ? 'single' : 'bulk');
  const fits = (held: number, more: number, max: number): boolean => held === 0 || held + more <= max;

  return {
    get size(): number {
      return size();
    },

    /** Cost of everything queued. */
    get queuedMs(): number {
      return singles.queuedMs + bulk.queuedMs;
    },

    /** The kind of the next group. */
    get next(): RenderKind {
      return next();
    },

    sizeOf: (kind: RenderKind): number => queueOf(kind).size,

    /** Whether a request of `count` jobs would be taken now. */
    admits(accountId: string, kind: RenderKind, count: number): boolean {
      const held = singles.heldBy(accountId) + bulk.heldBy(accountId);
      return (
        fits(size(), count, entriesMax) &&
        fits(held, count, entriesMax * ACCOUNT_SHARE) &&
        (kind === 'single' || fits(bulk.size, count, entriesMax * BULK_SHARE))
      );
    },

    /** Work that would be taken before a new job of this account and kind, if nothing else came. */
    aheadMs(accountId: string, kind: RenderKind): number {
      return kind === 'single' ? singles.aheadMs(accountId) : singles.queuedMs + bulk.aheadMs(accountId);
    },

    push: (job: J): void => queueOf(job.kind).push(job),

    /**
     * The jobs that one thread should run next, of one kind and maybe of several accounts: about
     * `GROUP_MS` of work or one longer job. While less is queued, the threads share what there is
     * (C. Polychronopoulos, D. Kuck, "Guided Self-Scheduling", IEEE Trans. Computers 1987).
     */
    takeGroup(): J[] {
      const kind = next();
      const queue = queueOf(kind);
      return queue.take(Math.min(GROUP_MS[kind], queue.queuedMs / threads), GROUP_JOBS_MAX);
    },

    /** Removes and returns the jobs whose deadline has come. */
    expire: (nowMs: number): J[] => [...singles.expire(nowMs), ...bulk.expire(nowMs)],

    /** Removes and returns everything. */
    drain: (): J[] => [...singles.drain(), ...bulk.drain()],

    /** To be called when nothing is queued or running any more. */
    endBusyPeriod(): void {
      singles.endBusyPeriod();
      bulk.endBusyPeriod();
    },
  };
};
