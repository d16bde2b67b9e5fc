/** Opens the store of single scans. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../clickhouse/client.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { isUnavailable } from '../db/faults.ts';
import { areScansElsewhere, noteScansElsewhere } from '../db/tables/scans/elsewhere.ts';
import { createPostgresScans, type ScanStore } from '../db/tables/scans/store.ts';
import type { Log } from '../log.ts';
import type { Ping } from '../metrics/process.ts';

const RETRY_MS = 5000;

/** Makes the tables now, or while ClickHouse is away as soon as it is back. @throws {Error} When that will never work. */
const prepare = async (
  clickhouse: ClickHouse,
  { sql }: Database,
  { signal }: AbortController,
  log: Log,
): Promise<void> => {
  const { migrateClickHouse } = await import('../clickhouse/schema.ts');
  const tryOnce = async () => {
    for (const name of await migrateClickHouse(clickhouse)) log.info({ name }, 'ClickHouse migrated');
    await noteScansElsewhere(sql);
  };
  const tryAgain = async () => {
    while (!signal.aborted) {
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      try {
        await tryOnce();
        return log.info({}, 'ClickHouse has its tables');
      } catch (err) {
        log.warn({ err }, 'ClickHouse cannot be prepared; will retry');
      }
    }
  };
  try {
    await tryOnce();
  } catch (err) {
    if (!isUnavailable(err)) throw err;
    log.warn({ err }, 'ClickHouse cannot be prepared; scans wait in memory, and reports get a 503');
    void tryAgain();
  }
};

/** The store of scans, and how to find out whether it answers; `null`: it is the database. */
export interface OpenScanStore {
  readonly scanStore: ScanStore;
  readonly pingScans: Ping | null;
}

/**
 * Opens Postgres or, with `CLICKHOUSE_URL`, ClickHouse as the store of scans.
 *
 * @throws {Error} When scans are in ClickHouse, and the variable is missing.
 */
export const openScanStore = async (
  { clickhouseUrl, duties }: Config,
  database: Database,
  log: Log,
): Promise<OpenScanStore> => {
  if (clickhouseUrl === null) {
    if (await database.read(areScansElsewhere))
      throw new Error(
        'the scans of this installation are in ClickHouse: set CLICKHOUSE_URL, or do what docs/operations/clickhouse.md says to leave it',
      );
    return { scanStore: createPostgresScans(database), pingScans: null };
  }
  const [{ openClickHouse }, { createClickHouseScans }] = await Promise.all([
    import('../clickhouse/client.ts'),
    import('../clickhouse/scans/store.ts'),
  ]);
  const clickhouse = await openClickHouse(clickhouseUrl);
  const closing = new AbortController();
  // Who serves redirects alone may have no right to make tables.
  if (duties.serves !== 'redirects') await prepare(clickhouse, database, closing, log);
  const scanStore = createClickHouseScans(clickhouse, database);
  return {
    scanStore: {
      ...scanStore,
      async close() {
        closing.abort();
        await scanStore.close();
      },
    },
    pingScans: clickhouse.ping,
  };
};
