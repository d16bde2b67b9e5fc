/** Token buckets: what a caller may spend at once, and how fast it comes back. */
import { LRUCache } from 'lru-cache';

/** The size of a bucket and how fast it fills. */
export interface Rate {
  /** Tokens in a full bucket: what may be spent at once. */
  readonly capacity: number;
  /** Tokens that come back each second; above 0. */
  readonly perSecond: number;
}

/** The state of a bucket at one moment, on a clock in milliseconds. */
export interface Bucket {
  /** Tokens. The number is negative after more were taken than were there. */
  readonly left: number;
  readonly atMs: number;
}

/** Returns the bucket at `nowMs`, at most full. A clock that steps back adds nothing. */
export const refill = ({ left, atMs }: Bucket, { capacity, perSecond }: Rate, nowMs: number): Bucket => ({
  left: Math.min(capacity, left + (Math.max(0, nowMs - atMs) * perSecond) / 1000),
  atMs: nowMs,
});

/** Returns the milliseconds until the bucket has `amount` tokens if none are taken; 0: it has them. */
export const waitMs = ({ left }: Bucket, { perSecond }: Rate, amount: number): number =>
  Math.max(0, ((amount - left) * 1000) / perSecond);

/**
 * Creates the buckets, each full at first.
 *
 * @param maxKeys Keys remembered. Beyond that, the least recently used bucket is evicted, and starts full again.
 */
export const createTokenBuckets = (rate: Rate, maxKeys: number) => {
  // With `max`, it would allocate memory for all of them up front.
  const buckets = new LRUCache<string, Bucket>({ maxSize: maxKeys, sizeCalculation: () => 1 });
  const bucketOf = (key: string): Bucket => {
    const nowMs = performance.now();
    return refill(buckets.get(key) ?? { left: rate.capacity, atMs: nowMs }, rate, nowMs);
  };
  return {
    /** Returns how many keys have a negative number of tokens at the moment. */
    overdrawn(): number {
      const nowMs = performance.now();
      let count = 0;
      for (const bucket of buckets.values()) if (refill(bucket, rate, nowMs).left < 0) count += 1;
      return count;
    },
    /** Returns the milliseconds until the key's bucket has `amount` tokens; 0: it has them. Takes none. */
    waitMs: (key: string, amount: number): number => waitMs(bucketOf(key), rate, amount),
    /** Takes tokens, even more than are there. The bucket then has a negative number of tokens, and fills from there. */
    take(key: string, amount: number): void {
      const { left, atMs } = bucketOf(key);
      buckets.set(key, { left: left - amount, atMs });
    },
  };
};

/** Rounds milliseconds up to whole seconds for `Retry-After`; at least 1. */
export const retryAfterS = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
