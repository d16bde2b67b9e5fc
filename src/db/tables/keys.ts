import { TIMESTAMPTZ_ARRAY } from '../array-types.ts';
import type { Sql } from '../client.ts';
import { type Page, type PageRequest, toPage } from '../cursor.ts';
import type { Plan } from './accounts.ts';

export const SCOPES = ['generate', 'render', 'manage'] as const;
/** What a key may do. */
export type Scope = (typeof SCOPES)[number];

export interface Key {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  /** Requests a second of this key alone, within the account's; `null`: no limit of its own. */
  readonly rateLimitPerSecond: number | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Who a key speaks for. */
export interface Principal {
  readonly keyId: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly plan: Plan;
  readonly scopes: readonly Scope[];
  /** Of the key alone; `null`: none but the account's. */
  readonly rateLimitPerSecond: number | null;
}

const columns = (sql: Sql) =>
  sql`id, account_id, name, prefix, scopes, rate_limit_per_second, created_at, last_used_at`;

/**
 * The account's keys in force. Holds the account's row until the transaction ends, so that whoever counts in order
 * to make one more is alone. `null`: no such account.
 */
export const countKeysToAdd = async (tx: Sql, accountId: string): Promise<number | null> => {
  const accounts = await tx`select 1 from accounts where id = ${accountId} for no key update`;
  if (accounts.length === 0) return null;
  // A statement of its own: it sees what was committed while the one above waited.
  const [row] = await tx<[{ count: number }]>`
    select count(*) from api_keys where account_id = ${accountId} and revoked_at is null`;
  return row.count;
};

/** @param key.hash SHA-256 of the whole key, 32 bytes. */
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

/** `null`: unknown or revoked. */
export const findKeyByHash = async (sql: Sql, hash: Uint8Array): Promise<Principal | null> => {
  const [row] = await sql<Principal[]>`
    select k.id as key_id, k.account_id, a.name as account_name, a.plan, k.scopes,
      k.rate_limit_per_second
    from api_keys k join accounts a on a.id = k.account_id
    where k.hash = ${hash} and k.revoked_at is null`;
  return row ?? null;
};

/** The keys in force, newest first, at most a thousand. */
export const listKeys = (sql: Sql, accountId: string): Promise<readonly Key[]> => sql<Key[]>`
  select ${columns(sql)} from api_keys
  where account_id = ${accountId} and revoked_at is null
  order by created_at desc, id desc limit 1000`;

/** The keys in force, newest first. */
export const pageKeys = async (
  sql: Sql,
  accountId: string,
  { after, limit }: PageRequest,
): Promise<Page<Key>> => {
  const rows = await sql<Key[]>`
    select ${columns(sql)} from api_keys
    where account_id = ${accountId} and revoked_at is null
    ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit + 1}`;
  return toPage(rows, limit);
};

/** For the operator: a key of any account. `false`: unknown or revoked before. */
export const revokeKey = async (sql: Sql, id: string): Promise<boolean> => {
  const { count } = await sql`
    update api_keys set revoked_at = now() where id = ${id} and revoked_at is null`;
  return count === 1;
};

export const revokeKeyOfAccount = async (sql: Sql, accountId: string, id: string): Promise<boolean> => {
  const { count } = await sql`
    update api_keys set revoked_at = now()
    where account_id = ${accountId} and id = ${id} and revoked_at is null`;
  return count === 1;
};

/**
 * Notes when keys were last used, many in one statement. A row that another gateway is writing at the moment is
 * passed over: it gets a time as good as ours.
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
