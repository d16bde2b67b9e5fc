import type { Database } from '../../src/db/database.ts';
import { BIN_DAYS } from '../../src/db/tables/bin.ts';
import { purgeBin } from '../../src/db/tables/bin-purge.ts';
import { expireCodes } from '../../src/db/tables/retention.ts';

const DAY_MS = 86_400_000;
const LATER_DAYS = 100;
const MONTHS = 2;

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

/** Moves all codes to the bin, as retention does once they are old enough. */
export const expireAll = async (database: Database): Promise<void> => {
  const retention = { codesMonths: MONTHS, linksMonths: MONTHS };
  while (!(await expireCodes(database, inDays(LATER_DAYS), retention)).isComplete);
};

/** Purges the bin as if all in it had expired. */
export const purgeAll = async ({ sql }: Database): Promise<void> => {
  while (!(await purgeBin(sql, inDays(BIN_DAYS + 1))).isComplete);
  // As autovacuum does. It also empties the index of texts.
  await sql`vacuum`;
};
