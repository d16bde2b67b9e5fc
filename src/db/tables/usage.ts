/** Usage of accounts: sums by key, kind of call and hour, or by day for old hours. The ledgers write the hours. */
import { findFirst, type Sql } from '../client.ts';
import type { Cursor } from '../cursor.ts';
import type { Plan } from './accounts.ts';

/** The length of an interval, in UTC. */
export type UsageInterval = 'hour' | 'day' | 'month';

/** A range of whole intervals, excluding its end `to`. */
export interface UsageSpan {
  readonly from: Date;
  readonly to: Date;
  readonly interval: UsageInterval;
}

/** What was used. Refunded units count in the interval of the refund, so sums may be negative. */
export interface UsageCounts {
  readonly calls: number;
  /** Units of the monthly quota, net of refunds. */
  readonly monthly: number;
  /** Credits, net of refunds. */
  readonly credits: number;
  /** Refunded units, already deducted from `monthly` and `credits`. */
  readonly refunded: number;
  /** Credits refunded after the month in which they were taken. `credits` still includes them. */
  readonly refundedLate: number;
}

/** What an interval is broken down by. */
export type UsageGroup = 'key' | 'kind';

/** The usage in one interval, or of one key or kind of call in it. */
export interface UsageRow extends UsageCounts {
  readonly start: Date;
  /** If `group` is `key`. Without a name and a prefix when there is no such key. */
  readonly keyId?: string;
  readonly keyName?: string | null;
  readonly keyPrefix?: string | null;
  /** If `group` is `kind`. */
  readonly kind?: string;
}

/** The usage of one account in one interval. */
export interface AccountUsageRow extends UsageCounts {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly start: Date;
}

/** How long hours are kept. Older ones are rolled up into days (`usage-roll-up.ts`). */
export const HOURS_KEPT_DAYS = 90;

const counts = (sql: Sql) => sql`
  sum(calls)::bigint as calls,
  sum(monthly - refunded_monthly)::bigint as monthly,
  sum(credits - refunded_credits)::bigint as credits,
  sum(refunded_monthly + refunded_credits)::bigint as refunded,
  sum(refunded_late)::bigint as refunded_late`;

/** Selects the usage of accounts, given their ids as SQL. A day is stored either as hours or rolled up. */
const recorded = (sql: Sql, accounts: ReturnType<Sql>, { from, to, interval }: UsageSpan) => {
  const columns = sql`account_id, key_id, kind, calls, monthly, credits, refunded_monthly, refunded_credits, refunded_late`;
  const hours = sql`
    select hour as at, ${columns} from usage_hours
    where account_id = any(${accounts}) and hour >= ${from} and hour < ${to}`;
  if (interval === 'hour') return hours;
  return sql`
    ${hours} union all
    select day::timestamp at time zone 'UTC', ${columns} from usage_days
    where account_id = any(${accounts}) and day >= (${from}::timestamptz at time zone 'UTC')::date
      and day < (${to}::timestamptz at time zone 'UTC')::date`;
};

/** The beginning of the interval in SQL. Hours need no `date_trunc`, which takes a microsecond per row. */
const startOf = (sql: Sql, interval: UsageInterval) =>
  interval === 'hour' ? sql`at` : sql`date_trunc(${interval}, at, 'UTC')`;

/** Months that a statement of `usageHistory` reads: 300,000 rows of an account with 1,000 keys of a few kinds. */
const PIECE_MONTHS = 3;

/** Divides a span at beginnings of months, which no interval crosses. */
const piecesOf = ({ from, to, interval }: UsageSpan): readonly UsageSpan[] => {
  const pieces: UsageSpan[] = [];
  for (let start = from; start < to; ) {
    const next = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + PIECE_MONTHS));
    const end = next < to ? next : to;
    pieces.push({ from: start, to: end, interval });
    start = end;
  }
  return pieces;
};

/**
 * Returns what an account used in each interval of a span, at most `limit` rows, in time order; within an interval, the
 * largest first. Intervals without usage are absent. Hours are available for `HOURS_KEPT_DAYS`.
 */
