import type postgres from 'postgres';
import { type Payer, payerNow, payRest } from '../execution/payer.ts';
import { waitAtMost, within } from '../execution/time-limits.ts';
import { createHistogram, type HistogramSnapshot } from '../histogram.ts';
import { inSpan, isRecorded } from '../tracing/trace.ts';
import type { Hooks } from './client.ts';
import { type Connection, type ConnectionBounds, createConnections } from './connections.ts';
import { deferredSql, type Run } from './deferred.ts';
import { databaseFault, isIndeterminate, isRefusal, toDatabaseFault } from './faults.ts';

const TABLE = /\b(?:from|into|update)\s+([a-z_]+)/;
const FUNCTION = /\bselect\s+([a-z_]+)\(/;

/** Returns a statement's operation and target, such as `insert codes`. Its text is our own and contains no values. */
const summaryOf = (statement: unknown): string => {
  const { strings } = statement as { readonly strings?: readonly string[] };
  const text = (strings ?? []).join(' ').trimStart().toLowerCase();
  const [operation = 'query'] = /^[a-z]+/.exec(text) ?? [];
  const [, name = ''] = TABLE.exec(text) ?? FUNCTION.exec(text) ?? [];
  return `${operation} ${name}`.trimEnd();
};

/** Runs a statement, as a span if there is a trace. */
const traceStatement = <T>(statement: PromiseLike<T>): PromiseLike<T> => {
  if (!isRecorded()) return statement;
  const summary = summaryOf(statement);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
  return inSpan(`postgres ${summary}`, { kind: 'client', attributes }, async () => statement);
};

/** Callbacks waiting for each open transaction to commit. */
const afterCommit = new WeakMap<object, (() => void)[]>();

/**
 * Calls `run` when the transaction `sql` is committed, or may have been, before its `begin` resolves. It is not called
 * after a rollback. If `sql` is not a transaction, `run` is called at once.
 */
export const whenCommitted = (sql: object, run: () => void): void => {
  const waiting = afterCommit.get(sql);
  if (waiting === undefined) run();
  else waiting.push(run);
};

/** The bounds of a pool's connections, queries and transactions. */
export interface PoolBounds extends ConnectionBounds {
  /** How long a query may take once it has a connection. Longer than every server-side time limit. */
  readonly answerTimeoutMs: number;
  /** How long a transaction may take. */
  readonly transactionTimeoutMs: number;
  /** Statements that begin a transaction, also around each query outside of one; absent: `begin`, and none. */
  readonly begin?: string;
}

/** The rows of an answer to one statement, and those of an answer to several. */
type Answer = { readonly length: number } & Readonly<Record<number, unknown>>;
type Answers = Answer | readonly Answer[];

/** postgres.js gives the answer to each statement a `command`. */
const answersIn = (answers: Answers): readonly Answer[] =>
  'command' in answers ? [answers] : (answers as readonly Answer[]);

/**
 * Notes that the rows of an answer belong to it.
 *
 * @throws {Error} `DATABASE_LOST`, when the answer begins with a hole, where rows of a failed statement were counted.
 */
const claimRows = (connection: Connection, answers: Answers): void => {
  for (const answer of answersIn(answers)) {
    connection.unclaimedRows -= answer.length;
    if (answer.length > 0 && answer[0] === undefined)
      throw databaseFault('DATABASE_LOST', 'the answer of the database lacks its first row');
  }
};

/** Callbacks of a pool. */
interface PoolHooks {
  /** Called when a query got no answer in time. `silentMs` counts from the first such query after the last answer. */
  onsilent?(silentMs: number): void;
}

/** Times of the queries and transactions so far, in milliseconds. */
export interface PoolTimes {
  /** Until a connection was free, or the query was given up. */
  readonly waits: HistogramSnapshot;
  /** From there to the end of the query or transaction. */
  readonly uses: HistogramSnapshot;
}

const TIME_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/** A pool of connections. */
interface Pool {
  readonly sql: postgres.Sql;
  times(): PoolTimes;
  /** Waits up to `answerTimeoutMs` for running queries, then closes the connections. Later queries fail. */
  close(): Promise<void>;
}

/**
 * Creates a pool of clients with one connection each. A connection serves one query or transaction at a time. A
 * connection that closes, fails or falls silent is never reused. A query that gets no answer fails with a
 * `DatabaseFault`. A transaction may use only the `sql` that it is given. Its outcome is indeterminate only when its
 * commit got no answer. A transaction that it begins in turn is a savepoint of it.
 *
 * It replaces the pool of postgres.js, which has no timeout or queue limit and does not survive a lost connection: a
 * transaction on it crashes the process, and the connection may never be re-established (porsager/postgres#1208,
 * #1216).
 */
export const createPool = (
  connect: (hooks: Hooks) => postgres.Sql,
  bounds: PoolBounds,
  { onsilent }: PoolHooks = {},
): Pool => {
  const connections = createConnections(connect, bounds);
  const working = new Set<Promise<unknown>>();
  const waits = createHistogram(TIME_BOUNDS_MS);
  const uses = createHistogram(TIME_BOUNDS_MS);
  let silentSinceMs: number | null = null;

  const use = async <T>(
    work: (connection: Connection) => Promise<T>,
    timeoutMs: number,
    payer: Payer | null,
  ): Promise<T> => {
    const leave = await payer?.enter();
    const askedMs = performance.now();
    const connection = await connections
      .take()
      .finally(() => waits.observe(performance.now() - askedMs))
      .catch((error: unknown) => {
        leave?.();
        throw error;
      });
    const startedMs = performance.now();
    const answer = within(work(connection), timeoutMs, () => {
      connection.usable = false;
      silentSinceMs ??= performance.now();
      onsilent?.(performance.now() - silentSinceMs);
      return databaseFault('DATABASE_SILENT', `the database gave no answer for ${timeoutMs} ms`);
    });
    working.add(answer);
    try {
      return await answer;
    } finally {
      working.delete(answer);
      connections.give(connection);
      leave?.();
      const usedMs = performance.now() - startedMs;
      uses.observe(usedMs);
      payer?.spendDatabase(usedMs);
    }
  };

  /**
   * Runs a query. The connection is discarded after any failure other than a statement that the server rejects before
   * its first row.
   */
  const query = async <T>(
    connection: Connection,
    build: (sql: postgres.Sql) => PromiseLike<T>,
    payer: Payer | null = null,
  ): Promise<T> => {
    if (!connection.usable) throw databaseFault('DATABASE_UNAVAILABLE', 'the connection was lost');
    connection.payer = payer;
    try {
      const answer = await traceStatement(build(connection.sql));
      if (payer !== null) payRest(payer);
      silentSinceMs = null;
      claimRows(connection, answer as Answers);
      return answer;
    } catch (error) {
      if (isRefusal(error)) silentSinceMs = null;
      else connection.usable = false;
      throw toDatabaseFault(error);
    }
  };

  const rollBack = async (connection: Connection): Promise<void> => {
    const answer = query(connection, (sql) => sql`rollback`);
    await within(answer, bounds.answerTimeoutMs, () => new Error('no answer to rollback')).catch(() => {
      connection.usable = false;
    });
  };

  const transact = async <T>(
    connection: Connection,
    run: (tx: postgres.Sql) => T | Promise<T>,
    payer: Payer | null,
  ): Promise<T> => {
    let over = false;
    const committed: (() => void)[] = [];
    const beginInside = async (runInside: (tx: postgres.Sql) => unknown): Promise<unknown> => {
      const waiting = committed.length;
      await tx`savepoint inner_begin`;
      try {
        const result = await runInside(tx);
        await tx`release savepoint inner_begin`;
        return result;
      } catch (error) {
        committed.length = waiting;
        // If this fails, so does the commit.
        await tx`rollback to savepoint inner_begin`.catch(() => {});
        throw error;
      }
    };
    const tx: postgres.Sql = deferredSql(
      async (build) => {
        if (over) throw new Error('the transaction of this query is over');
        return query(connection, build, payer);
      },
      beginInside as unknown as postgres.Sql['begin'],
    );
    afterCommit.set(tx, committed);
    let isCommitSent = false;
    try {
      await query(connection, (sql) => sql.unsafe(bounds.begin ?? 'begin'), payer);
      const result = await run(tx);
      isCommitSent = true;
      const { command } = await query(connection, (sql) => sql`commit`, payer).finally(() => {
        for (const tell of committed) tell();
      });
      if (command !== 'COMMIT') throw new Error('a failed statement undid the transaction');
      return result;
    } catch (error) {
      await rollBack(connection);
      if (isCommitSent || !isIndeterminate(error)) throw error;
      throw databaseFault('DATABASE_UNAVAILABLE', 'the database was lost before the commit', error);
    } finally {
      over = true;
    }
  };

  const begin = <T>(run: (tx: postgres.Sql) => T | Promise<T>): Promise<T> => {
    const payer = payerNow();
    return use((connection) => transact(connection, run, payer), bounds.transactionTimeoutMs, payer);
  };

  const runOne: Run = (build, payer) =>
    use(
      (connection) =>
        bounds.begin === undefined
          ? query(connection, build, payer)
          : transact(connection, () => query(connection, build, payer), payer),
      bounds.answerTimeoutMs,
      payer,
    );

  return {
    times: () => ({ waits: waits.snapshot(), uses: uses.snapshot() }),
    sql: deferredSql(runOne, begin as unknown as postgres.Sql['begin']),
    async close() {
      await waitAtMost(Promise.allSettled(working), bounds.answerTimeoutMs);
      await connections.close();
    },
  };
};
