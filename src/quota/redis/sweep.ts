import type { Sql } from 'postgres';
import { keysFor } from './keys.ts';
import { ledgerError, splitHead } from './replies.ts';
import type { QuotaRedis } from './scripts.ts';
import type { Seeder } from './seed.ts';
import { createTurns } from './turns.ts';

/** What a sweep works with. */
export interface SweepParts {
  readonly redis: QuotaRedis;
  readonly sql: Sql;
  readonly seeder: Seeder;
}

/** The search for accounts that Redis has lost with open reservations. */
export interface SweepStats {
  /** Lost shards whose accounts are still being looked for. */
  readonly lostShards: number;
  /** Accounts looked through so far. */
  readonly lookedThrough: number;
}

const CHUNK = 200;
/** Accounts that a statement of `findLost` looks through, in some 20 ms, and statements of a round. */
const LOST_PAGE = 5000;
const LOST_PAGES = 20;
/** Tries for one account; each fails when Redis lost the account meanwhile. The next round tries again. */
const TRIES_MAX = 3;
/** How long Redis remembers what it was given: until Postgres surely knows it. */
export const MARKER_MS = 7 * 24 * 3_600_000;

/** Rounds until each shard was looked at. */
const TURN_ROUNDS = 16;

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

interface WaitingUnits {
  readonly what: 'grant' | 'return';
  readonly id: string;
  readonly credits: number;
  /** Of a hold: its period, monthly units and use. */
  readonly period: string | null;
  readonly monthly: number | null;
  readonly use: string | null;
}

/** Creates a sweep. Its calls fail with a `LedgerFault`, a `DatabaseFault` or an error of the Redis client. */
export const createSweep = ({ redis, sql, seeder }: SweepParts) => {
  const keys = keysFor(redis);

  const epochOf = async (accountId: string): Promise<string> => {
    const answer = await seeder.warm(accountId, () => redis.quotaRead(keys.account(accountId), 0, 0));
    return splitHead(splitHead(answer)[1])[0];
  };

  const readWaiting = (accountId: string) => sql<WaitingUnits[]>`
    select 'grant' as what, id, amount as credits, null::text as period, null::bigint as monthly, null as use
    from credit_grants where account_id = ${accountId} and applied_at is null
    union all
    select 'return', id, return_credits, period::text, return_monthly, quota_use('batch', key_id)
    from quota_holds where account_id = ${accountId} and released_at is not null and applied_at is null`;

  const tryWaiting = async (accountId: string): Promise<'done' | 'stale'> => {
    const epoch = await epochOf(accountId);
    for (const { what, id, credits, period, monthly, use } of await readWaiting(accountId)) {
      const answer = await redis.quotaGive(
        keys.account(accountId),
        keys.stream(keys.shardOf(accountId)),
        keys.marker(accountId, what, id),
        id,
        epoch,
        MARKER_MS,
        credits,
        ...(what === 'return' ? [period!, monthly!, use!] : []),
      );
      if (answer === 'stale') return 'stale';
    }
    return 'done';
  };

  const giveWaiting = async (accountId: string): Promise<void> => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if ((await tryWaiting(accountId)) === 'done') return;
    }
    throw ledgerError('LEDGER_UNAVAILABLE', 'the account does not stay in Redis');
  };

  const applyLimit = async (accountId: string): Promise<void> => {
    const [row] = await sql<{ monthly: string; version: number }[]>`
      select coalesce(a.monthly_quota::text, a.plan) as monthly, coalesce(c.version, 0) as version
      from accounts a left join quota_limit_changes c on c.account_id = a.id where a.id = ${accountId}`;
    if (!row) return;
    // If Redis does not know the account, its seeding will bring this limit or a later one.
    await redis.quotaLimit(keys.account(accountId), row.monthly, row.version);
    await sql`
      update quota_limit_changes set applied = true
      where account_id = ${accountId} and version = ${row.version} and not applied`;
  };

  /** The walk through all accounts after a loss: the shards that it looks for, and the last account that it has seen. */
  let walk = { lost: new Set<number>(), after: NIL_UUID };
  let lookedThrough = 0;

  const allShards = Array.from({ length: keys.shards }, (_, shard) => shard);
  const turns = createTurns(keys.shards, TURN_ROUNDS);

  const lostAmong = async (shards: readonly number[]): Promise<Set<number>> => {
    const alive = await Promise.all(shards.map((shard) => redis.exists(keys.alive(shard))));
    return new Set(shards.filter((_, place) => alive[place] === 0));
  };

  /** Looks at the shards whose turn it is, and at all when one of them is lost: a node has lost all that it had. */
  const findLostShards = async (): Promise<Set<number>> => {
    const lost = await lostAmong([...new Set([...walk.lost, ...turns.take()])]);
    return [...lost].every((shard) => walk.lost.has(shard)) ? lost : lostAmong(allShards);
  };

  /** Seeds the accounts with open units among the next ones of a walk. Returns whether these were the last. */
  const seedNext = async (): Promise<boolean> => {
    const [page] = await sql<[{ open: readonly string[]; read: number; last: string | null }]>`
      with page as materialized (
        select account_id, open_monthly + open_credits > 0 as is_open from quota_balances
        where account_id > ${walk.after} order by account_id limit ${LOST_PAGE}
      )
      select array(select account_id::text from page where is_open) as open,
        (select count(*)::int from page) as read,
        (select account_id from page order by account_id desc limit 1) as last`;
    const open = page.open.filter((id) => walk.lost.has(keys.shardOf(id)));
    for (let from = 0; from < open.length; from += CHUNK)
      await Promise.all(open.slice(from, from + CHUNK).map(epochOf));
    walk.after = page.last ?? walk.after;
    lookedThrough += page.read;
    return page.read < LOST_PAGE;
  };

  /**
   * After Redis has lost its data, seeds the accounts that had open reservations, also those that make no further
   * calls. What was open becomes a remainder, which expires. The next round continues a walk that is not at its end,
   * also after a failure.
   */
  const findLost = async (): Promise<'more' | 'idle'> => {
    const lost = await findLostShards();
    if ([...lost].some((shard) => !walk.lost.has(shard))) walk = { lost, after: NIL_UUID };
    walk.lost = lost;
    if (lost.size === 0) return 'idle';
    for (let pages = 0; pages < LOST_PAGES; pages += 1) {
      if (!(await seedNext())) continue;
      await Promise.all([...lost].map((shard) => redis.set(keys.alive(shard), '1')));
      walk = { lost: new Set(), after: NIL_UUID };
      return 'idle';
    }
    return 'more';
  };

  return {
    /** Returns the present epoch of the account. */
    epochOf,
    /** Gives the account what waits for it in Postgres: bought credits, and the rest of holds. */
    giveWaiting,
    /** Tells Redis the account's present plan and monthly quota. */
    applyLimit,
    /** Brings over what was missed while Redis or a gateway was unavailable, and purges what has expired. */
    async round(): Promise<'more' | 'idle'> {
      const [row] = await sql<[{ missed: Record<'limits' | 'units', readonly string[]> }]>`
        select quota_waiting(${CHUNK}) as missed, quota_purge(${CHUNK})`;
      const { limits, units } = row.missed;
      for (const accountId of limits) await applyLimit(accountId);
      for (const accountId of units) await giveWaiting(accountId);
      return findLost();
    },
    stats: (): SweepStats => ({ lostShards: walk.lost.size, lookedThrough }),
  };
};
