import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type postgres from 'postgres';
import { SILENT } from '../log.ts';
import { beginWithin, connectEmbedded, connectServer, type Hooks } from './client.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { explainServerFault } from './faults.ts';
import { hears, refusePooler } from './listen.ts';
import { createPool } from './pool.ts';

/** A database opened for inspection only. */
export interface Inspected {
  /** Runs one query at a time. Transactions are read-only unless they explicitly ask to write. */
  readonly sql: postgres.Sql;
  readonly embedded: boolean;
  /** Whether a connection that listens as gateways do hears what is sent as they send it; fails when it cannot listen. */
  hears(): Promise<boolean>;
  close(): Promise<void>;
}

const CONNECT_MS = 3000;
/** Far longer than a request may take, since inspecting a large table is worth the wait. */
const STATEMENT_MS = 30_000;

const SERVER = {
  connectTimeoutMs: CONNECT_MS,
  statementTimeoutMs: STATEMENT_MS,
  lockTimeoutMs: 5000,
  idleTransactionTimeoutMs: 5000,
  readOnly: true,
};

const POOL = {
  maxConnections: 1,
  maxQueued: 100,
  queueTimeoutMs: 2 * STATEMENT_MS,
  answerTimeoutMs: STATEMENT_MS + 5000,
  transactionTimeoutMs: 2 * STATEMENT_MS,
};

const inspectServer = async (url: string, listenUrl: string | null): Promise<Inspected> => {
  const pooled = listenUrl !== null;
  const connect = (hooks: Hooks) => connectServer(url, SERVER, hooks, { bare: pooled });
  const pool = createPool(connect, pooled ? { ...POOL, begin: beginWithin(SERVER) } : POOL);
  const check = pooled ? pool.sql`select 1` : refusePooler(pool.sql);
  await check.catch(async (error: unknown) => {
    await pool.close();
    throw new Error(explainServerFault(error, connect({}).options, { pooled }), { cause: error });
  });
  const connectListener = (hooks: Hooks) => connectServer(listenUrl ?? url, SERVER, hooks, { bare: true });
  return { ...pool, embedded: false, hears: () => hears(connectListener, pool.sql) };
};

const inspectEmbedded = async (dataDir: string): Promise<Inspected | null> => {
  if (!existsSync(join(dataDir, 'postgres'))) return null;
  const embedded = await startEmbedded(dataDir, SILENT);
  const pool = createPool((hooks) => connectEmbedded(embedded.socketPath, CONNECT_MS, hooks), POOL);
  const close = async () => {
    await pool.close();
    await embedded.close();
  };
  try {
    await pool.sql`set default_transaction_read_only = on`;
  } catch (error) {
    await close();
    throw error;
  }
  return { sql: pool.sql, embedded: true, hears: async () => true, close };
};

/**
 * Opens a database for inspection, without migrating it and with read-only transactions. Returns `null` when there is
 * no embedded database yet.
 *
 * @param options.url That of a Postgres server; `null`: the embedded database in `dataDir`.
 * @param options.listenUrl As in `DatabaseOptions`.
 * @throws {Error} When that fails. The message is one line for the operator. Its code is `FOLDER_IN_USE` when a gateway
 *   holds the embedded database.
 */
export const inspectDatabase = ({
  url,
  listenUrl = null,
  dataDir,
}: {
  readonly url: string | null;
  readonly listenUrl?: string | null;
  readonly dataDir: string;
}): Promise<Inspected | null> => (url === null ? inspectEmbedded(dataDir) : inspectServer(url, listenUrl));
