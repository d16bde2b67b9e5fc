import type { LedgerOptions, Reserve, Take } from '../../quota.ts';
import { keysFor } from '../keys.ts';
import type { Opened } from '../replies.ts';
import type { QuotaRedis } from '../scripts.ts';
import { type Arg, createBatcher, type ScriptCall } from './batcher.ts';

/** What the script needs besides the calls. */
export interface CallOptions extends Omit<LedgerOptions, 'sql'> {
  /** How long a claim keeps its answer. */
  readonly keepAnswerMs: number;
}

/** How a reservation is closed. */
export interface Closing {
  readonly refundUnits: number;
  /** Whether the answer has the balance. */
  readonly told: boolean;
  /** What the claim keeps; '' releases the claim. */
  readonly kept: string;
  /** Whether it waits for the next run of its shard. */
  readonly isPatient: boolean;
}

/** The calls of requests, each run for many requests at once. They resolve with the answers of `lua/run.lua`. */
export type Calls = ReturnType<typeof createCalls>;

/** A script run of this many calls takes Redis half a millisecond to two. */
const CALLS_MAX = 256;
const IN_FLIGHT_MAX = 2;
const QUEUE_MAX = 20_000;
const PATIENCE_MS = 5;

/** Returns the arguments that say for whose quotas units count, as `lua/ledger.lua` describes them. */
export const keyArgs = ({
  use: { kind, keyId },
  keyQuota = null,
  makers = [],
}: Omit<Take, 'accountId'>): readonly [use: string, quotas: string] => {
  const keys = [{ keyId, monthlyQuota: keyQuota }, ...makers];
  const hasQuota = keys.some(({ monthlyQuota }) => monthlyQuota !== null);
  return [
    `${kind}:${keys.map((key) => key.keyId).join(',')}`,
    hasQuota ? keys.map(({ monthlyQuota }) => monthlyQuota ?? '').join(',') : '',
  ];
};

/** Creates the calls over one client. They fail with a `LedgerFault`. */
export const createCalls = (redis: QuotaRedis, options: CallOptions) => {
  const { planMonthly, reservationTtlMs, keepAnswerMs } = options;
  const keys = keysFor(redis);
  const batcher = createBatcher({
    isReady: () => redis.status === 'ready',
    shardKeys: (shard) => [keys.open(shard), keys.stream(shard), keys.moved(shard)],
    callsMax: CALLS_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    queueMax: QUEUE_MAX,
    patienceMs: PATIENCE_MS,
    run: (runKeys, args) =>
      redis.quotaRun(
        runKeys.length,
        ...runKeys,
        reservationTtlMs,
        planMonthly.free,
        planMonthly.pro,
        keepAnswerMs,
        ...args,
      ),
  });

  const callOf = (accountId: string, args: () => readonly Arg[], secondKey?: string): ScriptCall => {
    const key = keys.account(accountId);
    return { shard: keys.shardOf(accountId), keys: secondKey === undefined ? [key] : [key, secondKey], args };
  };

  const settle = (id: string, accountId: string, { refundUnits, told, kept, isPatient }: Closing) => {
    const isPlain = refundUnits === 0 && !told && kept === '';
    const args = isPlain ? ['s', id] : ['S', id, refundUnits, told ? 1 : 0, kept];
    const call = callOf(accountId, () => args);
    return isPatient ? batcher.callLater(call) : batcher.call(call);
  };

  return {
    /** @param isChecked Whether the claim was not found in Postgres. Without it the answer may be `moved`. */
    reserve(request: Reserve, isChecked: boolean = false): Promise<string> {
      const { id, accountId, units, claim } = request;
      const by = keyArgs(request);
      if (claim === undefined) return batcher.call(callOf(accountId, () => ['r', id, units, ...by]));
      const args = [isChecked ? 'C' : 'c', id, units, ...by, claim.bodyHash];
      return batcher.call(callOf(accountId, () => args, keys.claim(accountId, claim.route, claim.key)));
    },
    /** Takes units for work that is done, as many as are left. @param units Asked for when the run is sent. */
    take(request: Take & { readonly id: string }, units: () => number): Promise<string> {
      const by = keyArgs(request);
      return batcher.call(callOf(request.accountId, () => ['t', request.id, units(), ...by]));
    },
    settle,
    /** As `settle`, for a reservation in the remainder, of which the caller knows what it took. */
    settleRemainder(
      id: string,
      accountId: string,
      opened: Opened,
      { refundUnits, told }: Closing,
    ): Promise<string> {
      const { epoch, expiresMs, period, fromMonthly, fromCredits, use } = opened;
      const taken = [epoch, expiresMs, period, fromMonthly, fromCredits, use];
      const args = ['d', id, ...taken, refundUnits, told ? 1 : 0];
      return batcher.call(callOf(accountId, () => args, keys.marker(accountId, 'remainder', id)));
    },
    /** Closes the reservation if its time is over, and answers as `settle`; otherwise the answer is `open`. */
    closeIfDue: (id: string, accountId: string): Promise<string> =>
      settle(id, accountId, { refundUnits: -1, told: false, kept: '', isPatient: true }),
  };
};
