import type postgres from 'postgres';
import type { Log } from '../log.ts';
import { waitAtMost } from '../time-limit.ts';
import type { Hooks, Sql } from './client.ts';
import { whenCommitted } from './pool.ts';

/**
 * What caches must drop: one key, account, session or signing secret (by UUID), the presets of an account (by its
 * UUID), one link (by slug), one item of the resolver (by its path), or everything.
 */
export type Change =
  | {
      readonly kind: 'key' | 'account' | 'session' | 'link' | 'item' | 'preset' | 'signing-secret';
      readonly id: string;
    }
  | { readonly kind: 'everything' };

/** Called synchronously. An error that it throws is logged. */
export type ChangeListener = (change: Change) => void;

/**
 * Notifies every gateway's caches of changes. The transaction that makes a change also announces it. This gateway's
 * listeners are called before its `begin` resolves; those of other gateways when the notification reaches them.
 *
 * A listener must not cache a row that it requested before it was called.
 */
export interface Changes {
  /** While `false`, changes may be missed, so caches must not trust their entries for long. */
  readonly live: boolean;
  /** Announces changes. @param sql The transaction that makes them. */
  announce(sql: Sql, ...changes: readonly Change[]): Promise<void>;
  /** Subscribes. Returns a function that unsubscribes. `everything` comes when changes may have been missed. */
  subscribe(listener: ChangeListener): () => void;
  /** Ends the listening connection. */
  close(): Promise<void>;
}

const CHANNEL = 'tessera_changes';
const BEAT = 'beat';
const BEAT_INTERVAL_MS = 1000;
/** Two heartbeats may be missed before the connection counts as silent. */
const SILENT_AFTER_MS = 2500;

interface Connection {
  readonly sql: postgres.Sql;
  readonly sinceMs: number;
  isOpen: boolean;
}

const createListeners = (log: Log) => {
  const listeners = new Set<ChangeListener>();
  return {
    subscribe(listener: ChangeListener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(change: Change) {
      for (const listener of listeners) {
        try {
          listener(change);
        } catch (error) {
          log.error({ err: error, change }, 'listener for changes failed');
        }
      }
    },
  };
};

/** Creates `Changes` for the embedded database, which no other process uses. */
export const localChanges = (log: Log): Changes => {
  const { subscribe, tell } = createListeners(log);
  return {
    live: true,
    subscribe,
    announce: async (sql, ...changes) => whenCommitted(sql, () => changes.forEach(tell)),
    close: async () => {},
  };
};

/**
 * Creates `Changes` based on NOTIFY and LISTEN. The listening connection notifies itself each second as a heartbeat.
 * When it closes or falls silent, it is replaced, and listeners are told to drop everything. Resolves after the first
 * attempt to connect, whether it succeeded or not.
 */
export const listenForChanges = async (
  connect: (hooks: Hooks) => postgres.Sql,
  log: Log,
): Promise<Changes> => {
  const { subscribe, tell } = createListeners(log);
  let state: 'starting' | 'live' | 'lost' | 'closed' = 'starting';
  let heardAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const hear = (payload: string) => {
    // The answer to the last heartbeat may arrive while the connection is being closed.
    if (state === 'closed') return;
    heardAtMs = performance.now();
    if (state !== 'live') {
      state = 'live';
      log.info({}, 'listening for changes');
      tell({ kind: 'everything' });
    }
    if (payload !== BEAT) tell(JSON.parse(payload) as Change);
  };

  const lose = (err: unknown) => {
    if (state === 'closed' || state === 'lost') return;
    state = 'lost';
    log.warn({ err }, 'not listening for changes; will reconnect');
  };

  const open = (): Connection => {
    const self: Connection = {
      sinceMs: performance.now(),
      isOpen: true,
      sql: connect({
        onnotify: (_, payload) => {
          if (self === connection) hear(payload);
        },
        onclose: () => {
          self.isOpen = false;
          if (self === connection) lose(new Error('the connection was closed'));
        },
      }),
    };
    return self;
  };
  let connection = open();

  const replace = () => {
    void connection.sql.end({ timeout: 0 });
    connection = open();
  };

  const beat = async () => {
    if (!connection.isOpen) replace();
    const { sql, sinceMs } = connection;
    // Repeating LISTEN on the same connection is a no-op.
    const answered = sql.unsafe(`listen ${CHANNEL}; select pg_notify('${CHANNEL}', '${BEAT}')`).catch(lose);
    await waitAtMost(answered, BEAT_INTERVAL_MS);
    if (state === 'closed') return;
    if (performance.now() - Math.max(heardAtMs, sinceMs) > SILENT_AFTER_MS) {
      lose(new Error(`the connection was silent for ${SILENT_AFTER_MS} ms`));
      replace();
    }
    timer = setTimeout(() => void beat(), BEAT_INTERVAL_MS);
  };
  await beat();

  return {
    get live() {
      return state === 'live';
    },
    subscribe,
    async announce(sql, ...changes) {
      const payloads = changes.map((change) => JSON.stringify(change));
      await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`;
      whenCommitted(sql, () => changes.forEach(tell));
    },
    async close() {
      state = 'closed';
      clearTimeout(timer);
      await connection.sql.end({ timeout: 0 });
    },
  };
};
