import postgres from 'postgres';
import { ARRAY_TYPES } from './array-types.ts';

/** What a query function takes first: the database, or the transaction that it shall be part of. */
export type Sql = postgres.ISql;

/** Kept by the server, but for the first. */
export interface ServerBounds {
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** For a transaction that waits for its client. */
  readonly idleTransactionTimeoutMs: number;
}

export interface Hooks {
  onclose?(): void;
  onnotify?(channel: string, payload: string): void;
}

/** TCP probes an idle connection after this, and gives it up some ten seconds later. */
const KEEP_ALIVE_S = 5;

/** Columns arrive in camelCase and `bigint` as a number: each of ours is bounded by Number.MAX_SAFE_INTEGER. */
const COMMON = {
  transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
  types: { bigint: { to: 20, from: [20], parse: Number, serialize: String }, ...ARRAY_TYPES },
  fetch_types: false,
  max: 1,
  idle_timeout: 0,
  max_lifetime: null,
  onnotice: () => {},
};

/** One connection to a server, made with the first query. Throws when `url` can't be read. */
export const connectServer = (url: string, bounds: ServerBounds, hooks: Hooks = {}): postgres.Sql => {
  const options = {
    ...COMMON,
    ...hooks,
    connect_timeout: bounds.connectTimeoutMs / 1000,
    keep_alive: KEEP_ALIVE_S,
    connection: {
      application_name: 'tessera',
      TimeZone: 'UTC',
      // Compiling took 300 ms where the query takes three: it goes by estimates, which for one account are far off.
      jit: 'off',
      statement_timeout: bounds.statementTimeoutMs,
      lock_timeout: bounds.lockTimeoutMs,
      idle_in_transaction_session_timeout: bounds.idleTransactionTimeoutMs,
    },
  };
  try {
    return postgres(url, options) as unknown as postgres.Sql;
  } catch {
    throw new Error("DATABASE_URL can't be read: write it as postgres://user:password@host:5432/database");
  }
};

/** One connection to the embedded database. */
export const connectEmbedded = (socketPath: string, connectTimeoutMs: number, hooks: Hooks): postgres.Sql =>
  postgres({
    ...COMMON,
    ...hooks,
    path: socketPath,
    database: 'postgres',
    user: 'postgres',
    connect_timeout: connectTimeoutMs / 1000,
  }) as unknown as postgres.Sql;

/** Writes queries down and never connects. */
export const draft = postgres(COMMON) as unknown as postgres.Sql;
