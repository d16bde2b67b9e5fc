import { LRUCache } from 'lru-cache';
import type { Log } from './log.ts';
import { within } from './time-limit.ts';

export interface OutageCacheOptions<V> {
  /** What is looked up, in the words of the log: `keys`. */
  readonly what: string;
  /** `null`: there is no such thing. Throws when the database can't be asked. */
  load(key: string): Promise<V | null>;
  /**
   * Values that count like "no such thing": fresh for `unknownMs` only, never used through an outage, and kept apart,
   * so that a flood of them drives out no others. Absent: none.
   */
  isNegative?(value: V): boolean;
  /** Whether a value that was asked for then is out of date, beyond what `outdate` was told. Absent: never. */
  isOutdated?(value: V, askedMs: number): boolean;
  /** Whether news of changes arrive; while they may be missing, nothing is fresh for longer than `freshWithoutNewsMs`. */
  isLive(): boolean;
  /** Values kept; as many negative answers. */
  readonly max: number;
  /** For how long an answer is used without asking again. */
  readonly freshMs: number;
  readonly unknownMs: number;
  readonly freshWithoutNewsMs: number;
  /** For how long a value may be used when the database can't be asked. */
  readonly staleMs: number;
  /** Loads under way; further ones fail at once. */
  readonly maxLoads: number;
  /** No caller waits longer for a load. */
  readonly loadTimeoutMs: number;
  /** Nor does one wait longer than this who can have a value that no news has outdated. */
  readonly refreshTimeoutMs: number;
  /** While loads fail, one is tried this often in the background. */
  readonly retryMs: number;
  /**
   * While loads fail: `ask`: whoever finds no value, or an outdated one, asks all the same. `spare`: nobody waits but
   * the one who tries every `retryMs`; others get what is there, outdated or not, or an error at once.
   */
  readonly whileFailing: 'ask' | 'spare';
}

export interface OutageCache<V> {
  /** The answer in memory while it is fresh; `undefined` when the database is to be asked. */
  peek(key: string): V | null | undefined;
  /** @throws When the database can't be asked in time and no usable value is cached. */
  get(key: string): Promise<V | null>;
  /** Whether a value, fresh or not, or a fresh negative answer is cached. */
  has(key: string): boolean;
  /** The key's answer may have changed. Its value is used only when the database can't be asked. */
  outdate(key: string): void;
  /** News may have been missed: as `outdate`, for all keys. */
  outdateAll(): void;
  /** Forgets the values that match, and all negative answers. */
  drop(matches: (value: V) => boolean): void;
  /** Values kept, and look-ups by whether they asked the database. */
  stats(): { readonly entries: number; readonly hits: number; readonly misses: number };
}

/** Times are the machine's monotonic clock. */
interface Entry<V> {
  readonly value: V | null;
  readonly isNegative: boolean;
  readonly askedMs: number;
  /** False once news came that may be about it. */
  current: boolean;
}

interface Load<V> {
  readonly entry: Promise<Entry<V>>;
  /** False once news came: nobody joins it any more, and what it finds is outdated. */
  current: boolean;
  /** False once something was dropped, which may be what it finds. */
  isKept: boolean;
}

/**
 * Look-ups in memory in front of the database, which outlive its outage. The database is asked once at a time for a
 * key, bounded in time and number. An answer that comes too late for those who waited is kept; one that was asked for
 * before another never replaces it.
 */
