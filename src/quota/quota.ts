/**
 * The contract of the quota ledger. Two ledgers keep it (`test/quota/contract.test.ts`): one in SQL, and one in
 * Redis with Postgres as its record.
 *
 * `reserve` takes units before any work is done. `settle` closes a reservation once and may give units back. A
 * reservation that nobody settles expires and gives back all its units, so a killed process loses none. A denial
 * is a value; a thrown error means that the ledger gave no usable answer.
 */
import type { Sql } from 'postgres';
import type { Result } from '../result.ts';

/** An `Idempotency-Key` as the caller sent it, claimed in the same step that takes the units. */
export interface Claim {
  readonly route: 'single' | 'file' | 'barcode' | 'code' | 'bulk';
  readonly key: string;
  /** SHA-256, hexadecimal: of the request body, and of the headers that decide the answer with it. */
  readonly bodyHash: string;
}

/** The kinds of call that use units. A batch is a job that holds units for a long time. */
export const USE_KINDS = ['single', 'code', 'bulk', 'image', 'batch'] as const;

/** What units are used for. The record sums them up by it. */
export interface Use {
  /** The API key of the call. All its units of a month, whatever paid for them, count for its own quota, and its makers'. */
  readonly keyId: string;
  readonly kind: (typeof USE_KINDS)[number];
  /** Whether the call is marked as one of a load test; absent: no. */
  readonly isLoadTest?: boolean;
}

/** Returns the kind of a use in the record, which sums up marked calls apart: `single`, or `single-test`. */
export const recordedKind = ({ kind, isLoadTest = false }: Pick<Use, 'kind' | 'isLoadTest'>): string =>
  isLoadTest ? `${kind}-test` : kind;

/** An API key that made the key of a use, or made its maker: the units of the use count for its own quota as well. */
export interface Maker {
  readonly keyId: string;
  /** Its monthly quota; `null`: as many units as the account. */
  readonly monthlyQuota: number | null;
}

/** A request for units: all of them or none. */
export interface Reserve {
  /**
   * A lower-case UUID that the caller chooses. While the reservation is open, a repeated call with the same id returns
   * the first answer and takes nothing more. A denial is not remembered.
   */
  readonly id: string;
  readonly accountId: string;
  readonly units: number;
  readonly use: Use;
  /** Monthly quota of the API key of the use, within the account's; absent or `null`: the same as the account's. */
  readonly keyQuota?: number | null;
  /** The makers of that key, in a fixed order; absent: none. Its makers never change, only their quotas. */
  readonly makers?: readonly Maker[];
  readonly claim?: Claim;
}

/** A request for one unit of work that is already done. */
export type Take = Pick<Reserve, 'accountId' | 'use' | 'keyQuota' | 'makers'>;

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
  /** What is left of the monthly quota, plus the credits. */
  readonly remaining: number;
}

/** The denial when an API key or one of its makers has too few units left, whatever the account has. */
export interface KeyExhausted {
  readonly outcome: 'key_exhausted';
  /** The fewest that one of them has left. */
  readonly keyRemaining: number;
  /** The balance of the account. */
  readonly balance: Balance;
}

/** What `reserve` answers. Only `admitted` takes units. */
export type Reserved =
  /** The units were taken: `fromMonthly` of the monthly quota, `fromCredits` of the credits. */
  | {
      readonly outcome: 'admitted';
      readonly fromMonthly: number;
      readonly fromCredits: number;
      readonly balance: Balance;
    }
  /** Fewer than `units` are left. */
  | { readonly outcome: 'exhausted'; readonly balance: Balance }
  /** Fewer than `units` are left of the own quota of the key or of a maker: `keyRemaining`. */
  | KeyExhausted
  /** An earlier request completed the claim: `answer` is what its `settle` stored. */
  | { readonly outcome: 'replay'; readonly answer: string }
  /** The `Idempotency-Key` was used with another body. */
  | { readonly outcome: 'mismatch' }
  /** The first request with this `Idempotency-Key` has not ended. */
  | { readonly outcome: 'running' };

