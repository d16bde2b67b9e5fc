import { LRUCache } from 'lru-cache';
import type { Log } from './log.ts';
import { within } from './time-limit.ts';

/** What is looked up, and the bounds of the cache in time and number. */
export interface OutageCacheOptions<V> {
  /** What is looked up, as the log calls it, for example `keys`. */
  readonly what: string;
  /** Asks the database. Returns `null` when it has no such thing, and throws when it is unavailable. */
  load(key: string): Promise<V | null>;
  /**
   * Whether a value counts as a negative answer, like `null`. Negative answers are fresh for `unknownMs` only, are
   * never used while the database is unavailable, and are kept apart, so that many of them drive out no values. Absent:
   * never.
   */
  isNegative?(value: V): boolean;
  /**
   * Whether a value that was asked for at `askedMs` is out of date for another reason than `outdate`. Absent: never.
   */
  isOutdated?(value: V, askedMs: number): boolean;
  /** Whether news of changes arrives. While some may be missing, answers are fresh for `freshWithoutNewsMs` only. */
  isLive(): boolean;
  /** Greatest number of values, and of negative answers. */
  readonly max: number;
  /** How long a value is used without asking again. */
  readonly freshMs: number;
  /** How long a negative answer is used without asking again. */
  readonly unknownMs: number;
  readonly freshWithoutNewsMs: number;
  /** How long a value may be used while the database is unavailable. */
  readonly staleMs: number;
  /** Greatest number of loads under way. Further ones fail at once. */
  readonly maxLoads: number;
  /** Longest wait for a load. */
  readonly loadTimeoutMs: number;
  /** Longest wait of a caller when memory holds a value for it that no news has outdated. */
  readonly refreshTimeoutMs: number;
  /** How often a load is tried in the background while loads fail. */
  readonly retryMs: number;
  /**
   * What callers do while loads fail. `ask`: a caller without a value, or with an outdated one, still asks the
   * database. `spare`: only one caller every `retryMs` asks; others get the value in memory, outdated or not, or an
   * error at once.
   */
  readonly whileFailing: 'ask' | 'spare';
}

/** Look-ups that outlive an outage of the database. */
export interface OutageCache<V> {
  /** Returns the answer from memory while it is fresh; `undefined` when the database must be asked. */
  peek(key: string): V | null | undefined;
  /** Returns the answer. @throws When the database gives none in time and no value in memory is usable. */
  get(key: string): Promise<V | null>;
  /** Whether a value, fresh or not, or a fresh negative answer is in memory. */
  has(key: string): boolean;
  /** Notes that the key's answer may have changed. Its value is then used only while the database is unavailable. */
  outdate(key: string): void;
  /** Does the same for all keys: call it when news may have been missed. */
  outdateAll(): void;
  /** Forgets the values that match, and all negative answers. */
  drop(matches: (value: V) => boolean): void;
  /** Values in memory, and look-ups that were answered from it (`hits`) or asked the database (`misses`). */
  stats(): { readonly entries: number; readonly hits: number; readonly misses: number };
}

/** Times are those of the monotonic clock. */
interface Entry<V> {
  readonly value: V | null;
  readonly isNegative: boolean;
  readonly askedMs: number;
  /** False once news has arrived that may be about it. */
  current: boolean;
}

interface Load<V> {
  readonly entry: Promise<Entry<V>>;
  /** False once news has arrived: nobody joins the load any more, and what it finds is outdated. */
  current: boolean;
  /** False once values were dropped, because what it finds may be one of them. */
  isKept: boolean;
}

/**
 * Makes a cache in front of the database that outlives its outage. At most one current load runs for a key, and the
 * number of loads is bounded. A caller waits for a bounded time, but an answer that arrives later is kept. An answer
 * never replaces one that was asked for later.
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

  /** While loads fail: true for one caller every `retryMs`, which tries whether the database is back. */
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
        // `ask` has noted the failure.
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
