import type postgres from 'postgres';
import type { Log } from '../log.ts';
import { type Changes, listenForChanges, localChanges } from './changes.ts';
import { connectEmbedded, connectServer, type Hooks, type ServerBounds } from './client.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { explainServerFault } from './faults.ts';
import { migrate, readMigrations } from './migrate.ts';
import { createPool, type PoolBounds } from './pool.ts';

/** Which database to open. */
export interface DatabaseOptions {
  /** The URL of a Postgres server; `null`: the embedded database in `dataDir`. */
  readonly url: string | null;
  readonly dataDir: string;
  readonly bounds?: Partial<DatabaseBounds>;
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
  readonly changes: Changes;
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

/** Startup may have to wait for another gateway's migrations. */
const MIGRATION_TIMEOUT_MS = 600_000;

/** What differs between a server and the embedded database. */
interface Backend {
  readonly embedded: boolean;
  readonly maxConnections: number;
  readonly changes: Changes;
  connect(hooks: Hooks): postgres.Sql;
  onsilent(silentMs: number): void;
  stop(): Promise<void>;
}

const migrateWith = async (
  connect: (hooks: Hooks) => postgres.Sql,
  bounds: DatabaseBounds,
  log: Log,
): Promise<void> => {
  const timeouts = { answerTimeoutMs: MIGRATION_TIMEOUT_MS, transactionTimeoutMs: MIGRATION_TIMEOUT_MS };
  const { sql, close } = createPool(connect, { ...bounds, ...timeouts, maxConnections: 1 });
  try {
    for (const name of await migrate(sql, await readMigrations())) log.info({ name }, 'database migrated');
  } finally {
    await close();
  }
};

const openServer = async (url: string, bounds: DatabaseBounds, log: Log): Promise<Backend> => {
  const connect = (hooks: Hooks) => connectServer(url, bounds, hooks);
  const target = connect({}).options;
  await migrateWith(connect, bounds, log).catch((error: unknown) => {
    throw new Error(explainServerFault(error, target), { cause: error });
  });
  const changes = await listenForChanges(connect, log);
  return {
    embedded: false,
    maxConnections: bounds.maxConnections,
    changes,
    connect,
    onsilent: () => {},
    stop: () => changes.close(),
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
    changes: localChanges(log),
    connect,
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
  const { url, dataDir } = options;
  const bounds = {
    ...DEFAULT_BOUNDS,
    ...(options.url === null ? EMBEDDED_BOUNDS : {}),
    ...options.bounds,
  };
  const backend = await (url === null ? openEmbedded(dataDir, bounds, log) : openServer(url, bounds, log));
  const { embedded, maxConnections, changes } = backend;
  const { sql, close } = createPool(backend.connect, { ...bounds, maxConnections }, backend);
  return {
    sql,
    embedded,
    changes,
    async ping() {
      await sql`select 1`;
    },
    async close() {
      await close();
      await backend.stop();
    },
  };
};
