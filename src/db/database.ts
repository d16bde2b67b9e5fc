import type postgres from 'postgres';
import type { Log } from '../log.ts';
import { type Changes, localChanges } from './changes.ts';
import { beginWithin, connectEmbedded, connectServer, type Hooks, type ServerBounds } from './client.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { explainServerFault, isAway } from './faults.ts';
import { listenForChanges, refusePooler } from './listen.ts';
import { readMigrations } from './migrations/files.ts';
import { migrate } from './migrations/migrate.ts';
import type { OnlineRun } from './migrations/online.ts';
import { awaitMigrations } from './migrations/schema.ts';
import { embeddedSession, openSession, type Session, sessionBounds } from './migrations/session.ts';
import { createPool, type PoolBounds, type PoolTimes } from './pool.ts';
import { openReplica, type Replica } from './replica.ts';
import { createHistoryBound, type HistoryBound } from './tables/histories.ts';

/** Which database to open. */
export interface DatabaseOptions {
  /** The URL of a Postgres server; `null`: the embedded database in `dataDir`. */
  readonly url: string | null;
  /** Where changes are heard: the server itself, when `url` is that of a pooler; absent or `null`: at `url`. */
  readonly listenUrl?: string | null;
  /** A streaming replica of it; absent or `null`: there is none. */
  readonly readUrl?: string | null;
  readonly dataDir: string;
  /** Whether missing migrations are applied; `false`: another process must apply them, and this one waits. */
  readonly migrates?: boolean;
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
  /**
   * Runs a read whose answer may be behind: on the primary, or while that is unavailable on the replica, if there is
   * one.
   */
  read<T>(run: (sql: postgres.Sql) => Promise<T>): Promise<T>;
  /** `null`: there is none. */
  readonly replica: Replica | null;
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

/** How a process migrates. */
export interface MigrationRun extends Pick<OnlineRun, 'patienceMs' | 'tell'> {
  /** How long a statement of an online migration may take; 0: without limit. */
  readonly statementTimeoutMs: number;
}

const onStart = (log: Log): MigrationRun => ({
  patienceMs: MIGRATION_TIMEOUT_MS,
  statementTimeoutMs: MIGRATION_TIMEOUT_MS,
  tell: (sentence) => log.info({}, sentence),
});

/** What differs between a server and the embedded database. */
interface Backend {
  /** The names of the migrations that were applied when it was opened. */
  readonly migrated: readonly string[];
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

/** @param open Opens the session of an online migration, given the pool of the others; `null`: nothing is migrated. */
const migrateWith = async (
  connect: (hooks: Hooks) => postgres.Sql,
  bounds: DatabaseBounds,
  run: MigrationRun,
  open: ((sql: postgres.Sql) => Promise<Session>) | null,
  check: (sql: postgres.Sql) => Promise<void> = async () => {},
): Promise<readonly string[]> => {
  const timeouts = { answerTimeoutMs: MIGRATION_TIMEOUT_MS, transactionTimeoutMs: MIGRATION_TIMEOUT_MS };
  const { sql, close } = createPool(connect, { ...bounds, ...timeouts, maxConnections: 1 });
  try {
    await check(sql);
    const known = await readMigrations();
    if (open !== null) return await migrate(sql, known, { ...run, open: () => open(sql) });
    await awaitMigrations(sql, known, run);
    return [];
  } finally {
    await close();
  }
};

/** How gateways reach a server. */
const wayTo = (url: string, listenUrl: string | null, bounds: DatabaseBounds) => {
  const pooled = listenUrl !== null;
  return {
    pooled,
    begin: pooled ? { begin: beginWithin(bounds) } : {},
    connect: (hooks: Hooks) => connectServer(url, bounds, hooks, { bare: pooled }),
  };
};

const migrateServer = async (
  url: string,
  { listenUrl = null, migrates = true }: DatabaseOptions,
  bounds: DatabaseBounds,
  run: MigrationRun,
): Promise<readonly string[]> => {
  const { pooled, begin, connect } = wayTo(url, listenUrl, bounds);
  const target = connect({}).options;
  const open = () =>
    openSession((hooks) => connectServer(listenUrl ?? url, sessionBounds(run.statementTimeoutMs), hooks));
  const check = pooled ? undefined : refusePooler;
  return migrateWith(connect, { ...bounds, ...begin }, run, migrates ? open : null, check).catch(
    (error: unknown) => {
      throw new Error(explainServerFault(error, target, { pooled }), { cause: error });
    },
  );
};

/** Lets a gateway start that migrates nothing: its primary is away, and its replica has every migration. */
const startWithout = async (fault: Error, replica: Replica | null, log: Log): Promise<readonly string[]> => {
  if (replica === null || !isAway(fault.cause)) throw fault;
  await replica.requireCurrent().catch((error: Error) => {
    throw new Error(`${fault.message}; the replica cannot stand in: ${error.message}`, { cause: fault });
  });
  log.warn({ err: fault }, 'starting without the primary: until it is back, only redirects work');
  return [];
};

const openServer = async (
  url: string,
  options: DatabaseOptions,
  bounds: DatabaseBounds,
  run: MigrationRun,
  replica: Replica | null,
  log: Log,
): Promise<Backend> => {
  const { listenUrl = null } = options;
  const migrated = await migrateServer(url, options, bounds, run).catch((fault: Error) =>
    startWithout(fault, replica, log),
  );
  const { begin, connect } = wayTo(url, listenUrl, bounds);
  const connectListener = (hooks: Hooks) => connectServer(listenUrl ?? url, bounds, hooks, { bare: true });
  return {
    migrated,
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
const openEmbedded = async (
  dataDir: string,
  bounds: DatabaseBounds,
  run: MigrationRun,
  log: Log,
): Promise<Backend> => {
  const embedded = await startEmbedded(dataDir, log);
  const connect = (hooks: Hooks) => connectEmbedded(embedded.socketPath, bounds.connectTimeoutMs, hooks);
  const migrated = await migrateWith(connect, bounds, run, async (sql) => embeddedSession(sql)).catch(
    async (error: unknown) => {
      await embedded.close();
      throw error;
    },
  );
  return {
    migrated,
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

const boundsOf = ({ url, bounds }: DatabaseOptions): DatabaseBounds => ({
  ...DEFAULT_BOUNDS,
  ...(url === null ? EMBEDDED_BOUNDS : {}),
  ...bounds,
});

const openBackend = (
  options: DatabaseOptions,
  run: MigrationRun,
  replica: Replica | null,
  log: Log,
): Promise<Backend> => {
  const { url, dataDir } = options;
  const bounds = boundsOf(options);
  return url === null
    ? openEmbedded(dataDir, bounds, run, log)
    : openServer(url, options, bounds, run, replica, log);
};

/**
 * Applies the missing migrations and returns their names.
 *
 * @throws {Error} When that fails. The message is one line for the operator: what is wrong and what to do.
 */
export const migrateDatabase = async (
  options: DatabaseOptions,
  run: MigrationRun,
  log: Log,
): Promise<readonly string[]> => {
  const { migrated, stop } = await openBackend(options, run, null, log);
  await stop();
  return migrated;
};

/**
 * Opens the database, applies the missing migrations or waits for them, and starts listening for changes. While the
 * primary is away, it opens with a replica that has all migrations.
 *
 * @throws {Error} When that fails. The message is one line for the operator: what is wrong and what to do.
 */
export const openDatabase = async (options: DatabaseOptions, log: Log): Promise<Database> => {
  const { readUrl = null, historyMaxBytes = HISTORY_MAX_BYTES } = options;
  const bounds = boundsOf(options);
  const replica = readUrl === null ? null : openReplica(readUrl, bounds, log);
  const backend = await openBackend(options, onStart(log), replica, log).catch(async (error: unknown) => {
    await replica?.close();
    throw error;
  });
  for (const name of backend.migrated) log.info({ name }, 'database migrated');
  const { embedded, maxConnections, begin } = backend;
  const { sql, times, close } = createPool(
    backend.connect,
    { ...bounds, maxConnections, ...(begin === undefined ? {} : { begin }) },
    backend,
  );
  replica?.watch(sql);
  const changes = await backend.listen(sql);
  return {
    sql,
    read: (run) =>
      run(sql).catch((error: unknown) => {
        if (replica === null || !isAway(error)) throw error;
        return replica.read(run);
      }),
    replica,
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
      await replica?.close();
      await changes.close();
      await backend.stop();
    },
  };
};
