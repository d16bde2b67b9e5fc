import { TIMESTAMPTZ_ARRAY } from '../array-types.ts';
import { changesOne, findFirst, type Sql } from '../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../cursor.ts';
import type { Plan } from './accounts.ts';

/** Every scope; `sql/0001_accounts.sql` has the same list. */
export const SCOPES = ['generate', 'render', 'manage'] as const;
/** What a key may do: make codes, render pictures for web pages, or manage the account. */
export type Scope = (typeof SCOPES)[number];

/** An active API key, without its secret. */
export interface Key {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The first characters of the secret. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  /** Requests a second of this key, within the account's limit; `null`: only the account's limit applies. */
  readonly rateLimitPerSecond: number | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The account for which a key speaks, and what the key may do. */
export interface Principal {
  readonly keyId: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly plan: Plan;
  readonly scopes: readonly Scope[];
  /** Requests a second of this key; `null`: only the account's limit applies. */
  readonly rateLimitPerSecond: number | null;
}

const columns = (sql: Sql) =>
  sql`id, account_id, name, prefix, scopes, rate_limit_per_second, created_at, last_used_at`;

/**
 * Counts the account's active keys before another is made. Locks the account's row until the transaction ends, so only
 * one caller at a time counts and inserts. Returns `null` when there is no such account.
 */
export const countKeysToAdd = async (tx: Sql, accountId: string): Promise<number | null> => {
  const accounts = await tx`select 1 from accounts where id = ${accountId} for no key update`;
  if (accounts.length === 0) return null;
  // A separate statement sees what was committed while the first one waited for the lock.
  const [row] = await tx<[{ count: number }]>`
    select count(*) from api_keys where account_id = ${accountId} and revoked_at is null`;
  return row.count;
};

/** Inserts a key. @param key.hash The SHA-256 of the whole secret, 32 bytes. */
export const insertKey = async (
  sql: Sql,
  key: {
    accountId: string;
    name: string;
    prefix: string;
    hash: Uint8Array;
    scopes: readonly Scope[];
    rateLimitPerSecond?: number | null;
  },
): Promise<Key> => {
  const [row] = await sql<[Key]>`
    insert into api_keys (account_id, name, prefix, hash, scopes, rate_limit_per_second)
    values (${key.accountId}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.scopes}::text[],
      ${key.rateLimitPerSecond ?? null})
    returning ${columns(sql)}`;
  return row;
};

/** Returns the principal of the key with this hash, or `null` when it is unknown or revoked. */
export const findKeyByHash = (sql: Sql, hash: Uint8Array): Promise<Principal | null> =>
  findFirst(sql<Principal[]>`
    select k.id as key_id, k.account_id, a.name as account_name, a.plan, k.scopes,
      k.rate_limit_per_second
    from api_keys k join accounts a on a.id = k.account_id
    where k.hash = ${hash} and k.revoked_at is null`);

/** Returns the account's active keys, newest first, at most a thousand. */
export const listKeys = (sql: Sql, accountId: string): Promise<readonly Key[]> => sql<Key[]>`
  select ${columns(sql)} from api_keys
  where account_id = ${accountId} and revoked_at is null
  order by created_at desc, id desc limit 1000`;

/** Returns a page of the account's active keys, newest first. */
export const pageKeys = (sql: Sql, accountId: string, page: PageRequest): Promise<Page<Key>> =>
  readPage(
    page,
    sql<Key[]>`
    select ${columns(sql)} from api_keys
    where account_id = ${accountId} and revoked_at is null ${newestFirst(sql, page)}`,
  );

/** Revokes a key of any account. Returns `false` when it is unknown or already revoked. */
export const revokeKey = (sql: Sql, id: string): Promise<boolean> =>
  changesOne(sql`
    update api_keys set revoked_at = now() where id = ${id} and revoked_at is null`);

/** Revokes a key of the account. Returns `false` when it is unknown, already revoked, or another account's. */
export const revokeKeyOfAccount = (sql: Sql, accountId: string, id: string): Promise<boolean> =>
  changesOne(sql`
    update api_keys set revoked_at = now()
    where account_id = ${accountId} and id = ${id} and revoked_at is null`);

/**
 * Records when keys were last used, in one statement. It skips rows that another gateway is writing at the moment,
 * because that gateway writes a time that is as good. A recorded time never goes back.
 */
export const touchKeys = async (sql: Sql, uses: ReadonlyMap<string, Date>): Promise<void> => {
  if (uses.size === 0) return;
  await sql`
    with used as (
      select k.id, u.at
      from unnest(${[...uses.keys()]}::uuid[], ${sql.array([...uses.values()], TIMESTAMPTZ_ARRAY)}) as u (id, at)
      join api_keys k on k.id = u.id
      for update of k skip locked
    )
    update api_keys k set last_used_at = greatest(k.last_used_at, used.at) from used where k.id = used.id`;
};
