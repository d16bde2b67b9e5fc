import { parseRecord, toBalance } from './replies.ts';

/** One event of a shard's stream: a reservation that was taken or closed, or credits that were added. */
export interface LedgerEvent {
  readonly kind: 'reserve' | 'settle' | 'grant';
  /** Of the reservation, or of the grant. */
  readonly id: string;
  readonly account: string;
  readonly epoch: string;
  readonly period: string;
  /** Units added to what the month has used, and to the credits left; negative ones are taken off. */
  readonly monthly: number;
  readonly credits: number;
  /** When the reservation expires; `null` unless `kind` is `reserve`. */
  readonly expiresMs: number | null;
  /** The view after the event, as `lua/ledger.lua` writes it; `null` when the event changed nothing. */
  readonly view: string | null;
}

/** An event as the SQL function `quota_drain` takes it (`sql/0003_quota_redis.sql`). An absent field is null there. */
export interface EventRow {
  readonly n: number;
  readonly kind: LedgerEvent['kind'];
  readonly id: string;
  readonly account: string;
  readonly period: string;
  readonly monthly: number;
  readonly credits: number;
  /** Only of a reservation that stays open: when it expires, and what `reserve` answered. */
  readonly expiresMs?: number | null;
  readonly answer?: object;
  /** Only of an account's last event: its epoch, and after it the period, monthly used, credits used, credits left. */
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

/** Reads a record. In a `settle` entry it stands for a reservation that was closed without a refund. */
const parseTaken = (kind: Kind, id: string, text: string): LedgerEvent | null => {
  const record = parseRecord(text);
  if (record === null) return null;
  const { accountId: account, epoch, expiresMs, fromMonthly, fromCredits, view } = record;
  const period = view.slice(0, PERIOD_LENGTH);
  if (kind === 'settle')
    return { kind, id, account, epoch, period, monthly: 0, credits: 0, expiresMs: null, view: null };
  return { kind, id, account, epoch, period, monthly: fromMonthly, credits: -fromCredits, expiresMs, view };
};

/** Reads the fields of a stream entry, whose form `lua/ledger.lua` describes. `null`: a part is not an event. */
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
 * Returns the rows of one statement for `quota_drain`, in order. Answer and expiry are sent only for reservations that
 * these events leave open, because most are closed by then. The state after an event is sent only for an account's
 * last one, because only that is compared.
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
