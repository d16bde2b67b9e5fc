/** What costs an account no units costs the processor all the same: each account has so much of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { createTokenBuckets, retryAfterS } from './token-bucket.ts';

export interface FreeWork {
  /** Whether the account has spent more than it was given. */
  isSpent(accountId: string): boolean;
  /** @throws {AppError} 429 when it has. */
  admit(accountId: string): void;
  /** Counts what was done for it, in milliseconds of processor time. */
  spend(accountId: string, ms: number): void;
  /**
   * Runs `work` and counts the time until it ends, also when it is refused.
   *
   * @throws {AppError} 429 when the account has spent too much.
   */
  measure<T>(accountId: string, work: () => Promise<T>): Promise<T>;
  /** For work in steps: resolves when half of what may be used at once is there, and at the latest after some seconds. */
  pace(accountId: string): Promise<void>;
}

/** What may be used at once, in seconds of what comes back: a folder of pictures, or minutes of typing. */
const BURST_S = 10;
const MAX_ACCOUNTS = 10_000;
/** Whoever receives an archive gives up when nothing moves for long. */
const MAX_PACE_MS = 20_000;
/** Of one measured step: a machine that is slow for other reasons is not the account's doing. */
const MAX_MEASURED_MS = 2000;

const unbounded: FreeWork = {
  isSpent: () => false,
  admit: () => {},
  spend: () => {},
  measure: (_, work) => work(),
  pace: async () => {},
};

/**
 * A budget for each account, counted by this gateway alone: it protects this gateway's processor.
 *
 * @param msPerSecond Processor time that comes back each second; 0: no bounds.
 */
export const createFreeWork = (msPerSecond: number): FreeWork => {
  if (msPerSecond === 0) return unbounded;
  const capacity = msPerSecond * BURST_S;
  const buckets = createTokenBuckets({ capacity, perSecond: msPerSecond }, MAX_ACCOUNTS);

  const admit = (accountId: string): void => {
    const waitMs = buckets.waitMs(accountId, 0);
    if (waitMs === 0) return;
    throw new AppError(
      'rate_limited',
      `This account has used up its processor time for what costs no units (${msPerSecond} ms a second for previews, searches, pictures drawn again and logos that fail); wait, and ask for less.`,
      { retryAfterS: retryAfterS(waitMs) },
    );
  };

  return {
    isSpent: (accountId) => buckets.waitMs(accountId, 0) > 0,
    admit,
    spend: (accountId, ms) => {
      if (ms > 0) buckets.take(accountId, ms);
    },
    async measure(accountId, work) {
      admit(accountId);
      const startedMs = performance.now();
      const count = () => buckets.take(accountId, Math.min(MAX_MEASURED_MS, performance.now() - startedMs));
      try {
        const result = await work();
        count();
        return result;
      } catch (error) {
        // A database that is away has done nothing for the account.
        if (error instanceof AppError) count();
        throw error;
      }
    },
    async pace(accountId) {
      const waitMs = buckets.waitMs(accountId, capacity / 2);
      if (waitMs > 0) await sleep(Math.min(waitMs, MAX_PACE_MS));
    },
  };
};
