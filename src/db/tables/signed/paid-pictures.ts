import type { Sql } from '../../client.ts';

/** A picture of an account in a month of the ledger. */
export interface PaidPicture {
  readonly accountId: string;
  /** The first day of the month, `YYYY-MM-DD`. */
  readonly month: string;
  /** SHA-256 of all that decides the picture: 32 bytes. */
  readonly picture: Uint8Array;
}

/** Whether the picture is paid. */
export const isPaid = async (sql: Sql, { accountId, month, picture }: PaidPicture): Promise<boolean> => {
  const rows = await sql`
    select from paid_pictures where month = ${month}::date and account_id = ${accountId} and picture = ${picture}`;
  return rows.length === 1;
};

/** Notes that the picture is paid. Returns `false` when it was noted before: of several callers, one is the first. */
export const notePaid = async (sql: Sql, { accountId, month, picture }: PaidPicture): Promise<boolean> => {
  const { count } = await sql`
    insert into paid_pictures (month, account_id, picture) values (${month}::date, ${accountId}, ${picture})
    on conflict do nothing`;
  return count === 1;
};

/** Rows that one statement deletes, which keeps the embedded database busy for some 10 ms. */
const STEP_ROWS = 1000;
/** Statements of one run; what is left waits for the next run. */
const STEPS_MAX = 1000;

/**
 * Deletes what was paid in past months, in bounded steps, and returns how many rows that were. It begins a day after
 * the end of a month, when no clock of a gateway is in that month any more.
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