export const usageHistory = async (
  sql: Sql,
  {
    accountId,
    group,
    limit,
    ...span
  }: UsageSpan & { readonly accountId: string; readonly group: UsageGroup | null; readonly limit: number },
): Promise<readonly UsageRow[]> => {
  const by = { key: sql`, key_id`, kind: sql`, kind`, none: sql`` }[group ?? 'none'];
  const rows: UsageRow[] = [];
  for (const piece of piecesOf(span)) {
    const summed = sql`
      select ${startOf(sql, span.interval)} as start ${by}, ${counts(sql)}
      from (${recorded(sql, sql`array[${accountId}::uuid]`, piece)}) as recorded
      group by 1 ${by}
      order by 1, sum(monthly - refunded_monthly + credits - refunded_credits) desc ${by} limit ${limit - rows.length}`;
    const found =
      group === 'key'
        ? sql<UsageRow[]>`
          select summed.*, k.name as key_name, k.prefix as key_prefix
          from (${summed}) as summed left join api_keys k on k.id = summed.key_id
          order by start, monthly + credits desc, key_id`
        : sql<UsageRow[]>`${summed}`;
    rows.push(...(await found));
    if (rows.length >= limit) break;
  }
  return rows;
};

/** What an account used before usage is kept by day. */
export interface UsageBefore extends UsageCounts {
  readonly until: Date;
}

/** Returns the time since which the usage of all accounts is kept by day; `null`: all of it is. */
export const usageKeptSince = async (sql: Sql): Promise<Date | null> => {
  const [row] = await sql<[{ since: Date | null }]>`
    select since::timestamp at time zone 'UTC' as since from usage_kept`;
  return row.since;
};

/** Returns the sum of what an account used before that time; `null`: all of its usage is kept by day. */
export const usageBefore = (sql: Sql, accountId: string): Promise<UsageBefore | null> => {
  const columns = sql`calls, monthly, credits, refunded_monthly, refunded_credits, refunded_late`;
  return findFirst(sql<UsageBefore[]>`
    with kept as (
      select since, since::timestamp at time zone 'UTC' as until from usage_kept where since is not null
    ), recorded as (
      select ${columns} from usage_before where account_id = ${accountId}
      union all
      -- What the upkeep has not yet summed up.
      select ${columns} from usage_days where account_id = ${accountId} and day < (select since from kept)
      union all
      select ${columns} from usage_hours where account_id = ${accountId} and hour < (select until from kept)
      union all
      select 0, 0, 0, 0, 0, 0
    )
    select until, ${counts(sql)} from kept cross join recorded group by until`);
};

/** Rows returned, and accounts examined, per query of `eachAccountUsage`. */
const PAGE_ROWS = 5000;
const PAGE_ACCOUNTS = 200;

type PageRow = (AccountUsageRow | { readonly id: string; readonly start: null }) & Pick<Cursor, 'createdAt'>;

/**
 * Yields what every account used in each interval of a span, in pages of bounded size, oldest account first.
 * Accounts and intervals without usage are absent. It holds no connection between two pages, so the reader may be slow.
 *
 * @param intervals How many intervals the span has.
 */
export async function* eachAccountUsage(
  sql: Sql,
  span: UsageSpan,
  intervals: number,
): AsyncGenerator<readonly AccountUsageRow[], void> {
  const accounts = Math.max(1, Math.min(PAGE_ACCOUNTS, Math.floor(PAGE_ROWS / intervals)));
  let after: Pick<Cursor, 'createdAt' | 'id'> | undefined;
  do {
    const rows: readonly PageRow[] = await sql<PageRow[]>`
      with page as materialized (
        select id, name, plan, created_at from accounts
        ${after ? sql`where (created_at, id) > (${after.createdAt}, ${after.id})` : sql``}
        order by created_at, id limit ${accounts}
      )
      select page.*, used.* from page left join (
        select account_id, ${startOf(sql, span.interval)} as start, ${counts(sql)}
        from (${recorded(sql, sql`array(select id from page)`, span)}) as recorded group by 1, 2
      ) as used on account_id = id
      order by created_at, id, start`;
    yield rows.filter((row): row is AccountUsageRow & PageRow => row.start !== null);
    after = rows.at(-1);
  } while (after !== undefined);
}
