import rateLimit, { type FastifyRateLimitStore, type RateLimitPluginOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../../db/tables/accounts/keys.ts';
import { AppError, type MonthlyPolicy } from '../../errors.ts';
import { retryAfterS as inSeconds } from '../../limits/token-bucket.ts';
import type { Log } from '../../log.ts';
import { RATE_PREFIX } from '../../quota/redis/keys.ts';
import { principalOf } from '../auth/auth.ts';
import { signerOf } from '../auth/signature.ts';
import { connectRates, storeOn } from './shared-rates.ts';

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

/** The limit of requests a second, by account and by key. */
export interface RateLimit {
  /**
   * A hook that must run after the authentication hook. It counts the request against its key and the makers of that,
   * if they have a limit of their own, and against its account, and sends the `RateLimit` headers. Refuses with 429.
   */
  readonly hook: onRequestHookHandler;
  /**
   * A hook that must run after the signature of a picture was checked. It counts the request against the account that
   * signed it, apart from the account's calls, so that a page's visitors cannot use up their limit; and against the
   * limits of the key that made the secret, like a call of that key. Refuses with 429.
   */
  readonly pictureHook: onRequestHookHandler;
  /** Disconnects from Redis. */
  close(): void;
}

/** The account's limit, and where requests are counted. */
interface RateLimitOptions {
  /** Requests a second of an account over all its keys and sessions; 0: only the limits of keys apply. */
  readonly rateLimitPerSecond: number;
  /** The Redis in which all gateways count together; `null`: each counts for itself. */
  readonly redisUrl: string | null;
}

/** The state of one limit after a request was counted. */
interface RateState {
  /**
   * `key`: the key's own limit; `maker`: that of a key that made it; `burst`: that of the account's calls; `pictures`:
   * that of its signed pictures.
   */
  readonly policy: 'key' | 'maker' | 'burst' | 'pictures';
  readonly max: number;
  readonly remaining: number;
  /** Milliseconds until the second ends. */
  readonly leftMs: number;
  readonly isExceeded: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The limits against which the request was counted, and what is left of them; `null`: not counted yet. */
    rates: readonly RateState[] | null;
    /** The limit against which it is being counted. */
    countedLimit: Limit | null;
  }
}

const WINDOW_MS = 1000;

/**
 * Sends `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, sections 3 and 4). The policies are
 * `key`, `maker` and `burst`, the requests a second of the key, of the maker that has least left, and of the account,
 * and `monthly`, the account's units.
 *
 * @param month `null`: the balance was not read, so `monthly` is left out; the request must then have been counted
 *   against some limit, or the headers would be empty.
 */
export const sendLimits = (
  request: FastifyRequest,
  reply: FastifyReply,
  month: MonthlyPolicy | null,
): void => {
  const policies: string[] = [];
  const states: string[] = [];
  const rates = new Map<string, RateState>();
  for (const rate of request.rates ?? []) {
    if (rate.remaining < (rates.get(rate.policy)?.remaining ?? Number.POSITIVE_INFINITY))
      rates.set(rate.policy, rate);
  }
  for (const { policy, max, remaining, leftMs } of rates.values()) {
    policies.push(`"${policy}";q=${max};w=${WINDOW_MS / 1000}`);
    states.push(`"${policy}";r=${remaining};t=${inSeconds(leftMs)}`);
  }
  if (month !== null) {
    const resetS = inSeconds(month.resetsAtMs - Date.now());
    policies.push(`"monthly";q=${month.monthlyQuota};w=${secondsOfMonthEnding(month.resetsAtMs)}`);
    states.push(`"monthly";r=${month.remaining};t=${resetS}`);
  }
  reply.header('ratelimit-policy', policies.join(', ')).header('ratelimit', states.join(', '));
};

const secondsOfMonthEnding = (endMs: number): number => {
  const end = new Date(endMs);
  return (endMs - Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1)) / 1000;
};

const rateLimitError = ({ policy, max, leftMs }: RateState): AppError => {
  const requests = max === 1 ? 'one request' : `${max} requests`;
  const details = {
    key: `This key may send ${requests} a second; slow down.`,
    maker: `A key that made this one may send ${requests} a second, together with all keys that it made; slow down.`,
    burst: `This account, over all its keys and sessions, may send ${requests} a second; slow down.`,
    pictures: `The signed pictures of this account may be asked for with ${requests} a second; keep them in a shared cache.`,
  };
  return new AppError('rate_limited', details[policy], { retryAfterS: inSeconds(leftMs) });
};

/** A limit that applies to a request. */
interface Limit {
  readonly policy: RateState['policy'];
  /** Under which requests are counted. */
  readonly name: string;
  readonly max: number;
}

