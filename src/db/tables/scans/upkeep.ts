import { randomBytes } from 'node:crypto';
import type { Sql } from '../../client.ts';
import { runPaced } from '../../statements.ts';

const SALT_BYTES = 32;

/** Creates missing partitions: for the month of `now` and the next two; for visitors, for its day and the next two. */
export const ensurePartitions = async (sql: Sql, now: Date): Promise<void> => {
  await sql`select ensure_scan_partitions(${now})`;
};

/**
 * Creates the next partitions. Drops each month of scans and roll-ups whose last scan is older than `retentionMonths`,
 * the visitors of days before yesterday, and the salts of days that ended over an hour ago. Totals are kept. Every
 * gateway calls it at startup and hourly.
 */
export const keepScans = async (sql: Sql, now: Date, retentionMonths: number): Promise<void> => {
  await ensurePartitions(sql, now);
  await sql`
    select drop_scan_partitions(
      ${now}::timestamptz - ${retentionMonths}::integer * interval '1 month',
      ${now}::timestamptz - interval '1 day')`;
  await sql`
    delete from visitor_salts where day < ((${now}::timestamptz - interval '1 hour') at time zone 'UTC')::date`;
};

/** Returns the salt of a UTC day (`YYYY-MM-DD`), the same on every gateway. Creates it if missing. */
export const visitorSalt = async (sql: Sql, day: string): Promise<Uint8Array> => {
  const [row] = await sql<[{ salt: Uint8Array }]>`
    insert into visitor_salts (day, salt) values (${day}, ${randomBytes(SALT_BYTES)})
    on conflict (day) do update set day = excluded.day
    returning salt`;
  return row.salt;
};

/** Links ranked per statement. This blocks the embedded database for some 20 ms. */
const STEP_LINKS = 500;
/** Statements per call; the rest waits for the next one, a minute later. */
const MAX_STEPS = 1000;

/**
 * For links scanned since the last call, copies the number of people to `scan_ranks`, by which codes are sorted.
 * Concurrent callers share the work. Returns whether nothing is left.
 *
 * @param maxSteps Maximum number of statements, of 500 links each.
 */
export const rankScans = async (sql: Sql, maxSteps = MAX_STEPS): Promise<boolean> => {
  for (let step = 0; step < maxSteps; step += 1) {
    const { count } = await runPaced(
      () => sql`
      with fresh as materialized (
        select slug, people from scan_totals where not is_ranked order by slug limit ${STEP_LINKS}
        for update skip locked
      ), ranked as (
        insert into scan_ranks (slug, account_id, people)
        select f.slug, l.account_id, f.people from fresh f join links l on l.slug = f.slug
        where f.people > 0 and l.deleted_at is null
        on conflict (slug) do update set people = excluded.people
      )
      update scan_totals set is_ranked = true where slug in (select slug from fresh)`,
    );
    if (count < STEP_LINKS) return true;
  }
  return false;
};
