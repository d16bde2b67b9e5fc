import type postgres from 'postgres';
import { within } from '../time-limit.ts';
import type { Hooks } from './client.ts';
import { databaseFault } from './faults.ts';

/** How many connections there are, and how many callers may wait for them. */
export interface ConnectionBounds {
  readonly maxConnections: number;
  /** Callers that may wait for a connection; a further one is refused at once. */
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
}

/** A bounded set of connections that are lent out. */
export interface Connections {
  /**
   * Lends a connection, which the caller must give back. Fails with `DATABASE_BUSY` when none is free in time, and
   * with `DATABASE_UNAVAILABLE` after `close`.
   */
  take(): Promise<Connection>;
  /** Takes a connection back and lends it to the next caller. Discards it when it is unusable or too old. */
  give(connection: Connection): void;
  /** Closes all connections, those in use too. */
  close(): Promise<void>;
}

/** A connection is replaced at this age, so that gateways follow a new primary and the server frees its memory. */
const MAX_AGE_MS = 1_800_000;

const isGood = ({ usable, bornMs }: Connection): boolean => usable && performance.now() - bornMs < MAX_AGE_MS;

/** Creates the set. Connections are opened when they are needed and lent in the order of the calls. */
export const createConnections = (
  connect: (hooks: Hooks) => postgres.Sql,
  bounds: ConnectionBounds,
): Connections => {
  const all = new Set<Connection>();
  const idle: Connection[] = [];
  const queue = new Set<(connection: Connection) => void>();
  let closing = false;

  const open = (): Connection => {
    const onclose = () => {
      connection.usable = false;
    };
    const connection: Connection = { sql: connect({ onclose }), bornMs: performance.now(), usable: true };
    all.add(connection);
    return connection;
  };

  const discard = (connection: Connection) => {
    connection.usable = false;
    all.delete(connection);
    void connection.sql.end({ timeout: 0 });
  };

  const wait = (): Promise<Connection> => {
    let admit: (connection: Connection) => void = () => {};
    const admitted = new Promise<Connection>((resolve) => {
      admit = resolve;
      queue.add(admit);
    });
    return within(admitted, bounds.queueTimeoutMs, () => {
      queue.delete(admit);
      return databaseFault('DATABASE_BUSY', `no connection was free for ${bounds.queueTimeoutMs} ms`);
    });
  };

  return {
    async take() {
      if (closing) throw databaseFault('DATABASE_UNAVAILABLE', 'the database was closed');
      for (let connection = idle.pop(); connection; connection = idle.pop()) {
        if (isGood(connection)) return connection;
        discard(connection);
      }
      if (all.size < bounds.maxConnections) return open();
      if (queue.size < bounds.maxQueued) return wait();
      throw databaseFault('DATABASE_BUSY', 'too many queries wait for the database');
    },
    give(connection) {
      if (closing || !isGood(connection)) discard(connection);
      if (closing) return;
      const [admit] = queue;
      if (admit) {
        queue.delete(admit);
        admit(connection.usable ? connection : open());
      } else if (connection.usable) {
        idle.push(connection);
      }
    },
    async close() {
      closing = true;
      await Promise.all([...all].map(({ sql }) => sql.end({ timeout: 0 })));
    },
  };
};
