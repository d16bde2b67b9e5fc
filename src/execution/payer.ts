/**
 * Who pays for what runs now. A turn of the event loop that an account's call begins, and each one in which rows or the
 * answer of the database reach it, is that account's until the turn ends. A query remembers whose turn has made it, and
 * the turn of its answer is the same account's again. `AsyncLocalStorage` would do this for every kind of promise, but on
 * Node.js 20 it makes each promise of paid calls slower. After waiting for anything but the database, nobody pays until
 * `payFor` is called.
 */

/** An account that pays for the time that it takes. */
export interface Payer {
  /** Takes milliseconds of the main thread. */
  spendTurn(ms: number): void;
  /** Takes milliseconds in which a connection to the database was held. */
  spendDatabase(ms: number): void;
  /** Resolves when the account has rested for a multiple of what it took before. */
  rest(): Promise<void>;
  /**
   * Waits until the account may use one more connection to the database. Returns what gives it back.
   *
   * @throws {AppError} 429 when too many of its calls wait for one, or this one for too long.
   */
  enter(): Promise<() => void>;
}

let payer: Payer | null = null;
let sinceMs = 0;

const settle = (): void => {
  const nowMs = performance.now();
  payer?.spendTurn(nowMs - sinceMs);
  sinceMs = nowMs;
};

const endTurn = (): void => {
  settle();
  payer = null;
};

/** Returns who pays for what runs now; `null`: nobody does. */
export const payerNow = (): Payer | null => payer;

/** Makes `next` pay for the rest of this turn of the event loop. */
export const payRest = (next: Payer): void => {
  if (payer === next) return;
  // Ticks that are queued by a microtask run when no microtask is left: at the end of the turn.
  if (payer === null) queueMicrotask(() => process.nextTick(endTurn));
  settle();
  payer = next;
};

/**
 * Ends what a payer pays for in this turn. What many calls share, such as the connection to Redis, answers several in one
 * turn: a call for which nobody pays says so here when it goes on, or the one before it would pay, and it would wait until
 * that one has rested.
 */
export const payNothing = (): void => endTurn();

/** Runs what `next` pays for: it, and what follows from it in this turn of the event loop. */
export const payFor = <T>(next: Payer, run: () => T): T => {
  payRest(next);
  return run();
};
