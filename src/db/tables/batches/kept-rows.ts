/** Rows of an account's kept batches, as far as later batches are compared with them. */
import type postgres from 'postgres';
import type { Sql } from '../../client.ts';
import { type RowError, saveErrors } from './batches.ts';
import { type ListedDuplicate, listDuplicates } from './duplicates.ts';
import type { RowRange } from './parts.ts';

/** A batch that was queued, and whose files are kept. */
export interface KeptBatch {
  readonly id: string;
  readonly rows: number;
  /** The column whose values had to be unique; `null`: none. */
  readonly uniqueColumn: string | null;
  readonly hasEnded: boolean;
  /** Whether all its rows are made, or may still be. */
  readonly isWhole: boolean;
}

type Owned = { readonly id: string; readonly accountId: string };

const keptBesides = (sql: Sql, { id, accountId }: Owned) =>
  sql`account_id = ${accountId} and queued_at is not null and has_files and id <> ${id}`;

/** Returns the other kept batches of a batch's account, in the order in which they were queued. */
export const listKeptBatches = (sql: Sql, batch: Owned): Promise<readonly KeptBatch[]> =>
  sql<KeptBatch[]>`
    select id, rows, unique_column, finished_at is not null as has_ended,
      failed = 0 and (finished_at is null or made = rows) as is_whole
    from batches where ${keptBesides(sql, batch)} order by queued_at, id`;

/** Whether the batch's account has a kept batch besides it and some others. */
export const hasKeptBesides = async (sql: Sql, batch: Owned, others: readonly string[]): Promise<boolean> => {
  const rows = await sql`
    select from batches where ${keptBesides(sql, batch)} and id <> all(${others as string[]}::uuid[]) limit 1`;
  return rows.length > 0;
};

/** Returns the rows of a batch that are not made and will not be; of those that failed, the ones that are listed. */
export const listUnmadeRows = async (
  sql: Sql,
  { id, hasEnded }: Pick<KeptBatch, 'id' | 'hasEnded'>,
): Promise<readonly RowRange[]> => {
  const rows = await sql<{ first: number; last: number }[]>`
    select row as first, row as last from batch_errors where batch_id = ${id}
    union all
    select first_row, first_row + rows - 1 from batch_pieces
    where batch_id = ${id} and state <> 'made' and ${hasEnded}
    order by first`;
  return rows.map(({ first, last }) => [first, last]);
};

/** The rows of a batch that repeat one of another batch. */
export interface KeptDuplicates {
  readonly count: number;
  /** How many of them are errors. */
  readonly refused: number;
  readonly listed: readonly ListedDuplicate[];
  readonly errors: readonly RowError[];
}

/**
 * Saves the rows of a batch that repeat one of another batch, in place of earlier ones. A no-op if the lease of the step
 * was lost.
 */
export const saveKeptDuplicates = (
  sql: postgres.Sql,
  { id, leaseHolder }: { readonly id: string; readonly leaseHolder: string },
  { count, refused, listed, errors }: KeptDuplicates,
): Promise<void> =>
  sql.begin(async (tx) => {
    const saved = await tx`
      update batches set kept_duplicates = ${count}, errors = errors + ${refused}
      where id = ${id} and lessee = ${leaseHolder} and state = 'validating'`;
    if (saved.count === 0) return;
    await tx`delete from batch_duplicates where batch_id = ${id} and first_batch_id is not null`;
    await listDuplicates(tx, id, listed);
    await saveErrors(tx, id, errors);
  });

/** Counts work for an account's turn among those whose batches wait. */
export const chargeTurn = async (sql: Sql, accountId: string, workedMs: number): Promise<void> => {
  await sql`
    insert into batch_turns as t (account_id, served_ms) values (${accountId}, ${workedMs})
    on conflict (account_id) do update set served_ms = t.served_ms + ${workedMs}`;
};
