/** Compares the balances of accounts in Postgres with those in Redis. */
import type { Sql, TransactionSql } from 'postgres';
import type { Drain } from './redis/drain/drain.ts';
import { keysFor } from './redis/keys.ts';
import { type Opened, parseOpening } from './redis/replies.ts';
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

/** The ledger in Redis. */
export interface LedgerInRedis {
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
  readonly open: ReadonlyMap<string, readonly Opened[]>;
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
  const [last, openings, counters, fields] = await redis.quotaLook(asked.length, ...asked);
  const known = accountIds.flatMap((id, i): [string, string][] =>
    counters[i] === '' ? [] : [[id, counters[i]!]],
  );
  const open = new Map<string, Opened[]>();
  for (const one of openings.flatMap((text) => parseOpening(text) ?? [])) {
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
export const compareWithRedis = async (
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
