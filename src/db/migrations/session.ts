/** The connection of an online migration, whose session holds the lock of the one process that runs it. */
import type postgres from 'postgres';
import type { Hooks, ServerBounds } from '../client.ts';
import { databaseFault } from '../faults.ts';

/** Runs statements in one session. */
export interface Session {
  /** @param values Of the parameters $1, $2, …; only a single statement has any. */
  run(text: string, values?: readonly (string | number)[]): Promise<readonly postgres.Row[]>;
  close(): Promise<void>;
}

/**
 * The bounds of such a session. Neither waiting for a lock nor a statement ends by itself: `applyOnline` bounds those
 * that others would wait behind.
 */
export const sessionBounds = (statementTimeoutMs: number): ServerBounds => ({
  connectTimeoutMs: 10_000,
  statementTimeoutMs,
  lockTimeoutMs: 0,
  idleTransactionTimeoutMs: 60_000,
});

/** The server notices within half a minute that the machine of the process is gone, and then frees its lock. */
const KEEP_ALIVE =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/**
 * Opens a session on a server. When its connection is lost, every later statement fails: postgres.js would run it on a
 * new connection, which does not hold the lock.
 *
 * @param connect Opens a client with one connection, past any pooler.
 */
export const openSession = async (connect: (hooks: Hooks) => postgres.Sql): Promise<Session> => {
  let isLost = false;
  const client = connect({
    onclose: () => {
      isLost = true;
    },
  });
  const session: Session = {
    async run(text, values = []) {
      if (isLost) throw databaseFault('DATABASE_LOST', 'the connection of the migration was lost');
      return client.unsafe(text, [...values]);
    },
    close: () => client.end({ timeout: 0 }),
  };
  try {
    await session.run(KEEP_ALIVE);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
};

/** Returns the session of the embedded database, which has only one. @param sql Its pool, which stays open. */
export const embeddedSession = (sql: postgres.Sql): Session => ({
  run: async (text, values = []) => sql.unsafe(text, [...values]),
  close: async () => {},
});
