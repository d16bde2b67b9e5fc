import { setTimeout as sleep } from 'node:timers/promises';
import { checkHold, checkRelease } from '../check.ts';
import type { Balance, Held, Hold, LedgerOptions, Release } from '../quota.ts';
import { keyArgs } from './calls.ts';
import { keysFor } from './keys.ts';
import type { RedisParts } from './parts.ts';
import { ledgerError, splitHead, toBalance, toKeyExhausted } from './replies.ts';
import { MARKER_MS } from './sweep.ts';

const TRIES_MAX = 3;
/** How long `hold` waits for its units to be in Postgres. */
const RECORDED_WAIT_MS = 5000;
const RECORDED_PAUSE_MS = 20;

/**
 * Makes `hold` and `release`. A hold is taken in Redis and takes effect once Postgres has it; from then on Redis may
 * lose everything. A release is recorded in Postgres first, and sent to Redis until its effect is in Postgres.
 */
export const createHolds = (
  { background: redis, sweep, drain }: RedisParts,
  { sql, planMonthly }: LedgerOptions,
  read: (accountId: string) => Promise<Balance>,
) => {
  const keys = keysFor(redis);

  const findRecorded = async ({ id, accountId }: Hold): Promise<Held | null> => {
    const [row] = await sql<{ fromMonthly: number; fromCredits: number }[]>`
      select from_monthly, from_credits from quota_holds where id = ${id} and account_id = ${accountId}`;
    return row === undefined ? null : { outcome: 'held', ...row, balance: await read(accountId) };
  };

  const untilRecorded = async (request: Hold): Promise<Held> => {
    const untilMs = Date.now() + RECORDED_WAIT_MS;
    while (Date.now() < untilMs) {
      await drain.round();
      const held = await findRecorded(request);
      if (held) return held;
      await sleep(RECORDED_PAUSE_MS);
    }
    throw ledgerError('LEDGER_SILENT', 'the hold is not in Postgres yet');
  };

  const askRedis = (request: Hold, epoch: string): Promise<string> => {
    const { id, accountId, units, keyId } = request;
    const [use, quotas] = keyArgs({ ...request, use: { kind: 'batch', keyId } });
    return redis.quotaHold(
      keys.account(accountId),
      keys.stream(keys.shardOf(accountId)),
      keys.marker(accountId, 'hold', id),
      id,
      epoch,
      MARKER_MS,
      units,
      use,
      planMonthly.free,
      planMonthly.pro,
      quotas,
    );
  };

  return {
    async hold(request: Hold): Promise<Held> {
      checkHold(request);
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const epoch = await sweep.epochOf(request.accountId);
        const recorded = await findRecorded(request);
        if (recorded) return recorded;
        const [outcome, rest] = splitHead(await askRedis(request, epoch));
        if (outcome === 'held') return untilRecorded(request);
        if (outcome === 'exhausted') return { outcome, balance: toBalance(rest) };
        if (outcome === 'key_exhausted') return toKeyExhausted(rest);
      }
      throw ledgerError('LEDGER_UNAVAILABLE', 'the account does not stay in Redis');
    },

    async release(request: Release): Promise<Balance | null> {
      checkRelease(request);
      const { id, accountId, refundUnits } = request;
      const [row] = await sql<[{ noted: boolean }]>`
        select quota_note_release(${id}, ${accountId}, ${refundUnits}) as noted`;
      if (!row.noted) return null;
      await sweep.giveWaiting(accountId);
      return read(accountId);
    },
  };
};
