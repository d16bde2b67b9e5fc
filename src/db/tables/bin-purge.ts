import type { Sql } from '../client.ts';
import { binStart } from './bin.ts';
import { deleteUnusedLogos } from './logos.ts';

/** Rows of one statement: some 50 ms of the embedded database, which answers nobody else meanwhile. */
const STEP_ROWS = 500;
/** A run deletes at most so many times `STEP_ROWS`; what is left waits for the next one. */
const MAX_STEPS = 200;

/**
 * Deletes for good what has been in the bin for longer than it is kept, in bounded steps: codes that were deleted
 * by themselves, codes of deleted folders, then those folders, and logos that no code shows any more. Slugs are
 * never given out again.
 *
 * @returns How many codes and folders went.
 */
export const purgeBin = async (sql: Sql, now: Date): Promise<number> => {
  const start = binStart(now);
  const accounts = new Set<string>();
  let stepsLeft = MAX_STEPS;
  let purged = 0;

  const inSteps = async (step: () => Promise<readonly { accountId: string }[]>): Promise<void> => {
    let rows: readonly { accountId: string }[];
    do {
      if (stepsLeft === 0) return;
      stepsLeft -= 1;
      rows = await step();
      purged += rows.length;
      for (const { accountId } of rows) accounts.add(accountId);
    } while (rows.length === STEP_ROWS);
  };

  await inSteps(
    () => sql<{ accountId: string }[]>`
      delete from codes where id in (
        select id from codes where deleted_at <= ${start} limit ${STEP_ROWS}
      ) returning account_id`,
  );
  await inSteps(
    () => sql<{ accountId: string }[]>`
      delete from codes where id in (
        select c.id from folders f join codes c on c.folder_id = f.id
        where f.deleted_at <= ${start} limit ${STEP_ROWS}
      ) returning account_id`,
  );
  await inSteps(
    () => sql<{ accountId: string }[]>`
      delete from folders where id in (
        select id from folders
        where deleted_at <= ${start} and not exists (select from codes where folder_id = folders.id)
        limit ${STEP_ROWS}
      ) returning account_id`,
  );
  for (const accountId of accounts) await deleteUnusedLogos(sql, accountId);
  return purged;
};
