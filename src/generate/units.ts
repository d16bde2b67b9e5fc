/** Takes the units of a call before its work, settles them after it, and gives them back when the call fails. */
import { randomUUID } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';
import { AppError, ERROR_CODES } from '../errors.ts';
import type { Balance, Quota, Settle, Use } from '../quota/quota.ts';
import { readStored } from '../stored-json.ts';
import type { Caller, Parts, Timings } from './parts.ts';
import { keyMismatch, keyRunning, ledgerUnavailable, quotaExhausted } from './refusals.ts';

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

/** The stored answer of the first call with this Idempotency-Key, and the balance now. */
export interface Replay {
  readonly kind: 'replay';
  readonly answer: string;
  readonly month: Balance;
}

/**
 * Reserves all of `units` or none. Returns a replay when the Idempotency-Key has an answer already.
 *
 * @throws {AppError} 429 when too few units are left, 422 when the key was used with another request, 409 when the
 *   first call with it is still running, 503 when the ledger is unavailable.
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
      return { kind: 'replay', answer: reserved.answer, month: await readBalance(quota, accountId) };
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
export type Paid = Pick<Taken, 'fromCredits' | 'balance'>;

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
): Promise<Paid> => {
  const startedMs = performance.now();
  const { accountId, keyId, keyQuota, makers, isLoadTest = false } = caller;
  const use = { keyId, kind, isLoadTest };
  const taken = await quota.take({ accountId, use, keyQuota, makers }).catch(unavailable);
  timings.quotaMs += performance.now() - startedMs;
  if (taken.outcome !== 'admitted') throw quotaExhausted(1, taken, caller);
  return taken;
};

/** Returns the balance after some units are given back: to the credits first, as in the ledger. */
export const applyRefund = ({ balance, fromCredits }: Paid, units: number): Balance => {
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
export const settleUnits = async (
  ledger: Ledger,
  taken: Taken,
  settle: Settle,
  timings: Timings,
): Promise<Balance> => {
  if (settle.refundUnits > 0 || settle.answer !== undefined) return settleNow(ledger, taken, settle, timings);
  ledger.quota.settleLater(settle);
  return taken.balance;
};

/** What is kept under an Idempotency-Key when a call was refused after its units were reserved. */
export const RefusedRecord = Type.Object({
  kind: Type.Literal('refused'),
  code: Type.Enum(ERROR_CODES),
  details: Type.String(),
});
/** The record of a call that was refused. */
export type RefusedRecord = Static<typeof RefusedRecord>;

/** Reads what was kept under an Idempotency-Key. @throws {Error} When it is damaged. */
export const readRecord = <S extends TSchema>(schema: S, answer: string): NoInfer<Static<S>> => {
  const record = readStored(schema, answer);
  if (record === null) throw new Error('the record of an earlier call is damaged');
  return record;
};

/** Returns the error that answered the first call with an Idempotency-Key, marked as its replay. */
export const refuseAgain = ({ code, details }: RefusedRecord): AppError =>
  new AppError(code, details, { isReplay: true });

/** Replays a call under whose Idempotency-Key only a refusal can be kept. @throws {AppError} That refusal. */
export const replayRefusal = async ({ answer }: Replay): Promise<never> => {
  throw refuseAgain(readRecord(RefusedRecord, answer));
};

/** Only a 400 is kept. After a failure of the service, a retry may succeed. */
const refusalToKeep = (error: unknown): RefusedRecord | null =>
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
