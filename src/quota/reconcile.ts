import type { Sql, TransactionSql } from 'postgres';
import type { Drain, Drained } from './redis/drain.ts';
import { accountKey, openKey, SHARDS, shardOf } from './redis/keys.ts';
import { openRecordHead } from './redis/replies.ts';
import type { QuotaRedis } from './redis/scripts.ts';

/** A value of an account that should be equal in two places and is not: `postgres` and `other` say what each holds. */
export interface Difference {
  readonly accountId: string;
  readonly compared: 'balance with events' | 'balance with redis' | 'open reservations with redis';
  readonly postgres: string;
  readonly other: string;
}

/** Tries for one shard. A comparison counts only when no event arrived while it was made. */
const ATTEMPTS_MAX = 20;

/** Returns the accounts whose balance is not the sum of their events. One statement reads all of one moment. */
export const reconcileEvents = async (sql: Sql | TransactionSql): Promise<Difference[]> => {
  const rows = await sql<{ id: string; balance: string; events: string }[]>`
    select b.account_id as id, concat_ws(' ', b.monthly_used, b.credits_used, b.credits) as balance,
      concat_ws(' ',
        coalesce(sum(e.monthly) filter (where e.period = b.period), 0),
        greatest(-sum(e.credits) filter (where e.period = b.period and e.kind in ('reserve', 'settle')), 0),
        coalesce(sum(e.credits), 0)
      ) as events
    from quota_balances b left join quota_events e on e.account_id = b.account_id group by b.account_id`;
  return rows
    .filter(({ balance, events }) => balance !== events)
    .map(({ id, balance, events }) => ({
      accountId: id,
      compared: 'balance with events',
      postgres: balance,
      other: events,
    }));
};

interface Held {
  readonly id: string;
  readonly balance: string;
  readonly open: string;
}

const readPostgres = (tx: TransactionSql, accountIds: readonly string[]) => tx<Held[]>`
  select b.account_id as id, concat_ws(' ',
      (extract(epoch from (b.period + interval '1 month') at time zone 'UTC') * 1000)::bigint,
      b.monthly_used, b.credits_used, b.credits) as balance,
    (select coalesce(string_agg(r.id::text, ' ' order by r.id::text), '') from quota_reservations r
      where r.account_id = b.account_id and r.state = 'open') as open
  from quota_balances b where b.account_id = any (${accountIds as string[]}::uuid[])`;

const readRedis = async (redis: QuotaRedis, shard: number, accountIds: readonly string[]) => {
  const open = Object.entries(await redis.hgetall(openKey(shard)));
  const counters = await Promise.all(
    accountIds.map((id) => redis.hmget(accountKey(id), 'ends', 'mu', 'cu', 'cr', 'epoch')),
  );
  return new Map(
    accountIds.map((id, i) => {
      const epoch = counters[i]!.at(-1);
      const head = openRecordHead(id, epoch ?? '');
      const mine = open.filter(([, record]) => record.startsWith(head)).map(([key]) => key);
      return [
        id,
        { balance: counters[i]!.slice(0, -1).join(' '), open: mine.sort().join(' '), known: epoch !== null },
      ];
    }),
  );
};

const countIds = (drained: readonly Drained[]): number =>
  drained.reduce((sum, { ids }) => sum + ids.length, 0);

/**
 * Compares the accounts of one shard at a moment when Postgres has every event of its stream. Locks the shard
 * meanwhile, so that no other gateway drains or seeds it.
 */
const reconcileShard = async (
  tx: TransactionSql,
  { redis, drain }: { readonly redis: QuotaRedis; readonly drain: Drain },
  shard: number,
  accountIds: readonly string[],
): Promise<{ differences: Difference[]; drained: readonly Drained[] }> => {
  await tx`select quota_lock_shard(${shard})`;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const before = await drain.catchUp(tx, [shard]);
    const inRedis = await readRedis(redis, shard, accountIds);
    const drained = await drain.catchUp(tx, [shard]);
    if (countIds(drained) !== countIds(before)) continue;
    const differences = (await readPostgres(tx, accountIds)).flatMap((postgres): Difference[] => {
      const other = inRedis.get(postgres.id)!;
      if (!other.known) return [];
      const found: Difference[] = [];
      const note = (compared: Difference['compared'], field: 'balance' | 'open') => {
        if (postgres[field] === other[field]) return;
        found.push({ accountId: postgres.id, compared, postgres: postgres[field], other: other[field] });
      };
      note('balance with redis', 'balance');
      note('open reservations with redis', 'open');
      return found;
    });
    return { differences, drained };
  }
  throw new Error(
    `accounts of shard ${shard} were used during each comparison; try again when there is less traffic`,
  );
};

/**
 * Returns every difference between the balances in Postgres, the sums of their events, and Redis. It is safe while
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
    for (let shard = 0; shard < SHARDS; shard += 1) {
      const accountIds = rows.map(({ id }) => id).filter((id) => shardOf(id) === shard);
      if (accountIds.length === 0) continue;
      const result = await sql.begin((tx) => reconcileShard(tx, ledger, shard, accountIds));
      await Promise.all(result.drained.map(ledger.drain.finish));
      differences.push(...result.differences);
    }
  }
  return [...differences, ...(await reconcileEvents(sql))];
};
