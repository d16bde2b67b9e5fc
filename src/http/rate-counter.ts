/** Counters of requests in fixed windows, in this process or in Redis for all gateways. */
import { LRUCache } from 'lru-cache';
import type { Log } from '../db/client.ts';
import { rateKeys } from '../quota/keys.ts';
import type { QuotaRedis } from '../quota/scripts.ts';

/** What a request counts against. */
export interface Counted {
  readonly accountId: string;
  /** Requests a second of the account; `null`: without limit. */
  readonly accountMax: number | null;
  readonly keyId: string;
  /** Requests a second of the key itself; `null`: it has no limit of its own. */
  readonly keyMax: number | null;
}

export interface State {
  /** `key`: the key's own limit; `burst`: the account's. */
  readonly policy: 'key' | 'burst';
  readonly max: number;
  readonly count: number;
  /** Until the window ends. */
  readonly leftMs: number;
}

/**
 * Counts a request against its limits, the key's before the account's; one that its key's limit refuses is not
 * counted for the account, so that a key in everyone's hands can't use up the account's second.
 */
export type Count = (request: Counted) => Promise<readonly State[]>;

export const WINDOW_MS = 1000;

interface Limit {
  readonly policy: State['policy'];
  readonly id: string;
  readonly max: number;
}

const limitsOf = ({ accountId, accountMax, keyId, keyMax }: Counted): readonly Limit[] => {
  const keys = rateKeys(accountId, keyId);
  const ofAccount =
    accountMax === null ? [] : [{ policy: 'burst', id: keys.account, max: accountMax } as const];
  return keyMax === null ? ofAccount : [{ policy: 'key', id: keys.key, max: keyMax } as const, ...ofAccount];
};

/** Windows counted at once; the one unused for longest is forgotten, and may then begin again. */
const MAX_WINDOWS = 20_000;

interface Window {
  readonly startedMs: number;
  count: number;
}

/** Counts in this process. */
export const countHere = (): Count => {
  const windows = new LRUCache<string, Window>({ max: MAX_WINDOWS });

  const windowOf = (id: string, nowMs: number): Window => {
    const kept = windows.get(id);
    if (kept !== undefined && kept.startedMs + WINDOW_MS > nowMs) return kept;
    const begun = { startedMs: nowMs, count: 0 };
    windows.set(id, begun);
    return begun;
  };

  return async (request) => {
    const nowMs = performance.now();
    const states: State[] = [];
    for (const { policy, id, max } of limitsOf(request)) {
      const window = windowOf(id, nowMs);
      window.count += 1;
      states.push({ policy, max, count: window.count, leftMs: window.startedMs + WINDOW_MS - nowMs });
      if (window.count > max) break;
    }
    return states;
  };
};

/** Counts in Redis, in one round trip whatever the limits. Throws when it can't be reached. */
export const countInRedis =
  (redis: QuotaRedis): Count =>
  async (request) => {
    const limits = limitsOf(request);
    const ids = limits.map(({ id }) => id);
    const answer = await redis.rateCount(ids.length, ...ids, WINDOW_MS, ...limits.map(({ max }) => max));
    return limits.slice(0, answer.length / 2).map(({ policy, max }, index) => ({
      policy,
      max,
      count: answer[2 * index]!,
      leftMs: answer[2 * index + 1]!,
    }));
  };

/** After a failure so long goes by before one request asks Redis again. */
const RETRY_MS = 1000;

/** Counts with the other gateways, or alone while Redis is away: a limit must neither fail nor hold up a call. */
export const preferShared = (shared: Count, own: Count, log: Log): Count => {
  let failing = false;
  let retryAtMs = 0;
  return async (request) => {
    if (failing && performance.now() < retryAtMs) return own(request);
    // While it fails, whoever comes now is the one that tries.
    retryAtMs = performance.now() + RETRY_MS;
    try {
      const states = await shared(request);
      if (failing) log.info({}, 'the gateways count requests together again');
      failing = false;
      return states;
    } catch (err) {
      if (!failing) log.warn({ err }, 'Redis is away: each gateway counts requests for itself');
      failing = true;
      return own(request);
    }
  };
};
