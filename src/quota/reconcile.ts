/** Compares the balances of accounts in Postgres with their records, and with Redis. */
import { randomInt } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import type { Drain } from './redis/drain.ts';
import { keysFor } from './redis/keys.ts';
import { type OpenReservation, parseReservation } from './redis/replies.ts';
import type { QuotaRedis } from './redis/scripts.ts';

/** A value of an account that should be equal in two places and is not: `postgres` and `other` say what each holds. */
export interface Difference {
  readonly accountId: string;
  readonly compared:
    | 'balance with records'
    | 'balance with redis'
    | 'open units with redis'
    | 'units of keys with redis';
  readonly postgres: string;
  readonly other: string;
}

interface LedgerInRedis {
  readonly redis: QuotaRedis;
  readonly drain: Drain;
}

interface Held {
  readonly id: string;
  readonly period: string;
  readonly balance: string;
  readonly open: string;
  /** What each API key has used in the period, as `keysOf` writes it. */
  readonly keys: string;
}

const readPostgres = (tx: TransactionSql, accountIds: readonly string[]) => tx<Held[]>`
  select account_id as id, period::text as period, concat_ws(' ',
      (extract(epoch from (period + interval '1 month') at time zone 'UTC') * 1000)::bigint,
      monthly_used, credits_used, credits) as balance,
    concat_ws(' ', open_monthly, open_credits) as open,
    (select coalesce(string_agg(key_id || ' ' || used, ', ' order by key_id::text collate "C"), '')
      from quota_used_by_keys(account_id, period) where used <> 0) as keys
  from quota_balances where account_id = any (${accountIds as string[]}::uuid[])`;

