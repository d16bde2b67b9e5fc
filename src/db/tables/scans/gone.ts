/** Removes the scans of deleted items and of purged codes, and their counts. */
import type postgres from 'postgres';
import type { Sql } from '../../client.ts';
import { runPaced } from '../../statements.ts';
import { DIMENSIONS } from './breakdowns.ts';

/** Slugs of one account whose scans are removed together, so that its scans are gone through less often. */
const SLUGS_AT_ONCE = 20;
/** The same where another store has the scans, and each removal there takes about as long. */
const SLUGS_AT_ONCE_ELSEWHERE = 5000;
/** Scans of an account that a statement looks at. This blocks the embedded database for some 20 ms. */
const STEP_SCANS = 1000;
/** Steps per run; the rest waits for the next run. */
const MAX_STEPS = 2000;
/** How long scans may still be inserted by statements that began before the deletion. */
const GRACE_MS = 600_000;
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

/** Slugs of one account. */
export interface Gone {
  readonly accountId: string;
  readonly slugs: string[];
}

/** A scan that was looked at. */
interface Place {
  readonly at: Date;
  readonly id: string;
}

const nextGone = async (sql: Sql, before: Date, max: number): Promise<Gone | null> => {
  const rows = await sql<{ slug: string; accountId: string }[]>`
    select slug, account_id from gone_scans
    where deleted_at <= ${before} and account_id = (
      select account_id from gone_scans where deleted_at <= ${before} order by account_id limit 1)
    order by slug limit ${max}`;
  const [first] = rows;
  return first === undefined ? null : { accountId: first.accountId, slugs: rows.map(({ slug }) => slug) };
};

/** Returns the first quarter of an hour in which these were scanned, or `null`. */
const firstQuarter = async (sql: Sql, { slugs }: Gone): Promise<Date | null> => {
  const [row] = await sql<[{ quarter: Date | null }]>`
    select min(quarter) as quarter from unnest(${slugs}::text[]) as gone (slug)
    cross join lateral (
      select quarter from scan_series s where s.slug = gone.slug order by quarter limit 1
    ) as first`;
  return row.quarter;
};

/** Removes the gone ones of the next scans of a quarter. Returns the last scan it looked at; `null`: there are no more. */
const removeScans = async (
  tx: Sql,
  { accountId, slugs }: Gone,
  quarter: Date,
  after: Place | null,
): Promise<Place | null> => {
  const next = tx`
    account_id = ${accountId} and at >= ${after?.at ?? quarter} and at < ${new Date(quarter.getTime() + QUARTER_MS)}
    ${after === null ? tx`` : tx`and (at, id) > (${after.at}, ${after.id})`}`;
  const [last = null] = await tx<Place[]>`
    select at, id from scans where ${next} order by at, id offset ${STEP_SCANS - 1} limit 1`;
  await tx`
    delete from scans where ${next} ${last === null ? tx`` : tx`and (at, id) <= (${last.at}, ${last.id})`}
      and slug = any(${slugs})`;
  return last;
};

/** Removes the counts of a quarter, and of its day. Visitors go with their day. */
const removeCounts = async (tx: Sql, { slugs }: Gone, quarter: Date): Promise<void> => {
  const day = new Date(Math.floor(quarter.getTime() / DAY_MS) * DAY_MS);
  for (const [grain, start] of Object.entries({ quarter, day }))
    await tx`
      delete from scan_breakdowns where slug = any(${slugs}) and dimension = any(${DIMENSIONS}) and grain = ${grain}
        and start = ${start}`;
  // Last: without it, the quarter would not be found again.
  await tx`delete from scan_series where slug = any(${slugs}) and quarter = ${quarter}`;
};

const forget = async (tx: Sql, { slugs }: Gone): Promise<void> => {
  await tx`delete from scan_totals where slug = any(${slugs})`;
  await tx`delete from scan_ranks where slug = any(${slugs})`;
  await tx`delete from gone_scans where slug = any(${slugs})`;
};

/**
 * Removes what is left of scans under the slugs of `gone_scans`, in short transactions. A slug leaves that table with
 * the last of it, so whoever is killed in between, another one continues. Gateways may do this at the same time.
 *
 * @param removeElsewhere Removes the scans of some slugs from another store, before they are forgotten here.
 * @returns Whether nothing is left to remove.
 */
export const removeGoneScans = async (
  sql: postgres.Sql,
  now: Date,
  maxSteps = MAX_STEPS,
  removeElsewhere: ((gone: Gone) => Promise<void>) | null = null,
): Promise<boolean> => {
  const before = new Date(now.getTime() - GRACE_MS);
  let gone: Gone | null = null;
  let quarter: Date | null = null;
  let after: Place | null = null;

  const step = async (tx: Sql): Promise<void> => {
    quarter ??= await firstQuarter(tx, gone!);
    if (quarter === null) {
      await forget(tx, gone!);
      gone = null;
      return;
    }
    after = await removeScans(tx, gone!, quarter, after);
    if (after !== null) return;
    await removeCounts(tx, gone!, quarter);
    quarter = null;
  };

  for (let steps = 0; steps < maxSteps; steps += 1) {
    if (gone === null) {
      gone = await nextGone(sql, before, removeElsewhere === null ? SLUGS_AT_ONCE : SLUGS_AT_ONCE_ELSEWHERE);
      if (gone === null) return true;
      await removeElsewhere?.(gone);
    }
    await runPaced(() => sql.begin(step));
  }
  return false;
};
