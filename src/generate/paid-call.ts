/**
 * Pays for calls. `payFor` is the frame of every call that takes units while its caller waits; the kinds of calls
 * (a single code, the image endpoint, a signed picture, a saved code, a bulk call) list their own steps around it.
 *
 * Guarantees: a call for which the render queue has no room takes no units; a call that fails afterwards has them back
 * before it is answered; a call whose codes are saved is paid, even when the gateway is killed meanwhile.
 */
import { randomUUID } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';
import { AppError, ERROR_CODES } from '../errors.ts';
import type { Balance, Quota, Settle, Use } from '../quota/quota.ts';
import { readStored } from '../stored-json.ts';
import type { Call, Caller, Parts, Timings } from './parts.ts';
import {
  keyMismatch,
  keyRunning,
  ledgerUnavailable,
  queueFull,
  quotaExhausted,
  unknownOutcome,
} from './refusals.ts';

const unavailable = (cause: unknown): never => {
  throw ledgerUnavailable(cause);
};

/** Returns the balance as of now. @throws {AppError} 503 when the ledger is unavailable. */
export const readBalance = (quota: Quota, accountId: string): Promise<Balance> =>
  quota.read(accountId).catch(unavailable);

/** An open reservation, and the balance after it. */
export interface Taken {
  readonly kind: 'taken';
  readonly id: string;
  readonly fromCredits: number;
  readonly balance: Balance;
}

/** The first call with this Idempotency-Key has the answer. */
export interface Replay {
  readonly kind: 'replay';
  /** As the ledger keeps it. */
  readonly answer: string;
  /** The balance now. */
  readonly month: Balance;
}

/** A call with the same Idempotency-Key was saved meanwhile: the database has its answer. */
export interface AnsweredBefore {
  readonly kind: 'answered before';
}

/** What is kept under an Idempotency-Key when a call was refused after its units were reserved. */
const RefusedRecord = Type.Object({
  kind: Type.Literal('refused'),
  code: Type.Enum(ERROR_CODES),
  details: Type.String(),
});

/** Reads what was kept under an Idempotency-Key. @throws {Error} When it is damaged. */
export const readRecord = <S extends TSchema>(schema: S, answer: string | null): NoInfer<Static<S>> => {
  const record = readStored(schema, answer ?? '');
  if (record === null) throw new Error('the record of an earlier call is damaged');
  return record;
};

/** Returns the kept answer. @throws {AppError} The error that answered the first call, marked as its replay. */
const replay = async (quota: Quota, accountId: string, answer: string): Promise<Replay> => {
  const month = await readBalance(quota, accountId);
  const refused = readStored(RefusedRecord, answer);
  if (refused !== null) throw new AppError(refused.code, refused.details, { isReplay: true });
  return { kind: 'replay', answer, month };
};

/**
 * Reserves all of `units` or none. Returns a replay when the Idempotency-Key has an answer already.
 *
 * @throws {AppError} 429 when too few units are left, 422 when the key was used with another request, 409 when the
 *   first call with it is still running, 503 when the ledger is unavailable, and the error that is kept under the key.
 */
export const takeUnits = async (
  quota: Quota,
  caller: Caller,
  { units, kind }: { readonly units: number; readonly kind: Use['kind'] },
  timings: Timings,
): Promise<Taken | Replay> => {
  const startedMs = performance.now();
  const id = randomUUID();
  const { accountId, keyId, keyQuota, makers, isLoadTest = false, claim } = caller;
  const request = { id, accountId, units, use: { keyId, kind, isLoadTest }, keyQuota, makers };
  const reserved = await quota
    .reserve(claim === undefined ? request : { ...request, claim })
    .catch(unavailable);
  timings.quotaMs += performance.now() - startedMs;
  switch (reserved.outcome) {
    case 'admitted':
      return { kind: 'taken', id, fromCredits: reserved.fromCredits, balance: reserved.balance };
    case 'replay':
      return replay(quota, accountId, reserved.answer);
    case 'exhausted':
    case 'key_exhausted':
      throw quotaExhausted(units, reserved, caller);
    case 'mismatch':
      throw keyMismatch();
    case 'running':
      throw keyRunning();
  }
};

/** The balance after a unit was paid, and how much of it came from credits. */
export type Payment = Pick<Taken, 'fromCredits' | 'balance'>;

/**
 * Takes one unit and pays it at once, for a picture that is already there, so that nothing can fail afterwards. The
 * call must have no Idempotency-Key.
 *
 * @throws {AppError} 429 when no unit is left, 503 when the ledger is unavailable.
 */
export const payUnit = async (
  quota: Quota,
  caller: Caller,
  kind: Use['kind'],
  timings: Timings,
): Promise<Payment> => {
  const startedMs = performance.now();
  const { accountId, keyId, keyQuota, makers, isLoadTest = false } = caller;
  const use = { keyId, kind, isLoadTest };
  const taken = await quota.take({ accountId, use, keyQuota, makers }).catch(unavailable);
  timings.quotaMs += performance.now() - startedMs;
  if (taken.outcome !== 'admitted') throw quotaExhausted(1, taken, caller);
  return taken;
};

/** Returns the balance after some units are given back: to the credits first, as in the ledger. */
export const applyRefund = ({ balance, fromCredits }: Payment, units: number): Balance => {
  const credits = balance.credits + Math.min(units, fromCredits);
  const monthlyUsed = balance.monthlyUsed - Math.max(0, units - fromCredits);
  return {
    ...balance,
    credits,
    monthlyUsed,
    usageCount: balance.usageCount - units,
    remaining: Math.max(0, balance.monthlyQuota - monthlyUsed) + credits,
  };
};

