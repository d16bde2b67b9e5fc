import type { Balance, Reserved } from '../quota.ts';

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

/** Writes a balance as a view; the inverse of `toBalance`. */
export const toView = (balance: Balance): string =>
  [
    balance.period,
    balance.resetsAtMs,
    balance.monthlyQuota,
    balance.monthlyUsed,
    balance.usageCount - balance.monthlyUsed,
    balance.credits,
  ].join('|');

/** Splits a text at its first `|`; without one, `rest` is ''. */
export const cut = (text: string): readonly [head: string, rest: string] => {
  const bar = text.indexOf('|');
  return bar === -1 ? [text, ''] : [text.slice(0, bar), text.slice(bar + 1)];
};

const RECORD =
  /^[oe]([0-9a-f-]{36})\|([^|]{8})\|(\d{13})\|(\d+)\|(\d+)\|(\d{4}-\d\d-01\|\d+\|\d+\|\d+\|\d+\|\d+)\|/;

/** Returns the first characters of the records of an account's open reservations in this epoch. */
export const openRecordHead = (accountId: string, epoch: string): string => `o${accountId}|${epoch}|`;

/**
 * Returns the part of an open reservation's record that `lua/seed.lua` takes: expires ms|from monthly|from
 * credits|view.
 */
export const seededRecord = (
  expiresMs: number,
  { fromMonthly, fromCredits, balance }: Reserved & { outcome: 'admitted' },
): string => [expiresMs, fromMonthly, fromCredits, toView(balance)].join('|');

/** Reads a record as `lua/ledger.lua` describes it; `null` when the text is not a record. */
export const parseRecord = (text: string) => {
  const [, accountId, epoch, expiresMs, fromMonthly, fromCredits, view] = RECORD.exec(text) ?? [];
  if (accountId === undefined || epoch === undefined || view === undefined) return null;
  return {
    accountId,
    epoch,
    expiresMs: Number(expiresMs),
    fromMonthly: Number(fromMonthly),
    fromCredits: Number(fromCredits),
    view,
  };
};

/**
 * Reads an answer of `lua/reserve.lua` other than `cold`. The `answer` of a replay is what the claim kept (`Answers`).
 *
 * @throws {Error} For any other text.
 */
export const toReserved = (text: string): Reserved => {
  const [outcome, rest] = cut(text);
  if (outcome === 'exhausted') return { outcome, balance: toBalance(rest) };
  if (outcome === 'replay') return { outcome, answer: rest };
  if (outcome === 'mismatch' || outcome === 'running') return { outcome };
  const record = parseRecord(text);
  if (record === null) throw new Error(`the reserve script answered ${outcome}`);
  const { fromMonthly, fromCredits, view } = record;
  return { outcome: 'admitted', fromMonthly, fromCredits, balance: toBalance(view) };
};