export const createOutageCache = <V extends object>(
  options: OutageCacheOptions<V>,
  log: Pick<Log, 'info' | 'warn'>,
): OutageCache<V> => {
  const { what, isNegative = () => false, isOutdated = () => false, whileFailing } = options;
  const known = new LRUCache<string, Entry<V>>({ max: options.max });
  const negative = new LRUCache<string, Entry<V>>({ max: options.max });
  const loads = new Map<string, Load<V>>();
  let underWay = 0;
  let failing = false;
  let retryAtMs = 0;
  let hits = 0;
  let misses = 0;

  const noteFailure = (err: unknown) => {
    if (!failing) log.warn({ err }, `${what} cannot be looked up: known ones are served from memory`);
    failing = true;
    retryAtMs = performance.now() + options.retryMs;
  };

  const noteSuccess = () => {
    if (failing) log.info({}, `${what} can be looked up again`);
    failing = false;
  };

  /** Of many callers while loads fail, the one that tries whether the database is back. */
  const isProbe = (): boolean => {
    if (performance.now() < retryAtMs) return false;
    retryAtMs = performance.now() + options.retryMs;
    return true;
  };

  const keep = (key: string, entry: Entry<V>) => {
    const kept = known.peek(key) ?? negative.peek(key);
    if (kept && kept.askedMs > entry.askedMs) return;
    const [home, other] = entry.isNegative ? [negative, known] : [known, negative];
    home.set(key, entry);
    other.delete(key);
  };

  const load = async (key: string, self: () => Load<V>): Promise<Entry<V>> => {
    const askedMs = performance.now();
    underWay += 1;
    try {
      const value = await options.load(key);
      noteSuccess();
      const isNone = value === null || isNegative(value);
      const { current, isKept } = self();
      const entry = { value, isNegative: isNone, askedMs, current };
      if (isKept) keep(key, entry);
      return entry;
    } finally {
      underWay -= 1;
    }
  };

  const begin = (key: string): Load<V> => {
    if (underWay >= options.maxLoads) throw new Error(`${underWay} look-ups are under way`);
    const begun: Load<V> = { current: true, isKept: true, entry: load(key, () => begun) };
    loads.set(key, begun);
    const end = () => {
      if (loads.get(key) === begun) loads.delete(key);
    };
    begun.entry.then(end, end);
    return begun;
  };

  const ask = async (key: string, timeoutMs: number): Promise<V | null> => {
    try {
      const joined = loads.get(key);
      const { entry } = joined?.current ? joined : begin(key);
      const asked = await within(entry, timeoutMs, () => new Error(`no answer within ${timeoutMs} ms`));
      return asked.value;
    } catch (error) {
      noteFailure(error);
      throw error;
    }
  };

  const isFresh = (entry: Entry<V>): boolean => {
    const { value, askedMs, current } = entry;
    const freshMs = entry.isNegative ? options.unknownMs : options.freshMs;
    const ageMs = performance.now() - askedMs;
    if (!current || ageMs >= (options.isLive() ? freshMs : options.freshWithoutNewsMs)) return false;
    return value === null || !isOutdated(value, askedMs);
  };

  const peek = (key: string): V | null | undefined => {
    const kept = known.get(key) ?? negative.get(key);
    if (kept === undefined || !isFresh(kept)) return undefined;
    hits += 1;
    return kept.value;
  };

  const usableOf = (kept: Entry<V> | undefined): V | null =>
    kept !== undefined && performance.now() - kept.askedMs < options.staleMs ? kept.value : null;

  return {
    peek,
    async get(key) {
      const fresh = peek(key);
      if (fresh !== undefined) return fresh;
      const kept = known.get(key);
      const usable = usableOf(kept);
      const isUnchanged = usable !== null && kept?.current === true;
      if (failing && usable !== null && (isUnchanged || whileFailing === 'spare')) {
        hits += 1;
        // A failure is noted where it occurs.
        if (isProbe()) ask(key, options.loadTimeoutMs).catch(() => {});
        return usable;
      }
      misses += 1;
      if (failing && whileFailing === 'spare' && !isProbe()) {
        throw new Error(`${what} cannot be looked up at the moment`);
      }
      const timeoutMs = isUnchanged ? options.refreshTimeoutMs : options.loadTimeoutMs;
      return ask(key, timeoutMs).catch((error: unknown) => {
        if (usable === null) throw error;
        return usable;
      });
    },
    has(key) {
      const none = negative.peek(key);
      return known.has(key) || (none !== undefined && isFresh(none));
    },
    outdate(key) {
      const load = loads.get(key);
      if (load) load.current = false;
      const kept = known.peek(key);
      if (kept) kept.current = false;
      negative.delete(key);
    },
    outdateAll() {
      for (const load of loads.values()) load.current = false;
      for (const kept of known.values()) kept.current = false;
      negative.clear();
    },
    drop(matches) {
      for (const load of loads.values()) {
        load.current = false;
        load.isKept = false;
      }
      for (const [key, { value }] of known.entries()) {
        if (value !== null && matches(value)) known.delete(key);
      }
      negative.clear();
    },
    stats: () => ({ entries: known.size, hits, misses }),
  };
};
