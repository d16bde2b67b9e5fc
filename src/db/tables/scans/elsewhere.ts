/** Whether single scans are in another store. */
import type { Sql } from '../../client.ts';

/** Returns whether they are. */
export const areScansElsewhere = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<[{ is: boolean }]>`select exists (select from scans_elsewhere) as is`;
  return row.is;
};

/** Notes that scans are in another store from now on. What is in Postgres counts as missing, until it was moved. */
export const noteScansElsewhere = async (sql: Sql): Promise<void> => {
  await sql`
    insert into scans_elsewhere (since) select case when exists (select from scans) then now() end
    on conflict do nothing`;
};

/** Notes since when no scan is missing, because months of scans were dropped. It never moves back. */
export const noteScansDropped = async (sql: Sql, since: Date): Promise<void> => {
  await sql`update scans_kept set since = ${since} where since is null or since < ${since}`;
};
