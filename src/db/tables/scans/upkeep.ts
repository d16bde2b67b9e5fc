import { randomBytes } from 'node:crypto';
import type { Sql } from '../../client.ts';

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
