import { changesOne, type Sql } from '../../client.ts';

/** Returns the mark of the installation's store of batches; `null`: no gateway has chosen one yet. */
export const findStoreMark = async (sql: Sql): Promise<string | null> => {
  const [row] = await sql<{ mark: string }[]>`select mark from batch_store`;
  return row?.mark ?? null;
};

/**
 * Saves the mark when there is none, and returns whether it did. Of several gateways that do so at once the others wait
 * until the transaction of the first has ended.
 */
export const saveStoreMark = (sql: Sql, mark: string): Promise<boolean> =>
  changesOne(sql`insert into batch_store (mark) values (${mark}) on conflict do nothing`);
