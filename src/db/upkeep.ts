/** What every gateway does at its start and each hour, so that no table grows for ever. */

import type { Log } from '../log.ts';
import type { Database } from './database.ts';
import { purgeBin } from './tables/bin-purge.ts';
import { rankScans } from './tables/scans/ranks.ts';
import { keepScans } from './tables/scans/upkeep.ts';
import { deleteEndedSessions } from './tables/sessions.ts';
import { purgePaidPictures } from './tables/signed/paid-pictures.ts';
import { rollUpUsage } from './tables/usage-roll-up.ts';

const INTERVAL_MS = 3_600_000;
const SESSIONS_PER_RUN = 10_000;

/** Upkeep that runs until it is stopped. */
export interface Upkeep {
  stop(): void;
}

/**
 * Starts the upkeep. Resolves when the partitions for scans are there; the rest of the first run continues in the
 * background. A failure in the background is logged and retried after an hour.
 *
 * @param scanRetentionMonths How long scans are kept. A month is dropped as a whole, after its last scan is older.
 */
export const startUpkeep = async (
  { sql }: Pick<Database, 'sql'>,
  scanRetentionMonths: number,
  log: Log,
): Promise<Upkeep> => {
  const tidy = async (): Promise<void> => {
    await deleteEndedSessions(sql, SESSIONS_PER_RUN);
    const purged = await purgeBin(sql, new Date());
    if (purged > 0) log.info({ purged }, 'expired folders and codes were purged from the bin');
    await purgePaidPictures(sql);
    await rankScans(sql);
    const moved = await rollUpUsage(sql, new Date());
    if (moved > 0) log.info({ moved }, 'hours of usage were summed up into days');
  };
  const noteFailure = (err: unknown): void =>
    log.warn({ err }, 'the upkeep of the database failed and is retried in an hour');

  await keepScans(sql, new Date(), scanRetentionMonths);
  void tidy().catch(noteFailure);
  const timer = setInterval(() => {
    keepScans(sql, new Date(), scanRetentionMonths).then(tidy).catch(noteFailure);
  }, INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
};
