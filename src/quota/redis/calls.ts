import { Cluster } from 'ioredis';
import type { Reserve, Settle } from '../quota.ts';
import { type Batcher, createBatcher } from './batcher.ts';
import { accountKey, claimKey, shardOf } from './keys.ts';
import type { QuotaRedis } from './scripts.ts';

export interface CallOptions {
  /** Units a month of an account without a quota of its own. */
  readonly planMonthly: { readonly free: number; readonly pro: number };
  readonly reservationTtlMs: number;
  /** For how long answers are kept under their Idempotency-Key. */
  readonly keepAnswerMs: number;
}

/** The two scripts of every request, run for many requests at once. */
export interface Calls {
  /** Answers as `lua/reserve.lua`. */
  reserve(request: Reserve): Promise<string>;
  /** Answers as `lua/settle.lua`; `kept` is what the claim keeps, or '' to release it. */
  settle(request: Settle, told: boolean, kept: string): Promise<string>;
  /** Closes the reservation only if its time is over. */
  closeIfDue(id: string, accountId: string): Promise<string>;
}

/** Half a millisecond to two of Redis's time. */
const BATCH_MAX = 256;
const IN_FLIGHT_MAX = 2;
const QUEUE_MAX = 20_000;

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
