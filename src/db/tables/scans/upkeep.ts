import { randomBytes } from 'node:crypto';
import type { Sql } from '../../client.ts';

const SALT_BYTES = 32;

/** Makes the partitions for the month (for visitors: the day) of `now` and for the two after it. */
export const ensurePartitions = async (sql: Sql, now: Date): Promise<void> => {
  await sql`select ensure_scan_partitions(${now})`;
};

/**
 * What every gateway does at its start and each hour: makes the next partitions, drops scans and their roll-ups
 * by whole months once all of a month is older than `retentionMonths`, forgets who visited before yesterday, and
 * deletes the salts of days that ended an hour ago. Totals stay.
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

/** The salt of a UTC day (`YYYY-MM-DD`), made when there is none yet and the same for every gateway. */
export const visitorSalt = async (sql: Sql, day: string): Promise<Uint8Array> => {
  const [row] = await sql<[{ salt: Uint8Array }]>`
    insert into visitor_salts (day, salt) values (${day}, ${randomBytes(SALT_BYTES)})
    on conflict (day) do update set day = excluded.day
    returning salt`;
  return row.salt;
};
