import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { retryWhenLost } from '../../db/faults.ts';
import type { Log } from '../../log.ts';
import { ok, refused } from '../../result.ts';
import { checkReserve, checkSettle } from '../check.ts';
import type { Balance, Quota } from '../quota.ts';
import { type Reconciled, reconcile } from '../reconcile.ts';
import type { DrainStats } from './drain.ts';
import { createHolds } from './holds.ts';
import { keysFor } from './keys.ts';
import { type RedisParts, type RedisQuotaOptions, startRedisParts } from './parts.ts';
import { splitHead, toBalance, toLedgerError, toSettled } from './replies.ts';
import { createReservations } from './reservations.ts';
import type { RoomStats } from './room.ts';
import type { SweepStats } from './sweep.ts';
import { createTurns } from './turns.ts';

/** Open reservations that one step examines. There are about as many as requests in progress. */
const SCAN_COUNT = 1000;
/** Calls of the reaper until each shard was looked at. */
const REAP_ROUNDS = 16;

type ReapParts = Pick<RedisParts, 'background' | 'calls' | 'seeder'> & { readonly sql: Sql };

/** Calls of these kinds are paid once their codes are saved, whatever became of their gateway. */
const SAVES = /^(code|bulk)\b/;

/** Closes a reservation whose time is over. */
const closeDue = async (
  { sql, calls, seeder }: ReapParts,
  { id, accountId, use }: { readonly id: string; readonly accountId: string; readonly use: string },
): Promise<string> => {
  const expire = () => seeder.warm(accountId, () => calls.closeIfDue(id, accountId));
  // A remainder has the id of its account, and nobody knows its calls.
  if (!SAVES.test(use) || id === accountId) return expire();
  const [row] = await sql<[{ refundUnits: number | null }]>`
    select quota_find_saved(${id}, ${accountId}) as refund_units`;
  const { refundUnits } = row;
  if (refundUnits === null) return expire();
  const closing = { refundUnits, told: false, kept: '', isPatient: true };
  return seeder.warm(accountId, () => calls.settle(id, accountId, closing));
};

/**
 * Expires the reservations of shards whose time is over. Those of calls that save codes stay open while Postgres is
 * unavailable.
 *
 * @returns How many reservations expired here; another gateway may have closed others first.
 */
export const reapShards = async (parts: ReapParts, shards: readonly number[]): Promise<number> => {
  const redis = parts.background;
  const keys = keysFor(redis);
  const reapShard = async (shard: number): Promise<number> => {
    let reaped = 0;
    let cursor = '0';
    do {
      const [next = '0', ...due] = await redis.quotaDue(keys.open(shard), cursor, SCAN_COUNT);
      const ids = due.filter((_, i) => i % 3 === 0);
      const closed = await Promise.allSettled(
        ids.map((id, i) => closeDue(parts, { id, accountId: due[3 * i + 1]!, use: due[3 * i + 2]! })),
      );
      const failed = closed.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      reaped += closed.filter((one) => one.status === 'fulfilled' && one.value.startsWith('expired')).length;
      cursor = next;
    } while (cursor !== '0');
    return reaped;
  };
  const counts = await Promise.all(shards.map(reapShard));
  return counts.reduce((sum, count) => sum + count, 0);
};

/** The ledger on Redis, with more calls for operators and tests. */
export interface RedisQuota extends Quota {
  /** Returns the state of the drain, the sweep, the memory of Redis and the queue of settlements, for metrics. */
  stats(): DrainStats &
    RoomStats &
    SweepStats & { readonly settlesWaiting: number; readonly settlesDropped: number };
  /** Compares Redis, the balances in Postgres and the sums of their records. */
  reconcile(): Promise<Reconciled>;
  /** Throws when Redis does not run scripts. */
  ping(): Promise<void>;
}

const PING_ACCOUNT = '00000000-0000-0000-0000-000000000000';

const failing = (error: unknown): never => {
  throw toLedgerError(error);
};

/**
 * Creates the ledger with its counters in Redis and its record in Postgres. A request costs one round trip to Redis.
 * Postgres is asked only about accounts that Redis does not know, and receives the changes later. Calls fail with a
 * `LedgerFault` or a `DatabaseFault`.
 *
 * Redis may lose any data at any time. Its accounts then start again from Postgres. Changes that had not been
 * drained are lost, in the customers' favour, and so are the claims of `Idempotency-Key`s.
 */
export const createRedisQuota = async (options: RedisQuotaOptions, log: Log): Promise<RedisQuota> => {
  const { sql, planMonthly, reservationTtlMs } = options;
  const parts = await startRedisParts(options, log);
  const { redis, background, drain, seeder, sweep, room } = parts;
  const keys = keysFor(redis);
  const allShards = Array.from({ length: keys.shards }, (_, shard) => shard);
  const reaping = createTurns(keys.shards, REAP_ROUNDS);

  const reservations = createReservations(parts, reservationTtlMs, log);
  const { settler } = reservations;

  const read = async (accountId: string): Promise<Balance> => {
    const { free, pro } = planMonthly;
    const answer = await seeder.warm(accountId, () => redis.quotaRead(keys.account(accountId), free, pro));
    return toBalance(splitHead(splitHead(answer)[1])[1]);
  };

  /** Returns the balance as far as Postgres knows it, with the credits that wait for Redis. */
  const readRecord = async (accountId: string): Promise<Balance> => {
    const { free, pro } = planMonthly;
    const [row] = await sql<[{ balance: Balance; waiting: number }]>`
      select quota_read(${accountId}, ${free}, ${pro}) as balance,
        (select coalesce(sum(amount), 0)::bigint from credit_grants
          where account_id = ${accountId} and applied_at is null) as waiting`;
    const { balance, waiting } = row;
    return { ...balance, credits: balance.credits + waiting, remaining: balance.remaining + waiting };
  };

  const holds = createHolds(parts, options, read);

  return {
    async reserve(request) {
      checkReserve(request);
      return reservations.reserve(request);
    },

    take: reservations.take,

    async settle(request) {
      checkSettle(request);
      return toSettled(await reservations.settle(request));
    },

    settleLater(request) {
      checkSettle(request);
      settler.add(request);
    },

    read: (accountId) => read(accountId).catch(failing),

    async addCredits({ accountId, amount, reference }) {
      const id = randomUUID();
      const [row] = await retryWhenLost(
        () => sql<[{ recorded: boolean }]>`
          select quota_record_grant(${id}, ${accountId}, ${amount}, ${reference}) as recorded`,
      );
      if (!row.recorded) return refused('mismatch');
      // They are bought from here on: an error would invite a second grant.
      try {
        await sweep.giveWaiting(accountId);
        return ok(await read(accountId));
      } catch (err) {
        log.warn({ err, accountId }, 'credits recorded in Postgres but not in Redis; will retry');
        return ok(await readRecord(accountId));
      }
    },

    hold: (request) => holds.hold(request).catch(failing),

    release: (request) => holds.release(request).catch(failing),

    refreshLimit: (accountId) => sweep.applyLimit(accountId).catch(failing),

    reap: (which) => reapShards({ ...parts, sql }, which === 'next' ? reaping.take() : allShards),

    reconcile: () => reconcile(sql, { redis: background, drain }),

    stats: () => ({
      ...drain.stats(),
      ...room.stats(),
      ...sweep.stats(),
      settlesWaiting: settler.waiting,
      settlesDropped: settler.dropped,
    }),

    async ping() {
      await redis.quotaRead(keys.account(PING_ACCOUNT), 0, 0);
    },

    async close() {
      await settler.close();
      await parts.close();
    },
  };
};
