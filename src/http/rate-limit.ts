import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Log } from '../db/client.ts';
import { AppError, type MonthlyPolicy } from '../errors.ts';
import { RATE_PREFIX } from '../quota/keys.ts';
import { connectRedis, parseRedisUrl } from '../quota/redis-client.ts';
import type { QuotaRedis } from '../quota/scripts.ts';
import { callerOf } from './auth.ts';
import { MemoryRateStore } from './rate-store.ts';

export interface RateLimit {
  /** A hook behind the authentication hook: counts the request against its key's second. */
  readonly hook: onRequestAsyncHookHandler;
  close(): void;
}

export interface RateLimitOptions {
  /** Requests a second and key; 0 turns the limit off. */
  readonly rateLimitPerSecond: number;
  /** Where all gateways count together; `null`: each counts for itself. */
  readonly redisUrl: string | null;
}

const WINDOW_MS = 1000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the key's second stands; null when the limit is off or was not asked. */
    burst: { readonly limit: number; readonly remaining: number; readonly resetS: number } | null;
  }
}

const inSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/**
 * `RateLimit-Policy` and `RateLimit` as in draft-ietf-httpapi-ratelimit-headers, sections 3 and 4: the
 * per-second policy of the key, and the month of the account when it is known.
 */
export const sendLimits = (
  request: FastifyRequest,
  reply: FastifyReply,
  month: MonthlyPolicy | null,
): void => {
  const policies: string[] = [];
  const states: string[] = [];
  if (request.burst !== null) {
    const { limit, remaining, resetS } = request.burst;
    policies.push(`"burst";q=${limit};w=${WINDOW_MS / 1000}`);
    states.push(`"burst";r=${remaining};t=${resetS}`);
  }
  if (month !== null) {
    const resetS = inSeconds(month.resetsAtMs - Date.now());
    policies.push(`"monthly";q=${month.monthlyQuota};w=${secondsOfMonthEnding(month.resetsAtMs)}`);
    states.push(`"monthly";r=${month.remaining};t=${resetS}`);
  }
  if (policies.length === 0) return;
  reply.header('ratelimit-policy', policies.join(', ')).header('ratelimit', states.join(', '));
};

const secondsOfMonthEnding = (endMs: number): number => {
  const end = new Date(endMs);
  return (endMs - Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1)) / 1000;
};

type Count = ReturnType<FastifyInstance['createRateLimit']>;

/** Counts by key. In a context of its own, as the plugin has one store for each. */
const createCount = async (
  app: FastifyInstance,
  max: number,
  store: Pick<RateLimitPluginOptions, 'store' | 'redis' | 'nameSpace'>,
): Promise<Count> => {
  let count: Count | undefined;
  await app.register(async (context) => {
    const keyGenerator = (request: FastifyRequest) => callerOf(request).keyId;
    await context.register(rateLimit, { ...store, global: false, max, timeWindow: WINDOW_MS, keyGenerator });
    count = context.createRateLimit();
  });
  if (count === undefined) throw new Error('the rate limit was not set up');
  return count;
};

/** A request waits no longer for the shared count; then `RETRY_MS` go by before one asks for it again. */
const COMMAND_TIMEOUT_MS = 150;
const RETRY_MS = 1000;

/** Counts with the other gateways, or alone while Redis is away: a limit must neither fail nor hold up a call. */
const preferShared = (shared: Count, own: Count, log: Log): Count => {
  let failing = false;
  let retryAtMs = 0;
  return async (request) => {
    if (failing && performance.now() < retryAtMs) return own(request);
    // While it fails, whoever comes now is the one that tries.
    retryAtMs = performance.now() + RETRY_MS;
    try {
      const state = await shared(request);
      if (failing) log.info({}, 'the gateways count requests together again');
      failing = false;
      return state;
    } catch (err) {
      if (!failing) log.warn({ err }, 'Redis is away: each gateway counts requests for itself');
      failing = true;
      return own(request);
    }
  };
};

export const createRateLimit = async (
  app: FastifyInstance,
  { rateLimitPerSecond: perSecond, redisUrl }: RateLimitOptions,
  log: Log,
): Promise<RateLimit> => {
  app.decorateRequest('burst', null);
  if (perSecond === 0) return { hook: async () => {}, close: () => {} };
  let redis: QuotaRedis | null = null;
  let count = await createCount(app, perSecond, { store: MemoryRateStore });
  if (redisUrl !== null) {
    redis = connectRedis(parseRedisUrl(redisUrl), COMMAND_TIMEOUT_MS, log);
    count = preferShared(await createCount(app, perSecond, { redis, nameSpace: RATE_PREFIX }), count, log);
  }
  return {
    async hook(request, reply) {
      const state = await count(request);
      if (state.isAllowed) return;
      request.burst = { limit: state.max, remaining: state.remaining, resetS: inSeconds(state.ttl) };
      sendLimits(request, reply, null);
      if (!state.isExceeded) return;
      throw new AppError('rate_limited', `This key may send ${perSecond} requests a second; slow down.`, {
        retryAfterS: inSeconds(state.ttl),
      });
    },
    close: () => redis?.disconnect(),
  };
};
