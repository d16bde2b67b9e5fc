/** What an account may cost with logos that it does not pay for. */
export interface Allowance {
  /** Whether it has cost more than it may: nothing is fetched or decoded for it then. */
  isSpent(accountId: string): boolean;
  /** Counts milliseconds of processor time. */
  spend(accountId: string, ms: number): void;
}

/** Starting the SVG thread anew after a drawing was ended by force. */
export const THREAD_START_MS = 40;
/** Names, connections and answers of a fetch. */
export const FETCH_MS = 5;

export const UNBOUNDED: Allowance = { isSpent: () => false, spend: () => {} };
