/** Error codes of Node and postgres.js for a connection that could not be established. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
]);

/** Error codes for a connection that was lost, perhaps with a query in flight. */
const LOST = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
]);

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) that concern the server and not the query: connection exceptions,
 * a refused user or database, insufficient resources, operator intervention, transactions rolled back in favour of
 * others, lock and transaction time-outs, and a standby that is not promoted yet.
 */
const UNAVAILABLE_STATES = /^(08...|28...|3D000|40...|53...|57...|55P03|25P0[34]|25006)$/;

/** SQLSTATE query_canceled: the server cancelled a statement at its time limit. */
const CANCELLED = '57014';

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/**
 * Why the database is unavailable. `DATABASE_BUSY`: no connection was free in time. `DATABASE_UNAVAILABLE`: no
 * connection could be made. `DATABASE_LOST`: the connection was lost while the query ran. `DATABASE_SILENT`: no answer
 * came in time. After these two, the outcome of the query is indeterminate. `DATABASE_TIME_LIMIT`: the server cancelled
 * the query at its time limit, and nothing was done.
 */
export type DatabaseFault =
  | 'DATABASE_BUSY'
  | 'DATABASE_UNAVAILABLE'
  | 'DATABASE_LOST'
  | 'DATABASE_SILENT'
  | 'DATABASE_TIME_LIMIT';

/** Returns an error that carries the fault as its `code`. */
export const databaseFault = (code: DatabaseFault, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

/** Turns the failure of a connection, and a time limit, into a `DatabaseFault`; returns any other error as it is. */
export const toDatabaseFault = (error: unknown): unknown => {
  const code = codeOf(error);
  if (NOT_CONNECTED.has(code)) return databaseFault('DATABASE_UNAVAILABLE', (error as Error).message, error);
  if (LOST.has(code)) return databaseFault('DATABASE_LOST', (error as Error).message, error);
  if (code === CANCELLED) return databaseFault('DATABASE_TIME_LIMIT', (error as Error).message, error);
  return error;
};

/** Whether the database is unavailable or overloaded, so that the same call may succeed later: a 503. */
export const isUnavailable = (error: unknown): boolean => {
  const code = codeOf(error);
  return code.startsWith('DATABASE_') || UNAVAILABLE_STATES.test(code);
};

/** Whether no answer came from the server, or only that it starts or ends: nothing says that its settings are wrong. */
export const isAway = (error: unknown): boolean =>
  /^(DATABASE_(UNAVAILABLE|LOST|SILENT)|57P0[123])$/.test(codeOf(error));

/** Whether a query may have taken effect although it failed. */
export const isIndeterminate = (error: unknown): boolean => /^DATABASE_(LOST|SILENT)$/.test(codeOf(error));

/** Runs an idempotent operation, and retries it when the result of the first run is unknown. */
export const retryWhenLost = <T>(run: () => PromiseLike<T>): Promise<T> =>
  Promise.resolve(run()).catch((error: unknown) => {
    if (!isIndeterminate(error)) throw error;
    return run();
  });

/** Whether the server cancelled a statement at its time limit. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === 'DATABASE_TIME_LIMIT';

/** Whether a server said so of a statement outside of a pool. */
export const isCancelled = (error: unknown): boolean => codeOf(error) === CANCELLED;

/** Whether no connection was free in time. */
export const isBusy = (error: unknown): boolean => codeOf(error) === 'DATABASE_BUSY';

/** SQLSTATE deadlock_detected and lock_not_available: rolled back because others hold locks that it needs. */
export const isLockFault = (error: unknown): boolean => /^(40P01|55P03)$/.test(codeOf(error));

/** Whether the server refused a statement and the connection can still be used. */
export const isRefusal = (error: unknown): boolean =>
  (error as { severity?: unknown } | null)?.severity === 'ERROR';

/** SQLSTATE unique_violation: another row has the same unique value. */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505';

/** SQLSTATE foreign_key_violation: the row that this one refers to does not exist. */
export const isOrphan = (error: unknown): boolean => codeOf(error) === '23503';

/**
 * Whether the server refuses the settings of a session (SQLSTATE protocol_violation), as poolers do, or was found to be
 * a pooler: see `refusePooler`.
 */
export const isPoolerFault = (error: unknown): boolean => /^(08P01|POOLER)$/.test(codeOf(error));

/** The components of a Postgres server URL, without the password. The nth port belongs to the nth host. */
export interface ServerAddress {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly database: string;
  readonly user: string;
}

/**
 * Returns one line that says why the server cannot be used and what to do. It never contains the password.
 *
 * @param way.pooled Whether LISTEN_DATABASE_URL is set, so that a pooler is expected.
 */
export const explainServerFault = (
  error: unknown,
  { host, port, database, user }: ServerAddress,
  { pooled = false }: { readonly pooled?: boolean } = {},
): string => {
  const code = codeOf(error);
  const address = host.map((name, i) => `${name}:${port[i] ?? port[0]}`).join(', ');
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
  if (code.startsWith('DATABASE_') && !isTimeout(error)) {
    return `no Postgres answers at ${address} (${message}): start it, or correct DATABASE_URL`;
  }
  if (!pooled && isPoolerFault(error)) {
    return `a pooler such as PgBouncer answers at ${address}: set LISTEN_DATABASE_URL to the same database past the pooler, because a pooler in transaction mode loses what gateways tell each other (${message})`;
  }
  if (code.startsWith('28')) {
    return `Postgres at ${address} refuses the user ${user}: correct user and password in DATABASE_URL`;
  }
  if (code === '3D000') {
    return `Postgres at ${address} has no database ${database}: create it, or correct DATABASE_URL`;
  }
  if (code === '42501') {
    return `the user ${user} lacks a right in the database ${database} at ${address} (${message}): let the owner give it the rights of deploy/postgres/redirect-role.sql, or correct DATABASE_URL`;
  }
  return `the database ${database} at ${address} can't be used: ${message}`;
};
