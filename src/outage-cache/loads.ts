import { LRUCache } from 'lru-cache';
import type { Log } from '../log.ts';

/** An answer of the database. Times are those of the monotonic clock. */
export interface Entry<V> {
  readonly value: V | null;
  readonly isNegative: boolean;
  readonly askedMs: number;
  /** Whether a copy of the database gave it, which may be behind: it is never fresh. */
  readonly isCopy: boolean;
  /** False once news has arrived that may be about it. */
  current: boolean;
}

/** Negative answers expire soon. */
const NEGATIVE_MAX = 10_000;

/**
 * Creates an empty memory. Values and negative answers are kept apart, so that many of these evict no values.
 *
 * @param max Greatest number of values; of negative answers too, but at most 10,000.
 * @param sizeOf As how many values one counts.
 */
export const createEntries = <V extends object>(max: number, sizeOf: (value: V) => number) => {
  // With `max`, a cache would allocate all its entries when it is made, which takes 16 ms.
  const sizeCalculation = ({ value }: Entry<V>) => (value === null ? 1 : sizeOf(value));
  const known = new LRUCache<string, Entry<V>>({ maxSize: max, sizeCalculation });
  const negative = new LRUCache<string, Entry<V>>({ maxSize: Math.min(max, NEGATIVE_MAX), sizeCalculation });
  return {
    /** Returns the key's value or negative answer. */
    find: (key: string) => known.get(key) ?? negative.get(key),
    /** Returns the key's value, but no negative answer. */
    findValue: (key: string) => known.get(key),
    /** Whether the key has a value. Asking does not count as a use. */
    hasValue: (key: string) => known.has(key),
    /** Returns the key's negative answer. This does not count as a use. */
    peekNegative: (key: string) => negative.peek(key),
    /** Keeps an answer, unless the one in memory was asked for later. */
    keep(key: string, entry: Entry<V>): void {
      const kept = known.peek(key) ?? negative.peek(key);
      if (kept && kept.askedMs > entry.askedMs) return;
      const [home, other] = entry.isNegative ? [negative, known] : [known, negative];
      home.set(key, entry);
      other.delete(key);
    },
    /** Marks the key's value as out of date, and forgets its negative answer. */
    outdate(key: string): void {
      const kept = known.peek(key);
      if (kept) kept.current = false;
      negative.delete(key);
    },
    /** Does the same for all keys. */
    outdateAll(): void {
      for (const kept of known.values()) kept.current = false;
      negative.clear();
    },
    /** Forgets the values that match, and all negative answers. */
    drop(matches: (value: V) => boolean): void {
      for (const [key, { value }] of known.entries()) {
        if (value !== null && matches(value)) known.delete(key);
      }
      negative.clear();
    },
    get size(): number {
      return known.size;
    },
  };
};

/** How values are loaded, and how many loads may run. */
interface LoadOptions<V> {
  /** Asks the database. Returns `null` when it has no such thing, and throws when it is unavailable. */
  load(key: string): Promise<V | null>;
  /** Whether a value counts as a negative answer, like `null`. */
  isNegative(value: V): boolean;
  /** Called when the database has answered. */
  onAnswer(): void;
  /** Called with each answer that may be kept, also with one that nobody waits for. */
  keep(key: string, entry: Entry<V>): void;
  /** Whether a copy of the database is asked. */
  readonly isCopy: boolean;
  /** Greatest number of loads in flight. */
  readonly max: number;
}

interface Load<V> {
  readonly entry: Promise<Entry<V>>;
  /** False once news has arrived: nobody joins the load, and what it finds is outdated. */
  current: boolean;
  /** False once values were dropped, because what it finds may be one of them. */
  isKept: boolean;
}

/** Loads in flight; see `createLoads`. */
export type Loads<V extends object> = ReturnType<typeof createLoads<V>>;

/** Creates the loads of one cache. At most one current load runs for a key. */
export const createLoads = <V extends object>(options: LoadOptions<V>) => {
  const loads = new Map<string, Load<V>>();
  let underWay = 0;

  const load = async (key: string, self: () => Load<V>): Promise<Entry<V>> => {
    const askedMs = performance.now();
    underWay += 1;
    try {
      const value = await options.load(key);
      options.onAnswer();
      const isNegative = value === null || options.isNegative(value);
      const { current, isKept } = self();
      const entry = { value, isNegative, askedMs, isCopy: options.isCopy, current };
      if (isKept) options.keep(key, entry);
      return entry;
    } finally {
      underWay -= 1;
    }
  };

  const begin = (key: string): Load<V> => {
    if (underWay >= options.max) throw new Error(`${underWay} look-ups are under way`);
    const begun: Load<V> = { current: true, isKept: true, entry: load(key, () => begun) };
    loads.set(key, begun);
    const end = () => {
      if (loads.get(key) === begun) loads.delete(key);
    };
    begun.entry.then(end, end);
    return begun;
  };

  return {
    /** Returns the answer of the key's current load, and begins one if there is none. @throws When too many run. */
    join(key: string): Promise<Entry<V>> {
      const joined = loads.get(key);
      return (joined?.current ? joined : begin(key)).entry;
    },
    /** Notes news about the key: nobody joins its load afterwards, and what that load finds is outdated. */
    outdate(key: string): void {
      const load = loads.get(key);
      if (load) load.current = false;
    },
    /** Does the same for all keys. */
    outdateAll(): void {
      for (const load of loads.values()) load.current = false;
    },
    /** Outdates all loads after values were dropped, and keeps nothing that they find: it may be one of those values. */
    disown(): void {
      for (const load of loads.values()) {
        load.current = false;
        load.isKept = false;
      }
    },
  };
};

/** Whether loads fail at the moment, and when one is tried again. */
export type Outage = ReturnType<typeof watchOutage>;

/**
 * Tracks whether the loads of one cache fail.
 *
 * @param what What is looked up, as the log calls it, for example `keys`.
 */
export const watchOutage = (what: string, retryMs: number, log: Pick<Log, 'info' | 'warn'>) => {
  let failing = false;
  let retryAtMs = 0;
  return {
    get failing(): boolean {
      return failing;
    },
    /** Notes that a load failed or took too long. The first of an outage is logged. */
    noteFailure(err: unknown): void {
      if (!failing) log.warn({ err }, `${what} cannot be looked up; serving cached ones`);
      failing = true;
      retryAtMs = performance.now() + retryMs;
    },
    /** Notes that a load succeeded. The end of an outage is logged. */
    noteSuccess(): void {
      if (failing) log.info({}, `${what} can be looked up again`);
      failing = false;
    },
    /** While loads fail: true for one caller every `retryMs`, which tries whether the database is back. */
    isProbe(): boolean {
      if (performance.now() < retryAtMs) return false;
      retryAtMs = performance.now() + retryMs;
      return true;
    },
  };
};
