/** Runs on every gateway at startup and then hourly, so that no table grows for ever. */

import { countLoopFailure } from '../execution/loops.ts';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';
import { isAway } from './faults.ts';
import { removeRevokedKeys } from './tables/accounts/revoked-keys.ts';
import { deleteEndedSessions } from './tables/accounts/sessions.ts';
import { foldUsage, rollUpUsage } from './tables/accounts/usage.ts';
import { deleteOldBlocks } from './tables/batches/counters.ts';
import { purgeBin } from './tables/bin.ts';
import { expireUnknown } from './tables/domains/unknown-slugs.ts';
import { expireHistories } from './tables/history-retention.ts';
import { deleteOldMade } from './tables/made-once.ts';
import { expireCodes, type Retention } from './tables/retention.ts';
import type { ScanStore } from './tables/scans/store.ts';
import { rankScans } from './tables/scans/upkeep.ts';
import { purgePaidPictures } from './tables/signed.ts';

const INTERVAL_MS = 3_600_000;
/** Pause between runs when the last one left something to purge. */
const PAUSE_MS = 60_000;
const SESSIONS_PER_RUN = 10_000;
const MADE_PER_RUN = 100_000;
/** Answers to calls with an `Idempotency-Key` that are kept of an account. */
const MADE_PER_ACCOUNT = { answers: 1_000_000, bytes: 1_000_000_000 };
/** Blocks of numbers that calls took, of an account. */
const BLOCKS_PER_RUN = 1_000_000;
const BLOCKS_PER_ACCOUNT = 1_000_000;

/** How long things are kept. */
export interface Kept {
  /** A month of scans is dropped as a whole once its last scan is older than this. */
  readonly scanMonths: number;
  /** Months before the present one for which usage is kept by day; `null`: for ever. */
  readonly usageMonths: number | null;
  /** Months for which histories keep what was replaced; `null`: for ever. */
  readonly historyMonths: number | null;
  readonly codes: Retention;
}

/** What was removed since the start. */
interface Removed {
  /** Codes and folders that retention moved to the bin. */
  readonly expired: number;
  /** Codes and folders that were purged from the bin. */
  readonly purged: number;
  /** Rows of daily usage that became part of a sum. */
  readonly usageFolded: number;
}

/**
 * Starts the upkeep. Resolves once the scan partitions exist, or the database is away; the rest of the first run
 * continues in the background. Failures there are logged and retried after an hour. If a run leaves something to purge,
 * or the database is away, the next one follows a minute later.
 */
export const startUpkeep = async (
  database: Pick<Database, 'sql' | 'changes' | 'histories'>,
  scans: Pick<ScanStore, 'keep' | 'removeGone'>,
  { scanMonths, usageMonths, historyMonths, codes }: Kept,
  log: Log,
) => {
  const { sql } = database;
  let [expired, purged, usageFolded] = [0, 0, 0];
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  /** Returns whether nothing is left to do. */
  const removeCodes = async (): Promise<boolean> => {
    const old = await expireCodes(database, new Date(), codes);
    expired += old.expired;
    if (old.expired > 0) log.info({ expired: old.expired }, 'old codes moved to the bin');
    const binned = await purgeBin(sql, new Date());
    purged += binned.purged;
    if (binned.purged > 0)
      log.info({ purged: binned.purged }, 'expired folders and codes purged from the bin');
    return old.isComplete && binned.isComplete;
  };

  const tidy = async (): Promise<boolean> => {
    await deleteEndedSessions(sql, SESSIONS_PER_RUN);
    const isComplete = await removeCodes();
    await purgePaidPictures(sql);
    await expireUnknown(sql, new Date());
    const keys = await removeRevokedKeys(sql);
    if (keys.removed > 0) log.info({ removed: keys.removed }, 'revoked keys that nothing names removed');
    await deleteOldMade(sql, MADE_PER_RUN, MADE_PER_ACCOUNT);
    await deleteOldBlocks(sql, BLOCKS_PER_RUN, BLOCKS_PER_ACCOUNT);
    const areHistories = await expireHistories(database, new Date(), historyMonths);
    const isRanked = await rankScans(sql);
    const isForgotten = await scans.removeGone(new Date());
    const moved = await rollUpUsage(sql, new Date());
    if (moved > 0) log.info({ moved }, 'hourly usage summed into days');
    const folded = await foldUsage(sql, new Date(), usageMonths);
    usageFolded += folded;
    if (folded > 0) log.info({ folded }, 'daily usage that is no longer kept summed by account');
    return isComplete && areHistories && isRanked && isForgotten && keys.isComplete;
  };
  const noteFailure = (err: unknown): boolean => {
    countLoopFailure('upkeep');
    log.warn({ err }, 'database upkeep failed; will retry');
    return !isAway(err);
  };
  const after = async (run: Promise<boolean>): Promise<void> => {
    const isComplete = await run.catch(noteFailure);
    if (isStopped) return;
    timer = setTimeout(
      () => void after(scans.keep(new Date(), scanMonths).then(tidy)),
      isComplete ? INTERVAL_MS : PAUSE_MS,
    );
  };

  const first = scans.keep(new Date(), scanMonths);
  await first.catch((error: unknown) => {
    if (!isAway(error)) throw error;
  });
  void after(first.then(tidy));
  return {
    stats: (): Removed => ({ expired, purged, usageFolded }),
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};

/** Upkeep that runs until it is stopped. */
export type Upkeep = Awaited<ReturnType<typeof startUpkeep>>;
