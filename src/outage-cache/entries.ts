import { LRUCache } from 'lru-cache';

/** An answer of the database. Times are those of the monotonic clock. */
export interface Entry<V> {
  readonly value: V | null;
  readonly isNegative: boolean;
  readonly askedMs: number;
  /** False once news has arrived that may be about it. */
  current: boolean;
}

/** The answers in memory; see `createEntries`. */
export type Entries<V extends object> = ReturnType<typeof createEntries<V>>;

/** Negative answers expire soon. */
const NEGATIVE_MAX = 10_000;

/**
 * Creates an empty memory. Values and negative answers are kept apart, so that many of these evict no values.
 *
 * @param max Greatest number of values; of negative answers too, but at most 10,000.
 */
export const createEntries = <V extends object>(max: number) => {
  // With `max`, a cache would allocate all its entries when it is made, which takes 16 ms.
  const sizeCalculation = () => 1;
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
