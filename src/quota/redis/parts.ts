import type { Sql } from 'postgres';
import { type Asked, findAsked } from '../../db/client.ts';
import { startLoop } from '../../execution/loops.ts';
import type { Log } from '../../log.ts';
import { warnOfEviction, whenReady } from '../../redis/client.ts';
import { parseRedisUrl } from '../../redis/url.ts';
import type { LedgerOptions, Settle } from '../quota.ts';
import { createCalls } from './calls.ts';
import { createMovedClaims } from './claims.ts';
import { createDrain } from './drain.ts';
import { splitHead } from './replies.ts';
import { createRoom } from './room.ts';
import { connectLedger } from './scripts.ts';
import { createSeeder } from './seed.ts';
import { createSweep } from './sweep.ts';

/** The longest answer, in characters, that a claim in Redis keeps itself. */
const SHORT_CHARS = 16_384;

/**
 * Creates the store of the answers of claims: short ones are kept in the claim in Redis, long ones in Postgres.
 *
 * @param keepMs How long a long answer stays in Postgres.
 */
const createAnswers = (sql: Sql, keepMs: number) => ({
  /** Stores a long answer in Postgres. Returns the text for the claim to keep; '' when there is no answer. */
  async keep({ id, answer }: Settle): Promise<string> {
    if (answer === undefined) return '';
    if (answer.length <= SHORT_CHARS) return `short|${answer}`;
    await sql`
      insert into long_answers (reservation_id, answer, expires_at)
      values (${id}, ${answer}, clock_timestamp() + ${keepMs} * interval '1 millisecond')
      on conflict (reservation_id) do nothing`;
    return `long|${id}`;
  },
  /** Returns the answer for the text that a claim kept, or `null` when it was purged. */
  async find(kept: string): Promise<string | null> {
    const [where, rest] = splitHead(kept);
    if (where === 'short') return rest;
    const found = await findAsked<{ answer: string }>(
      rest,
      sql<({ answer: string } & Asked)[]>`
      select reservation_id::text as asked, answer from long_answers where reservation_id = ${rest}`,
    );
    return found?.answer ?? null;
  },
});

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
  const drain = createDrain(background, sql, log);
  const calls = createCalls(redis, {
    ...{ planMonthly, reservationTtlMs },
    keepAnswerMs: KEEP_ANSWER_MS,
    onRun: drain.expect,
  });
  const answers = createAnswers(sql, KEEP_ANSWER_MS);
  const seeder = createSeeder({ redis: background, sql, drain, reservationTtlMs }, log);
  const sweep = createSweep({ redis: background, sql, seeder });
  const movedClaims = createMovedClaims(background, sql, KEEP_ANSWER_MS);
  const room = createRoom(background, movedClaims.move, log);
  const loops = [
    startLoop('drain', DRAIN_PAUSE_MS, drain.turn, log),
    startLoop('sweep', SWEEP_PAUSE_MS, sweep.round, log),
    startLoop('redis_memory', ROOM_PAUSE_MS, room.round, log),
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
