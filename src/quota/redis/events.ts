import { parseRecord, toBalance } from './replies.ts';

/** An event of a shard's stream. */
export interface LedgerEvent {
  readonly kind: 'reserve' | 'settle' | 'grant';
  readonly id: string;
  readonly account: string;
  readonly epoch: string;
  readonly period: string;
  /** Changes of what is used of the month, and of the credits left. */
  readonly monthly: number;
  readonly credits: number;
  /** Of a reservation that was taken. */
  readonly expiresMs: number | null;
  /** The view after it, as `lua/ledger.lua` writes it; null when it changed nothing. */
  readonly view: string | null;
}

/** An event as the function `quota_drain` of `sql/0003_quota_redis.sql` takes it; what is left out is null there. */
export interface EventRow {
  readonly n: number;
  readonly kind: LedgerEvent['kind'];
  readonly id: string;
  readonly account: string;
  readonly period: string;
  readonly monthly: number;
  readonly credits: number;
  /** Of a reservation that stays open: until when, and what `reserve` answered. */
  readonly expiresMs?: number | null;
  readonly answer?: object;
  /** Of an account's last event: its epoch, and period, monthly used, credits used and credits left after it. */
  readonly epoch?: string;
  readonly after?: readonly [string, number, number, number];
}

type Kind = LedgerEvent['kind'];

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const CHANGE =
  /^b([0-9a-f-]{36})\|([^|]*)\|(\d{4}-\d\d-01)\|(-?\d+)\|(-?\d+)\|(\d{4}-\d\d-01\|\d+\|\d+\|\d+\|\d+\|\d+)$/;
const PERIOD_LENGTH = 'YYYY-MM-01'.length;

const parseChange = (kind: Kind, id: string, text: string): LedgerEvent | null => {
  const [, account, epoch, period, monthly, credits, view] = CHANGE.exec(text) ?? [];
  if (account === undefined || epoch === undefined || period === undefined || view === undefined) return null;
  const change = { monthly: Number(monthly), credits: Number(credits) };
  return { kind, id, account, epoch, period, ...change, expiresMs: null, view };
};

/** A record in a `settle` entry: closed with nothing given back. */
const parseTaken = (kind: Kind, id: string, text: string): LedgerEvent | null => {
  const record = parseRecord(text);
  if (record === null) return null;
  const { accountId: account, epoch, expiresMs, fromMonthly, fromCredits, view } = record;
  const period = view.slice(0, PERIOD_LENGTH);
  if (kind === 'settle')
    return { kind, id, account, epoch, period, monthly: 0, credits: 0, expiresMs: null, view: null };
  return { kind, id, account, epoch, period, monthly: fromMonthly, credits: -fromCredits, expiresMs, view };
};

/** Reads the fields of a stream entry as `lua/ledger.lua` describes it; null stands for what is no event. */
export const parseEntry = (fields: readonly string[]): readonly (LedgerEvent | null)[] => {
  const [kind] = fields;
  if (kind !== 'reserve' && kind !== 'settle' && kind !== 'grant') return [null];
  const events: (LedgerEvent | null)[] = [];
  for (let i = 2; i < fields.length; i += 2) {
    const [id = '', text = ''] = [fields[i], fields[i + 1]];
    const parse = text.startsWith('b') ? parseChange : parseTaken;
    events.push(UUID.test(id) ? parse(kind, id, text) : null);
  }
  return events;
};

/**
 * The events of one statement, in order. Most reservations are closed by an event beside the one that opened them,
 * and only an account's last event is compared with its balance: nothing more is sent of the others.
 */
export const toRows = (events: readonly LedgerEvent[]): readonly EventRow[] => {
  const closed = new Set<string>();
  const last = new Map<string, LedgerEvent>();
  for (const event of events) {
    if (event.kind === 'settle') closed.add(event.id);
    if (event.view !== null) last.set(event.account, event);
  }
  return events.map((event, n) => {
    const { kind, id, account, epoch, period, monthly, credits, expiresMs, view } = event;
    const row: EventRow = { n, kind, id, account, period, monthly, credits };
    if (view === null) return row;
    const staysOpen = kind === 'reserve' && !closed.has(id);
    const isLast = last.get(account) === event;
    if (!staysOpen && !isLast) return row;
    const balance = toBalance(view);
    const answer = { outcome: 'admitted', fromMonthly: monthly, fromCredits: -credits, balance };
    const { monthlyUsed, usageCount } = balance;
    return {
      ...row,
      ...(staysOpen ? { expiresMs, answer } : {}),
      ...(isLast
        ? { epoch, after: [balance.period, monthlyUsed, usageCount - monthlyUsed, balance.credits] as const }
        : {}),
    };
  });
};
