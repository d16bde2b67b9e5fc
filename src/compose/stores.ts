import { startKeyUses } from '../accounts/account-keys.ts';
import { createAccounts } from '../accounts/accounts.ts';
import { startStandings } from '../accounts/standings.ts';
import { openOwnStore } from '../batches/own-store.ts';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { startUpkeep } from '../db/upkeep.ts';
import { openDirectory } from '../domains/directory.ts';
import { startUnknownSlugs } from '../domains/unknown-slugs.ts';
import { openCountries } from '../links/countries.ts';
import { openLinks } from '../links/links.ts';
import type { Log } from '../log.ts';
import { meterQuota } from '../metrics/quota.ts';
import { startReaper } from '../quota/loop.ts';
import { createRedisQuota } from '../quota/redis/redis-quota.ts';
import { createSqlQuota } from '../quota/sql-quota.ts';
import { openItems } from '../resolver/resolver.ts';
import { openStore } from '../storage/open.ts';

/**
 * Runs `build`, which registers with `begun` how to close each part that it has started. When `build` fails, those
 * parts are closed, the latest first, and the error is thrown again. A part that cannot be closed is logged; the rest
 * are still closed.
 */
export const closeOnFailure = async <T>(
  log: Pick<Log, 'error'>,
  build: (begun: (close: () => unknown) => void) => Promise<T>,
): Promise<T> => {
  const closers: (() => unknown)[] = [];
  try {
    return await build((close) => closers.unshift(close));
  } catch (error) {
    for (const close of closers) {
      try {
        await close();
      } catch (err) {
        log.error({ err }, 'gateway could not be built, and one of its parts cannot be closed');
      }
    }
    throw error;
  }
};

/** The database, the ledger, accounts and links, and the background work that keeps them in order. */
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
    const database = await openDatabase(
      {
        url: config.databaseUrl,
        listenUrl: config.listenDatabaseUrl,
        readUrl: config.readDatabaseUrl,
        dataDir: config.dataDir,
        bounds: { maxConnections: config.databaseConnections },
        historyMaxBytes: config.historyMaxBytes,
      },
      log,
    );
    begun(database.close);
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
    const standings = startStandings(database, config.quota.planMonthly, log);
    begun(standings.stop);
    const keyUses = startKeyUses(database, log);
    begun(() => keyUses.close());
    const upkeep = await startUpkeep(database, retentionOf(config), log);
    const countries = await openCountries(config.geoipFile, log);
    begun(countries.close);
    const links = openLinks(database, countries, log);
    const directory = await openDirectory(database, log);
    begun(directory.close);
    const unknownSlugs = startUnknownSlugs(sql, log);
    begun(() => unknownSlugs.close());
    const items = config.resolver.isOn ? openItems(database, config.resolver.cacheMax, log) : null;
    const objects = await openOwnStore(database, await openStore(config.batches.store, log), log);
    begun(async () => objects.close());
    return {
      database,
      /** Keeps the rows and results of batches. */
      objects,
      quota,
      quotaMeter,
      /** `null` without `REDIS_URL`. */
      redisQuota,
      accounts,
      keyUses,
      links,
      directory,
      unknownSlugs,
      /** `null`: the resolver is off. */
      items,
      upkeep,
      /** Writes pending data, in an order in which nothing is lost. Call it when no request is in flight. */
      async close(): Promise<void> {
        await Promise.all([reaper.stop(), standings.stop()]);
        upkeep.stop();
        objects.close();
        await quota.close();
        items?.close();
        directory.close();
        await unknownSlugs.close();
        await links.close();
        countries.close();
        await keyUses.close();
        await database.close();
      },
    };
  });