/** What `take` answers. */
export type Taken = Extract<Reserved, { outcome: 'admitted' | 'exhausted' | 'key_exhausted' }>;

/** Closes the reservation `id` of the account. */
export interface Settle {
  readonly id: string;
  readonly accountId: string;
  /** At most what was taken goes back, credits first. A monthly unit of a past month does not go back. */
  readonly refundUnits: number;
  /** Stored under the reservation's claim for 24 hours. Without it the claim is released. */
  readonly answer?: string;
}

/**
 * What `settle` answers. `expired`: its time was over, so all its units went back and its work was not paid for.
 * `unknown`: it is not open, because it was closed before or never was; nothing changed.
 */
export type Settled = { readonly outcome: 'settled' | 'expired' | 'unknown'; readonly balance: Balance };

/**
 * A request for the units of a long job: all of them or none. They are held until `release`, however long that takes.
 */
export interface Hold {
  /** A lower-case UUID that the caller chooses. A repeated call with the same id takes nothing more. */
  readonly id: string;
  readonly accountId: string;
  readonly units: number;
  readonly keyId: string;
  /** As in `Reserve`. */
  readonly keyQuota?: number | null;
  /** As in `Reserve`. */
  readonly makers?: readonly Maker[];
}

/** What `hold` answers. The units of `held` are in the record, so no failure loses them. */
export type Held =
  | {
      readonly outcome: 'held';
      readonly fromMonthly: number;
      readonly fromCredits: number;
      readonly balance: Balance;
    }
  | { readonly outcome: 'exhausted'; readonly balance: Balance }
  | KeyExhausted;

/** Ends the hold `id` of the account. */
export interface Release {
  readonly id: string;
  readonly accountId: string;
  /** At most what was held goes back, credits first. A monthly unit of a past month does not go back. */
  readonly refundUnits: number;
}

/** The ledger. Account ids are lower-case UUIDs. Every call may fail when the ledger is unavailable. */
export interface Quota {
  /** Takes units. If the call is indeterminate, the ledger itself gives back what it took. */
  reserve(request: Reserve): Promise<Reserved>;
  /** Takes one unit and settles it, in one step. If the outcome of the call is unknown, the unit is refunded. */
  take(request: Take): Promise<Taken>;
  /** Closes a reservation. A repeated call changes nothing. Returns the outcome and the balance. */
  settle(request: Settle): Promise<Settled>;
  /**
   * Settles in the background: several at once, with retries until the reservation expires; `close` sends what waits.
   * When too many wait, this settlement is dropped, and the reservation expires in the caller's favour.
   */
  settleLater(request: Settle): void;
  /** Takes the units of a long job. After a failure it is safe to call it again with the same id. */
  hold(request: Hold): Promise<Held>;
  /** Ends a hold. The first call for an id counts. Returns the balance, or `null` when there is no such hold. */
  release(request: Release): Promise<Balance | null>;
  /** Returns the balance as of now; takes nothing. */
  read(accountId: string): Promise<Balance>;
  /**
   * Adds credits and returns the balance. A repeated reference of the account adds nothing. Refuses, and adds nothing,
   * when that reference was used with another amount. After a failure, credits without a reference were not added,
   * unless the error `isIndeterminate`.
   */
  addCredits(grant: {
    accountId: string;
    amount: number;
    reference: string | null;
  }): Promise<Result<Balance, 'mismatch'>>;
  /** Makes the next `reserve` use the account's present plan and monthly quota. */
  refreshLimit(accountId: string): Promise<void>;
  /**
   * Expires reservations whose time is over, which gives back their units; returns how many.
   *
   * @param which `next`: of a Cluster, only those of the shards whose turn it is. All are, by default.
   */
  reap(which?: 'next'): Promise<number>;
  /** Sends the settlements that wait, within a bounded time, and ends the ledger's background work. */
  close(): Promise<void>;
}

/** Where a ledger keeps its record, and how much it allows. */
export interface LedgerOptions {
  readonly sql: Sql;
  /** Units a month, by plan, of an account without a monthly quota of its own. */
  readonly planMonthly: { readonly free: number; readonly pro: number };
  readonly reservationTtlMs: number;
}
