import type { Database } from '../../src/db/database.ts';
import { BIN_DAYS } from '../../src/db/tables/bin.ts';
import { purgeBin } from '../../src/db/tables/bin-purge.ts';

const DAY_MS = 86_400_000;

/** Moves all folders to the bin and purges it as if they had expired. */
export const purgeAll = async (sql: Database['sql']): Promise<void> => {
  await sql`update folders set deleted_at = now()`;
  const later = new Date(Date.now() + (BIN_DAYS + 1) * DAY_MS);
  while ((await purgeBin(sql, later)) > 0);
  // As autovacuum does. It also empties the index of texts.
  await sql`vacuum`;
};
