/** The refusals of calls that make pictures: their words, and those that hang on the render queue. */
import type { Fault } from '../../workers/protocol.ts';
import { AppError, type ErrorCode, fieldError } from '../errors.ts';
import type { Taken } from '../quota/quota.ts';
import type { Failure, NotDrawn, RenderOutcome } from '../render/outcome.ts';
import type { RenderPool } from '../render/pool.ts';
import type { Caller } from './parts.ts';
import { isPrintField } from './request/print.ts';

/** The caller's message when the service could not draw a picture. */
export const FAILURES: Readonly<Record<Failure, string>> = {
  queue_full: 'The render queue is full; try again.',
  deadline: 'The picture could not be drawn in time; try again.',
  crashed: 'The renderer failed on this picture. Change its design, or tell the operator of the service.',
  // On a busy machine that is not the picture's fault.
  hung: 'The picture could not be drawn in time; try again.',
  closed: 'The service is shutting down; try again.',
};

/** Returns a fault as one text, in the form of the specification (7.1). */
export const inWords = ({ field, message }: Fault): string => `${field}: ${message}`;

/** Returns the caller's message for a picture among others that was not drawn. */
export const tellNotDrawn = (notDrawn: NotDrawn): string =>
  notDrawn.reason === 'unfit' ? inWords(notDrawn.fault) : FAILURES[notDrawn.reason];

/** Makes the error of a fault. */
export type Refusal = (fault: Fault) => AppError;

/** Returns a 400 that names the field and what is wrong with it. Sizes for print come from the query. */
export const refuse = (
  { field, message }: Fault,
  code: ErrorCode = isPrintField(field) ? 'invalid_query' : 'invalid_body',
): AppError => fieldError(field, message, code);

/** Returns a 400 for a saved code. It names `width` or a parameter for print: the caller chooses only the size. */
export const refuseSketch = (fault: Fault): AppError => {
  const { field, message } = fault;
  if (field === 'width' || isPrintField(field)) return refuse(fault, 'invalid_query');
  return fieldError('width', `this code cannot be drawn like this: ${field} ${message}`, 'invalid_query');
};

/** Returns a 503 with the time after which the queue is empty. */
export const overloaded = (details: string, pool: Pick<RenderPool, 'retryAfterS'>): AppError =>
  new AppError('overloaded', details, { retryAfterS: pool.retryAfterS() });

/** Returns the 503 of work for which the render queue has no room. */
export const queueFull = (pool: Pick<RenderPool, 'retryAfterS'>): AppError =>
  overloaded(FAILURES.queue_full, pool);

/**
 * Refuses a call of several pictures when the render queue had no room for any of them, instead of answering with
 * failed items only.
 *
 * @throws {AppError} 503.
 */
export const refuseWithoutRoom = (
  outcomes: readonly RenderOutcome[],
  pool: Pick<RenderPool, 'retryAfterS'>,
): void => {
  const reasons = outcomes.map((outcome) => (outcome.ok ? 'drawn' : outcome.fault.reason));
  const ran = reasons.filter((reason) => reason !== 'unfit');
  if (ran.length > 0 && ran.every((reason) => reason === 'queue_full')) throw queueFull(pool);
};

/** Returns the error of a picture that was not drawn: 400 for its own fault, 500 for a crash, else 503. */
export const refuseDrawing = (notDrawn: NotDrawn, pool: Pick<RenderPool, 'retryAfterS'>): AppError => {
  if (notDrawn.reason === 'unfit') return refuse(notDrawn.fault);
  if (notDrawn.reason !== 'crashed') return overloaded(FAILURES[notDrawn.reason], pool);
  return new AppError('internal', FAILURES.crashed, { cause: notDrawn.cause });
};

/** Returns a 503 for a call that the ledger did not answer. The caller is not charged. */
export const ledgerUnavailable = (cause: unknown): AppError =>
  new AppError('unavailable', 'The quota ledger cannot be reached. Nothing was charged; try again.', {
    retryAfterS: 1,
    cause,
  });

type Exhausted = Exclude<Taken, { readonly outcome: 'admitted' }>;

/** Returns what a call lacks: units of its account, or of its key's own quota. */
const shortageOf = (units: number, refused: Exhausted, { keyQuota, makers }: Caller): string => {
  const { balance } = refused;
  const end = new Date(balance.resetsAtMs).toISOString();
  if (refused.outcome === 'key_exhausted') {
    const needed = units === 1 ? 'The call needs one unit' : `The call needs ${units} units`;
    const isShared = makers.some(({ monthlyQuota }) => monthlyQuota !== null);
    const whose = isShared
      ? 'to this key, which shares the monthly quotas of the keys that made it'
      : `of this key's own ${keyQuota} a month`;
    return `${needed} and ${refused.keyRemaining} are left ${whose}. Nothing was charged; have the key's "monthly_quota" raised, use another key, or wait until ${end}.`;
  }
  return units === 1
    ? `No units are left this month; the quota resets at ${end}. Buy credits or wait.`
    : `The call needs ${units} units and ${balance.remaining} are left. Nothing was charged; send fewer items, buy credits, or wait until ${end}.`;
};

/** Returns the 429 of a call for which too few units are left. */
export const quotaExhausted = (units: number, refused: Exhausted, caller: Caller): AppError =>
  new AppError('quota_exhausted', shortageOf(units, refused, caller), {
    retryAfterS: Math.max(1, Math.ceil((refused.balance.resetsAtMs - Date.now()) / 1000)),
    month: refused.balance,
  });

/** Returns the error of a call whose Idempotency-Key belongs to another request. */
export const keyMismatch = (): AppError =>
  new AppError(
    'idempotency_mismatch',
    'Idempotency-Key: this key was used with another body, query, Accept, If-Match, Tessera-Min-Grade, Tessera-Repair or preset; use a new key for a new request.',
  );

/** Returns the error of a call whose Idempotency-Key is that of a call that has not ended. */
export const keyRunning = (): AppError =>
  new AppError(
    'idempotency_running',
    'Idempotency-Key: the first request with this key has not ended; try again in a second.',
    { retryAfterS: 1 },
  );

/** Returns the 404 of a replay whose code was deleted. */
export const codeDeleted = (id: string): AppError =>
  new AppError('not_found', `The code ${id}, which the first call saved, was deleted.`);

/** Returns the 503 of a replay that could not draw all pictures of the first call. */
export const notDrawnAgain = (): AppError =>
  new AppError('unavailable', 'The pictures of the first call could not be drawn again; try again.', {
    retryAfterS: 1,
  });

/** Returns the 409 of an external id that must be unique. */
export const externalIdTaken = (codeId: string): AppError =>
  new AppError(
    'name_taken',
    `external_id: your code ${codeId} has it; change that one, or leave external_id_unique out.`,
  );

/** Returns the 503 of a call whose units went back before its codes were saved. */
export const tookTooLong = (): AppError =>
  new AppError('unavailable', 'The call took too long. Nothing was saved or charged; try again.', {
    retryAfterS: 1,
  });

/** Returns the answer while the database does not say whether it has saved the codes. */
export const unknownOutcome = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    'The database did not say whether the codes were saved. Send the call again with the same Idempotency-Key; without one, look into the folder first.',
    { retryAfterS: 2, cause },
  );
