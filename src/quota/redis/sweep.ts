import type { Sql } from 'postgres';
import { ledgerError } from './fault.ts';
import { accountKey, grantKey, shardOf, streamKey } from './keys.ts';
import { cut } from './replies.ts';
import type { QuotaRedis } from './scripts.ts';
import type { Seeder } from './seed.ts';

/** What a sweep works with. */
export interface SweepParts {
  readonly redis: QuotaRedis;
  readonly sql: Sql;
  readonly seeder: Seeder;
  /** See `Calls`. */
  closeIfDue(id: string, accountId: string): Promise<string>;
  /** How long Postgres remembers closed reservations at least. */
  readonly keepMs: number;
}

/** Brings changes from Postgres to Redis. */
export interface Sweep {
  /** Adds the credits that were bought for the account and are not yet part of its balance. */
  applyGrants(accountId: string): Promise<void>;
  /** Tells Redis the account's present plan and monthly quota. */
  applyLimit(accountId: string): Promise<void>;
  /** Brings over what was missed while Redis or a gateway was unavailable, and purges what has expired. */
  round(): Promise<'idle'>;
}

const CHUNK = 200;
/** Far longer than the drain lags. Redis does not know a reservation that has been overdue in Postgres for so long. */
const OVERDUE_MS = 10_000;
/** Tries for one account; each fails when Redis lost the account meanwhile. The next round tries again. */
const GRANT_TRIES_MAX = 3;
/** How long Redis remembers a grant as added: until Postgres surely knows it. */
const GRANT_MARKER_MS = 7 * 24 * 3_600_000;

/** Creates a sweep. Its calls fail with a `LedgerFault`, a `DatabaseFault` or an error of the Redis client. */
export const createSweep = ({ redis, sql, seeder, closeIfDue, keepMs }: SweepParts): Sweep => {
  /** Returns the present epoch of the account. */
  const epochOf = async (accountId: string): Promise<string> => {
    const answer = await seeder.warm(accountId, () => redis.quotaRead(accountKey(accountId), 0, 0));
    return cut(cut(answer)[1])[0];
  };

  const tryGrants = async (accountId: string): Promise<'done' | 'stale'> => {
    const epoch = await epochOf(accountId);
    const grants = await sql<{ id: string; amount: number }[]>`
      select id, amount from credit_grants where account_id = ${accountId} and applied_at is null`;
    for (const { id, amount } of grants) {
      const keys = [accountKey(accountId), streamKey(shardOf(accountId)), grantKey(accountId, id)] as const;
      const answer = await redis.quotaGrant(...keys, id, accountId, epoch, amount, GRANT_MARKER_MS);
      if (answer === 'stale') return 'stale';
    }
    return 'done';
  };

  const applyGrants = async (accountId: string): Promise<void> => {
    for (let tries = 0; tries < GRANT_TRIES_MAX; tries += 1) {
      if ((await tryGrants(accountId)) === 'done') return;
    }
    throw ledgerError('LEDGER_UNAVAILABLE', 'the account does not stay in Redis');
  };

  const applyLimit = async (accountId: string): Promise<void> => {
    const [row] = await sql<{ monthly: string; version: number }[]>`
      select coalesce(a.monthly_quota::text, a.plan) as monthly, coalesce(c.version, 0) as version
      from accounts a left join quota_limit_changes c on c.account_id = a.id where a.id = ${accountId}`;
    if (!row) return;
    // If Redis does not know the account, its seeding will bring this limit or a later one.
    await redis.quotaLimit(accountKey(accountId), row.monthly, row.version);
    await sql`
      update quota_limit_changes set applied = true
      where account_id = ${accountId} and version = ${row.version} and not applied`;
  };

  /** Seeds the account again when Redis lost this reservation, which is open in Postgres, or the whole account. */
  const recover = async (id: string, accountId: string): Promise<void> => {
    const [outcome, rest] = cut(await closeIfDue(id, accountId));
    if (outcome === 'unknown') await redis.quotaEvict(accountKey(accountId), cut(rest)[0]);
    if (outcome === 'unknown' || outcome === 'cold') await seeder.seed(accountId);
  };

  return {
    applyGrants,
    applyLimit,
    async round() {
      interface Waiting {
        readonly limits: readonly string[];
        readonly granted: readonly string[];
        readonly overdue: readonly { id: string; accountId: string }[];
      }
      const [row] = await sql<[{ waiting: Waiting }]>`
        select quota_waiting(${CHUNK}, ${OVERDUE_MS}) as waiting, quota_purge(${CHUNK}, ${keepMs})`;
      const { limits, granted, overdue } = row.waiting;
      for (const accountId of limits) await applyLimit(accountId);
      for (const accountId of granted) await applyGrants(accountId);
      for (const { id, accountId } of overdue) await recover(id, accountId);
      return 'idle';
    },
  };
};
