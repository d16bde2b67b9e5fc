import type { Sql, TransactionSql } from 'postgres';
import type { Drain, Drained, Position } from './redis/drain/drain.ts';
import { keysFor } from './redis/keys.ts';
import { type Opened, parseRecord } from './redis/replies.ts';
import type { QuotaRedis } from './redis/scripts.ts';

/** A value of an account that should be equal in two places and is not: `postgres` and `other` say what each holds. */
export interface Difference {
  readonly accountId: string;
  readonly compared: 'balance with records' | 'balance with redis' | 'open units with redis';
  readonly postgres: string;
  readonly other: string;
}

/** Tries for one shard. A comparison counts only when no change arrived while it was made. */
const ATTEMPTS_MAX = 20;

/** Returns the accounts whose balance is not the sum of their records. One statement reads all of one moment. */
export const reconcileRecords = async (sql: Sql | TransactionSql): Promise<Difference[]> => {
  const rows = await sql<{ id: string; balance: string; records: string }[]>`
    with record as (
      select account_id, date_trunc('month', hour, 'UTC')::date as period, monthly - refunded_monthly as monthly,
        credits - refunded_credits as credits_used, refunded_credits + refunded_late - credits as credits
      from usage_hours
      union all
      select account_id, date_trunc('month', day)::date, monthly - refunded_monthly, credits - refunded_credits,
        refunded_credits + refunded_late - credits
      from usage_days
      union all
      select account_id, period, monthly, credits_used, credits from quota_corrections
      union all
      select account_id, null, 0, 0, amount from credit_grants where applied_at is not null
    )
    select b.account_id as id, concat_ws(' ', b.monthly_used, b.credits_used, b.credits) as balance,
      concat_ws(' ',
        coalesce(sum(r.monthly) filter (where r.period = b.period), 0),
        coalesce(sum(r.credits_used) filter (where r.period = b.period), 0),
        coalesce(sum(r.credits), 0)
      ) as records
    from quota_balances b left join record r on r.account_id = b.account_id group by b.account_id`;
  return rows
    .filter(({ balance, records }) => balance !== records)
    .map(({ id, balance, records }) => ({
      accountId: id,
      compared: 'balance with records',
      postgres: balance,
      other: records,
    }));
};

interface Held {
  readonly id: string;
  readonly period: string;
  readonly balance: string;
  readonly open: string;
}

const readPostgres = (tx: TransactionSql, accountIds: readonly string[]) => tx<Held[]>`
  select account_id as id, period::text as period, concat_ws(' ',
      (extract(epoch from (period + interval '1 month') at time zone 'UTC') * 1000)::bigint,
      monthly_used, credits_used, credits) as balance,
    concat_ws(' ', open_monthly, open_credits) as open
  from quota_balances where account_id = any (${accountIds as string[]}::uuid[])`;

/** What Redis has of a shard. */
interface InRedis {
  /** By account; absent: Redis does not know it. */
  readonly balances: ReadonlyMap<string, string>;
  readonly open: readonly Opened[];
}

const readRedis = async (
  redis: QuotaRedis,
  shard: number,
  accountIds: readonly string[],
): Promise<InRedis> => {
  const keys = keysFor(redis);
  const records = Object.values(await redis.hgetall(keys.open(shard)));
  const counters = await Promise.all(
    accountIds.map((id) => redis.hmget(keys.account(id), 'ends', 'mu', 'cu', 'cr')),
  );
  const known = accountIds.flatMap((id, i): [string, string][] =>
    counters[i]![0] === null ? [] : [[id, counters[i]!.join(' ')]],
  );
  return { balances: new Map(known), open: records.flatMap((text) => parseRecord(text) ?? []) };
};

/** Returns what Redis has open of an account, as `readPostgres` does. */
const openOf = ({ open }: InRedis, { id, period }: Held): string => {
  const mine = open.filter(({ accountId }) => accountId === id);
  const monthly = mine.filter((one) => one.period === period).reduce((sum, one) => sum + one.fromMonthly, 0);
  return `${monthly} ${mine.reduce((sum, one) => sum + one.fromCredits, 0)}`;
};

const isSamePlace = (a: readonly Position[], b: readonly Position[]): boolean =>
  a.every(({ ms, seq }, i) => ms === b[i]!.ms && seq === b[i]!.seq);

/**
 * Compares the accounts of one shard at a moment when Postgres has all of its stream. Locks the shard meanwhile, so that
 * no other gateway drains or seeds it.
 */
const reconcileShard = async (
  tx: TransactionSql,
  { redis, drain }: { readonly redis: QuotaRedis; readonly drain: Drain },
  shard: number,
  accountIds: readonly string[],
): Promise<{ differences: Difference[]; drained: readonly Drained[] }> => {
  let positions = await drain.lock(tx, [shard]);
  const drained: Drained[] = [];
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const before = await drain.catchUp(tx, positions);
    const inRedis = await readRedis(redis, shard, accountIds);
    const after = await drain.catchUp(tx, before.positions);
    drained.push(before, after);
    positions = after.positions;
    if (!isSamePlace(before.positions, after.positions)) continue;
    const differences = (await readPostgres(tx, accountIds)).flatMap((held): Difference[] => {
      const other = { balance: inRedis.balances.get(held.id), open: openOf(inRedis, held) };
      if (other.balance === undefined) return [];
      const found: Difference[] = [];
      const note = (compared: Difference['compared'], postgres: string, redisHas: string) => {
        if (postgres !== redisHas) found.push({ accountId: held.id, compared, postgres, other: redisHas });
      };
      note('balance with redis', held.balance, other.balance);
      note('open units with redis', held.open, other.open);
      return found;
    });
    return { differences, drained };
  }
  throw new Error(
    `accounts of shard ${shard} were used during each comparison; try again when there is less traffic`,
  );
};

/**
 * Returns every difference between the balances in Postgres, the sums of their records, and Redis. It is safe while
 * requests are served. An account that Redis does not hold is compared in Postgres alone.
 *
 * @param ledger `null`: there is no Redis, and only Postgres is checked.
 * @throws {Error} When a shard is used so much that it cannot be compared.
 */
export const reconcile = async (
  sql: Sql,
  ledger: { readonly redis: QuotaRedis; readonly drain: Drain } | null,
): Promise<readonly Difference[]> => {
  const differences: Difference[] = [];
  if (ledger !== null) {
    const rows = await sql<{ id: string }[]>`select account_id as id from quota_balances`;
    const keys = keysFor(ledger.redis);
    for (let shard = 0; shard < keys.shards; shard += 1) {
      const accountIds = rows.map(({ id }) => id).filter((id) => keys.shardOf(id) === shard);
      if (accountIds.length === 0) continue;
      const result = await sql.begin((tx) => reconcileShard(tx, ledger, shard, accountIds));
      for (const drained of result.drained) await ledger.drain.finish(drained);
      differences.push(...result.differences);
    }
  }
  return [...differences, ...(await reconcileRecords(sql))];
};
