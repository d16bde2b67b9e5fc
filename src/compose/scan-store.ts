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
import type { ShownStream } from './scan-stream.ts';

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

/** Where scans are kept, with what metrics need of it. */
export interface OpenScanStore {
  readonly scanStore: ScanStore;
  /** Finds out whether it answers; `null`: it is the database. */
  readonly pingScans: Ping | null;
  /** `null`: scans wait in memory alone. */
  readonly scanStream: ShownStream | null;
}

/** Starts the stream where there is a Redis. */
const startStream = async (
  { redisUrl, scanStreamMaxBytes }: Config,
  clickhouse: ClickHouse,
  { sql }: Database,
  log: Log,
) => {
  if (redisUrl === null) return null;
  const [{ startScanStream }, { createInsert }] = await Promise.all([
    import('./scan-stream.ts'),
    import('../clickhouse/scans/insert.ts'),
  ]);
  const newInsert = () => createInsert(clickhouse, sql);
  return startScanStream({ sql, url: redisUrl, maxBytes: scanStreamMaxBytes, newInsert }, log);
};

/**
 * Opens Postgres or, with `CLICKHOUSE_URL`, ClickHouse as the store of scans.
 *
 * @throws {Error} When scans are in ClickHouse, and the variable is missing.
 */
export const openScanStore = async (config: Config, database: Database, log: Log): Promise<OpenScanStore> => {
  const { clickhouseUrl, duties } = config;
  if (clickhouseUrl === null) {
    if (await database.read(areScansElsewhere))
      throw new Error(
        'the scans of this installation are in ClickHouse: set CLICKHOUSE_URL, or do what docs/operations/clickhouse.md says to leave it',
      );
    return { scanStore: createPostgresScans(database), pingScans: null, scanStream: null };
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
  const stream = await startStream(config, clickhouse, database, log);
  return {
    scanStore: {
      ...scanStore,
      insert: stream?.insert ?? scanStore.insert,
      async close() {
        closing.abort();
        await stream?.close();
        await scanStore.close();
      },
    },
    pingScans: clickhouse.ping,
    scanStream: stream?.shown ?? null,
  };
};
