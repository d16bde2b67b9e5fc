import { Cluster } from 'ioredis';
import type { Reserve, Settle } from '../quota.ts';
import { type Batcher, createBatcher } from './batcher.ts';
import { accountKey, claimKey, shardOf } from './keys.ts';
import type { QuotaRedis } from './scripts.ts';

/** What the two scripts need besides the calls. */
export interface CallOptions {
  /** Units a month, by plan, of an account without a monthly quota of its own. */
  readonly planMonthly: { readonly free: number; readonly pro: number };
  readonly reservationTtlMs: number;
  /** How long a claim keeps its answer. */
  readonly keepAnswerMs: number;
}

/** The two scripts that every request needs, each run for many requests at once. */
export interface Calls {
  /** Resolves with the answer of `lua/reserve.lua`. */
  reserve(request: Reserve): Promise<string>;
  /**
   * Resolves with the answer of `lua/settle.lua`.
   *
   * @param told Whether the answer has the balance.
   * @param kept What the claim keeps; '' releases the claim.
   */
  settle(request: Settle, told: boolean, kept: string): Promise<string>;
  /** Closes the reservation if its time is over, and answers as `settle`; otherwise the answer is `open`. */
  closeIfDue(id: string, accountId: string): Promise<string>;
}

/** A script run of so many calls takes Redis half a millisecond to two. */
const BATCH_MAX = 256;
const IN_FLIGHT_MAX = 2;
const QUEUE_MAX = 20_000;

/** Creates the calls over one client. They fail with a `LedgerFault`. */
export const createCalls = (redis: QuotaRedis, options: CallOptions): Calls => {
  const { free, pro } = options.planMonthly;
  const common = {
    isReady: () => redis.status === 'ready',
    oneShardOnly: redis instanceof Cluster,
    batchMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    queueMax: QUEUE_MAX,
  };
  const reserves: Batcher = createBatcher({
    ...common,
    run: (keys, args) =>
      redis.quotaReserve(keys.length, ...keys, options.reservationTtlMs, free, pro, ...args),
  });
  const settles: Batcher = createBatcher({
    ...common,
    run: (keys, args) => redis.quotaSettle(keys.length, ...keys, free, pro, options.keepAnswerMs, ...args),
  });

  const settle = (id: string, accountId: string, refundUnits: number, told: '0' | '1', kept: string) => {
    const isPlain = refundUnits === 0 && told === '0' && kept === '';
    const arg = isPlain ? id : `${id}|${refundUnits}|${told}${kept}`;
    return settles.call(shardOf(accountId), [accountKey(accountId)], arg);
  };

  return {
    reserve({ id, accountId, units, claim }) {
      const key = accountKey(accountId);
      const keys = claim === undefined ? [key] : [key, claimKey(accountId, claim.route, claim.key)];
      const arg = claim === undefined ? `${id}|${units}` : `${id}|${units}|${claim.bodyHash}`;
      return reserves.call(shardOf(accountId), keys, arg);
    },
    settle: ({ id, accountId, refundUnits }, told, kept) =>
      settle(id, accountId, refundUnits, told ? '1' : '0', kept),
    closeIfDue: (id, accountId) => settle(id, accountId, -1, '0', ''),
  };
};
