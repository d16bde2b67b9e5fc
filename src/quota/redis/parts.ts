import type { Log } from '../../log.ts';
import { warnOfEviction, whenReady } from '../../redis/client.ts';
import { parseRedisUrl } from '../../redis/url.ts';
import { startLoop } from '../loop.ts';
import type { LedgerOptions } from '../quota.ts';
import { createAnswers } from './answers.ts';
import { createCalls } from './calls/calls.ts';
import { createMovedClaims } from './claims.ts';
import { createDrain } from './drain/drain.ts';
import { createRoom } from './room.ts';
import { connectLedger } from './scripts.ts';
import { createSeeder } from './seed.ts';
import { createSweep } from './sweep.ts';

/** Where the ledger is kept, and how much it allows. */
export interface RedisQuotaOptions extends LedgerOptions {
  /** `REDIS_URL`; see `parseRedisUrl`. */
  readonly url: string;
}

/** The parts of the ledger on Redis. */
export type RedisParts = Awaited<ReturnType<typeof startRedisParts>>;

/** How long a request waits for one answer of Redis. */
const COMMAND_TIMEOUT_MS = 500;
const BACKGROUND_TIMEOUT_MS = 2000;
const CONNECT_WAIT_MS = 2000;
/** A round costs Postgres as much for one call as for a thousand. */
const DRAIN_PAUSE_MS = 250;
const SWEEP_PAUSE_MS = 1000;
/** What arrives at full load between two checks must fit into the last tenth of the memory. */
const ROOM_PAUSE_MS = 250;
const LAST_DRAIN_TIMEOUT_MS = 5000;
const KEEP_ANSWER_MS = 24 * 3_600_000;

const connect = async (url: string, log: Log) => {
  const target = parseRedisUrl(url);
  const redis = connectLedger(target, COMMAND_TIMEOUT_MS, log);
  const background = connectLedger(target, BACKGROUND_TIMEOUT_MS, log);
  const ready = await Promise.all([redis, background].map((client) => whenReady(client, CONNECT_WAIT_MS)));
  if (ready.every(Boolean)) {
    await warnOfEviction(background, log).catch((err: unknown) => {
      log.warn({ err }, 'maxmemory-policy of Redis cannot be read; the quota ledger needs noeviction');
    });
  }
  return { redis, background };
};

/** Builds the parts and starts the drain and the sweep, even while Redis is unavailable. */
export const startRedisParts = async (options: RedisQuotaOptions, log: Log) => {
  const { sql, planMonthly, reservationTtlMs } = options;
  const { redis, background } = await connect(options.url, log);
  const calls = createCalls(redis, { planMonthly, reservationTtlMs, keepAnswerMs: KEEP_ANSWER_MS });
  const answers = createAnswers(sql, KEEP_ANSWER_MS);
  const drain = createDrain(background, sql, log);
  const seeder = createSeeder({ redis: background, sql, drain, reservationTtlMs }, log);
  const sweep = createSweep({ redis: background, sql, seeder });
  const movedClaims = createMovedClaims(background, sql, KEEP_ANSWER_MS);
  const room = createRoom(background, movedClaims.move, log);
  const loops = [
    startLoop('quota drain', DRAIN_PAUSE_MS, drain.round, log),
    startLoop('quota sweep', SWEEP_PAUSE_MS, sweep.round, log),
    startLoop('memory of Redis', ROOM_PAUSE_MS, room.round, log),
  ];

  const drainAll = async (): Promise<void> => {
    const untilMs = Date.now() + LAST_DRAIN_TIMEOUT_MS;
    while (Date.now() < untilMs && (await drain.round()) === 'more');
  };

  return {
    /** The connection of requests. `background` has its own, so that no request waits behind its long answers. */
    redis,
    background,
    calls,
    answers,
    drain,
    seeder,
    sweep,
    movedClaims,
    room,
    /** Ends the loops, drains once more within a bounded time, and disconnects. */
    async close(): Promise<void> {
      await Promise.all(loops.map((loop) => loop.stop()));
      await drainAll().catch((err: unknown) => {
        log.error({ err }, 'changes not drained; they stay in Redis until a gateway starts');
      });
      redis.disconnect();
      background.disconnect();
    },
  };
};
