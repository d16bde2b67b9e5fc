/** Who may read a picture now. */
import { setTimeout as sleep } from 'node:timers/promises';

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
