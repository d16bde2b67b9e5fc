/** Counts in memory what visitors ask of domains in vain, and writes it now and then. */
import type { Database } from '../db/database.ts';
import { addUnknown, type UnknownRequests } from '../db/tables/domains/unknown-slugs.ts';
import { countLoopFailure } from '../execution/loops.ts';
import type { Log } from '../log.ts';

/** How long requests are only in memory; they are lost when the gateway is killed. */
const FLUSH_MS = 5000;
/** Slugs in memory, some 2 MB. Requests for others are counted together. */
const HELD_MAX = 10_000;
/** Longer ones, and those with other characters, are counted together. */
const COUNTED = /^[\x21-\x7e]{1,64}$/;

/** Counts requests for unknown slugs. */
export type UnknownSlugs = ReturnType<typeof startUnknownSlugs>;

/** Starts counting. @param sql Pending requests are written again when it fails. */
export const startUnknownSlugs = (sql: Database['sql'], log: Pick<Log, 'warn'>) => {
  let asked = new Map<string, UnknownRequests>();
  let writing: Promise<void> | null = null;

  const add = ({ domainId, slug, requests }: UnknownRequests): void => {
    const key = `${domainId}/${slug ?? ''}`;
    const known = asked.get(key);
    if (known === undefined && slug !== null && asked.size >= HELD_MAX)
      add({ domainId, slug: null, requests });
    else asked.set(key, { domainId, slug, requests: (known?.requests ?? 0) + requests });
  };

  const write = async (): Promise<void> => {
    const taken = [...asked.values()];
    asked = new Map();
    try {
      await addUnknown(sql, taken);
    } catch (err) {
      countLoopFailure('unknown_slugs');
      log.warn({ err }, 'requests for unknown slugs cannot be written; will retry');
      for (const each of taken) add(each);
    }
  };

  const flush = async (): Promise<void> => {
    await writing;
    if (asked.size === 0) return;
    writing = write();
    await writing;
    writing = null;
  };

  const timer = setInterval(() => void (writing === null && flush()), FLUSH_MS).unref();

  return {
    /** Counts a request for a slug that a domain does not know. */
    note: (domainId: string, slug: string): void =>
      add({ domainId, slug: COUNTED.test(slug) ? slug : null, requests: 1 }),
    /** Writes what is pending, if the database is there. */
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
};
