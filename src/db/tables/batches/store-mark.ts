import { changesOne, type Sql } from '../../client.ts';

/** Returns the mark of the installation's batch store; `null`: no gateway has chosen one yet. */
export const findStoreMark = async (sql: Sql): Promise<string | null> => {
  const [row] = await sql<{ mark: string }[]>`select mark from batch_store`;
  return row?.mark ?? null;
};

/**
 * Saves the mark if there is none, and returns whether it did. Concurrent callers wait until the first one's
 * transaction has ended.
 */
export const saveStoreMark = (sql: Sql, mark: string): Promise<boolean> =>
  changesOne(sql`insert into batch_store (mark) values (${mark}) on conflict do nothing`);
