import type postgres from 'postgres';
import type { Log } from '../log.ts';
import { type Changes, localChanges } from './changes.ts';
import { beginWithin, connectEmbedded, connectServer, type Hooks, type ServerBounds } from './client.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { explainServerFault } from './faults.ts';
import { listenForChanges, refusePooler } from './listen.ts';
import { migrate, readMigrations } from './migrate.ts';
import { createPool, type PoolBounds, type PoolTimes } from './pool.ts';
import { createHistoryBound, type HistoryBound } from './tables/histories.ts';

/** Which database to open. */
export interface DatabaseOptions {
  /** The URL of a Postgres server; `null`: the embedded database in `dataDir`. */
  readonly url: string | null;
  /** Where changes are heard: the server itself, when `url` is that of a pooler; absent or `null`: at `url`. */
  readonly listenUrl?: string | null;
  readonly dataDir: string;
  readonly bounds?: Partial<DatabaseBounds>;
  /** See `createHistoryBound`. */
  readonly historyMaxBytes?: number;
}

/** The time and concurrency limits of the database. */
export interface DatabaseBounds extends ServerBounds, PoolBounds {
  /** The embedded database has no statement timeout. It is restarted when it is silent for this long. */
  readonly embeddedStuckMs: number;
}

/** An open database with the current schema. */
export interface Database {
  /** Runs queries, bounded in time and number. See `isUnavailable` for its errors while the database is unavailable. */
  readonly sql: postgres.Sql;
  readonly embedded: boolean;
  /** Connections that may be open at a time. */
  readonly maxConnections: number;
  times(): PoolTimes;
  readonly changes: Changes;
  readonly histories: HistoryBound;
  /** Fails when the database gives no answer. */
  ping(): Promise<void>;
  /** Waits a bounded time for running queries, then closes all connections, and the embedded database. */
  close(): Promise<void>;
}

const DEFAULT_BOUNDS: DatabaseBounds = {
  maxConnections: 10,
  connectTimeoutMs: 3000,
  statementTimeoutMs: 3000,
  lockTimeoutMs: 2000,
  idleTransactionTimeoutMs: 5000,
  maxQueued: 1000,
  queueTimeoutMs: 3000,
  answerTimeoutMs: 4000,
  transactionTimeoutMs: 10_000,
  embeddedStuckMs: 60_000,
};

/** The embedded database runs one query at a time in one thread, and is slower on a busy machine. */
const EMBEDDED_BOUNDS: Partial<DatabaseBounds> = {
  queueTimeoutMs: 5000,
  answerTimeoutMs: 10_000,
  transactionTimeoutMs: 40_000,
};

const HISTORY_MAX_BYTES = 268_435_456;

/** Startup may have to wait for another gateway's migrations. */
const MIGRATION_TIMEOUT_MS = 600_000;

/** What differs between a server and the embedded database. */
interface Backend {
  readonly embedded: boolean;
  readonly maxConnections: number;
  /** See `PoolBounds`. */
  readonly begin?: string;
  connect(hooks: Hooks): postgres.Sql;
  /** @param sql The pool. */
  listen(sql: postgres.Sql): Promise<Changes>;
  onsilent(silentMs: number): void;
  stop(): Promise<void>;
}

const migrateWith = async (
  connect: (hooks: Hooks) => postgres.Sql,
  bounds: DatabaseBounds,
  log: Log,
  check: (sql: postgres.Sql) => Promise<void> = async () => {},
): Promise<void> => {
  const timeouts = { answerTimeoutMs: MIGRATION_TIMEOUT_MS, transactionTimeoutMs: MIGRATION_TIMEOUT_MS };
  const { sql, close } = createPool(connect, { ...bounds, ...timeouts, maxConnections: 1 });
  try {
    await check(sql);
    for (const name of await migrate(sql, await readMigrations())) log.info({ name }, 'database migrated');
  } finally {
    await close();
  }
};

const openServer = async (
  url: string,
  listenUrl: string | null,
  bounds: DatabaseBounds,
  log: Log,
): Promise<Backend> => {
  const pooled = listenUrl !== null;
  const begin = pooled ? { begin: beginWithin(bounds) } : {};
  const connect = (hooks: Hooks) => connectServer(url, bounds, hooks, { bare: pooled });
  const target = connect({}).options;
  const check = pooled ? undefined : refusePooler;
  await migrateWith(connect, { ...bounds, ...begin }, log, check).catch((error: unknown) => {
    throw new Error(explainServerFault(error, target, { pooled }), { cause: error });
  });
  const connectListener = (hooks: Hooks) => connectServer(listenUrl ?? url, bounds, hooks, { bare: true });
  return {
    embedded: false,
    maxConnections: bounds.maxConnections,
    ...begin,
    connect,
    listen: (sql) =>
      listenForChanges(
        connectListener,
        async (channel, payload) => sql`select pg_notify(${channel}, ${payload})`,
        log,
      ),
    onsilent: () => {},
    stop: async () => {},
  };
};

/** Opens the embedded database with one connection: it has one backend, so two connections would share a session. */
const openEmbedded = async (dataDir: string, bounds: DatabaseBounds, log: Log): Promise<Backend> => {
  const embedded = await startEmbedded(dataDir, log);
  const connect = (hooks: Hooks) => connectEmbedded(embedded.socketPath, bounds.connectTimeoutMs, hooks);
  await migrateWith(connect, bounds, log).catch(async (error: unknown) => {
    await embedded.close();
    throw error;
  });
  return {
    embedded: true,
    maxConnections: 1,
    connect,
    listen: async () => localChanges(log),
    onsilent: (silentMs) => {
      if (silentMs > bounds.embeddedStuckMs) embedded.restart();
    },
    stop: () => embedded.close(),
  };
};

/**
 * Opens the database, applies the missing migrations, and starts listening for changes.
 *
 * @throws {Error} When that fails. The message is one line for the operator: what is wrong and what to do.
 */
export const openDatabase = async (options: DatabaseOptions, log: Log): Promise<Database> => {
  const { url, listenUrl = null, dataDir, historyMaxBytes = HISTORY_MAX_BYTES } = options;
  const bounds = {
    ...DEFAULT_BOUNDS,
    ...(options.url === null ? EMBEDDED_BOUNDS : {}),
    ...options.bounds,
  };
  const backend = await (url === null
    ? openEmbedded(dataDir, bounds, log)
    : openServer(url, listenUrl, bounds, log));
  const { embedded, maxConnections, begin } = backend;
  const { sql, times, close } = createPool(
    backend.connect,
    { ...bounds, maxConnections, ...(begin === undefined ? {} : { begin }) },
    backend,
  );
  const changes = await backend.listen(sql);
  return {
    sql,
    embedded,
    maxConnections,
    times,
    changes,
    histories: createHistoryBound(historyMaxBytes),
    async ping() {
      await sql`select 1`;
    },
    async close() {
      await close();
      await changes.close();
      await backend.stop();
    },
  };
};
