import type { Log } from '../log.ts';
import type { Sql } from './client.ts';
import { whenCommitted } from './pool.ts';

/**
 * What caches must drop: one key, account, session or signing secret (by UUID), the presets of an account (by its
 * UUID), one link (by its slug, with its domain in front where that is an own one), all links of an account (by its UUID), one item of the resolver (by its path), what is served at a host (by the host), or
 * everything, which only a gateway tells itself when it may have missed news: no account may make others pay.
 */
export type Change =
  | {
      readonly kind:
        | 'key'
        | 'account'
        | 'session'
        | 'link'
        | 'links-of'
        | 'item'
        | 'preset'
        | 'signing-secret'
        | 'domain';
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

/** The subscribers of one process. */
export const createListeners = (log: Log) => {
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
