import { randomInt } from 'node:crypto';
import type { Sql } from 'postgres';
import { compareWithRedis, type Difference, type LedgerInRedis } from './compare-with-redis.ts';

/** What was compared, and every difference. */
export interface Reconciled {
  /** Accounts with a balance. */
  readonly accounts: number;
  readonly differences: readonly Difference[];
  /** Whether there are more accounts than were compared. */
  readonly isSample: boolean;
}

/** Accounts that are compared at a time: Redis and the drain of a shard wait for that long, some milliseconds. */
const ACCOUNTS_AT_A_TIME = 500;

/**
 * Returns the accounts whose balance is not the sum of their records. One statement reads a consistent snapshot.
 */
const compareRecords = async (sql: Sql, accountIds: readonly string[]): Promise<Difference[]> => {
  const rows = await sql<{ id: string; balance: string; records: string }[]>`
    with asked as (
      select unnest(${accountIds as string[]}::uuid[]) as account_id
    ), record as (
      select account_id, date_trunc('month', hour, 'UTC')::date as period, monthly - refunded_monthly as monthly,
        credits - refunded_credits as credits_used, refunded_credits + refunded_late - credits as credits
      from usage_hours join asked using (account_id)
      union all
      select account_id, date_trunc('month', day)::date, monthly - refunded_monthly, credits - refunded_credits,
        refunded_credits + refunded_late - credits
      from usage_days join asked using (account_id)
      union all
      select account_id, null, 0, 0, refunded_credits + refunded_late - credits
      from usage_before join asked using (account_id)
      union all
      select account_id, null, 0, 0, credits from quota_corrections join asked using (account_id)
      union all
      select account_id, null, 0, 0, amount from credit_grants join asked using (account_id)
      where applied_at is not null
    )
    select b.account_id as id, concat_ws(' ', b.monthly_used, b.credits_used, b.credits) as balance,
      -- What an account used in its last month is no longer known when it was idle for longer than usage is kept.
      concat_ws(' ',
        case when b.period < k.since then b.monthly_used
          else coalesce(sum(r.monthly) filter (where r.period = b.period), 0) end,
        case when b.period < k.since then b.credits_used
          else coalesce(sum(r.credits_used) filter (where r.period = b.period), 0) end,
        coalesce(sum(r.credits), 0)
      ) as records
    from usage_kept k cross join quota_balances b join asked using (account_id) left join record r using (account_id) group by b.account_id, k.since`;
  return rows
    .filter(({ balance, records }) => balance !== records)
    .map(({ id, balance, records }) => ({
      accountId: id,
      compared: 'balance with records',
      postgres: balance,
      other: records,
    }));
};

/** Which accounts are compared: one, by its id; all; or a random sample of about so many. */
export type Compared = { readonly accountId: string } | 'all' | { readonly sampled: number };

/** Yields a sample of the accounts that have a balance: those that follow random ids. All ids are random. */
async function* sampleOf(sql: Sql, sampled: number): AsyncGenerator<readonly string[], void> {
  const seen = new Set<string>();
  const pieces = Math.ceil(sampled / ACCOUNTS_AT_A_TIME);
  const piece = Math.floor(2 ** 32 / pieces);
  for (let i = 0; i < pieces; i += 1) {
    const from = (i * piece + randomInt(piece)).toString(16).padStart(8, '0');
    const rows = await sql<{ id: string }[]>`
      select account_id as id from quota_balances where account_id > ${`${from}-0000-0000-0000-000000000000`}
      order by account_id limit ${ACCOUNTS_AT_A_TIME}`;
    const ids = rows.map(({ id }) => id).filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    if (ids.length > 0) yield ids;
  }
}

/** Yields the ids of the accounts that have a balance, or of the one that is asked for, some at a time. */
async function* accountsOf(sql: Sql, accountId: string | null): AsyncGenerator<readonly string[], void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await sql<{ id: string }[]>`
      select account_id as id from quota_balances
      where account_id > ${after} and (${accountId}::uuid is null or account_id = ${accountId}::uuid)
      order by account_id limit ${ACCOUNTS_AT_A_TIME}`;
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    yield ids;
    after = ids.at(-1)!;
  }
}

/**
 * Returns every difference between the balances in Postgres, the sums of their records, and Redis. It changes nothing,
 * and is safe and exact while requests are served, however many. An account that Redis does not hold is compared in
 * Postgres alone.
 *
 * @param ledger `null`: there is no Redis, and only Postgres is checked.
 * @param compared A sample is taken only of an installation with more accounts.
 */
export const reconcile = async (
  sql: Sql,
  ledger: LedgerInRedis | null,
  compared: Compared = 'all',
): Promise<Reconciled> => {
  const differences: Difference[] = [];
  let accounts = 0;
  const [{ rows }] = await sql<[{ rows: number }]>`
    select reltuples::bigint as rows from pg_class where oid = 'quota_balances'::regclass`;
  const isSample = typeof compared === 'object' && 'sampled' in compared && rows > compared.sampled;
  const pages = isSample
    ? sampleOf(sql, compared.sampled)
    : accountsOf(sql, typeof compared === 'object' && 'accountId' in compared ? compared.accountId : null);
  for await (const accountIds of pages) {
    accounts += accountIds.length;
    if (ledger !== null) differences.push(...(await compareWithRedis(sql, ledger, accountIds)));
    differences.push(...(await compareRecords(sql, accountIds)));
  }
  return { accounts, differences, isSample };
};
