/** Free work: what takes processor time but costs no units. Each account has a budget of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { createTokenBuckets, retryAfterS } from './token-bucket.ts';

/** The budgets of all accounts, in milliseconds of processor time. */
export interface FreeWork {
  /** Returns how many accounts have overdrawn their budget at the moment. */
  overdrawn(): number;
  /** Whether the account has overdrawn its budget. */
  isSpent(accountId: string): boolean;
  /** @throws {AppError} 429 when the account has overdrawn its budget. */
  admit(accountId: string): void;
  /** Takes milliseconds of processor time from the budget, which may be overdrawn. */
  spend(accountId: string, ms: number): void;
  /**
   * Runs `work` and takes the time until it ends from the budget, also when it fails with an `AppError`.
   *
   * @throws {AppError} 429, without running `work`, when the account has overdrawn its budget.
   */
  measure<T>(accountId: string, work: () => Promise<T>): Promise<T>;
  /** Paces work in steps: resolves when half of the full budget is there, and after `MAX_PACE_MS` at the latest. */
  pace(accountId: string): Promise<void>;
}

/** A full budget is what comes back in this time: enough for a folder of pictures, or minutes of typing. */
const BURST_S = 10;
const MAX_ACCOUNTS = 10_000;
/** The client of an archive gives up when it receives nothing for long. */
const MAX_PACE_MS = 20_000;
/**
 * The most that one measured piece of work costs: a machine may be slow for reasons that the account does not cause.
 */
export const MAX_MEASURED_MS = 2000;

const unbounded: FreeWork = {
  overdrawn: () => 0,
  isSpent: () => false,
  admit: () => {},
  spend: () => {},
  measure: (_, work) => work(),
  pace: async () => {},
};

/**
 * Creates the budgets. Each gateway counts alone, because a budget protects the processor of its gateway.
 *
 * @param msPerSecond Milliseconds of processor time that come back each second; 0: free work is unlimited.
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
      `This account has used up its processor time for calls that cost no units (${msPerSecond} ms a second for calls that are not paid or are refused, previews, checks, pictures drawn again or refused, and logos that fail); wait, and send fewer.`,
      { retryAfterS: retryAfterS(waitMs) },
    );
  };

  return {
    overdrawn: buckets.overdrawn,
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
        // Any other error, such as that of an unavailable database, means that no work was done for the account.
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
