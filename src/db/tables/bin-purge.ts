import type postgres from 'postgres';
import type { Sql } from '../client.ts';
import { runPaced } from '../paced.ts';
import { binStart } from './bin.ts';
import { deleteUnusedDesigns } from './codes/designs.ts';
import { deleteUnusedLogos } from './codes/logos.ts';
import { deleteReceiptsOfGone } from './verifications/verifications.ts';

/** Rows deleted per statement. This blocks the embedded database for some 50 ms. */
const STEP_ROWS = 500;
/** Statements per run; the rest waits for the next run. */
const MAX_STEPS = 200;

type Purged = readonly { readonly accountId: string }[];

/** Permanently deletes codes, and designs that only they use. @param which Selects the `ctid` of the codes. */
const purgeCodes = (sql: postgres.Sql, which: ReturnType<Sql>): Promise<Purged> =>
  sql.begin(async (tx) => {
    // The planner would scan the table from its start, past all the rows that are already deleted, and, when it does not
    // look at the time, expect so many folders in the bin that it joins all of them.
    await tx`
      select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name`;
    const codes = await tx<{ accountId: string; designId: number }[]>`
      delete from codes where ctid = any(array(${which} limit ${STEP_ROWS} for update of c skip locked))
      returning account_id, design_id`;
    const designs = new Map(codes.map((code) => [code.designId, code]));
    await deleteUnusedDesigns(tx, [...designs.values()]);
    return codes;
  });

/**
 * Permanently deletes what has been in the bin for longer than `BIN_DAYS`, in bounded steps: codes, the codes of
 * deleted folders, those folders, unused designs and logos, and receipts of chosen codes that are all gone. The rows of
 * links stay, so slugs are never reused.
 *
 * @returns How many codes and folders were deleted, and whether nothing is left to delete.
 */
export const purgeBin = async (
  sql: postgres.Sql,
  now: Date,
): Promise<{ readonly purged: number; readonly isComplete: boolean }> => {
  const start = binStart(now);
  const accounts = new Set<string>();
  let stepsLeft = MAX_STEPS;
  let purged = 0;

  const inSteps = async (step: () => Promise<Purged>): Promise<void> => {
    let rows: Purged;
    do {
      if (stepsLeft === 0) return;
      stepsLeft -= 1;
      rows = await runPaced(step);
      purged += rows.length;
      for (const { accountId } of rows) accounts.add(accountId);
    } while (rows.length === STEP_ROWS);
  };

  await inSteps(() => purgeCodes(sql, sql`select c.ctid from codes c where c.deleted_at <= ${start}`));
  await inSteps(() =>
    purgeCodes(
      sql,
      sql`
        select c.ctid from folders f join codes c on c.folder_id = f.id
        where f.deleted_at <= ${start}`,
    ),
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
  return { purged, isComplete: stepsLeft > 0 };
};
