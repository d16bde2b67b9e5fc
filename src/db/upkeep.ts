/** What every gateway does at its start and each hour, so that nothing grows for ever. */

import type { Log } from '../log.ts';
import type { Database } from './database.ts';
import { purgeBin } from './tables/bin-purge.ts';
import { keepScans } from './tables/scans/upkeep.ts';
import { deleteEndedSessions } from './tables/sessions.ts';

const INTERVAL_MS = 3_600_000;
const SESSIONS_PER_RUN = 10_000;

export interface Upkeep {
  stop(): void;
}

/**
 * Resolves when scans can be stored; the rest goes on behind.
 *
 * @param scanRetentionMonths Scans are dropped by whole months once all of a month is older.
 */
export const startUpkeep = async (
  { sql }: Pick<Database, 'sql'>,
  scanRetentionMonths: number,
  log: Log,
): Promise<Upkeep> => {
  const tidy = async (): Promise<void> => {
    await deleteEndedSessions(sql, SESSIONS_PER_RUN);
    const purged = await purgeBin(sql, new Date());
    if (purged > 0) log.info({ purged }, 'the bin was purged of what was deleted a month ago');
  };
  const noteFailure = (err: unknown): void =>
    log.warn({ err }, 'the upkeep of the database failed and is tried again in an hour');

  await keepScans(sql, new Date(), scanRetentionMonths);
  void tidy().catch(noteFailure);
  const timer = setInterval(() => {
    keepScans(sql, new Date(), scanRetentionMonths).then(tidy).catch(noteFailure);
  }, INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
};
