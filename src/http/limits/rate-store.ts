import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';

interface Window {
  readonly startedMs: number;
  count: number;
}

type Answer = (error: Error | null, state?: { current: number; ttl: number }) => void;

/** Keys counted at once; the one unused for longest is forgotten, and may then send its second again. */
const MAX_KEYS = 10_000;

/**
 * Counts in this process, in fixed windows. The store that comes with the plugin answers with its own mutable
 * record: requests that went on together after one look-up of their key all saw the last one's count, and all of
 * a burst was refused.
 */
export class MemoryRateStore implements FastifyRateLimitStore {
  readonly #windows = new LRUCache<string, Window>({ max: MAX_KEYS });

  #current(key: string, timeWindowMs: number): Window {
    const nowMs = performance.now();
    const kept = this.#windows.get(key);
    if (kept !== undefined && kept.startedMs + timeWindowMs > nowMs) return kept;
    const begun = { startedMs: nowMs, count: 0 };
    this.#windows.set(key, begun);
    return begun;
  }

  incr(key: string, answer: Answer, timeWindowMs: number): void {
    const window = this.#current(key, timeWindowMs);
    window.count += 1;
    answer(null, { current: window.count, ttl: window.startedMs + timeWindowMs - performance.now() });
  }

  read(key: string, answer: Answer, timeWindowMs: number): void {
    const window = this.#current(key, timeWindowMs);
    answer(null, { current: window.count, ttl: window.startedMs + timeWindowMs - performance.now() });
  }

  child(): MemoryRateStore {
    return new MemoryRateStore();
  }
}
