/** Units of a call: taken before its work, settled after it, given back when it failed. */
import { randomUUID } from 'node:crypto';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Balance, Quota, Settle } from '../quota/quota.ts';
import type { Caller, Parts, Timings } from './parts.ts';

/** 503: nothing was taken. */
export const ledgerUnavailable = (cause: unknown): AppError =>
  new AppError('unavailable', 'The quota ledger cannot be reached. Nothing was charged; try again.', {
    retryAfterS: 1,
    cause,
  });

const exhausted = (units: number, balance: Balance): AppError =>
  new AppError(
    'quota_exhausted',
    units === 1
      ? `No units are left this month; the quota resets at ${new Date(balance.resetsAtMs).toISOString()}. Buy credits or wait.`
      : `The batch needs ${units} units and ${balance.remaining} are left. Nothing was charged; send a smaller batch, buy credits, or wait until ${new Date(balance.resetsAtMs).toISOString()}.`,
    { retryAfterS: Math.max(1, Math.ceil((balance.resetsAtMs - Date.now()) / 1000)), month: balance },
  );

/** A reservation that was admitted, and the balance after it. */
export interface Taken {
  readonly kind: 'taken';
  readonly id: string;
  readonly fromCredits: number;
  readonly balance: Balance;
}

/** The stored answer of the first call with an Idempotency-Key, and where the account stands now. */
export interface Replay {
  readonly kind: 'replay';
  readonly answer: string;
  readonly month: Balance;
}

/** Reserves the whole of `units`, or refuses. */
export const takeUnits = async (
  quota: Quota,
  caller: Caller,
  units: number,
  timings: Timings,
): Promise<Taken | Replay> => {
  const startedMs = performance.now();
  const id = randomUUID();
  const request = { id, accountId: caller.accountId, units };
  const unavailable = (cause: unknown): never => {
    throw ledgerUnavailable(cause);
  };
  const reserved = await quota
    .reserve(caller.claim === undefined ? request : { ...request, claim: caller.claim })
    .catch(unavailable);
  timings.quotaMs += performance.now() - startedMs;
  switch (reserved.outcome) {
    case 'admitted':
      return { kind: 'taken', id, fromCredits: reserved.fromCredits, balance: reserved.balance };
    case 'replay':
      return {
        kind: 'replay',
        answer: reserved.answer,
        month: await quota.read(caller.accountId).catch(unavailable),
      };
    case 'exhausted':
      throw exhausted(units, reserved.balance);
    case 'mismatch':
      throw new AppError(
        'idempotency_mismatch',
        'Idempotency-Key: this key was used with another body; use a new key for a new request.',
      );
    case 'running':
      throw new AppError(
        'idempotency_running',
        'Idempotency-Key: the first request with this key has not ended; try again in a second.',
        { retryAfterS: 1 },
      );
  }
};

/** What the balance is once some of what was taken is given back: credits first, as the ledger does. */
const afterRefund = ({ balance, fromCredits }: Taken, units: number): Balance => {
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

/**
 * Closes the reservation and tells the balance after it. The work is done: when the ledger cannot be asked just
 * now the caller has it all the same, and the reservation is closed as soon as that works. A retry with the
 * same Idempotency-Key is told until then that the call is still running.
 */
export const settleNow = async (
  { quota, log }: Pick<Parts, 'quota' | 'log'>,
  taken: Taken,
  settle: Settle,
  timings: Timings,
): Promise<Balance> => {
  const startedMs = performance.now();
  try {
    const settled = await quota.settle(settle);
    if (settled.outcome === 'expired') {
      log.warn({ reservation: settle.id }, 'a reservation expired before its work was settled');
    }
    return settled.balance;
  } catch (err) {
    log.warn({ err, reservation: settle.id }, 'a reservation is closed later');
    quota.settleLater(settle);
    return afterRefund(taken, settle.refundUnits);
  } finally {
    timings.quotaMs += performance.now() - startedMs;
  }
};

/** Kept under an Idempotency-Key when a call that had begun was refused. */
export interface RefusedRecord {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly details: string;
}

/** Our own failures are not kept: a retry shall have a chance. */
const refusalToKeep = (error: unknown): RefusedRecord | null =>
  error instanceof AppError && error.status === 400
    ? { kind: 'refused', code: error.code, details: error.details }
    : null;

/**
 * Gives the whole reservation back because the call failed, before the caller is told: with its last unit in a
 * refused call, the next one must not find the account empty.
 */
export const giveBack = async (
  { quota, log }: Pick<Parts, 'quota' | 'log'>,
  caller: Caller,
  taken: Taken,
  units: number,
  error: unknown,
): Promise<void> => {
  const refusal = caller.claim === undefined ? null : refusalToKeep(error);
  const refund = { id: taken.id, accountId: caller.accountId, refundUnits: units };
  const settle = refusal === null ? refund : { ...refund, answer: JSON.stringify(refusal) };
  await quota.settle(settle).catch((err: unknown) => {
    log.warn({ err, reservation: taken.id }, 'units of a failed call are given back later');
    quota.settleLater(settle);
  });
};