/** A consistent snapshot of what Redis has of accounts of a shard. */
interface InRedis {
  /** The last entry of the stream; `null`: it is empty. */
  readonly lastEntry: string | null;
  /** By account; absent: Redis does not know it. */
  readonly balances: ReadonlyMap<string, string>;
  readonly open: ReadonlyMap<string, readonly OpenReservation[]>;
  /** What each API key has used in the month of the balance, by account. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Returns what the API keys of an account have used. @param fields The fields of the account in Redis and their values. */
const keysOf = (fields: readonly string[]): string =>
  fields
    .flatMap((field, i) =>
      i % 2 === 0 && /^k.{36}$/.test(field) && fields[i + 1] !== '0'
        ? [`${field.slice(1)} ${fields[i + 1]}`]
        : [],
    )
    .sort()
    .join(', ');

const readRedis = async (
  redis: QuotaRedis,
  shard: number,
  accountIds: readonly string[],
): Promise<InRedis> => {
  const keys = keysFor(redis);
  const asked = [keys.stream(shard), keys.open(shard), ...accountIds.map(keys.account)];
  const [last, reservations, counters, fields] = await redis.quotaLook(asked.length, ...asked);
  const known = accountIds.flatMap((id, i): [string, string][] =>
    counters[i] === '' ? [] : [[id, counters[i]!]],
  );
  const open = new Map<string, OpenReservation[]>();
  for (const one of reservations.flatMap((text) => parseReservation(text) ?? [])) {
    open.set(one.accountId, [...(open.get(one.accountId) ?? []), one]);
  }
  const used = new Map(accountIds.map((id, i) => [id, keysOf(fields[i]!)]));
  return { lastEntry: last === '' ? null : last, balances: new Map(known), open, keys: used };
};

/** Returns the open units of an account in Redis, in the form of `readPostgres`. */
const openOf = ({ open }: InRedis, { id, period }: Held): string => {
  const mine = open.get(id) ?? [];
  const monthly = mine.filter((one) => one.period === period).reduce((sum, one) => sum + one.fromMonthly, 0);
  return `${monthly} ${mine.reduce((sum, one) => sum + one.fromCredits, 0)}`;
};

const NOTHING_IS_KEPT = new Error('the transaction is rolled back');

/** Runs a transaction and rolls it back. Works on a read-only connection too. */
const withoutTrace = async <T>(sql: Sql, run: (tx: TransactionSql) => Promise<T>): Promise<T> => {
  let result: { readonly value: T } | null = null;
  await sql
    .begin(async (tx) => {
      await tx`set transaction read write`;
      result = { value: await run(tx) };
      throw NOTHING_IS_KEPT;
    })
    .catch((error: unknown) => {
      if (error !== NOTHING_IS_KEPT) throw error;
    });
  return (result as unknown as { readonly value: T }).value;
};

/**
 * Compares accounts of one shard in Redis with their balances in Postgres, once the stream is drained up to the moment
 * at which Redis was read. Locks the shard meanwhile, so that no gateway drains or seeds it.
 */
const compareShard = async (
  tx: TransactionSql,
  { redis, drain }: LedgerInRedis,
  shard: number,
  accountIds: readonly string[],
): Promise<Difference[]> => {
  const positions = await drain.lock(tx, [shard]);
  const inRedis = await readRedis(redis, shard, accountIds);
  if (inRedis.lastEntry !== null) await drain.catchUp(tx, positions, inRedis.lastEntry);
  return (await readPostgres(tx, accountIds)).flatMap((held): Difference[] => {
    const balance = inRedis.balances.get(held.id);
    if (balance === undefined) return [];
    const open = openOf(inRedis, held);
    const found: Difference[] = [];
    const note = (compared: Difference['compared'], postgres: string, other: string) => {
      if (postgres !== other) found.push({ accountId: held.id, compared, postgres, other });
    };
    note('balance with redis', held.balance, balance);
    note('open units with redis', held.open, open);
    note('units of keys with redis', held.keys, inRedis.keys.get(held.id) ?? '');
    return found;
  });
};

/** Returns every difference of accounts between Postgres and Redis. Those that Redis does not hold have none. */
const compareWithRedis = async (
  sql: Sql,
  ledger: LedgerInRedis,
  accountIds: readonly string[],
): Promise<Difference[]> => {
  const { shardOf } = keysFor(ledger.redis);
  const differences: Difference[] = [];
  for (const shard of new Set(accountIds.map(shardOf))) {
    const ofShard = accountIds.filter((id) => shardOf(id) === shard);
    differences.push(...(await withoutTrace(sql, (tx) => compareShard(tx, ledger, shard, ofShard))));
  }
  return differences;
};

/** What was compared, and every difference. */
export interface Reconciled {
  /** Accounts with a balance. */
  readonly accounts: number;
  readonly differences: readonly Difference[];
  /** Whether there are more accounts than were compared. */
  readonly isSample: boolean;
}

/** Accounts that are compared at a time: Redis and the drain of a shard wait for that long, some milliseconds. */
const ACCOUNTS_AT_A_TIME = 500;

/**
 * Returns the accounts whose balance is not the sum of their records. One statement reads a consistent snapshot.
 */
const compareRecords = async (sql: Sql, accountIds: readonly string[]): Promise<Difference[]> => {
  const rows = await sql<{ id: string; balance: string; records: string }[]>`
    with asked as (
      select unnest(${accountIds as string[]}::uuid[]) as account_id
    ), record as (
      select account_id, date_trunc('month', hour, 'UTC')::date as period, monthly - refunded_monthly as monthly,
        credits - refunded_credits as credits_used, refunded_credits + refunded_late - credits as credits
      from usage_hours join asked using (account_id)
      union all
      select account_id, date_trunc('month', day)::date, monthly - refunded_monthly, credits - refunded_credits,
        refunded_credits + refunded_late - credits
      from usage_days join asked using (account_id)
      union all
      select account_id, null, 0, 0, refunded_credits + refunded_late - credits
      from usage_before join asked using (account_id)
      union all
      select account_id, null, 0, 0, credits from quota_corrections join asked using (account_id)
      union all
      select account_id, null, 0, 0, amount from credit_grants join asked using (account_id)
      where applied_at is not null
    )
    select b.account_id as id, concat_ws(' ', b.monthly_used, b.credits_used, b.credits) as balance,
      -- What an account used in its last month is no longer known when it was idle for longer than usage is kept.
      concat_ws(' ',
        case when b.period < k.since then b.monthly_used
          else coalesce(sum(r.monthly) filter (where r.period = b.period), 0) end,
        case when b.period < k.since then b.credits_used
          else coalesce(sum(r.credits_used) filter (where r.period = b.period), 0) end,
        coalesce(sum(r.credits), 0)
      ) as records
    from usage_kept k cross join quota_balances b join asked using (account_id) left join record r using (account_id) group by b.account_id, k.since`;
  return rows
    .filter(({ balance, records }) => balance !== records)
    .map(({ id, balance, records }) => ({
      accountId: id,
      compared: 'balance with records',
      postgres: balance,
      other: records,
    }));
};

/** Which accounts are compared: one, by its id; all; or a random sample of about so many. */
export type Compared = { readonly accountId: string } | 'all' | { readonly sampled: number };

/** Yields a sample of the accounts that have a balance: those that follow random ids. All ids are random. */
async function* sampleOf(sql: Sql, sampled: number): AsyncGenerator<readonly string[], void> {
  const seen = new Set<string>();
  const pieces = Math.ceil(sampled / ACCOUNTS_AT_A_TIME);
  const piece = Math.floor(2 ** 32 / pieces);
  for (let i = 0; i < pieces; i += 1) {
    const from = (i * piece + randomInt(piece)).toString(16).padStart(8, '0');
    const rows = await sql<{ id: string }[]>`
      select account_id as id from quota_balances where account_id > ${`${from}-0000-0000-0000-000000000000`}
      order by account_id limit ${ACCOUNTS_AT_A_TIME}`;
    const ids = rows.map(({ id }) => id).filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    if (ids.length > 0) yield ids;
  }
}

/** Yields the ids of the accounts that have a balance, or of the one that is asked for, some at a time. */
async function* accountsOf(sql: Sql, accountId: string | null): AsyncGenerator<readonly string[], void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await sql<{ id: string }[]>`
      select account_id as id from quota_balances
      where account_id > ${after} and (${accountId}::uuid is null or account_id = ${accountId}::uuid)
      order by account_id limit ${ACCOUNTS_AT_A_TIME}`;
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    yield ids;
    after = ids.at(-1)!;
  }
}

