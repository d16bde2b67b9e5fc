/** The meter of calls that cost no units: it charges the time that they take, and bounds what they take at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import type { Payer } from '../execution/payer.ts';
import { createAdmission } from './admission.ts';
import type { FreeWork } from './free-work.ts';

/** The meter of all accounts. */
export interface Meter {
  /** Notes an unpaid call, and does what `FreeWork.admit` does. */
  admit(accountId: string): void;
  /** Returns who pays for an account's calls. */
  payerOf(accountId: string): Payer;
  /** Notes a call of a stranger, and returns who pays for it: its address has no budget, but rests as accounts do. */
  payerAt(address: string): Payer;
  /**
   * Starts counting what a paid call takes: it costs units only if it is not refused.
   *
   * @throws {AppError} 429 when the account's refused calls have overdrawn their budget.
   */
  startPaid(accountId: string): PaidCall;
}

/** A paid call. It has paid for its time with units, unless it is refused. */
export interface PaidCall {
  readonly payer: Payer;
  /** Takes what the call has taken of the main thread so far from the budget of the account's refused calls. */
  refuse(): void;
}

interface NotingPayer extends Payer {
  /** Notes a call that is not paid. */
  noteCall(): void;
}

/** A connection mostly waits for the disk and for locks. */
export const DATABASE_SHARE = 0.5;
/** What one use of a connection costs at most, as for `MAX_MEASURED_MS`. */
const MAX_CONNECTION_MS = 2000;
/** The share of an account in the connections to the database. */
const CONNECTIONS_SHARE = 0.3;
/** Queries of an account that may wait for its connections, and for how long. */
const WAITING_MAX = 200;
const WAIT_MS = 3000;
/**
 * An account rests this many times as long as it took: alone it takes at most a third of the main thread, and a seventh
 * beside requests that are not its own unpaid calls.
 */
const REST_FACTOR = { alone: 2, besideOthers: 6 } as const;
const OTHERS_PER_S = 10;
/** How often an account looks for others. */
const LOOK_MS = 250;
/** Shorter rests add up: a timer is not more exact. */
const LEAST_REST_MS = 2;
const REST_MAX_MS = 1000;
/** How much of what an earlier query took is expected of the next ones. */
const EXPECTED_SHARE = 0.9;
const MAX_ACCOUNTS = 10_000;

const tooMany = (): AppError =>
  new AppError(
    'rate_limited',
    'Too many calls of this account wait for the database; send fewer at a time.',
    {
      retryAfterS: 1,
    },
  );

/** The budget of an account's refused calls is as large as the other, so that neither stops calls of the other kind. */
const refusedOf = (accountId: string): string => `refused ${accountId}`;

const freely = async () => () => {};

/**
 * Creates the meter. What an account takes of the main thread or of the database is followed by a longer rest: its next
 * query, slice or piece waits, so that others are served in between, also while it spends what it has saved. Queries that
 * rest begin one after the other, each when what the one before it takes is expected to end: otherwise they would run side
 * by side, and their answers would take turns in a row.
 *
 * @param connectionsMax Connections to the database, of which each account has a share.
 * @param requestsBegun Requests of all accounts so far.
 */
export const createMeter = (
  freeWork: FreeWork,
  connectionsMax: number,
  requestsBegun: () => number,
): Meter => {
  const shares = createAdmission({
    maxRunningPerKey: Math.max(1, Math.floor(connectionsMax * CONNECTIONS_SHARE)),
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerKey: WAITING_MAX,
    maxWaitMs: WAIT_MS,
  });
  // With `max`, it would allocate memory for all of them up front.
  const payers = new LRUCache<string, NotingPayer>({ maxSize: MAX_ACCOUNTS, sizeCalculation: () => 1 });

  const createPayer = (id: string, take: (ms: number) => void): NotingPayer => {
    let restsUntilMs = 0;
    let expectedMs = 0;
    let begun: Promise<unknown> = Promise.resolve();
    let calls = 0;
    let seen = { atMs: performance.now(), others: requestsBegun() };
    let restFactor: number = REST_FACTOR.alone;

    const lookForOthers = (nowMs: number): void => {
      const passedMs = nowMs - seen.atMs;
      if (passedMs < LOOK_MS) return;
      const others = requestsBegun() - calls;
      const isAlone = others - seen.others < (OTHERS_PER_S * passedMs) / 1000;
      restFactor = isAlone ? REST_FACTOR.alone : REST_FACTOR.besideOthers;
      seen = { atMs: nowMs, others };
    };

    const rest = async (): Promise<void> => {
      const restMs = restsUntilMs - performance.now();
      if (restMs > LEAST_REST_MS) await sleep(Math.min(restMs, REST_MAX_MS));
    };

    /** Rests, and returns for how long others are to rest because of what begins now. */
    const begin = async (): Promise<number> => {
      await rest();
      const reservedMs = Math.min((1 + restFactor) * expectedMs, REST_MAX_MS);
      restsUntilMs = Math.max(restsUntilMs, performance.now()) + reservedMs;
      return reservedMs;
    };

    const spend = (ms: number): void => {
      take(ms);
      const nowMs = performance.now();
      lookForOthers(nowMs);
      expectedMs = Math.max(ms, expectedMs * EXPECTED_SHARE);
      restsUntilMs = Math.max(restsUntilMs, nowMs) + restFactor * ms;
    };

    return {
      noteCall() {
        calls += 1;
      },
      rest,
      spendTurn: spend,
      spendDatabase: (ms) => spend(Math.min(ms, MAX_CONNECTION_MS) * DATABASE_SHARE),
      async enter() {
        const leave = await shares.enter(id);
        if (leave === null) throw tooMany();
        const begins = begun.then(begin);
        begun = begins;
        const reservedMs = await begins;
        return () => {
          // What its turn really takes is added when the turn ends.
          restsUntilMs -= reservedMs;
          leave();
        };
      },
    };
  };

  const find = (id: string, take: (ms: number) => void): NotingPayer => {
    const payer = payers.get(id) ?? createPayer(id, take);
    payers.set(id, payer);
    return payer;
  };
  const payerOf = (accountId: string): NotingPayer => find(accountId, (ms) => freeWork.spend(accountId, ms));

  return {
    admit(accountId) {
      freeWork.admit(accountId);
      payerOf(accountId).noteCall();
    },
    payerOf,
    payerAt(address) {
      const payer = find(`at ${address}`, () => {});
      payer.noteCall();
      return payer;
    },
    startPaid(accountId) {
      freeWork.admit(refusedOf(accountId));
      let takenMs = 0;
      const spendTurn = (ms: number): void => {
        takenMs += ms;
      };
      return {
        payer: { spendTurn, spendDatabase: () => {}, rest: async () => {}, enter: freely },
        refuse: () => freeWork.spend(refusedOf(accountId), takenMs),
      };
    },
  };
};
