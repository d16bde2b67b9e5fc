/** Bounds the processor time that logos may cost an account that pays no units for them. */
export interface Allowance {
  /** Whether the account has used up its allowance. Then nothing is fetched or decoded for it. */
  isSpent(accountId: string): boolean;
  /** Adds milliseconds of processor time. */
  spend(accountId: string, ms: number): void;
}

/** Milliseconds to start a new SVG thread after a drawing was stopped by force. */
export const THREAD_START_MS = 40;
/** Milliseconds of processor time that a fetch costs: names, connections, the answer. */
export const FETCH_MS = 5;

/** Counts nothing and is never used up. */
export const UNBOUNDED: Allowance = { isSpent: () => false, spend: () => {} };
