/**
 * The steps that the three use cases share: plan, take units, find the logo, draw, give back.
 *
 * Each either goes on or throws the `AppError` that the caller is answered with.
 */
import { randomUUID } from 'node:crypto';
import { planRender, type RenderPlan } from '../../workers/plan.ts';
import type { Design, Fault, Rendered } from '../../workers/protocol.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { FreeWork } from '../limits/free-work.ts';
import type { Log } from '../log.ts';
import type { LogoFitter } from '../logo/fit.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import type { LogoSource } from '../logo/source.ts';
import type { Balance, Claim, Quota, Settle } from '../quota/quota.ts';
import type { Failure } from '../render/outcome.ts';
import type { RenderPool } from '../render/pool.ts';
import type { ResultCache } from '../render/result-cache.ts';
import type { PlannedTask } from './task.ts';

export interface Parts {
  readonly quota: Quota;
  readonly freeWork: FreeWork;
  readonly pool: RenderPool;
  readonly cache: ResultCache;
  readonly logos: LogoSource;
  readonly fitLogo: LogoFitter;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** How long a request may wait for its pictures; below the reservation's time to live. */
  readonly deadlineMs: number;
}

/** Who asks, and under which Idempotency-Key. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly claim?: Claim;
}

/** Milliseconds spent waiting for the ledger, in the render queue and drawing. */
export interface Timings {
  quotaMs: number;
  queueMs: number;
  renderMs: number;
  /** Of a render thread, as estimated, for all pictures that were drawn; what a cache had costs nothing. */
  drawnMs: number;
}

export const noTimings = (): Timings => ({ quotaMs: 0, queueMs: 0, renderMs: 0, drawnMs: 0 });

export const refuse = (fault: Fault, code: ErrorCode = 'invalid_body'): AppError =>
  new AppError(code, `${fault.field}: ${fault.message}`);

/** @throws {AppError} 400 when no such picture can be drawn; nothing has been paid by then. */
export const planOrRefuse = (text: string, design: Design): RenderPlan => {
  const plan = planRender(text, design, null);
  if ('field' in plan) throw refuse(plan);
  return plan;
};

/** @throws {AppError} 503 when the pool would not take this work; nothing has been paid by then. */
export const refuseWhenFull = (
  { pool, deadlineMs }: Pick<Parts, 'pool' | 'deadlineMs'>,
  accountId: string,
  kind: 'single' | 'bulk',
  estimatedMs: readonly number[],
): void => {
  if (pool.hasRoom({ accountId, kind, estimatedMs, deadlineMs: Date.now() + deadlineMs })) return;
  throw overloaded('queue_full', pool);
};

export const ledgerAway = (cause: unknown): AppError =>
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

export interface Taken {
  readonly id: string;
  readonly fromCredits: number;
  readonly balance: Balance;
}

/** The stored answer of the first call with an Idempotency-Key, and where the account stands now. */
export interface Replay {
  readonly replay: string;
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
  const away = (cause: unknown): never => {
    throw ledgerAway(cause);
  };
  const reserved = await quota
    .reserve(caller.claim === undefined ? request : { ...request, claim: caller.claim })
    .catch(away);
  timings.quotaMs += performance.now() - startedMs;
  switch (reserved.outcome) {
    case 'admitted':
      return { id, fromCredits: reserved.fromCredits, balance: reserved.balance };
    case 'replay':
      return { replay: reserved.answer, month: await quota.read(caller.accountId).catch(away) };
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

/** What callers read of a picture that was not drawn through no fault of theirs. */
export const FAILURES: Readonly<Record<Failure, string>> = {
  queue_full: 'The render queue is full; try again.',
  deadline: 'The picture could not be drawn in time; try again.',
  crashed: 'The renderer failed on this picture; try again.',
  closed: 'The service is shutting down; try again.',
};

export const overloaded = (failure: Failure, pool: Pick<RenderPool, 'retryAfterS'>): AppError =>
  new AppError('overloaded', FAILURES[failure], { retryAfterS: pool.retryAfterS() });

export type DrawParts = Pick<Parts, 'pool' | 'cache' | 'fitLogo' | 'deadlineMs' | 'freeWork'>;

/** Draws one picture, or takes it from the cache. */
export const draw = async (
  parts: DrawParts,
  accountId: string,
  { task, estimatedMs }: PlannedTask,
  logoHash: string | null,
  timings: Timings,
): Promise<Rendered> => {
  const outcome = await parts.cache.through(task, logoHash, async () => {
    const run = await parts.pool.render({
      tasks: [task],
      estimatedMs: [estimatedMs],
      accountId,
      kind: 'single',
      deadlineMs: Date.now() + parts.deadlineMs,
    });
    timings.queueMs += run.queueMs;
    timings.renderMs += run.renderMs;
    if (run.renderMs > 0) timings.drawnMs += estimatedMs;
    return run.outcomes[0]!;
  });
  if (outcome.ok) return outcome;
  throw 'fault' in outcome ? refuse(outcome.fault) : overloaded(outcome.failure, parts.pool);
};

/** A logo by URL may be another, or gone, when the same request comes again. */
export const isRemote = (image: string | undefined): image is string => /^https?:/i.test(image ?? '');

/**
 * @param isFree The caller pays no units, even if the logo can be used.
 * @throws {AppError} 400 on `image`, 429 when too much was done in vain for the account, or 503 when too many logos
 *   are being prepared.
 */
export const findLogo = async (
  parts: Pick<Parts, 'logos' | 'pool' | 'freeWork'>,
  accountId: string,
  image: string | undefined,
  isFree = false,
): Promise<FoundLogo | null> => {
  if (image === undefined) return null;
  const found = await parts.logos.resolve(image, { accountId, isFree });
  if (found.ok) return { logo: found.logo, sha256: found.sha256 };
  if (found.stage === 'busy') throw overloaded('queue_full', parts.pool);
  if (found.stage === 'spent') parts.freeWork.admit(accountId);
  throw refuse(found.fault);
};

export const toDataUrl = (png: Uint8Array): string =>
  `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64')}`;
