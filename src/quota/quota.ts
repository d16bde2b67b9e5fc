/**
 * The quota ledger as the rest of the gateway sees it. Two implementations, one contract (`test/quota`):
 * SQL, and Redis with Postgres behind it.
 *
 * A unit is taken by `reserve` before any work, and each reservation is closed once by `settle`, which gives
 * units back. A reservation that nobody settles is given back whole when its time to live is over, so a killed
 * process leaks nothing. A denial is a value; a thrown error means that the ledger itself could not be asked.
 */

/** An `Idempotency-Key` as the caller sent it, claimed in the same step that takes the units. */
export interface Claim {
  readonly route: 'single' | 'bulk';
  readonly key: string;
  /** SHA-256 of the request body, hexadecimal. */
  readonly bodyHash: string;
}

export interface Reserve {
  /**
   * UUID chosen by the caller, in lower case. While the reservation is remembered, the same id again returns the
   * same answer and takes nothing more; it is so for at least five times its time to live. A denial is not kept.
   */
  readonly id: string;
  readonly accountId: string;
  readonly units: number;
  readonly claim?: Claim;
}

/** Where an account stands. Counts are whole units. */
export interface Balance {
  /** First day of the calendar month in UTC, `YYYY-MM-DD`. */
  readonly period: string;
  readonly resetsAtMs: number;
  readonly monthlyQuota: number;
  readonly monthlyUsed: number;
  readonly credits: number;
  /** Units used this period, whatever paid for them. */
  readonly usageCount: number;
  /** What is left of the month plus credits. */
  readonly remaining: number;
}

export type Reserved =
  | {
      readonly outcome: 'admitted';
      readonly fromMonthly: number;
      readonly fromCredits: number;
      readonly balance: Balance;
    }
  /** The whole of `units` is not there; nothing was taken. */
  | { readonly outcome: 'exhausted'; readonly balance: Balance }
  /** The claim was completed earlier: `answer` is what `settle` stored. Nothing was taken. */
  | { readonly outcome: 'replay'; readonly answer: string }
  /** The key was used with another body. Nothing was taken. */
  | { readonly outcome: 'mismatch' }
  /** The first request with this key has not ended. Nothing was taken. */
  | { readonly outcome: 'running' };

export interface Settle {
  readonly id: string;
  readonly accountId: string;
  /** Clamped to what was taken; credits go back first; a unit of a past month dies with it. */
  readonly refundUnits: number;
  /** Stored under the reservation's claim for 24 hours. Without it the claim is released. */
  readonly answer?: string;
}

/** `expired`: the reservation was given back before this call, so its work was not paid for. */
export type Settled = { readonly outcome: 'settled' | 'expired'; readonly balance: Balance };

export interface Quota {
  /** A failed call may be indeterminate: units that it took all the same are given back by the ledger itself. */
  reserve(request: Reserve): Promise<Reserved>;
  /** Closes a reservation once; again, it changes nothing and tells the balance. */
  settle(request: Settle): Promise<Settled>;
  /**
   * As `settle`, off the caller's path: batched, retried until the reservation would have expired, and flushed by
   * `close`. When too many wait it is dropped, and the reservation expires in the caller's favour.
   */
  settleLater(request: Settle): void;
  read(accountId: string): Promise<Balance>;
  /**
   * Adds credits; the same reference for the same account again adds nothing. `null`, and nothing is added: that
   * reference was of another amount.
   */
  addCredits(grant: { accountId: string; amount: number; reference: string | null }): Promise<Balance | null>;
  /** Makes a change of the account's plan or monthly quota count from the next `reserve` on. */
  refreshLimit(accountId: string): Promise<void>;
  /** Gives expired reservations back; returns how many. Every gateway calls it each second. */
  reap(): Promise<number>;
  close(): Promise<void>;
}
