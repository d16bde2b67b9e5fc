import { UUID } from '../../texts.ts';
import { USE_KINDS } from '../quota.ts';

/** A use as the record has it: see `recordedKind`. */
interface Use {
  readonly keyId: string;
  readonly kind: string;
}

/** What an entry changes of one account, as `lua/ledger.lua` describes it. Counts are whole units. */
export interface AccountChange {
  readonly account: string;
  readonly epoch: string;
  /** The counts after the entry; `null` when it changed only what is open. */
  readonly after: Counts | null;
  readonly uses: readonly UseChange[];
  /** Changes of what is open, by the period in which it was taken. */
  readonly opens: readonly { readonly period: string; readonly monthly: number; readonly credits: number }[];
  readonly moved: readonly Moved[];
}

/** The counts of an account, in the month that begins with `period`. */
interface Counts {
  readonly period: string;
  readonly monthlyUsed: number;
  readonly creditsUsed: number;
  readonly credits: number;
}

/** What was used and given back for one use. */
interface UseChange {
  readonly use: Use;
  readonly calls: number;
  readonly monthly: number;
  readonly credits: number;
  readonly refundedMonthly: number;
  readonly refundedCredits: number;
  readonly refundedLate: number;
}

/** A grant, a hold or the return of one that became part of the counts. */
type Moved =
  | { readonly what: 'grant'; readonly id: string; readonly credits: number }
  | {
      readonly what: 'hold';
      readonly id: string;
      readonly use: Use;
      readonly monthly: number;
      readonly credits: number;
    }
  | { readonly what: 'return'; readonly id: string };

const PERIOD = '\\d{4}-\\d\\d-01';
/** The record counts units for the key of the call alone; its makers follow from the key. */
const USE = `((?:${USE_KINDS.join('|')})(?:-test)?):(${UUID})(?:,${UUID})*`;
const ACCOUNT = new RegExp(`^${UUID}$`);
const STATE = new RegExp(`^([^|]{8})(?:\\|(${PERIOD})\\|(\\d+)\\|(\\d+)\\|(\\d+))?$`);
const USED = new RegExp(`^u${USE}((?:\\|\\d+){1,6})$`);
const OPEN = new RegExp(`^o(${PERIOD})\\|(-?\\d+)\\|(-?\\d+)$`);
const GRANT = new RegExp(`^g(${UUID})\\|(\\d+)$`);
const HOLD = new RegExp(`^h(${UUID})\\|${USE}\\|(\\d+)\\|(\\d+)$`);
const RETURN = new RegExp(`^r(${UUID})$`);

const toUse = (kind: string, keyId: string): Use => ({ kind, keyId });

const parseUse = (part: string): UseChange | null => {
  const found = USED.exec(part);
  if (found === null) return null;
  const [calls = 0, monthly = 0, credits = 0, refundedMonthly = 0, refundedCredits = 0, refundedLate = 0] =
    found[3]!.slice(1).split('|').map(Number);
  const use = toUse(found[1]!, found[2]!);
  return { use, calls, monthly, credits, refundedMonthly, refundedCredits, refundedLate };
};

const parseMoved = (part: string): Moved | null => {
  const grant = GRANT.exec(part);
  if (grant) return { what: 'grant', id: grant[1]!, credits: Number(grant[2]) };
  const back = RETURN.exec(part);
  if (back) return { what: 'return', id: back[1]! };
  const hold = HOLD.exec(part);
  if (hold === null) return null;
  const [, id, kind, keyId, monthly, credits] = hold;
  return {
    what: 'hold',
    id: id!,
    use: toUse(kind!, keyId!),
    monthly: Number(monthly),
    credits: Number(credits),
  };
};

const parseAccount = (account: string, value: string): AccountChange | null => {
  const [head = '', ...parts] = value.split(';');
  const state = STATE.exec(head);
  if (state === null || !ACCOUNT.test(account)) return null;
  const [, epoch, period, monthlyUsed, creditsUsed, credits] = state;
  const after =
    period === undefined
      ? null
      : {
          period,
          monthlyUsed: Number(monthlyUsed),
          creditsUsed: Number(creditsUsed),
          credits: Number(credits),
        };
  const [uses, opens, moved]: [UseChange[], AccountChange['opens'][number][], Moved[]] = [[], [], []];
  for (const part of parts) {
    const open = OPEN.exec(part);
    const used = open ? null : parseUse(part);
    const other = open || used ? null : parseMoved(part);
    if (open) opens.push({ period: open[1]!, monthly: Number(open[2]), credits: Number(open[3]) });
    else if (used) uses.push(used);
    else if (other) moved.push(other);
    else return null;
  }
  // Units are counted in the month of the counts, so they never come without them.
  const needsCounts = uses.length + moved.length > 0;
  if (needsCounts && after === null) return null;
  return { account, epoch: epoch!, after, uses, opens, moved };
};