type Ledger = Pick<Parts, 'quota' | 'log'>;

/**
 * Settles the reservation and returns the balance after it. Never throws: the work is done, so the caller gets it even
 * when the ledger is unavailable. The reservation is then settled later. Until it is, a retry with the same
 * Idempotency-Key is refused because the first call is still running.
 */
export const settleNow = async (
  { quota, log }: Ledger,
  taken: Taken,
  settle: Settle,
  timings: Timings,
): Promise<Balance> => {
  const startedMs = performance.now();
  try {
    const settled = await quota.settle(settle);
    if (settled.outcome === 'expired') {
      log.warn({ reservation: settle.id }, 'reservation expired before its work was settled');
    }
    return settled.balance;
  } catch (err) {
    log.warn({ err, reservation: settle.id }, 'reservation not settled; will retry');
    quota.settleLater(settle);
    return applyRefund(taken, settle.refundUnits);
  } finally {
    timings.quotaMs += performance.now() - startedMs;
  }
};

/**
 * Settles the reservation of a call that has its pictures: in the background when all its units are used, at once when
 * units go back. With an answer it is settled at once too, because a quick retry must find it. Returns the balance.
 */
const settleUnits = async (
  ledger: Ledger,
  taken: Taken,
  settle: Settle,
  timings: Timings,
): Promise<Balance> => {
  if (settle.refundUnits > 0 || settle.answer !== undefined) return settleNow(ledger, taken, settle, timings);
  ledger.quota.settleLater(settle);
  return taken.balance;
};

/** Only a 400 is kept. After a failure of the service, a retry may succeed. */
const refusalToKeep = (error: unknown): Static<typeof RefusedRecord> | null =>
  error instanceof AppError && error.status === 400
    ? { kind: 'refused', code: error.code, details: error.details }
    : null;

/**
 * Gives all units of a failed call back before the call is answered. So a caller whose last unit was in this call can
 * use it for the next one at once. Never throws: when the ledger does not answer, the units go back later.
 */
export const giveBack = async (
  ledger: Ledger,
  { accountId, claim }: Caller,
  taken: Taken,
  units: number,
  error: unknown,
  timings: Timings,
): Promise<void> => {
  const refusal = claim === undefined ? null : refusalToKeep(error);
  const answer = refusal === null ? {} : { answer: JSON.stringify(refusal) };
  await settleNow(ledger, taken, { id: taken.id, accountId, refundUnits: units, ...answer }, timings);
};

/** What a call needs: the time of a render thread for each of its pictures, and units for what they are used for. */
interface Need {
  readonly use: Use['kind'];
  readonly units: number;
  readonly estimatedMs: readonly number[];
}

/**
 * What became of the pictures of a call. `made`: they can be answered, and their units are used. `unknown`: the database
 * does not say whether it has saved the codes; the ledger learns it later.
 */
export type Made<T> =
  | {
      readonly kind: 'made';
      readonly value: T;
      /** Units of items that failed. */
      readonly refundUnits: number;
      /** What the ledger keeps under the Idempotency-Key. Absent: nothing. */
      readonly record?: string | undefined;
    }
  | AnsweredBefore
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** What was paid for, and the balance after it. */
export interface PaidFor<T> {
  readonly kind: 'paid';
  readonly value: T;
  readonly month: Balance;
}

/**
 * Takes the units of a call that is planned, has its pictures made, and settles.
 *
 * @param make Finds logos, draws, grades and, in calls that save codes, saves. When it throws, the units go back.
 * @throws {AppError} 400 for a fault of the call, 409 and 422 for its Idempotency-Key, 429 when too few units or too
 *   little free work is left, 503 when the service cannot draw, pay or save. A call that throws costs nothing, unless
 *   its codes may be saved.
 */
export const payFor = async <T>(
  parts: Parts,
  call: Caller & Call,
  { use, units, estimatedMs }: Need,
  make: (taken: Taken) => Promise<Made<T>>,
): Promise<PaidFor<T> | Replay | AnsweredBefore> => {
  const { accountId, terms, timings } = call;
  const kind = use === 'bulk' ? 'bulk' : 'single';
  const deadlineMs = Date.now() + parts.deadlineMs;
  if (!parts.pool.hasRoom({ accountId, kind, estimatedMs, deadlineMs })) throw queueFull(parts.pool);
  // Pictures that are refused for their grade cost no units, and count as free work.
  if (terms.minGrade > 0) parts.freeWork.admit(accountId);
  const taken = await takeUnits(parts.quota, call, { units, kind: use }, timings);
  if (taken.kind === 'replay') return taken;
  const made = await make(taken).catch(async (error: unknown) => {
    await giveBack(parts, call, taken, units, error, timings);
    throw error;
  });
  if (made.kind === 'unknown') throw unknownOutcome(made.cause);
  const isMade = made.kind === 'made';
  const answer = isMade && made.record !== undefined ? { answer: made.record } : {};
  const settle = { id: taken.id, accountId, refundUnits: isMade ? made.refundUnits : units, ...answer };
  const month = await settleUnits(parts, taken, settle, timings);
  return isMade ? { kind: 'paid', value: made.value, month } : made;
};
