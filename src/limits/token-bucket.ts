/** Token buckets: what a caller may spend at once, and how fast it comes back. */
import { LRUCache } from 'lru-cache';

export interface Rate {
  /** Tokens in a full bucket: what may be spent at once. */
  readonly capacity: number;
  /** Tokens that come back each second; above 0. */
  readonly perSecond: number;
}

export interface Bucket {
  /** Below zero after more was spent than was there. */
  readonly left: number;
  readonly atMs: number;
}

/** The bucket at a later time, never fuller than full. A clock that goes back adds nothing. */
export const refilled = ({ left, atMs }: Bucket, { capacity, perSecond }: Rate, nowMs: number): Bucket => ({
  left: Math.min(capacity, left + (Math.max(0, nowMs - atMs) * perSecond) / 1000),
  atMs: nowMs,
});

/** Milliseconds until the bucket has `amount` tokens, if nobody takes any; 0: it has them now. */
export const waitMs = ({ left }: Bucket, { perSecond }: Rate, amount: number): number =>
  Math.max(0, ((amount - left) * 1000) / perSecond);

export interface TokenBuckets {
  /** Milliseconds until the key's bucket has `amount` tokens; 0: now. Takes nothing. */
  waitMs(key: string, amount: number): number;
  /** Takes tokens, also those that are not there: then everyone waits until they have come back. */
  take(key: string, amount: number): void;
}

/**
 * A bucket for each key, full at first.
 *
 * @param maxKeys Keys remembered. The one unused for longest is forgotten, and its bucket is full again.
 */
export const createTokenBuckets = (rate: Rate, maxKeys: number): TokenBuckets => {
  const buckets = new LRUCache<string, Bucket>({ max: maxKeys });
  const bucketOf = (key: string): Bucket => {
    const nowMs = performance.now();
    return refilled(buckets.get(key) ?? { left: rate.capacity, atMs: nowMs }, rate, nowMs);
  };
  return {
    waitMs: (key, amount) => waitMs(bucketOf(key), rate, amount),
    take(key, amount) {
      const { left, atMs } = bucketOf(key);
      buckets.set(key, { left: left - amount, atMs });
    },
  };
};

/** Whole seconds for `Retry-After`: at least one. */
export const retryAfterS = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
