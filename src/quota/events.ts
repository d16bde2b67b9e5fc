import { cut, parseRecord, toBalance } from './replies.ts';

/** An event of a shard's stream, as the function `quota_drain` of `sql/0002_quota.sql` takes it. */
export interface LedgerEvent {
  readonly kind: 'reserve' | 'settle' | 'grant';
  readonly id: string;
  readonly account: string;
  readonly life: string;
  readonly period: string;
  /** Changes of what is used of the month, and of the credits left. */
  readonly monthly: number;
  readonly credits: number;
  readonly expiresMs: number | null;
  /** What `reserve` answered. */
  readonly answer: object | null;
  /** Period, monthly used, credits used and credits left after it; null when it changed nothing. */
  readonly after: readonly [string, number, number, number] | null;
}

type Kind = LedgerEvent['kind'];

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const CHANGE =
  /^b([0-9a-f-]{36})\|([^|]*)\|(\d{4}-\d\d-01)\|(-?\d+)\|(-?\d+)\|(\d{4}-\d\d-01\|\d+\|\d+\|\d+\|\d+\|\d+)$/;

const afterOf = (view: string): LedgerEvent['after'] => {
  const { period, monthlyUsed, usageCount, credits } = toBalance(view);
  return [period, monthlyUsed, usageCount - monthlyUsed, credits];
};

const parseChange = (kind: Kind, id: string, text: string): LedgerEvent | null => {
  const [, account, life, period, monthly, credits, view] = CHANGE.exec(text) ?? [];
  if (account === undefined || life === undefined || period === undefined || view === undefined) return null;
  const change = { monthly: Number(monthly), credits: Number(credits), after: afterOf(view) };
  return { kind, id, account, life, period, ...change, expiresMs: null, answer: null };
};

/** A record in a `settle` entry: closed with nothing given back. */
const parseTaken = (kind: Kind, id: string, text: string): LedgerEvent | null => {
  const record = parseRecord(text);
  if (record === null) return null;
  const { accountId, life, expiresMs, fromMonthly, fromCredits, view } = record;
  const common = { kind, id, account: accountId, life, period: cut(view)[0] };
  if (kind === 'settle')
    return { ...common, monthly: 0, credits: 0, expiresMs: null, answer: null, after: null };
  const answer = { outcome: 'admitted', fromMonthly, fromCredits, balance: toBalance(view) };
  return { ...common, monthly: fromMonthly, credits: -fromCredits, expiresMs, answer, after: afterOf(view) };
};

/** Reads the fields of a stream entry as `lua/ledger.lua` describes it; null stands for what is no event. */
export const parseEntry = (fields: readonly string[]): readonly (LedgerEvent | null)[] => {
  const [kind] = fields;
  if (kind !== 'reserve' && kind !== 'settle' && kind !== 'grant') return [null];
  const events: (LedgerEvent | null)[] = [];
  for (let i = 2; i < fields.length; i += 2) {
    const [id = '', text = ''] = fields.slice(i, i + 2);
    const parse = text.startsWith('b') ? parseChange : parseTaken;
    events.push(UUID.test(id) ? parse(kind, id, text) : null);
  }
  return events;
};
