import type { Sql } from '../../client.ts';

/** A picture of an account in a ledger month. */
export interface PaidPicture {
  readonly accountId: string;
  /** The first day of the month, `YYYY-MM-DD`. */
  readonly month: string;
  /** SHA-256 of everything that determines the picture: 32 bytes. */
  readonly picture: Uint8Array;
}

/** Whether the picture is paid for. */
export const isPaid = async (sql: Sql, { accountId, month, picture }: PaidPicture): Promise<boolean> => {
  const rows = await sql`
    select from paid_pictures where month = ${month}::date and account_id = ${accountId} and picture = ${picture}`;
  return rows.length === 1;
};

/**
 * Records which reservation pays for the picture. Returns `false` when another one already does: the first wins.
 * Idempotent.
 */
export const notePaid = async (
  sql: Sql,
  { accountId, month, picture }: PaidPicture,
  reservationId: string,
): Promise<boolean> => {
  const [row] = await sql<[{ isFirst: boolean }]>`
    insert into paid_pictures as p (month, account_id, picture, reservation_id)
    values (${month}::date, ${accountId}, ${picture}, ${reservationId})
    on conflict (month, account_id, picture) do update set reservation_id = p.reservation_id
    returning p.reservation_id = ${reservationId} as is_first`;
  return row.isFirst;
};

/** Rows deleted per statement. This blocks the embedded database for some 10 ms. */
const STEP_ROWS = 1000;
/** Statements per run; the rest waits for the next run. */
const STEPS_MAX = 1000;

/**
 * Deletes the payments of past months, in bounded steps, and returns the number of deleted rows. It waits a day after
 * the end of a month, until no gateway's clock is still in that month.
 */
export const purgePaidPictures = async (sql: Sql): Promise<number> => {
  let purged = 0;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { count } = await sql`
      delete from paid_pictures where (month, account_id, picture) in (
        select month, account_id, picture from paid_pictures
        where month < date_trunc('month', (now() - interval '1 day') at time zone 'UTC')::date limit ${STEP_ROWS}
      )`;
    purged += count;
    if (count < STEP_ROWS) break;
  }
  return purged;
};
