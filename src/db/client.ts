import postgres from 'postgres';
import { databaseFault } from './faults.ts';
import { ARRAY_TYPES } from './statements.ts';

/** The first argument of every query function: the database, or a transaction that the query joins. */
export type Sql = postgres.ISql;

/** A part of a query: the time `ms` from now, by the database's clock. */
export const fromNow = (sql: Sql, ms: number) => sql`now() + ${ms} * interval '1 millisecond'`;

/**
 * A part of a query: the time of the next retry of something failing since a given time. The pause equals the time
 * elapsed since then, so it doubles with each try, from a minute up to an hour.
 */
export const nextTry = (sql: Sql, since: postgres.PendingQuery<postgres.Row[]>) =>
  sql`now() + least(greatest(now() - ${since}, interval '1 minute'), interval '1 hour')`;

/** Returns the first row of a query, or `null` if it has none. */
export const findFirst = async <Row>(query: PromiseLike<readonly Row[]>): Promise<Row | null> =>
  (await query)[0] ?? null;

/** What the row of a look-up is about. */
export interface Asked {
  readonly asked: string;
}

/**
 * Does what `findFirst` does for look-ups whose answer decides what strangers get: the row must name, in its column
 * `asked`, what was looked up.
 *
 * @throws {Error} `DATABASE_LOST`, when the row is about something else. It must not be taken for the answer.
 */
export const findAsked = async <Row extends object>(
  asked: string,
  query: PromiseLike<readonly (Row & Asked)[]>,
): Promise<Row | null> => {
  const found = await findFirst(query);
  if (found === null) return null;
  const { asked: named, ...row } = found;
  if (named !== asked) throw databaseFault('DATABASE_LOST', 'the database answered another question');
  return row as unknown as Row;
};

/** Runs a statement, and returns whether it changed a row. */
export const changesOne = async (statement: PromiseLike<{ readonly count: number }>): Promise<boolean> =>
  (await statement).count > 0;

/** Runs a transaction that may begin others in turn: those are savepoints of it. */
export const inTransaction = <T>(sql: postgres.Sql, run: (tx: postgres.Sql) => Promise<T>): Promise<T> =>
  sql.begin((tx) => run(tx as unknown as postgres.Sql)) as Promise<T>;

/** Serialises callers per account until the transaction ends: concurrent ones would not see each other's additions. */
export const lockAccount = async (tx: Sql, accountId: string): Promise<void> => {
  await tx`select 1 from accounts where id = ${accountId} for no key update`;
};

/** Time limits of a connection. The server enforces all of them but the first. */
export interface ServerBounds {
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** How long a transaction may wait for its client's next statement. */
  readonly idleTransactionTimeoutMs: number;
  /** Whether transactions are read-only unless they explicitly ask to write. */
  readonly readOnly?: boolean;
}

/** Callbacks of a connection. */
export interface Hooks {
  onclose?(): void;
  /** Called for each row that arrives, before the answer is complete. */
  onrow?(): void;
  onnotify?(channel: string, payload: string): void;
}

/** TCP probes a connection idle for this long, and closes it if no answer comes within some ten seconds. */
const KEEP_ALIVE_S = 5;

/** Columns arrive in camelCase, and `bigint` as a number, because all of ours are below Number.MAX_SAFE_INTEGER. */
const COMMON = {
  transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
  types: { bigint: { to: 20, from: [20], parse: Number, serialize: String }, ...ARRAY_TYPES },
  fetch_types: false,
  max: 1,
  idle_timeout: 0,
  max_lifetime: null,
  onnotice: () => {},
};

/** The options of postgres.js for the callbacks. */
const toOptions = ({ onrow, ...events }: Hooks) => {
  if (onrow === undefined) return { ...COMMON, ...events };
  const from = (row: unknown) => {
    onrow();
    return row;
  };
  return { ...COMMON, ...events, transform: { ...COMMON.transform, row: { from } } };
};

/**
 * Whether a URL names several hosts, or asks for one that accepts writes. Then we look for the primary ourselves: with
 * `read-write`, postgres.js would also use a standby, and would find no host for a read-only connection.
 */
const needsPrimary = (url: string): boolean =>
  /^\w+:\/\/([^@/]*@)?[^@/?]*,/.test(url) || /[?&]target_session_attrs=read-write\b/.test(url);

/** What a server enforces for a session, by the names of its settings. */
const settingsOf = (bounds: ServerBounds) => ({
  // Cost estimates, which trigger the JIT, are far off for a single account: a query of 3 ms took 300 ms.
  jit: 'off',
  // A folder's codes would be read whole from the smaller of two indexes, to sort them for a page.
  enable_incremental_sort: 'off',
  statement_timeout: bounds.statementTimeoutMs,
  lock_timeout: bounds.lockTimeoutMs,
  idle_in_transaction_session_timeout: bounds.idleTransactionTimeoutMs,
});

/**
 * The statements that begin a transaction in which the bounds hold, for connections through a pooler, where a session
 * may be another's a moment later.
 */
export const beginWithin = (bounds: ServerBounds): string =>
  [
    bounds.readOnly ? 'begin read only' : 'begin',
    ...Object.entries(settingsOf(bounds)).map(([name, value]) => `set local ${name} = ${value}`),
  ].join('; ');

/** What a client may leave in its session. */
export interface Session {
  /**
   * Nothing: the session may be another's a moment later, behind a pooler. The bounds do not hold for it (see
   * `beginWithin`), and statements are not prepared, unless `prepare=true` in the URL says that the pooler keeps them.
   */
  readonly bare: boolean;
}

/**
 * Returns a client with one connection to a server, which the first query opens. If `url` has several hosts, it uses
 * the first one that answers and is not a standby.
 *
 * @throws {Error} When `url` is not a Postgres URL.
 */
export const connectServer = (
  url: string,
  bounds: ServerBounds,
  hooks: Hooks = {},
  { bare }: Session = { bare: false },
): postgres.Sql => {
  const session = bare
    ? {}
    : { ...settingsOf(bounds), ...(bounds.readOnly ? { default_transaction_read_only: true } : {}) };
  const options = {
    ...toOptions(hooks),
    connect_timeout: bounds.connectTimeoutMs / 1000,
    keep_alive: KEEP_ALIVE_S,
    ...(needsPrimary(url) ? { target_session_attrs: 'primary' as const } : {}),
    ...(bare && !/[?&]prepare=true\b/.test(url) ? { prepare: false } : {}),
    connection: { application_name: 'tessera', TimeZone: 'UTC', ...session },
  };
  try {
    return postgres(url, options) as unknown as postgres.Sql;
  } catch {
    throw new Error("DATABASE_URL can't be read: write it as postgres://user:password@host:5432/database");
  }
};

/** Returns a client with one connection to the embedded database, which the first query opens. */
export const connectEmbedded = (socketPath: string, connectTimeoutMs: number, hooks: Hooks): postgres.Sql =>
  postgres({
    ...toOptions(hooks),
    path: socketPath,
    database: 'postgres',
    user: 'postgres',
    connect_timeout: connectTimeoutMs / 1000,
  }) as unknown as postgres.Sql;

/** A client that builds queries and never connects. */
export const draft = postgres(COMMON) as unknown as postgres.Sql;
