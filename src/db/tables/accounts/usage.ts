/** Usage of accounts: sums by key, kind of call and hour, or by day for old hours. The ledgers write the hours. */
import { findFirst, type Sql } from '../../client.ts';
import type { Cursor } from '../../cursor.ts';
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
  /** Of the calls and units above, those of load tests. */
  readonly loadTestCalls: number;
  readonly loadTestUnits: number;
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

/** How long hours are kept. Older ones are rolled up into days. */
export const HOURS_KEPT_DAYS = 90;

const counts = (sql: Sql) => sql`
  sum(calls)::bigint as calls,
  sum(monthly - refunded_monthly)::bigint as monthly,
  sum(credits - refunded_credits)::bigint as credits,
  sum(refunded_monthly + refunded_credits)::bigint as refunded,
  sum(refunded_late)::bigint as refunded_late,
  coalesce(sum(calls) filter (where is_load_test), 0)::bigint as load_test_calls,
  coalesce(sum(monthly + credits - refunded_monthly - refunded_credits) filter (where is_load_test), 0)::bigint
    as load_test_units`;

/** The kind of call of a row, and whether it is one of load tests: see `recordedKind`. */
const kindOf = (sql: Sql) => sql`split_part(kind, '-', 1) as kind, kind like '%-test' as is_load_test`;

/** Selects the usage of accounts, given their ids as SQL. A day is stored either as hours or rolled up. */
const recorded = (sql: Sql, accounts: ReturnType<Sql>, { from, to, interval }: UsageSpan) => {
  const columns = sql`account_id, key_id, ${kindOf(sql)}, calls, monthly, credits, refunded_monthly, refunded_credits, refunded_late`;
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
interface UsageBefore extends UsageCounts {
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
  const columns = sql`${kindOf(sql)}, calls, monthly, credits, refunded_monthly, refunded_credits, refunded_late`;
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
      select '', false, 0, 0, 0, 0, 0, 0
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

const DAY_MS = 86_400_000;
/** Hours are kept this much longer, so that gateways with clock skew still find all of `HOURS_KEPT_DAYS`. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** Rows moved per roll-up statement, and statements per run; the rest waits for the next run. */
const STEP_ROWS = 1000;
const MAX_STEPS = 400;

const moveHours = async (sql: Sql, before: Date): Promise<number> => {
  const [row] = await sql<[{ moved: number }]>`
    with old as (
      delete from usage_hours where ctid = any(array(
        select ctid from usage_hours where hour < ${before} order by hour limit ${STEP_ROWS} for update skip locked
      )) returning *
    ), added as (
      insert into usage_days as d (account_id, day, key_id, kind, calls, monthly, credits, refunded_monthly,
        refunded_credits, refunded_late)
      select account_id, (hour at time zone 'UTC')::date, key_id, kind, sum(calls), sum(monthly), sum(credits),
        sum(refunded_monthly), sum(refunded_credits), sum(refunded_late)
      -- One order of locks, so that gateways do not deadlock.
      from old group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (account_id, day, key_id, kind) do update set
        calls = d.calls + excluded.calls,
        monthly = d.monthly + excluded.monthly,
        credits = d.credits + excluded.credits,
        refunded_monthly = d.refunded_monthly + excluded.refunded_monthly,
        refunded_credits = d.refunded_credits + excluded.refunded_credits,
        refunded_late = d.refunded_late + excluded.refunded_late
    )
    select count(*) as moved from old`;
  return row.moved;
};

/** Adds days that are no longer kept to the sums of their accounts. */
const foldDays = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ folded: number }]>`
    with old as (
      delete from usage_days where ctid = any(array(
        select ctid from usage_days where day < (select since from usage_kept)
        order by day limit ${STEP_ROWS} for update skip locked
      )) returning *
    ), added as (
      insert into usage_before as b (account_id, kind, calls, monthly, credits, refunded_monthly, refunded_credits,
        refunded_late)
      select account_id, kind, sum(calls), sum(monthly), sum(credits), sum(refunded_monthly), sum(refunded_credits),
        sum(refunded_late)
      from old group by 1, 2 order by 1, 2
      on conflict (account_id, kind) do update set
        calls = b.calls + excluded.calls,
        monthly = b.monthly + excluded.monthly,
        credits = b.credits + excluded.credits,
        refunded_monthly = b.refunded_monthly + excluded.refunded_monthly,
        refunded_credits = b.refunded_credits + excluded.refunded_credits,
        refunded_late = b.refunded_late + excluded.refunded_late
    )
    select count(*) as folded from old`;
  return row.folded;
};

const inSteps = async (step: () => Promise<number>): Promise<number> => {
  let moved = 0;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const rows = await step();
    moved += rows;
    if (rows < STEP_ROWS) break;
  }
  return moved;
};

/**
 * Rolls up hours into days once the day ended `HOURS_KEPT_DAYS` ago, in bounded steps. A step adds its hours to their
 * days and deletes them in one statement, so each hour counts once, even if several gateways do this concurrently.
 *
 * @returns How many rows were moved.
 */
export const rollUpUsage = async (sql: Sql, now: Date): Promise<number> => {
  const oldest = new Date(now.getTime() - HOURS_KEPT_DAYS * DAY_MS - CLOCKS_DIFFER_MS);
  const start = new Date(Math.floor(oldest.getTime() / DAY_MS) * DAY_MS);
  return inSteps(() => moveHours(sql, start));
};

/**
 * Sums up by account the days of months that are no longer kept, in bounded steps. What was summed up is never kept by
 * day again, so an answer can say since when usage is, whatever the operator chooses later.
 *
 * @param months Kept before the present one; `null`: all that are still kept.
 * @returns How many rows became part of a sum.
 */
export const foldUsage = async (sql: Sql, now: Date, months: number | null): Promise<number> => {
  if (months !== null) {
    const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months));
    await sql`
      update usage_kept set since = (${since}::timestamptz at time zone 'UTC')::date
      where since is null or since < (${since}::timestamptz at time zone 'UTC')::date`;
  }
  return inSteps(() => foldDays(sql));
};
