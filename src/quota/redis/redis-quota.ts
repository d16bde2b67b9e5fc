import { randomUUID } from 'node:crypto';
import type { Log } from '../../log.ts';
import { checkReserve, checkSettle } from '../check.ts';
import type { Balance, Quota, Reserve, Reserved, Settle, Taken } from '../quota.ts';
import { type Difference, reconcile } from '../reconcile.ts';
import { createSettler, SETTLER_BOUNDS } from '../settler.ts';
import type { DrainStats } from './drain.ts';
import { isIndeterminate, toLedgerError } from './fault.ts';
import { accountKey } from './keys.ts';
import { type RedisQuotaOptions, startRedisParts } from './parts.ts';
import { reapAll } from './reap.ts';
import { cut, toBalance, toReserved } from './replies.ts';

/** The ledger on Redis, with more calls for operators and tests. */
export interface RedisQuota extends Quota {
  /** Returns the state of the drain and of the queue of settlements, for metrics. */
  stats(): DrainStats & { readonly settlesWaiting: number; readonly settlesDropped: number };
  /** Returns every difference between Redis, the balances in Postgres and the sums of their events. */
  reconcile(): Promise<readonly Difference[]>;
  /** Throws when Redis does not run scripts. */
  ping(): Promise<void>;
}

const SETTLER = { ...SETTLER_BOUNDS, delayMs: 5, batchMax: 512 };

const PING_ACCOUNT = '00000000-0000-0000-0000-000000000000';

const failing = (error: unknown): never => {
  throw toLedgerError(error);
};

/**
 * Creates the ledger with its counters in Redis and its record in Postgres. A request costs one round trip to Redis.
 * Postgres is asked only about accounts that Redis does not know, and receives the events later. Calls fail with a
 * `LedgerFault` or a `DatabaseFault`.
 *
 * Redis may lose any data at any time. Its accounts then start again from Postgres. Events that had not been drained
 * are lost, in the customers' favour, and so are the claims of `Idempotency-Key`s.
 */
export const createRedisQuota = async (options: RedisQuotaOptions, log: Log): Promise<RedisQuota> => {
  const { sql, planMonthly, reservationTtlMs } = options;
  const parts = await startRedisParts(options, log);
  const { redis, background, calls, answers, drain, seeder, sweep, keepMs } = parts;

  const ask = async (request: Reserve): Promise<string> => {
    const { id, accountId, units } = request;
    try {
      return await seeder.warm(accountId, () => calls.reserve(request));
    } catch (error) {
      if (isIndeterminate(error)) settler.add({ id, accountId, refundUnits: units });
      throw error;
    }
  };

  const settle = async (request: Settle, told: boolean): Promise<string> => {
    const kept = await answers.keep(request);
    return seeder.warm(request.accountId, () => calls.settle(request, told, kept));
  };

  const read = async (accountId: string): Promise<Balance> => {
    const { free, pro } = planMonthly;
    const answer = await seeder.warm(accountId, () => redis.quotaRead(accountKey(accountId), free, pro));
    return toBalance(cut(cut(answer)[1])[1]);
  };

  const flush = async (settles: readonly Settle[]): Promise<readonly Settle[]> => {
    const results = await Promise.allSettled(settles.map((request) => settle(request, false)));
    return settles.filter((_, i) => results[i]!.status === 'rejected');
  };
  const settler = createSettler({ ...SETTLER, maxAgeMs: reservationTtlMs, flush }, log);

  const reserve = async (request: Reserve): Promise<Reserved> => {
    checkReserve(request);
    const reserved = toReserved(await ask(request));
    if (reserved.outcome !== 'replay') return reserved;
    const answer = await answers.find(reserved.answer);
    return answer === null ? { outcome: 'running' } : { outcome: 'replay', answer };
  };

  return {
    reserve,

    async take({ accountId, use }) {
      const id = randomUUID();
      const reserved = await reserve({ id, accountId, units: 1, use });
      if (reserved.outcome === 'admitted') settler.add({ id, accountId, refundUnits: 0 });
      return reserved as Taken;
    },

    async settle(request) {
      checkSettle(request);
      const [outcome, rest] = cut(await settle(request, true));
      if (outcome === 'unknown') return { outcome: 'expired', balance: toBalance(cut(rest)[1]) };
      return { outcome: outcome === 'settled' ? 'settled' : 'expired', balance: toBalance(rest) };
    },

    settleLater(request) {
      checkSettle(request);
      settler.add(request);
    },

    read: (accountId) => read(accountId).catch(failing),

    async addCredits({ accountId, amount, reference }) {
      const [row] = await sql<[{ recorded: boolean }]>`
        select quota_record_grant(${accountId}, ${amount}, ${reference}) as recorded`;
      if (!row.recorded) return null;
      await sweep.applyGrants(accountId).catch(failing);
      return read(accountId).catch(failing);
    },

    refreshLimit: (accountId) => sweep.applyLimit(accountId).catch(failing),

    reap: () =>
      reapAll(background, keepMs, (id, accountId) =>
        seeder.warm(accountId, () => calls.closeIfDue(id, accountId)),
      ),

    reconcile: () => reconcile(sql, { redis: background, drain }),

    stats: () => ({ ...drain.stats(), settlesWaiting: settler.waiting, settlesDropped: settler.dropped }),

    async ping() {
      await redis.quotaRead(accountKey(PING_ACCOUNT), 0, 0);
    },

    async close() {
      await settler.close();
      await parts.close();
    },
  };
};
