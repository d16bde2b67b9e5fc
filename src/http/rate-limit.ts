import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Log } from '../db/client.ts';
import { AppError, type MonthlyPolicy } from '../errors.ts';
import { retryAfterS as inSeconds } from '../limits/token-bucket.ts';
import { connectRedis, parseRedisUrl } from '../quota/redis-client.ts';
import { callerOf } from './auth.ts';
import { type Count, countHere, countInRedis, preferShared, type State, WINDOW_MS } from './rate-counter.ts';

export interface RateLimit {
  /** A hook behind the authentication hook: counts the request against the second of its account and its key. */
  readonly hook: onRequestAsyncHookHandler;
  close(): void;
}

export interface RateLimitOptions {
  /** Requests a second of an account, over all its keys and sessions; 0: only keys with a limit of their own have one. */
  readonly rateLimitPerSecond: number;
  /** Where all gateways count together; `null`: each counts for itself. */
  readonly redisUrl: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the second of the key and of the account stands; null without limits, and when they were not asked. */
    rates: readonly State[] | null;
  }
}

/**
 * `RateLimit-Policy` and `RateLimit` as in draft-ietf-httpapi-ratelimit-headers, sections 3 and 4: the second of
 * the account (`burst`) and of a key with a limit of its own (`key`), and the month of the account when it is known.
 */
export const sendLimits = (
  request: FastifyRequest,
  reply: FastifyReply,
  month: MonthlyPolicy | null,
): void => {
  const policies: string[] = [];
  const states: string[] = [];
  for (const { policy, max, count, leftMs } of request.rates ?? []) {
    policies.push(`"${policy}";q=${max};w=${WINDOW_MS / 1000}`);
    states.push(`"${policy}";r=${Math.max(0, max - count)};t=${inSeconds(leftMs)}`);
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

const exceeded = ({ policy, max, leftMs }: State): AppError => {
  const whose = policy === 'key' ? 'This key' : 'This account, over all its keys and sessions,';
  const requests = max === 1 ? 'one request' : `${max} requests`;
  return new AppError('rate_limited', `${whose} may send ${requests} a second; slow down.`, {
    retryAfterS: inSeconds(leftMs),
  });
};

/** A request waits no longer for the shared count. */
const COMMAND_TIMEOUT_MS = 150;

export const createRateLimit = (
  app: FastifyInstance,
  { rateLimitPerSecond, redisUrl }: RateLimitOptions,
  log: Log,
): RateLimit => {
  app.decorateRequest('rates', null);
  const redis = redisUrl === null ? null : connectRedis(parseRedisUrl(redisUrl), COMMAND_TIMEOUT_MS, log);
  const own = countHere();
  const count: Count = redis === null ? own : preferShared(countInRedis(redis), own, log);
  const accountMax = rateLimitPerSecond === 0 ? null : rateLimitPerSecond;
  return {
    async hook(request, reply) {
      const { accountId, keyId, rateLimitPerSecond: keyMax } = callerOf(request);
      if (accountMax === null && keyMax === null) return;
      const states = await count({ accountId, accountMax, keyId, keyMax });
      request.rates = states;
      sendLimits(request, reply, null);
      const last = states.at(-1);
      if (last !== undefined && last.count > last.max) throw exceeded(last);
    },
    close: () => redis?.disconnect(),
  };
};
