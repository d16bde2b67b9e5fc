import { randomUUID } from 'node:crypto';
import type { JSONValue } from 'postgres';
import { isIndeterminate, retryWhenLost } from '../db/faults.ts';
import type { Log } from '../log.ts';
import { ok, refused } from '../result.ts';
import { checkHold, checkRelease, checkReserve, checkSettle } from './check.ts';
import {
  type Balance,
  type Held,
  type LedgerOptions,
  type Maker,
  type Quota,
  type Reserve,
  type Reserved,
  recordedKind,
  type Settle,
  type Settled,
  type Taken,
} from './quota.ts';
import { createSettler, SETTLER_BOUNDS } from './settler.ts';

/** Reservations that one statement expires at most, so that it locks their accounts only briefly. */
const REAP_CHUNK = 500;
const REAP_ROUNDS_MAX = 20;

const SETTLER = { ...SETTLER_BOUNDS, delayMs: 20, groupMax: 200 };

const idsOf = (keys: readonly Maker[]) => keys.map(({ keyId }) => keyId);
const quotasOf = (keys: readonly Maker[]) => keys.map(({ monthlyQuota }) => monthlyQuota);

/** Creates the ledger in Postgres alone. Each call is one statement that runs a function of `sql/0002_quota.sql`. */
export const createSqlQuota = (options: LedgerOptions, log: Log): Quota => {
  const { sql, reservationTtlMs } = options;
  const { free, pro } = options.planMonthly;

  const settleAll = (settles: readonly Settle[]) =>
    sql<{ id: string; settled: Settled }[]>`
      select id, settled from quota_settle(${sql.json(settles as unknown as JSONValue)}, ${free}, ${pro})`;

  const flush = async (settles: readonly Settle[]): Promise<readonly Settle[]> => {
    await settleAll(settles);
    return [];
  };
  const settler = createSettler({ ...SETTLER, maxAgeMs: reservationTtlMs, flush }, log);

  const reapOnce = async (): Promise<number> => {
    const [row] = await sql<[{ reaped: number }]>`
      select quota_reap(${REAP_CHUNK}) as reaped`;
    return row.reaped;
  };

  const reserve = async (request: Reserve): Promise<Reserved> => {
    checkReserve(request);
    const { id, accountId, units, use, keyQuota = null, makers = [], claim } = request;
    const keys = [{ keyId: use.keyId, monthlyQuota: keyQuota }, ...makers];
    try {
      const [row] = await sql<[{ reserved: Reserved }]>`
        select quota_reserve(
          ${id}, ${accountId}, ${units}, ${reservationTtlMs}, ${free}, ${pro},
          ${idsOf(keys)}::uuid[], ${recordedKind(use)}, ${quotasOf(keys)}::bigint[],
          ${claim?.route ?? null}, ${claim?.key ?? null}, ${claim?.bodyHash ?? null}
        ) as reserved`;
      return row.reserved;
    } catch (error) {
      if (isIndeterminate(error)) settler.add({ id, accountId, refundUnits: units });
      throw error;
    }
  };

  return {
    reserve,

    async take(request) {
      const { accountId } = request;
      const id = randomUUID();
      const reserved = await reserve({ ...request, id, units: 1 });
      if (reserved.outcome === 'admitted') settler.add({ id, accountId, refundUnits: 0 });
      return reserved as Taken;
    },

    async settle(request) {
      checkSettle(request);
      const [row] = await settleAll([request]);
      return row!.settled;
    },

    settleLater(request) {
      checkSettle(request);
      settler.add(request);
    },

    async hold(request) {
      checkHold(request);
      const { id, accountId, units, keyId, keyQuota = null, makers = [] } = request;
      const keys = [{ keyId, monthlyQuota: keyQuota }, ...makers];
      const [row] = await sql<[{ held: Held }]>`
        select quota_hold(${id}, ${accountId}, ${units}, ${idsOf(keys)}::uuid[], ${quotasOf(keys)}::bigint[],
          ${free}, ${pro}) as held`;
      return row.held;
    },

    async release(request) {
      checkRelease(request);
      const { id, accountId, refundUnits } = request;
      const [row] = await sql<[{ balance: Balance | null }]>`
        select quota_release(${id}, ${accountId}, ${refundUnits}, ${free}, ${pro}) as balance`;
      return row.balance;
    },

    async read(accountId) {
      const [row] = await sql<[{ balance: Balance }]>`
        select quota_read(${accountId}, ${free}, ${pro}) as balance`;
      return row.balance;
    },

    async addCredits({ accountId, amount, reference }) {
      const id = randomUUID();
      const [row] = await retryWhenLost(
        () => sql<[{ balance: Balance | null }]>`
          select quota_grant(${id}, ${accountId}, ${amount}, ${reference}, ${free}, ${pro}) as balance`,
      );
      return row.balance === null ? refused('mismatch') : ok(row.balance);
    },

    // Nothing to do: `quota_reserve` reads the plan and the quota from the account each time.
    async refreshLimit() {},

    async reap() {
      let reaped = 0;
      for (let round = 0; round < REAP_ROUNDS_MAX; round += 1) {
        const count = await reapOnce();
        reaped += count;
        if (count < REAP_CHUNK) break;
      }
      return reaped;
    },

    close: () => settler.close(),
  };
};
