import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Log } from '../log.ts';
import type { Hooks, Sql } from './client.ts';

/** What others may hold in a cache and must drop. */
export type Change =
  | { readonly kind: 'key' | 'account' | 'session' | 'link'; readonly id: string }
  | { readonly kind: 'everything' };

export type ChangeListener = (change: Change) => void;

/**
 * News of changes between gateways, for their caches. Whoever changes a key, an account, a session or a link announces it
 * in the same transaction; every gateway's listeners hear of it once that is committed, this one's included.
 *
 * A listener that loads what it has dropped must not keep a row that it asked for before the drop.
 */
export interface Changes {
  /** While false news may be missing: take nothing as fresh for long. */
  readonly live: boolean;
  announce(sql: Sql, change: Change): Promise<void>;
  /** Returns what ends the subscription. `everything` comes whenever news may have been missed. */
  subscribe(listener: ChangeListener): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'tessera_changes';
const BEAT = 'beat';
const BEAT_INTERVAL_MS = 1000;
/** Two beats may fail. */
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
          log.error({ err: error, change }, 'a listener for changes failed');
        }
      }
    },
  };
};

/**
 * For the embedded database, where this process is alone. Listeners are told at once: whatever they read next
 * waits behind the transaction that made the change, because there is one connection.
 */
export const localChanges = (log: Log): Changes => {
  const { subscribe, tell } = createListeners(log);
  return {
    live: true,
    subscribe,
    announce: async (_, change) => tell(change),
    close: async () => {},
  };
};

/**
 * By NOTIFY and LISTEN. The listening connection sends itself a notification each second, so it is known to
 * work; when it closes or falls silent it is replaced, and listeners are told to drop everything. Resolves
 * after the first try, whether it succeeded or not.
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
    log.warn({ err }, 'not listening for changes');
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
    // LISTEN once more changes nothing on the same connection.
    const answered = sql.unsafe(`listen ${CHANNEL}; select pg_notify('${CHANNEL}', '${BEAT}')`).catch(lose);
    await Promise.race([answered, sleep(BEAT_INTERVAL_MS, null, { ref: false })]);
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
    async announce(sql, change) {
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(change)})`;
    },
    async close() {
      state = 'closed';
      clearTimeout(timer);
      await connection.sql.end({ timeout: 0 });
    },
  };
};
