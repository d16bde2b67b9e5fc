import type { Database } from '../db/database.ts';
import { touchKeys } from '../db/tables/keys.ts';
import type { Log } from '../log.ts';

const FLUSH_MS = 10_000;
/** Beyond it the rest of the interval goes unnoted: a hint for people, not an account. */
const MAX_KEYS = 10_000;

export interface KeyUses {
  note(keyId: string): void;
  close(): Promise<void>;
}

/** Notes when keys were last used, many in one statement and off every request's path. */
export const startKeyUses = ({ sql }: Pick<Database, 'sql'>, log: Pick<Log, 'warn'>): KeyUses => {
  let uses = new Map<string, Date>();

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return;
    const flushed = uses;
    uses = new Map();
    await touchKeys(sql, flushed).catch((error: unknown) => {
      log.warn({ err: error, keys: flushed.size }, 'the last use of keys was not noted');
    });
  };

  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  return {
    note(keyId) {
      if (uses.size < MAX_KEYS) uses.set(keyId, new Date());
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
};
