import { setTimeout as sleep } from 'node:timers/promises';

/** Decides when requests may be sent. */
export interface Pace {
  /** Holds all requests back for at least this long. */
  hold(ms: number): void;
  /** Reads the rate limits of account and key from an answer. When one is used up, all requests wait for its reset. */
  note(headers: Headers): void;
  /** Resolves when a request may be sent; rejects when the run is interrupted. */
  turn(): Promise<void>;
}

/** `RateLimit` of draft-ietf-httpapi-ratelimit-headers, section 4, as the gateway sends it. */
const USED_UP = /"(?:burst|key)";r=0;t=(\d+)/g;

/**
 * Makes one pace for all calls under way, because what the gateway tells one of them holds for all.
 *
 * @param signal Aborted when the run is interrupted.
 */
export const createPace = (signal: AbortSignal): Pace => {
  let untilMs = 0;
  const hold = (ms: number): void => {
    untilMs = Math.max(untilMs, performance.now() + ms);
  };
  return {
    hold,
    note(headers) {
      for (const [, resetS] of (headers.get('ratelimit') ?? '').matchAll(USED_UP))
        hold(Number(resetS) * 1000);
    },
    async turn() {
      for (let leftMs = untilMs - performance.now(); leftMs > 0; leftMs = untilMs - performance.now()) {
        await sleep(leftMs, undefined, { signal });
      }
      signal.throwIfAborted();
    },
  };
};

/**
 * Returns the milliseconds of a `Retry-After` (RFC 9110, 10.2.3: seconds or a date). `null` when it is missing or
 * malformed.
 */
export const retryAfterMs = (headers: Headers): number | null => {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
};
