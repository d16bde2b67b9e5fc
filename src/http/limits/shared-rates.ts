import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { Cluster } from 'ioredis';
import type { Log } from '../../log.ts';
import { connectRedis, type RedisClient } from '../../redis/client.ts';
import { parseRedisUrl } from '../../redis/url.ts';

type Answer = Parameters<FastifyRateLimitStore['incr']>[1];

/** Counts requests in fixed windows that all gateways share. */
export interface SharedRates {
  /** Counts a request. Fails when Redis is unavailable or too slow. */
  count(key: string, answer: Answer): void;
  /** Disconnects from Redis. */
  close(): void;
}

/**
 * KEYS: the counters. ARGV: milliseconds of a window, then the requests of each counter. Answers each counter's
 * requests in its window, and the milliseconds that are left of it.
 */
const COUNT = `
local answer = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCRBY', key, ARGV[i + 1])
  if count == tonumber(ARGV[i + 1]) then redis.call('PEXPIRE', key, ARGV[1]) end
  answer[2 * i - 1] = count
  answer[2 * i] = redis.call('PTTL', key)
end
return answer`;

/** A script run of this many counters takes Redis less than half a millisecond. */
const GROUP_MAX = 256;

type Counters = readonly (readonly [key: string, answers: readonly Answer[]])[];

type RatesRedis = RedisClient & {
  countRequests(numberOfKeys: number, ...keysAndArgs: (string | number)[]): Promise<number[]>;
};

/** Tells each request its position among those of its counter. @param states What `COUNT` returns. */
const answerAll = (counters: Counters, states: readonly number[]): void => {
  counters.forEach(([, answers], i) => {
    const before = states[2 * i]! - answers.length;
    const ttl = states[2 * i + 1]!;
    for (const [n, answer] of answers.entries()) answer(null, { current: before + n + 1, ttl });
  });
};

/** How long a request waits to be counted. */
const COMMAND_TIMEOUT_MS = 150;

/** Connects to Redis in the background. */
export const connectRates = (redisUrl: string, windowMs: number, log: Log): SharedRates => {
  const scripts = { countRequests: { lua: COUNT } };
  const redis = connectRedis(parseRedisUrl(redisUrl), COMMAND_TIMEOUT_MS, log, scripts) as RatesRedis;
  // The counters of a Cluster lie on different nodes.
  const groupMax = redis instanceof Cluster ? 1 : GROUP_MAX;
  let waiting = new Map<string, Answer[]>();

  const run = (counters: Counters): void => {
    const keys = counters.map(([key]) => key);
    const requests = counters.map(([, answers]) => answers.length);
    redis.countRequests(keys.length, ...keys, windowMs, ...requests).then(
      (states) => answerAll(counters, states),
      (error: Error) => {
        for (const [, answers] of counters) for (const answer of answers) answer(error);
      },
    );
  };

  const flush = (): void => {
    const counters = [...waiting];
    waiting = new Map();
    for (let from = 0; from < counters.length; from += groupMax) {
      run(counters.slice(from, from + groupMax));
    }
  };

  return {
    count(key, answer) {
      // The requests of one turn of the event loop are counted together, which costs far less than one by one.
      if (waiting.size === 0) setImmediate(flush);
      const answers = waiting.get(key);
      if (answers === undefined) waiting.set(key, [answer]);
      else answers.push(answer);
    },
    close: () => redis.disconnect(),
  };
};

/** Makes a store for the plugin, whose keys begin with `prefix`. */
export const storeOn = (rates: SharedRates, prefix: string) =>
  class SharedRateStore implements FastifyRateLimitStore {
    incr(key: string, answer: Answer): void {
      rates.count(prefix + key, answer);
    }

    child(): SharedRateStore {
      return this;
    }
  };
