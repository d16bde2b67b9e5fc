import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { AppError, type MonthlyPolicy } from '../../errors.ts';
import { retryAfterS as inSeconds } from '../../limits/token-bucket.ts';
import type { Log } from '../../log.ts';
import { RATE_PREFIX } from '../../quota/redis/keys.ts';
import { principalOf } from '../auth/auth.ts';
import { signerOf } from '../auth/signature.ts';
import { MemoryRateStore } from './rate-store.ts';
import { connectRates, storeOn } from './shared-rates.ts';

/** The limit of requests a second, by account and by key. */
export interface RateLimit {
  /**
   * A hook that must run after the authentication hook. It counts the request against its key, if that has a limit of
   * its own, and against its account, and sends the `RateLimit` headers. Refuses with 429.
   */
  readonly hook: onRequestHookHandler;
  /**
   * A hook that must run after the signature of a picture was checked. It counts the request against the account that
   * signed it, apart from the account's calls, so that a page's visitors cannot use up their limit. Refuses with 429.
   */
  readonly pictureHook: onRequestHookHandler;
  /** Disconnects from Redis. */
  close(): void;
}

/** The account's limit, and where requests are counted. */
export interface RateLimitOptions {
  /** Requests a second of an account over all its keys and sessions; 0: only the limits of keys apply. */
  readonly rateLimitPerSecond: number;
  /** The Redis in which all gateways count together; `null`: each counts for itself. */
  readonly redisUrl: string | null;
}

/** The state of one limit after a request was counted. */
export interface RateState {
  /** `key`: the key's own limit; `burst`: that of the account's calls; `pictures`: that of its signed pictures. */
  readonly policy: 'key' | 'burst' | 'pictures';
  readonly max: number;
  readonly remaining: number;
  /** Milliseconds until the second ends. */
  readonly leftMs: number;
  readonly isExceeded: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The states of the limits that the request was counted against; `null` before. */
    rates: readonly RateState[] | null;
  }
}

const WINDOW_MS = 1000;

/**
 * Sends `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, sections 3 and 4). The policies are
 * `key` and `burst`, the requests a second of the key and of the account, and `monthly`, the account's units.
 *
 * @param month `null`: the balance was not read, and `monthly` is left out. The request was then counted against at
 *   least one limit.
 */
export const sendLimits = (
  request: FastifyRequest,
  reply: FastifyReply,
  month: MonthlyPolicy | null,
): void => {
  const policies: string[] = [];
  const states: string[] = [];
  for (const { policy, max, remaining, leftMs } of request.rates ?? []) {
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
    burst: `This account, over all its keys and sessions, may send ${requests} a second; slow down.`,
    pictures: `The signed pictures of this account may be asked for with ${requests} a second; keep them in a shared cache.`,
  };
  return new AppError('rate_limited', details[policy], { retryAfterS: inSeconds(leftMs) });
};

type Count = (request: FastifyRequest) => Promise<RateState>;
type Store = Pick<RateLimitPluginOptions, 'store'>;
type Limit = Pick<RateLimitPluginOptions, 'max' | 'keyGenerator'>;

/** Creates a count against one limit, in a Fastify context of its own, because the plugin has one store per context. */
const createCount = async (
  app: FastifyInstance,
  policy: RateState['policy'],
  limit: Limit,
  store: Store,
): Promise<Count> => {
  let count: ReturnType<FastifyInstance['createRateLimit']> | undefined;
  await app.register(async (context) => {
    await context.register(rateLimit, { ...store, ...limit, global: false, timeWindow: WINDOW_MS });
    count = context.createRateLimit();
  });
  return async (request) => {
    const state = await count!(request);
    if (state.isAllowed) throw new Error('nobody is on the allow list of the rate limit');
    const { max, remaining, ttl, isExceeded } = state;
    return { policy, max, remaining, leftMs: ttl, isExceeded };
  };
};

/** After a failure, the shared count is not tried for this long. */
const RETRY_MS = 1000;

/** Counts in Redis with the other gateways, or locally while it is unavailable: the limit neither fails nor delays. */
const preferShared = (shared: Count, own: Count, log: Log): Count => {
  let failing = false;
  let retryAtMs = 0;
  return async (request) => {
    if (failing && performance.now() < retryAtMs) return own(request);
    // While it fails, this request alone tries the shared count.
    retryAtMs = performance.now() + RETRY_MS;
    try {
      const state = await shared(request);
      if (failing) log.info({}, 'Redis is available again; gateways count requests together');
      failing = false;
      return state;
    } catch (err) {
      if (!failing) log.warn({ err }, 'Redis is unavailable; each gateway counts requests for itself');
      failing = true;
      return own(request);
    }
  };
};

/** Creates the limit. It applies to the routes of `app` that use its hook. */
export const createRateLimit = async (
  app: FastifyInstance,
  { rateLimitPerSecond, redisUrl }: RateLimitOptions,
  log: Log,
): Promise<RateLimit> => {
  app.decorateRequest('rates', null);
  const shared = redisUrl === null ? null : connectRates(redisUrl, WINDOW_MS, log);
  const countOf = async (policy: RateState['policy'], limit: Limit): Promise<Count> => {
    const own = await createCount(app, policy, limit, { store: MemoryRateStore });
    if (shared === null) return own;
    const store = storeOn(shared, `${RATE_PREFIX}${policy}:`);
    return preferShared(await createCount(app, policy, limit, { store }), own, log);
  };
  const ofAccount = await countOf('burst', {
    max: rateLimitPerSecond,
    keyGenerator: (request) => principalOf(request).accountId,
  });
  const ofPictures = await countOf('pictures', {
    max: rateLimitPerSecond,
    keyGenerator: (request) => signerOf(request).accountId,
  });
  const ofKey = await countOf('key', {
    max: (request) => principalOf(request).rateLimitPerSecond ?? Number.POSITIVE_INFINITY,
    keyGenerator: (request) => principalOf(request).keyId,
  });

  /**
   * Counts a request to which at least one limit applies, and returns at least one state. A request that the key's
   * limit refuses does not count for the account, so a leaked key cannot use up its limit.
   */
  const count = async (request: FastifyRequest): Promise<readonly RateState[]> => {
    const hasKeyLimit = principalOf(request).rateLimitPerSecond !== null;
    if (!hasKeyLimit) return [await ofAccount(request)];
    const key = await ofKey(request);
    return key.isExceeded || rateLimitPerSecond === 0 ? [key] : [key, await ofAccount(request)];
  };

  return {
    hook(request, reply, done) {
      if (rateLimitPerSecond === 0 && principalOf(request).rateLimitPerSecond === null) return done();
      count(request)
        .then((rates) => {
          request.rates = rates;
          sendLimits(request, reply, null);
          const last = rates.at(-1);
          if (last?.isExceeded) throw rateLimitError(last);
        })
        .then(() => done(), done);
    },
    pictureHook(request, _, done) {
      if (rateLimitPerSecond === 0) return done();
      ofPictures(request)
        .then((state) => {
          if (state.isExceeded) throw rateLimitError(state);
        })
        .then(() => done(), done);
    },
    close: () => shared?.close(),
  };
};
