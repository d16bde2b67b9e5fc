import type { Balance, KeyExhausted, Reserved, Settled } from '../quota.ts';

/**
 * Why a call to the ledger on Redis failed. `LEDGER_UNAVAILABLE`: Redis, or Postgres where it is needed, is
 * unavailable, and nothing was done. `LEDGER_FAULT`: the stored data are damaged, or there is no such account.
 * `LEDGER_SILENT`: no answer came, so the call is indeterminate.
 */
type LedgerFault = 'LEDGER_UNAVAILABLE' | 'LEDGER_FAULT' | 'LEDGER_SILENT';

/** Returns an error that carries the fault as its `code`. */
export const ledgerError = (code: LedgerFault, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/** Turns an error of the Redis client into `LEDGER_SILENT`. Faults of the ledger and the database stay as they are. */
export const toLedgerError = (error: unknown): unknown => {
  if (/^(LEDGER|DATABASE)_/.test(codeOf(error)) || error instanceof TypeError) return error;
  return ledgerError('LEDGER_SILENT', error instanceof Error ? error.message : String(error), error);
};

/** Whether the ledger may have done what the failed call asked for. */
export const isIndeterminate = (error: unknown): boolean => codeOf(error) === 'LEDGER_SILENT';

/** Reads a view as `lua/ledger.lua` writes it: period|end ms|monthly quota|monthly used|credits used|credits left. */
export const toBalance = (view: string): Balance => {
  const [period = '', ...numbers] = view.split('|');
  const [resetsAtMs = 0, monthlyQuota = 0, monthlyUsed = 0, creditsUsed = 0, credits = 0] =
    numbers.map(Number);
  return {
    period,
    resetsAtMs,
    monthlyQuota,
    monthlyUsed,
    credits,
    usageCount: monthlyUsed + creditsUsed,
    remaining: Math.max(monthlyQuota - monthlyUsed, 0) + credits,
  };
};

/** Splits a text at its first `|`; without one, `rest` is ''. */
export const splitHead = (text: string): readonly [head: string, rest: string] => {
  const bar = text.indexOf('|');
  return bar === -1 ? [text, ''] : [text.slice(0, bar), text.slice(bar + 1)];
};

/** What an open reservation took. */
export interface OpenReservation {
  readonly accountId: string;
  readonly epoch: string;
  readonly expiresMs: number;
  readonly fromMonthly: number;
  readonly fromCredits: number;
  /** The month in which it was taken. */
  readonly period: string;
  readonly view: string;
  /** As `lua/ledger.lua` writes it. */
  readonly use: string;
}

const RESERVATION =
  /^o([0-9a-f-]{36})\|([^|]{8})\|(\d{13})\|(\d{4}-\d\d-01)\|(\d+)\|(\d+)\|([^|]*\|\d+\|\d+\|\d+\|\d+\|\d+)\|([^|]*)\|/;

/** Reads a reservation as `lua/ledger.lua` describes it; `null` when the text is not one. */
export const parseReservation = (text: string): OpenReservation | null => {
  const found = RESERVATION.exec(text);
  if (found === null) return null;
  const [, accountId, epoch, expiresMs, period, fromMonthly, fromCredits, view, use] = found;
  return {
    accountId: accountId!,
    epoch: epoch!,
    expiresMs: Number(expiresMs),
    fromMonthly: Number(fromMonthly),
    fromCredits: Number(fromCredits),
    view: view!,
    period: period!,
    use: use!,
  };
};

/**
 * Reads why `lua/run.lua` took no units, other than `cold`. The `answer` of a replay is what the claim kept (`Answers`).
 *
 * @throws {Error} For any other text.
 */
export const toRefused = (text: string): Exclude<Reserved, { outcome: 'admitted' }> => {
  const [outcome, rest] = splitHead(text);
  if (outcome === 'exhausted') return { outcome, balance: toBalance(rest) };
  if (outcome === 'key_exhausted') return toKeyExhausted(rest);
  if (outcome === 'replay') return { outcome, answer: rest };
  if (outcome === 'mismatch' || outcome === 'running') return { outcome };
  throw new Error(`the script answered ${outcome}`);
};

/** Reads the rest of a text that begins with `key_exhausted`: left|view. */
export const toKeyExhausted = (rest: string): KeyExhausted => {
  const [left, view] = splitHead(rest);
  return { outcome: 'key_exhausted', keyRemaining: Number(left), balance: toBalance(view) };
};

/** Returns what `reserve` answers for a reservation. */
export const toAdmitted = ({
  fromMonthly,
  fromCredits,
  view,
}: OpenReservation): Reserved & { outcome: 'admitted' } => ({
  outcome: 'admitted',
  fromMonthly,
  fromCredits,
  balance: toBalance(view),
});

/**
 * Reads what `lua/run.lua` answers to closing a reservation.
 *
 * @throws {Error} For any other text.
 */
export const toSettled = (text: string): Settled => {
  const [outcome, view] = splitHead(text);
  if (outcome !== 'settled' && outcome !== 'expired' && outcome !== 'unknown')
    throw new Error(`the script answered ${outcome}`);
  return { outcome, balance: toBalance(view) };
};