/** Counts a request against one limit. */
type Count = (request: FastifyRequest, limit: Limit) => Promise<RateState>;
type Store = Pick<RateLimitPluginOptions, 'store'>;

/**
 * Creates a count, in a Fastify context of its own, because the plugin has one store per context. Limits of a request
 * must be counted one after the other.
 */
const createCount = async (app: FastifyInstance, store: Store): Promise<Count> => {
  let count: ReturnType<FastifyInstance['createRateLimit']> | undefined;
  await app.register(async (context) => {
    await context.register(rateLimit, {
      ...store,
      global: false,
      timeWindow: WINDOW_MS,
      keyGenerator: ({ countedLimit }) => countedLimit!.name,
      max: ({ countedLimit }) => countedLimit!.max,
    });
    count = context.createRateLimit();
  });
  return async (request, limit) => {
    request.countedLimit = limit;
    const state = await count!(request);
    if (state.isAllowed) throw new Error('nobody is on the allow list of the rate limit');
    const { max, remaining, ttl, isExceeded } = state;
    return { policy: limit.policy, max, remaining, leftMs: ttl, isExceeded };
  };
};

/** After a failure, the shared count is not tried for this long. */
const RETRY_MS = 1000;

/** Counts in Redis with the other gateways, or locally while it is unavailable: the limit neither fails nor delays. */
const preferShared = (shared: Count, own: Count, log: Log): Count => {
  let failing = false;
  let retryAtMs = 0;
  return async (request, limit) => {
    if (failing && performance.now() < retryAtMs) return own(request, limit);
    // While it fails, this request alone tries the shared count.
    retryAtMs = performance.now() + RETRY_MS;
    try {
      const state = await shared(request, limit);
      if (failing) log.info({}, 'Redis is available again; gateways count requests together');
      failing = false;
      return state;
    } catch (err) {
      if (!failing) log.warn({ err }, 'Redis is unavailable; each gateway counts requests for itself');
      failing = true;
      return own(request, limit);
    }
  };
};

/** Whose limits apply to a request: its key, or the key that made the secret of its picture. */
type Limited = Pick<Principal, 'accountId' | 'keyId' | 'rateLimitPerSecond' | 'makers'>;

/** Creates the limit. It applies to the routes of `app` that use its hook. */
export const createRateLimit = async (
  app: FastifyInstance,
  { rateLimitPerSecond, redisUrl }: RateLimitOptions,
  log: Log,
): Promise<RateLimit> => {
  app.decorateRequest('rates', null);
  app.decorateRequest('countedLimit', null);
  const shared = redisUrl === null ? null : connectRates(redisUrl, WINDOW_MS, log);
  const own = await createCount(app, { store: MemoryRateStore });
  const count =
    shared === null
      ? own
      : preferShared(await createCount(app, { store: storeOn(shared, RATE_PREFIX) }), own, log);

  /** Returns the limits that apply, the closest first. */
  const limitsOf = (caller: Limited, policy: 'burst' | 'pictures'): readonly Limit[] => {
    const { keyId, rateLimitPerSecond: ofKey, makers, accountId } = caller;
    const limits: Limit[] = [];
    if (ofKey !== null) limits.push({ policy: 'key', name: `key:${keyId}`, max: ofKey });
    for (const { keyId, rateLimitPerSecond: max } of makers)
      if (max !== null) limits.push({ policy: 'maker', name: `key:${keyId}`, max });
    if (rateLimitPerSecond > 0)
      limits.push({ policy, name: `${policy}:${accountId}`, max: rateLimitPerSecond });
    return limits;
  };

  /**
   * Counts a request against limits until one refuses it, and returns their states. So a request that a key's limit
   * refuses does not count for those who made the key, nor for the account: a leaked key cannot use up their limits.
   */
  const countAll = async (
    request: FastifyRequest,
    limits: readonly Limit[],
  ): Promise<readonly RateState[]> => {
    const states: RateState[] = [];
    for (const limit of limits) {
      const state = await count(request, limit);
      states.push(state);
      if (state.isExceeded) break;
    }
    return states;
  };

  const refuseExceeded = (states: readonly RateState[]): void => {
    const last = states.at(-1);
    if (last?.isExceeded) throw rateLimitError(last);
  };

  return {
    hook(request, reply, done) {
      const limits = limitsOf(principalOf(request), 'burst');
      if (limits.length === 0) return done();
      countAll(request, limits)
        .then((rates) => {
          request.rates = rates;
          sendLimits(request, reply, null);
          refuseExceeded(rates);
        })
        .then(() => done(), done);
    },
    pictureHook(request, _, done) {
      const limits = limitsOf(signerOf(request), 'pictures');
      if (limits.length === 0) return done();
      countAll(request, limits)
        .then(refuseExceeded)
        .then(() => done(), done);
    },
    close: () => shared?.close(),
  };
};
