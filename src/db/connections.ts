import type postgres from 'postgres';
import { type Payer, payRest } from '../execution/payer.ts';
import type { Hooks } from './client.ts';
import { databaseFault } from './faults.ts';
import { createLine } from './semaphore.ts';

/** The limits on connections and on callers that wait for them. */
export interface ConnectionBounds {
  readonly maxConnections: number;
  /** Callers that may wait for a connection; any more are refused at once. */
  readonly maxQueued: number;
  /** How long a caller waits for a connection. */
  readonly queueTimeoutMs: number;
}

/** A client with one connection, used by one caller at a time. */
export interface Connection {
  readonly sql: postgres.Sql;
  readonly bornMs: number;
  /** `false` once it closed, failed or fell silent. It then gets no more queries and is discarded. */
  usable: boolean;
  /**
   * Rows that it received and that no answer contains: those of a statement that failed in mid-stream. postgres.js would
   * put the next answer behind them (porsager/postgres#1119, #1181), so the connection is discarded.
   */
  unclaimedRows: number;
  /** Who pays for reading the rows of the query that runs; `null`: nobody does. */
  payer: Payer | null;
}

/** Connections are replaced at this age, so that gateways move to a new primary and the server frees memory. */
const MAX_AGE_MS = 1_800_000;

const isGood = ({ usable, unclaimedRows, bornMs }: Connection): boolean =>
  usable && unclaimedRows === 0 && performance.now() - bornMs < MAX_AGE_MS;

/**
 * Creates a bounded set of connections to lend out. They are opened on demand and lent first come, first served.
 */
export const createConnections = (connect: (hooks: Hooks) => postgres.Sql, bounds: ConnectionBounds) => {
  const all = new Set<Connection>();
  const idle: Connection[] = [];
  const line = createLine<Connection>({
    maxWaiting: bounds.maxQueued,
    waitMs: bounds.queueTimeoutMs,
    full: 'too many queries wait for the database',
    late: `no connection was free for ${bounds.queueTimeoutMs} ms`,
  });
  let closing = false;

  const open = (): Connection => {
    const onclose = () => {
      connection.usable = false;
    };
    const onrow = () => {
      connection.unclaimedRows += 1;
      if (connection.payer !== null) payRest(connection.payer);
    };
    const sql = connect({ onclose, onrow });
    const connection: Connection = {
      sql,
      bornMs: performance.now(),
      usable: true,
      unclaimedRows: 0,
      payer: null,
    };
    all.add(connection);
    return connection;
  };

  const discard = (connection: Connection) => {
    connection.usable = false;
    all.delete(connection);
    void connection.sql.end({ timeout: 0 });
  };

  return {
    /**
     * Lends a connection, which the caller must return. Fails with `DATABASE_BUSY` when none is free in time, and
     * with `DATABASE_UNAVAILABLE` after `close`.
     */
    async take(): Promise<Connection> {
      if (closing) throw databaseFault('DATABASE_UNAVAILABLE', 'the database was closed');
      for (let connection = idle.pop(); connection; connection = idle.pop()) {
        if (isGood(connection)) return connection;
        discard(connection);
      }
      if (all.size < bounds.maxConnections) return open();
      return line.wait();
    },
    /** Takes a connection back and lends it to the next caller. Discards it when it is unusable or too old. */
    give(connection: Connection): void {
      if (closing || !isGood(connection)) discard(connection);
      if (closing) return;
      const isTaken = line.admit(() => (connection.usable ? connection : open()));
      if (!isTaken && connection.usable) idle.push(connection);
    },
    /** Closes all connections, including those in use. */
    async close(): Promise<void> {
      closing = true;
      await Promise.all([...all].map(({ sql }) => sql.end({ timeout: 0 })));
    },
  };
};
