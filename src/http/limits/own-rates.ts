import { LRUCache } from 'lru-cache';

/** The state of a counter after a request was counted. */
export interface Counted {
  /** Requests of the present window, this one included. */
  readonly requests: number;
  /** Milliseconds until the window ends. */
  readonly leftMs: number;
}

/** Counts a request under a name. */
export type OwnRates = (name: string) => Counted;

/** Names that are counted. Beyond that, the least recently used one is evicted and begins again at 0. */
const NAMES_MAX = 30_000;

/** Creates counters of this process alone, in fixed windows. */
export const createOwnRates = (windowMs: number): OwnRates => {
  // With `max`, it would allocate memory for all of them up front.
  const windows = new LRUCache<string, { readonly startedMs: number; requests: number }>({
    maxSize: NAMES_MAX,
    sizeCalculation: () => 1,
  });
  return (name) => {
    const nowMs = performance.now();
    let window = windows.get(name);
    if (window === undefined || window.startedMs + windowMs <= nowMs) {
      window = { startedMs: nowMs, requests: 0 };
      windows.set(name, window);
    }
    window.requests += 1;
    return { requests: window.requests, leftMs: windowMs - (nowMs - window.startedMs) };
  };
};
