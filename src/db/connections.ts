import type postgres from 'postgres';
import { within } from '../time-limit.ts';
import type { Hooks } from './client.ts';
import { databaseFault } from './faults.ts';

export interface ConnectionBounds {
  readonly maxConnections: number;
  /** Callers that wait for a connection; the next one is refused at once. */
  readonly maxQueued: number;
  readonly queueTimeoutMs: number;
}

/** A client of one connection, for one caller at a time. */
export interface Connection {
  readonly sql: postgres.Sql;
  readonly bornMs: number;
  /** False once it closed, failed or fell silent: then it gets no more queries and is thrown away. */
  usable: boolean;
}

export interface Connections {
  /** Fails with DATABASE_BUSY when none is free in time. Who takes one gives it back. */
  take(): Promise<Connection>;
  give(connection: Connection): void;
  close(): Promise<void>;
}

/** So that gateways come to a new primary, and a server's memory for a session is freed now and then. */
const MAX_AGE_MS = 1_800_000;

const isGood = ({ usable, bornMs }: Connection): boolean => usable && performance.now() - bornMs < MAX_AGE_MS;

/** Connections that are made when they are needed and lent out one by one, first come, first served. */
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
      if (closing) throw databaseFault('DATABASE_AWAY', 'the database was closed');
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
