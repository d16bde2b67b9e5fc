import type { Sql } from '../client.ts';
import { HOURS_KEPT_DAYS } from './usage.ts';

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
      insert into usage_before as b (account_id, calls, monthly, credits, refunded_monthly, refunded_credits,
        refunded_late)
      select account_id, sum(calls), sum(monthly), sum(credits), sum(refunded_monthly), sum(refunded_credits),
        sum(refunded_late)
      from old group by 1 order by 1
      on conflict (account_id) do update set
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
