/** What serves short links, own domains and Digital Link URIs: the stores that gateways of every role have. */
import type { Config } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { openDirectory } from '../domains/directory.ts';
import { startUnknownSlugs } from '../domains/unknown-slugs.ts';
import { openCountries } from '../links/countries.ts';
import { openLinks } from '../links/links.ts';
import type { Log } from '../log.ts';
import { openItems } from '../resolver/resolver.ts';
import { closeOnFailure } from './failure.ts';
import { openScanStore } from './scan-store.ts';

/** The database, and what leads visits. */
export type LinkStores = Awaited<ReturnType<typeof openLinkStores>>;

/**
 * Opens the database, whose schema is brought up to date or awaited, and what leads visits. Fails when a store cannot be
 * reached; what was opened is then closed.
 */
export const openLinkStores = (config: Config, log: Log) =>
  closeOnFailure(log, async (begun) => {
    const database = await openDatabase(
      {
        url: config.databaseUrl,
        listenUrl: config.listenDatabaseUrl,
        readUrl: config.readDatabaseUrl,
        dataDir: config.dataDir,
        // Who serves redirects alone may have no right to change tables.
        migrates: config.duties.serves !== 'redirects',
        bounds: { maxConnections: config.databaseConnections },
        historyMaxBytes: config.historyMaxBytes,
      },
      log,
    );
    begun(database.close);
    const countries = await openCountries(config.geoipFile, log);
    begun(countries.close);
    const { scanStore, pingScans, scanStream } = await openScanStore(config, database, log);
    begun(scanStore.close);
    const links = openLinks(database, scanStore, countries, log);
    const directory = await openDirectory(database, log);
    begun(directory.close);
    const unknownSlugs = startUnknownSlugs(database.sql, log);
    begun(() => unknownSlugs.close());
    const items = config.resolver.isOn ? openItems(database, config.resolver.cacheMax, log) : null;
    return {
      database,
      scanStore,
      pingScans,
      scanStream,
      links,
      directory,
      unknownSlugs,
      /** `null`: the resolver is off. */
      items,
      /** Writes pending data, in an order in which nothing is lost. Call it when no request is in flight. */
      async close(): Promise<void> {
        items?.close();
        directory.close();
        await unknownSlugs.close();
        await links.close();
        await scanStore.close();
        countries.close();
        await database.close();
      },
    };
  });
