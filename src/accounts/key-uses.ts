import type { Database } from '../db/database.ts';
import { touchKeys } from '../db/tables/keys.ts';
import type { Log } from '../log.ts';

const FLUSH_MS = 10_000;
/** Maximum keys recorded per interval. Uses of further keys are lost: `last_used_at` is only a hint for people. */
const MAX_KEYS = 10_000;

/** Starts recording. One statement every ten seconds writes all recorded uses, so no request waits for it. */
export const startKeyUses = ({ sql }: Pick<Database, 'sql'>, log: Pick<Log, 'warn'>) => {
  let uses = new Map<string, Date>();

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return;
    const flushed = uses;
    uses = new Map();
    await touchKeys(sql, flushed).catch((error: unknown) => {
      log.warn({ err: error, keys: flushed.size }, 'last uses of keys not recorded; will retry');
    });
  };

  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  return {
    /** Records a use as of now; never waits and never throws. */
    note(keyId: string): void {
      if (uses.size < MAX_KEYS) uses.set(keyId, new Date());
    },
    /** Flushes the recorded uses. */
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
};