/**
 * Returns every difference between the balances in Postgres, the sums of their records, and Redis. It changes nothing,
 * and is safe and exact while requests are served, however many. An account that Redis does not hold is compared in
 * Postgres alone.
 *
 * @param ledger `null`: there is no Redis, and only Postgres is checked.
 * @param compared A sample is taken only of an installation with more accounts.
 */
export const reconcile = async (
  sql: Sql,
  ledger: LedgerInRedis | null,
  compared: Compared = 'all',
): Promise<Reconciled> => {
  const differences: Difference[] = [];
  let accounts = 0;
  const [{ rows }] = await sql<[{ rows: number }]>`
    select reltuples::bigint as rows from pg_class where oid = 'quota_balances'::regclass`;
  const isSample = typeof compared === 'object' && 'sampled' in compared && rows > compared.sampled;
  const pages = isSample
    ? sampleOf(sql, compared.sampled)
    : accountsOf(sql, typeof compared === 'object' && 'accountId' in compared ? compared.accountId : null);
  for await (const accountIds of pages) {
    accounts += accountIds.length;
    if (ledger !== null) differences.push(...(await compareWithRedis(sql, ledger, accountIds)));
    differences.push(...(await compareRecords(sql, accountIds)));
  }
  return { accounts, differences, isSample };
};
