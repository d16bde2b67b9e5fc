/** How much of their units accounts have used this month: the order of the operator's list. */
import type { Sql } from '../../client.ts';

/** Accounts whose standing is written in one statement. */
const CHUNK = 5000;
/** Usage may be recorded a little after its time. */
const LATE = '10 minutes';

/** Units a month by plan, of an account without a monthly quota of its own. */
export interface PlanMonthly {
  readonly free: number;
  readonly pro: number;
}

/** Writes the standing of accounts that have used units this month. */
const note = async (tx: Sql, ids: readonly string[], { free, pro }: PlanMonthly): Promise<void> => {
  await tx`
    insert into account_standings as s (account_id, period, used, share)
    select account_id, period, used, case when left_over = 0 then 1 else used::float8 / (used + left_over) end
    from (
      select b.account_id, b.period, b.monthly_used + b.credits_used as used,
        greatest(quota_monthly(b.account_id, ${free}, ${pro}) - b.monthly_used, 0) + b.credits as left_over
      from quota_balances b where b.account_id = any (${ids}::uuid[]) and b.period = quota_month()
    ) as balance
    on conflict (account_id) do update
      set period = excluded.period, used = excluded.used, share = excluded.share
      where (s.period, s.used, s.share) is distinct from (excluded.period, excluded.used, excluded.share)`;
};

/** Writes the standing of one account, whose quota or credits have changed. */
export const noteStanding = (sql: Sql, accountId: string, monthly: PlanMonthly): Promise<void> =>
  note(sql, [accountId], monthly);

/**
 * Writes the standings of the accounts that have used units since the last call. Only one gateway does so at a time;
 * for the others nothing is to do. Must be called in a transaction.
 */
export const refreshStandings = async (tx: Sql, monthly: PlanMonthly): Promise<void> => {
  const [until] = await tx<{ at: Date }[]>`select at from account_standings_until for update skip locked`;
  if (until === undefined) return;
  const active = await tx<{ accountId: string }[]>`
    select distinct account_id from usage_hours
    where hour >= greatest(date_trunc('hour', ${until.at}::timestamptz - ${LATE}::interval, 'UTC'),
      quota_month()::timestamp at time zone 'UTC')
    order by account_id`;
  for (let i = 0; i < active.length; i += CHUNK)
    await note(
      tx,
      active.slice(i, i + CHUNK).map(({ accountId }) => accountId),
      monthly,
    );
  await tx`update account_standings_until set at = now()`;
};
