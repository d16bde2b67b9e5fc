/** Counters of an account: each number is issued only once, in blocks, to the rows of a batch or to a call. */
import { ok, type Result, refused } from '../../../result.ts';
import { findFirst, lockAccount, type Sql } from '../../client.ts';

export interface Counter {
  readonly name: string;
  /** The next number that it issues. */
  readonly next: number;
  readonly createdAt: Date;
}

/** Numbers that were issued together. */
export interface CounterBlock {
  readonly first: number;
  readonly last: number;
  /** `null`: a call took them. */
  readonly batchId: string | null;
  /** Rows of the batch made so far; `null` without a batch. */
  readonly made: number | null;
  readonly failed: number | null;
  readonly at: Date;
}

/** Numbers have at most fifteen digits. */
export const NUMBER_MAX = 999_999_999_999_999;

/** Returns all counters of an account by their names. */
export const listCounters = (sql: Sql, accountId: string): Promise<readonly Counter[]> =>
  sql<Counter[]>`
    select name, next, created_at from counters where account_id = ${accountId} order by name`;

/** Returns the account's counter, or `null` when it has none of this name. */
export const getCounter = (sql: Sql, accountId: string, name: string): Promise<Counter | null> =>
  findFirst(sql<Counter[]>`
    select name, next, created_at from counters where account_id = ${accountId} and name = ${name}`);

/**
 * Creates a counter, or raises it. Must be called in a transaction. `full`: the account has the maximum number of
 * counters; a number: the counter's next number, which is already greater.
 */
export const setCounter = async (
  tx: Sql,
  accountId: string,
  { name, next, maxPerAccount }: { name: string; next: number; maxPerAccount: number },
): Promise<Result<Counter, 'full' | number>> => {
  await lockAccount(tx, accountId);
  const [{ count, now }] = await tx<[{ count: number; now: number | null }]>`
    select count(*)::int as count, max(next) filter (where name = ${name}) as now from counters
    where account_id = ${accountId}`;
  if (now === null && count >= maxPerAccount) return refused('full');
  const [row] = await tx<Counter[]>`
    insert into counters as c (account_id, name, next) values (${accountId}, ${name}, ${next})
    on conflict (account_id, name) do update set next = excluded.next where c.next <= excluded.next
    returning name, next, created_at`;
  if (row !== undefined) return ok(row);
  return refused((await getCounter(tx, accountId, name))!.next);
};

/** Issues numbers. The counter's row must be locked, and have enough numbers left. */
const give = async (
  tx: Sql,
  accountId: string,
  { name, next }: Pick<Counter, 'name' | 'next'>,
  { count, batchId }: { readonly count: number; readonly batchId: string | null },
): Promise<void> => {
  await tx`
    update counters set next = ${next + count} where account_id = ${accountId} and name = ${name}`;
  await tx`
    insert into counter_blocks (account_id, counter, first, last, batch_id)
    values (${accountId}, ${name}, ${next}, ${next + count - 1}, ${batchId})`;
};

/** Locks counters in name order, so that transactions never deadlock. */
const lock = (tx: Sql, accountId: string, names: readonly string[]) =>
  tx<Pick<Counter, 'name' | 'next'>[]>`
    select name, next from counters where account_id = ${accountId} and name = any(${names}::text[])
    order by name for update`;

/**
 * Takes numbers, and returns the first one. Must be called in a transaction. `missing`: the account has no such counter; a
 * number: how many are left.
 */
export const takeNumbers = async (
  tx: Sql,
  accountId: string,
  name: string,
  count: number,
): Promise<Result<number, 'missing' | number>> => {
  const [counter] = await lock(tx, accountId, [name]);
  if (counter === undefined) return refused('missing');
  const left = NUMBER_MAX - counter.next + 1;
  if (count > left) return refused(left);
  await give(tx, accountId, counter, { count, batchId: null });
  return ok(counter.next);
};

/** The parts of a batch that concern its numbers. */
interface NumberedBatch {
  readonly id: string;
  readonly accountId: string;
  readonly counters: Readonly<Record<string, string>>;
  readonly rows: number;
}

/** Locks the counters of a batch until the transaction ends, and returns them. */
export const lockCounters = async (
  tx: Sql,
  { accountId, counters }: NumberedBatch,
): Promise<readonly Pick<Counter, 'name' | 'next'>[]> => {
  const names = Object.values(counters);
  return names.length === 0 ? [] : lock(tx, accountId, names);
};

/** Issues numbers of its locked counters to a batch. Must be called in the transaction that queues the batch. */
export const giveToBatch = async (
  tx: Sql,
  { id, accountId, rows }: NumberedBatch,
  locked: readonly Pick<Counter, 'name' | 'next'>[],
): Promise<void> => {
  for (const counter of locked) await give(tx, accountId, counter, { count: rows, batchId: id });
};

/** Records in its blocks how a batch's rows ended. Must be called in the transaction that ends the batch. */
export const noteRows = async (tx: Sql, batchId: string): Promise<void> => {
  await tx`
    update counter_blocks k set made = b.made, failed = b.failed from batches b
    where k.batch_id = ${batchId} and b.id = ${batchId}`;
};

/** Returns blocks of a counter, the latest first. @param before Only those with lower numbers; `null`: all. */
export const listBlocks = (
  sql: Sql,
  accountId: string,
  name: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<readonly CounterBlock[]> =>
  sql<CounterBlock[]>`
    select k.first, k.last, k.batch_id, coalesce(k.made, b.made) as made, coalesce(k.failed, b.failed) as failed, k.at
    from counter_blocks k left join batches b on b.id = k.batch_id
    where k.account_id = ${accountId} and k.counter = ${name} ${before === null ? sql`` : sql`and k.first < ${before}`}
    order by k.first desc limit ${limit}`;

/**
 * Deletes at most `limit` blocks that calls took of each account that has more than `perAccount` of them, the oldest
 * ones. Counters do not issue their numbers again.
 */
export const deleteOldBlocks = async (sql: Sql, limit: number, perAccount: number): Promise<void> => {
  await sql`
    with old as (
      delete from counter_blocks where (account_id, counter, first) in (
      select account_id, counter, first from (
        select account_id from counter_blocks where batch_id is null
        group by account_id having count(*) > ${perAccount}) as full_ones
      cross join lateral (
        select counter, first from counter_blocks as one
        where one.account_id = full_ones.account_id and batch_id is null
        order by at desc, counter, first desc offset ${perAccount} limit ${limit}) as oldest)
      returning account_id, counter, at
    )
    update counters c set complete_since = greatest(c.complete_since, o.at)
    from (
      select account_id, counter, max(at) + interval '1 millisecond' as at from old group by 1, 2
    ) as o where c.account_id = o.account_id and c.name = o.counter`;
};

/** Returns the time since which no block of a counter is missing. */
export const blocksCompleteSince = async (sql: Sql, accountId: string, name: string): Promise<Date> => {
  const [row] = await sql<[{ at: Date }]>`
    select complete_since as at from counters where account_id = ${accountId} and name = ${name}`;
  return row.at;
};
