import type { Log } from '../../log.ts';
import { checkReserve, checkSettle } from '../check.ts';
import type { Balance, Quota, Reserve, Reserved, Settle } from '../quota.ts';
import { type Difference, reconcile } from '../reconcile.ts';
import { createSettler, SETTLER_BOUNDS } from '../settler.ts';
import type { DrainStats } from './drain.ts';
import { isIndeterminate, ledgerError, toLedgerError } from './fault.ts';
import { createHolds } from './holds.ts';
import { keysFor } from './keys.ts';
import { createMemory } from './opened.ts';
import { type RedisQuotaOptions, startRedisParts } from './parts.ts';
import { reapAll } from './reap.ts';
import { cut, parseRecord, toAdmitted, toBalance, toRefused, toSettled } from './replies.ts';
import type { RoomStats } from './room.ts';
import { createTakes } from './takes.ts';

/** The ledger on Redis, with more calls for operators and tests. */
export interface RedisQuota extends Quota {
  /** Returns the state of the drain, of the memory of Redis and of the queue of settlements, for metrics. */
  stats(): DrainStats & RoomStats & { readonly settlesWaiting: number; readonly settlesDropped: number };
  /** Returns every difference between Redis, the balances in Postgres and the sums of their records. */
  reconcile(): Promise<readonly Difference[]>;
  /** Throws when Redis does not run scripts. */
  ping(): Promise<void>;
}

/** A settlement waits in the batcher for the next script run, so it does not wait here. */
const SETTLER = { ...SETTLER_BOUNDS, delayMs: 0, batchMax: 512 };

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
  const { redis, background, calls, answers, drain, seeder, sweep, movedClaims, room } = parts;
  const keys = keysFor(redis);

  const settler = createSettler({ ...SETTLER, maxAgeMs: reservationTtlMs, flush: (all) => flush(all) }, log);
  const memory = createMemory();

  /** @param told Whether the balance is wanted. Otherwise the settlement goes with the next script run of its shard. */
  const settle = async (request: Settle, told: boolean): Promise<string> => {
    const { id, accountId, refundUnits } = request;
    const closing = { refundUnits, told, kept: await answers.keep(request), isPatient: !told };
    const answer = await seeder.warm(accountId, () => calls.settle(id, accountId, closing));
    const opened = memory.take(id);
    if (opened === null || !answer.startsWith('unknown')) return answer;
    return seeder.warm(accountId, () => calls.settleLost(id, accountId, opened, closing));
  };

  const flush = async (settles: readonly Settle[]): Promise<readonly Settle[]> => {
    const results = await Promise.allSettled(settles.map((request) => settle(request, false)));
    return settles.filter((_, i) => results[i]!.status === 'rejected');
  };

  const ask = (request: Reserve, isClaimChecked: boolean): Promise<string> =>
    seeder
      .warm(request.accountId, () => calls.reserve(request, isClaimChecked))
      .catch((error: unknown) => {
        const { id, accountId, units } = request;
        if (isIndeterminate(error)) settler.add({ id, accountId, refundUnits: units });
        throw error;
      });

  const refuseWhenFull = (): void => {
    if (room.isFull()) throw ledgerError('LEDGER_UNAVAILABLE', 'Redis has used up its memory');
  };

  const reserve = async (request: Reserve): Promise<Reserved> => {
    checkReserve(request);
    refuseWhenFull();
    let text = await ask(request, false);
    if (text === 'moved') {
      const found = await movedClaims.find(request.accountId, request.claim!);
      if (found) return found;
      text = await ask(request, true);
    }
    const opened = parseRecord(text);
    if (opened) {
      memory.keep(request.id, opened);
      return toAdmitted(opened);
    }
    const refused = toRefused(text);
    if (refused.outcome !== 'replay') return refused;
    const answer = await answers.find(refused.answer);
    return answer === null ? { outcome: 'running' } : { outcome: 'replay', answer };
  };

  const take = createTakes({
    calls,
    warm: seeder.warm,
    closeLater: (id, accountId, refundUnits) => settler.add({ id, accountId, refundUnits }),
    isIndeterminate,
  });

  const read = async (accountId: string): Promise<Balance> => {
    const { free, pro } = planMonthly;
    const answer = await seeder.warm(accountId, () => redis.quotaRead(keys.account(accountId), free, pro));
    return toBalance(cut(cut(answer)[1])[1]);
  };

  const holds = createHolds({ redis: background, sql, sweep, drain, planMonthly, read });

  return {
    reserve,

    async take(request) {
      refuseWhenFull();
      return take(request);
    },

    async settle(request) {
      checkSettle(request);
      return toSettled(await settle(request, true));
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
      await sweep.giveWaiting(accountId).catch(failing);
      return read(accountId).catch(failing);
    },

    hold: (request) => holds.hold(request).catch(failing),

    release: (request) => holds.release(request).catch(failing),

    refreshLimit: (accountId) => sweep.applyLimit(accountId).catch(failing),

    reap: () =>
      reapAll(background, (id, accountId) => seeder.warm(accountId, () => calls.closeIfDue(id, accountId))),

    reconcile: () => reconcile(sql, { redis: background, drain }),

    stats: () => ({
      ...drain.stats(),
      ...room.stats(),
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