/** Reads the fields of a stream entry. `null` stands for a field that is not an account's change. */
export const parseEntry = (fields: readonly string[]): readonly (AccountChange | null)[] => {
  const changes: (AccountChange | null)[] = [];
  for (let i = 0; i < fields.length; i += 2) changes.push(parseAccount(fields[i]!, fields[i + 1] ?? ''));
  return changes;
};

/** A change of an account together with the time of its entry. */
export interface Timed {
  /** The time in the entry's id. */
  readonly atMs: number;
  readonly change: AccountChange;
}

/** The sums of many entries, as the SQL function `quota_drain` takes them (`sql/0003_quota_redis.sql`). */
interface Sums {
  readonly accounts: readonly AccountSum[];
  readonly usage: readonly UsageSum[];
  readonly moved: readonly object[];
}

interface AccountSum {
  readonly account: string;
  period: string;
  monthly: number;
  creditsUsed: number;
  credits: number;
  openMonthly: number;
  openCredits: number;
  epoch: string;
  after: readonly [period: string, monthlyUsed: number, creditsUsed: number, credits: number] | null;
}

interface UsageSum {
  readonly account: string;
  readonly hourMs: number;
  readonly key: string;
  readonly kind: string;
  calls: number;
  monthly: number;
  credits: number;
  refundedMonthly: number;
  refundedCredits: number;
  refundedLate: number;
}

const HOUR_MS = 3_600_000;

const newSum = (account: string, period: string, epoch: string): AccountSum => ({
  account,
  period,
  monthly: 0,
  creditsUsed: 0,
  credits: 0,
  openMonthly: 0,
  openCredits: 0,
  epoch,
  after: null,
});

/** The counts of a month begin at zero. */
const beginPeriod = (sum: AccountSum, period: string): void => {
  if (period <= sum.period) return;
  Object.assign(sum, { period, monthly: 0, creditsUsed: 0, openMonthly: 0 });
};

const addToAccount = (sum: AccountSum, { after, epoch, uses, opens, moved }: AccountChange): void => {
  if (after) beginPeriod(sum, after.period);
  for (const { period, monthly, credits } of opens) {
    beginPeriod(sum, period);
    if (period === sum.period) sum.openMonthly += monthly;
    sum.openCredits += credits;
  }
  if (after === null) return;
  const isOfMonth = after.period === sum.period;
  for (const use of uses) {
    sum.credits += use.refundedCredits + use.refundedLate - use.credits;
    if (!isOfMonth) continue;
    sum.monthly += use.monthly - use.refundedMonthly;
    sum.creditsUsed += use.credits - use.refundedCredits;
  }
  for (const one of moved) if (one.what === 'grant') sum.credits += one.credits;
  sum.epoch = epoch;
  sum.after = [after.period, after.monthlyUsed, after.creditsUsed, after.credits];
};

const addToUsage = (usage: Map<string, UsageSum>, { atMs, change }: Timed): void => {
  const { account, after, uses } = change;
  if (after === null) return;
  // A clock that stepped back into the month before counts in the first hour of the account's month.
  const hourMs = Math.max(atMs - (atMs % HOUR_MS), Date.parse(after.period));
  for (const { use, ...counts } of uses) {
    const name = `${account} ${hourMs} ${use.kind} ${use.keyId}`;
    const sum = usage.get(name);
    if (sum === undefined) {
      usage.set(name, { account, hourMs, key: use.keyId, kind: use.kind, ...counts });
      continue;
    }
    sum.calls += counts.calls;
    sum.monthly += counts.monthly;
    sum.credits += counts.credits;
    sum.refundedMonthly += counts.refundedMonthly;
    sum.refundedCredits += counts.refundedCredits;
    sum.refundedLate += counts.refundedLate;
  }
};

const toMovedRow = (account: string, period: string, moved: Moved): object => {
  if (moved.what !== 'hold') return { what: moved.what, id: moved.id };
  const { what, id, use, monthly, credits } = moved;
  return { what, id, account, period, key: use.keyId, monthly, credits };
};

/** Adds up entries in their order. What is written to Postgres depends on how many accounts they name. */
export const sumUp = (entries: readonly Timed[]): Sums => {
  const accounts = new Map<string, AccountSum>();
  const usage = new Map<string, UsageSum>();
  const moved: object[] = [];
  for (const entry of entries) {
    const { change } = entry;
    const { account, after, epoch, opens } = change;
    const period = after?.period ?? opens[0]?.period;
    // A mark that only moves the position.
    if (period === undefined) continue;
    const sum = accounts.get(account) ?? newSum(account, period, epoch);
    accounts.set(account, sum);
    addToAccount(sum, change);
    addToUsage(usage, entry);
    if (after === null) continue;
    moved.push(...change.moved.map((one) => toMovedRow(account, after.period, one)));
  }
  return { accounts: [...accounts.values()], usage: [...usage.values()], moved };
};
