import { setTimeout as sleep } from 'node:timers/promises';

/** `RateLimit` of draft-ietf-httpapi-ratelimit-headers, section 4, as the gateway sends it. */
const USED_UP = /"(?:burst|key)";r=0;t=(\d+)/g;

/**
 * Decides when requests may be sent. All calls under way share one pace, because a limit that the gateway reports to
 * one of them applies to all.
 *
 * @param signal Aborted when the run is interrupted.
 */
export const createPace = (signal: AbortSignal) => {
  let untilMs = 0;
  /** Holds all requests back for at least this long. */
  const hold = (ms: number): void => {
    untilMs = Math.max(untilMs, performance.now() + ms);
  };
  return {
    hold,
    /** Reads the rate limits of account and key from an answer. When one is used up, all requests wait for its reset. */
    note(headers: Headers): void {
      for (const [, resetS] of (headers.get('ratelimit') ?? '').matchAll(USED_UP))
        hold(Number(resetS) * 1000);
    },
    /** Resolves when a request may be sent; rejects when the run is interrupted. */
    async turn(): Promise<void> {
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
export const readRetryAfterMs = (headers: Headers): number | null => {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
};
