import type { AccountChange, Moved } from './entries.ts';

/** A change of an account together with the time of its entry. */
export interface Timed {
  /** The time in the entry's id. */
  readonly atMs: number;
  readonly change: AccountChange;
}

/** The sums of many entries, as the SQL function `quota_drain` takes them (`sql/0003_quota_redis.sql`). */
export interface Sums {
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
