import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';

interface Window {
  readonly startedMs: number;
  count: number;
}

type Answer = (error: Error | null, state?: { current: number; ttl: number }) => void;

/** Keys that are counted. Beyond that, the least recently used key is evicted and begins again at 0. */
const MAX_KEYS = 30_000;

/**
 * A store that counts in this process, in fixed windows. The plugin's own store answers with its mutable record. With
 * it, requests that waited for the same look-up of a key all saw the last one's count, and a whole burst was refused.
 */
export class MemoryRateStore implements FastifyRateLimitStore {
  // With `max`, it would allocate memory for all of them up front.
  readonly #windows = new LRUCache<string, Window>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });

  incr(key: string, answer: Answer, timeWindowMs: number): void {
    const nowMs = performance.now();
    let window = this.#windows.get(key);
    if (window === undefined || window.startedMs + timeWindowMs <= nowMs) {
      window = { startedMs: nowMs, count: 0 };
      this.#windows.set(key, window);
    }
    window.count += 1;
    answer(null, { current: window.count, ttl: timeWindowMs - (nowMs - window.startedMs) });
  }

  child(): MemoryRateStore {
    return new MemoryRateStore();
  }
}
