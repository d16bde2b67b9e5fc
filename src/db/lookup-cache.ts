import { LRUCache } from 'lru-cache';
import type { Log } from '../log.ts';
import { within } from '../time-limit.ts';
import { databaseFault } from './faults.ts';

export interface LookupCacheOptions<V> {
  /** `null`: there is no such thing. Throws when the database can't be asked. */
  load(key: string): Promise<V | null>;
  /** No caller waits longer for a load. */
  readonly loadTimeoutMs: number;
  /** While loads fail, one is tried this often, and nobody else waits. */
  readonly retryMs: number;
  /** Known entries kept; as many unknown ones, so that a flood of these drives none of those out. */
  readonly max: number;
  /** For how long an entry is used without asking again. */
  freshMs(): number;
  /** For how long "no such thing" is used without asking again. */
  readonly unknownMs: number;
  /** For how long an entry may still be used while the database is away. */
  readonly staleMs: number;
}

export interface LookupCache<V> {
  /** @throws When the database can't be asked and nothing usable is cached. */
  get(key: string): Promise<V | null>;
  /** Whether something is cached for the key, so that `get` asks nothing new of the database. */
  has(key: string): boolean;
  /** Forgets the entries that match; all "no such thing" answers are forgotten too. */
  drop(matches: (key: string, value: V) => boolean): void;
  /** News may have been missed: everything is asked for again, and used only while the database is away. */
  expire(): void;
  /** A hit asked nothing of the database. */
  stats(): { readonly entries: number; readonly hits: number; readonly misses: number };
}

interface Entry<V> {
  readonly value: V;
  readonly loadedMs: number;
  /** False once news came that may be about it: then it is used only while the database is away. */
  current: boolean;
}

const away = (): Error => databaseFault('DATABASE_SILENT', 'the database gives no answer at the moment');

/** A look-up that is asked once at a time for each key and outlives an outage of the database. */
export const createLookupCache = <V extends object>(
  options: LookupCacheOptions<V>,
  log: Log,
): LookupCache<V> => {
  const known = new LRUCache<string, Entry<V>>({ max: options.max });
  const unknown = new LRUCache<string, true>({ max: options.max, ttl: options.unknownMs });
  const loads = new Map<string, Promise<V | null>>();
  /** Grows with all news: what was asked for before is asked for again. */
  let generation = 0;
  let failing = false;
  let retryAtMs = 0;
  let lookups = 0;
  let misses = 0;

  const noteAway = (err: unknown) => {
    if (!failing) log.warn({ err }, 'keys cannot be looked up: known ones are served from memory');
    failing = true;
    retryAtMs = performance.now() + options.retryMs;
  };

  const noteBack = () => {
    if (failing) log.info({}, 'keys can be looked up again');
    failing = false;
  };

  const load = async (key: string): Promise<V | null> => {
    const begun = generation;
    const value = await options.load(key);
    noteBack();
    const current = begun === generation;
    if (value !== null) known.set(key, { value, loadedMs: performance.now(), current });
    else if (current) {
      known.delete(key);
      unknown.set(key, true);
    }
    return value;
  };

  const loadOnce = (key: string): Promise<V | null> => {
    const under = loads.get(key);
    if (under !== undefined) return under;
    const started = load(key).finally(() => {
      if (loads.get(key) === started) loads.delete(key);
    });
    loads.set(key, started);
    return started;
  };

  const ask = async (key: string): Promise<V | null> => {
    try {
      return await within(loadOnce(key), options.loadTimeoutMs, away);
    } catch (error) {
      noteAway(error);
      throw error;
    }
  };

  /** Of many callers while the database is away, the one that tries whether it is back. */
  const isProbe = (): boolean => {
    if (performance.now() < retryAtMs) return false;
    retryAtMs = performance.now() + options.retryMs;
    return true;
  };

  const forget = () => {
    generation += 1;
    loads.clear();
    unknown.clear();
  };

  return {
    async get(key) {
      lookups += 1;
      if (unknown.has(key)) return null;
      const cached = known.get(key);
      const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : performance.now() - cached.loadedMs;
      if (cached?.current && ageMs < options.freshMs()) return cached.value;
      const stale = cached !== undefined && ageMs < options.staleMs ? cached.value : null;
      if (failing && stale !== null) {
        // Its failure is noted where it occurs.
        if (isProbe()) ask(key).catch(() => {});
        return stale;
      }
      misses += 1;
      if (failing && !isProbe()) throw away();
      return ask(key).catch((error: unknown) => {
        if (stale === null) throw error;
        return stale;
      });
    },
    has: (key) => known.has(key) || unknown.has(key),
    drop(matches) {
      forget();
      for (const [key, { value }] of known.entries()) if (matches(key, value)) known.delete(key);
    },
    expire() {
      forget();
      for (const entry of known.values()) entry.current = false;
    },
    stats: () => ({ entries: known.size, hits: lookups - misses, misses }),
  };
};
