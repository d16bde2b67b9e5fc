import { startKeyUses } from '../accounts/account-keys.ts';
import { createAccounts } from '../accounts/accounts.ts';
import { startStandings } from '../accounts/standings.ts';
import { openOwnStore } from '../batches/own-store.ts';
import type { Config } from '../config/config.ts';
import { startUpkeep } from '../db/upkeep.ts';
import type { Log } from '../log.ts';
import { meterQuota } from '../metrics/quota.ts';
import { startReaper } from '../quota/loop.ts';
import { createRedisQuota } from '../quota/redis/redis-quota.ts';
import { createSqlQuota } from '../quota/sql-quota.ts';
import { openStore } from '../storage/open.ts';
import { closeOnFailure } from './failure.ts';
import { openLinkStores } from './link-stores.ts';

/** The database, the ledger, accounts and links, and the work in the background that keeps them in order. */
export type Stores = Awaited<ReturnType<typeof openStores>>;

const retentionOf = (config: Config) => ({
  scanMonths: config.scanRetentionMonths,
  usageMonths: config.usageRetentionMonths,
  historyMonths: config.historyRetentionMonths,
  codes: config.codeRetention,
});

/**
 * Opens the database, brings its schema up to date, and starts the ledger. Fails when a store cannot be reached; what
 * was opened is then closed.
 */
export const openStores = (config: Config, log: Log) =>
  closeOnFailure(log, async (begun) => {
    const { works } = config.duties;
    const linkStores = await openLinkStores(config, log);
    begun(linkStores.close);
    const { database, scanStore } = linkStores;
    const { sql } = database;
    const redisQuota =
      config.redisUrl === null
        ? null
        : await createRedisQuota({ sql, url: config.redisUrl, ...config.quota }, log);
    const quotaMeter = meterQuota(redisQuota ?? createSqlQuota({ sql, ...config.quota }, log));
    const { quota } = quotaMeter;
    begun(() => quota.close());
    const reaper = startReaper(quota, log);
    begun(reaper.stop);
    const accounts = createAccounts(database, quota, config);
    const standings = works ? startStandings(database, config.quota.planMonthly, log) : null;
    begun(() => standings?.stop());
    const keyUses = startKeyUses(database, log);
    begun(() => keyUses.close());
    const upkeep = works ? await startUpkeep(database, scanStore, retentionOf(config), log) : null;
    begun(() => upkeep?.stop());
    const objects = await openOwnStore(database, await openStore(config.batches.store, log), log);
    begun(async () => objects.close());
    return {
      ...linkStores,
      /** Keeps the rows and results of batches. */
      objects,
      quota,
      quotaMeter,
      /** `null` without `REDIS_URL`. */
      redisQuota,
      accounts,
      keyUses,
      /** `null`: other gateways keep the tables in order. */
      upkeep,
      /** Writes pending data, in an order in which nothing is lost. Call it when no request is in flight. */
      async close(): Promise<void> {
        await Promise.all([reaper.stop(), standings?.stop()]);
        upkeep?.stop();
        objects.close();
        await quota.close();
        await keyUses.close();
        await linkStores.close();
      },
    };
  });
