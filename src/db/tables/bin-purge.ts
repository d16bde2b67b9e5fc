import type { Sql } from '../client.ts';
import { binStart } from './bin.ts';
import { deleteUnusedLogos } from './logos.ts';
import { deleteReceiptsOfGone } from './verifications/verifications.ts';

/** Rows that one statement deletes. It takes the embedded database some 50 ms, in which it answers nothing else. */
const STEP_ROWS = 500;
/** Statements of one run; what is left waits for the next run. */
const MAX_STEPS = 200;

/**
 * Deletes for good what was in the bin for longer than `BIN_DAYS`, in bounded steps: codes, the codes of deleted
 * folders, those folders, logos that no code shows any more, and receipts of chosen codes that are all gone. The rows of links stay, so no slug is used again.
 *
 * @returns How many codes and folders were deleted.
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
  for (const accountId of accounts) {
    await deleteUnusedLogos(sql, accountId);
    await deleteReceiptsOfGone(sql, accountId);
  }
  return purged;
};
