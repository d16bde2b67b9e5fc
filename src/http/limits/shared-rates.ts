import { Cluster } from 'ioredis';
import type { Log } from '../../log.ts';
import { connectRedis, type RedisClient } from '../../redis/client.ts';
import { parseRedisUrl } from '../../redis/url.ts';
import type { Counted } from './own-rates.ts';

interface Waiting {
  resolve(counted: Counted): void;
  reject(error: Error): void;
}

/** Counts requests in fixed windows that all gateways share. */
export interface SharedRates {
  /** Counts a request under a key. Fails when Redis is unavailable or too slow. */
  count(key: string): Promise<Counted>;
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

type Counters = readonly (readonly [key: string, waiting: readonly Waiting[]])[];

type RatesRedis = RedisClient & {
  countRequests(numberOfKeys: number, ...keysAndArgs: (string | number)[]): Promise<number[]>;
};

/** Tells each request its position among those of its counter. @param states What `COUNT` returns. */
const answerAll = (counters: Counters, states: readonly number[]): void => {
  counters.forEach(([, waiting], i) => {
    const before = states[2 * i]! - waiting.length;
    const leftMs = states[2 * i + 1]!;
    for (const [n, { resolve }] of waiting.entries()) resolve({ requests: before + n + 1, leftMs });
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
  let waiting = new Map<string, Waiting[]>();

  const run = (counters: Counters): void => {
    const keys = counters.map(([key]) => key);
    const requests = counters.map(([, waiting]) => waiting.length);
    redis.countRequests(keys.length, ...keys, windowMs, ...requests).then(
      (states) => answerAll(counters, states),
      (error: Error) => {
        for (const [, waiting] of counters) for (const { reject } of waiting) reject(error);
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
    count: (key) =>
      new Promise((resolve, reject) => {
        // The requests of one turn of the event loop are counted together, which costs far less than one by one.
        if (waiting.size === 0) setImmediate(flush);
        const one = { resolve, reject };
        const others = waiting.get(key);
        if (others === undefined) waiting.set(key, [one]);
        else others.push(one);
      }),
    close: () => redis.disconnect(),
  };
};
