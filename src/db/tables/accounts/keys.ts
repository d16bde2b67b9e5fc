import { type Asked, changesOne, findAsked, findFirst, type Sql } from '../../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../../cursor.ts';
import { TIMESTAMPTZ_ARRAY } from '../../statements.ts';
import type { Plan } from './accounts.ts';

/** Every scope; `sql/0001_accounts.sql` has the same list. */
export const SCOPES = ['generate', 'render', 'manage'] as const;
/** What a key may do: make codes, render pictures for web pages, or manage the account. */
export type Scope = (typeof SCOPES)[number];

/** The limits of a key, within those of its account. */
export interface KeyBounds {
  /** Requests per second for this key, within the account's limit; `null`: only the account's limit applies. */
  readonly rateLimitPerSecond: number | null;
  /** The moment from which the key is refused; `null`: never. */
  readonly expiresAt: Date | null;
  /** Units that the key may use per month, within the account's quota; `null`: only that quota applies. */
  readonly monthlyQuota: number | null;
}

/** An API key that is not revoked, without its secret. */
export interface Key extends KeyBounds {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The first characters of the secret. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  /** Whether it is a sandbox key: what it makes is marked, and neither charged nor saved. */
  readonly isSandbox: boolean;
  /** Whether its calls may have `Tessera-Load-Test`. */
  readonly loadTests: boolean;
  /** The key that made it; `null`: the operator did. */
  readonly madeBy: string | null;
  /** The key that was made in its place; `null`: none was. */
  readonly replacedBy: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** Units that it and the keys that it made have used this month, as far as Postgres knows, whatever paid for them. */
  readonly usageCount: number;
  /** The active keys that it made, and that they made. */
  readonly madeCount: number;
}

/** What may change about a key. Absent fields are unchanged. */
export interface KeyPatch extends Partial<KeyBounds> {
  readonly name?: string;
}

/** A key that made another one, or made its maker. What the other one does counts for the bounds of both. */
export interface Maker extends Pick<KeyBounds, 'rateLimitPerSecond' | 'monthlyQuota'> {
  readonly keyId: string;
}

/** The account that a key authenticates, and what the key may do. */
export interface Principal {
  readonly keyId: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly plan: Plan;
  readonly scopes: readonly Scope[];
  /** Requests per second for this key; `null`: only the account's limit applies. */
  readonly rateLimitPerSecond: number | null;
  /** The moment from which the key is refused; `null`: never. */
  readonly keyExpiresAt: Date | null;
  /** Units that the key may use per month; `null`: as many as the account. */
  readonly keyQuota: number | null;
  /** The makers of the key, the nearest first. */
  readonly makers: readonly Maker[];
  /** Whether it is a sandbox key. */
  readonly isSandbox: boolean;
  /** Whether its calls may have `Tessera-Load-Test`. */
  readonly loadTests: boolean;
}

const columns = (sql: Sql) => sql`
  id, account_id, name, prefix, scopes, rate_limit_per_second, expires_at, monthly_quota, is_sandbox,
  load_tests, makers[1] as made_by, replaced_by, created_at, last_used_at`;

/** The start of a query for active keys of an account. It ends with a condition. */
const keysOf = (sql: Sql, accountId: string) => sql`
  select ${columns(sql)}, greatest(coalesce(used, 0), 0) as usage_count, coalesce(made.count, 0) as made_count
  from api_keys left join quota_used_by_keys(${accountId}, quota_month()) on key_id = id
  left join (
    select maker_id, count(*) from api_keys, unnest(makers) as maker_id
    where account_id = ${accountId} and revoked_at is null group by maker_id
  ) made on maker_id = id
  where account_id = ${accountId} and revoked_at is null`;

/**
 * Counts the account's active keys before another is created. Locks the account's row until the transaction ends, so
 * only one caller at a time counts and inserts. Returns `null` when there is no such account.
 */
export const countKeysToAdd = async (tx: Sql, accountId: string): Promise<number | null> => {
  const accounts = await tx`select 1 from accounts where id = ${accountId} for no key update`;
  if (accounts.length === 0) return null;
  // A separate statement sees what was committed while the first one waited for the lock.
  const [row] = await tx<[{ count: number }]>`
    select count(*) from api_keys where account_id = ${accountId} and revoked_at is null`;
  return row.count;
};

/**
 * Returns the makers of a key that a key is about to make, the nearest first; `null`: that key is revoked. In a line of
 * keys that replace each other, those that are revoked drop out once they bound nothing: that have no bounds, or none
 * that is narrower than those of a revoked key before them. The bounds of a revoked key never change.
 */
export const findMakers = async (tx: Sql, makerId: string): Promise<readonly string[] | null> => {
  const [row] = await tx<{ makers: readonly string[] }[]>`
    with line as (
      select k.id, place, k.revoked_at is not null as is_revoked,
        coalesce(k.monthly_quota, 'Infinity'::float8) as quota, coalesce(k.rate_limit_per_second, 'Infinity'::float8) as rate
      from api_keys m cross join lateral unnest(m.id || m.makers) with ordinality as own (id, place)
      join api_keys k on k.id = own.id where m.id = ${makerId} and m.revoked_at is null
    )
    select array_agg(id order by place) as makers from line l
    where not is_revoked or (least(quota, rate) < 'Infinity' and not exists (
      select from line f where f.is_revoked and f.place > l.place and f.quota <= l.quota and f.rate <= l.rate))`;
  return row!.makers;
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
    isSandbox?: boolean;
    loadTests?: boolean;
    makers?: readonly string[];
  } & Partial<KeyBounds>,
): Promise<Key> => {
  const [row] = await sql<[Key]>`
    insert into api_keys (account_id, name, prefix, hash, scopes, rate_limit_per_second, expires_at, monthly_quota,
      is_sandbox, load_tests, makers)
    values (${key.accountId}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.scopes}::text[],
      ${key.rateLimitPerSecond ?? null}, ${key.expiresAt ?? null}, ${key.monthlyQuota ?? null},
      ${key.isSandbox ?? false}, ${key.loadTests ?? false}, ${key.makers ?? []}::uuid[])
    returning ${columns(sql)}, 0::bigint as usage_count, 0::bigint as made_count`;
  return row;
};

/** Whether a key is this one or was made by it, so that a change of this one concerns it. */
export const isOfKey = ({ keyId, makers }: Pick<Principal, 'keyId' | 'makers'>, id: string): boolean =>
  keyId === id || makers.some((maker) => maker.keyId === id);

/** The makers of the key `k`, with their present bounds. */
export const makersOf = (sql: Sql) => sql`
  (select coalesce(json_agg(json_build_object('keyId', m.id, 'rateLimitPerSecond', m.rate_limit_per_second,
    'monthlyQuota', m.monthly_quota) order by place), '[]')
  from unnest(k.makers) with ordinality as own (id, place) join api_keys m on m.id = own.id)`;

/** The columns of a `Principal`: the key is `k`, and its account `a`. */
export const principalColumns = (sql: Sql) => sql`
  k.id as key_id, k.account_id, a.name as account_name, a.plan, k.scopes, k.rate_limit_per_second,
  k.expires_at as key_expires_at, k.monthly_quota as key_quota, k.is_sandbox, k.load_tests,
  ${makersOf(sql)} as makers`;

/** Returns the principal of the key with this hash, even if expired; `null`: it is unknown or revoked. */
export const findKeyByHash = (sql: Sql, hash: Uint8Array): Promise<Principal | null> =>
  findAsked<Principal>(
    Buffer.from(hash).toString('hex'),
    sql<(Principal & Asked)[]>`
    select encode(k.hash, 'hex') as asked, ${principalColumns(sql)}
    from api_keys k join accounts a on a.id = k.account_id
    where k.hash = ${hash} and k.revoked_at is null`,
  );

/** Returns the account's active keys, newest first, at most a thousand. */
export const listKeys = (sql: Sql, accountId: string): Promise<readonly Key[]> => sql<Key[]>`
  ${keysOf(sql, accountId)} order by created_at desc, id desc limit 1000`;

/** Returns the account of an active key; `null`: there is no such key. */
export const findAccountOf = async (sql: Sql, id: string): Promise<string | null> => {
  const [row] = await sql<{ accountId: string }[]>`
    select account_id from api_keys where id = ${id} and revoked_at is null`;
  return row?.accountId ?? null;
};

/** Returns an active key of the account; `null`: it has none with this id. */
export const getKey = (sql: Sql, accountId: string, id: string): Promise<Key | null> =>
  findFirst(sql<Key[]>`${keysOf(sql, accountId)} and id = ${id}`);

/** The units of a key that has a quota, or was made by one that has. */
export interface KeyUnits {
  /** The least that the quotas leave this month, as far as Postgres knows. */
  readonly left: number;
  /** Whether a key that made it has a quota. */
  readonly isShared: boolean;
}

/** Returns what a key, even a revoked one, and its makers may still use; `null`: none of them has a quota. */
export const findKeyUnits = (
  sql: Sql,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
): Promise<KeyUnits | null> =>
  findFirst(sql<KeyUnits[]>`
    select greatest(min(b.monthly_quota - coalesce(used, 0)), 0) as left, bool_or(b.id <> k.id) as is_shared
    from api_keys k cross join unnest(k.id || k.makers) as bound (id) join api_keys b on b.id = bound.id
    left join quota_used_by_keys(${accountId}, quota_month()) u on u.key_id = b.id
    where k.id = ${keyId} and k.account_id = ${accountId} and b.monthly_quota is not null group by k.id`);

/** Returns a page of the account's active keys, newest first. */
export const pageKeys = (sql: Sql, accountId: string, page: PageRequest): Promise<Page<Key>> =>
  readPage(page, sql<Key[]>`${keysOf(sql, accountId)} ${newestFirst(sql, page)}`);

/**
 * Changes a key and returns it; `null`: it is unknown, revoked, or another account's, or it is a sandbox key, which is
 * never charged, and the patch sets a quota.
 *
 * @param accountId `null`: a key of any account.
 */
export const updateKey = async (
  sql: Sql,
  { id, accountId }: { readonly id: string; readonly accountId: string | null },
  { name, rateLimitPerSecond: rate, expiresAt, monthlyQuota }: KeyPatch,
): Promise<Key | null> => {
  const [changed] = await sql<{ accountId: string }[]>`
    update api_keys set
      name = coalesce(${name ?? null}, name),
      rate_limit_per_second = ${rate === undefined ? sql`rate_limit_per_second` : sql`${rate}`},
      expires_at = ${expiresAt === undefined ? sql`expires_at` : sql`${expiresAt}`},
      monthly_quota = ${monthlyQuota === undefined ? sql`monthly_quota` : sql`${monthlyQuota}`}
    where id = ${id} and revoked_at is null and not (is_sandbox and ${monthlyQuota ?? null}::bigint is not null)
      ${accountId === null ? sql`` : sql`and account_id = ${accountId}`}
    returning account_id`;
  return changed === undefined ? null : getKey(sql, changed.accountId, id);
};

/** Whether a key is a sandbox key. @param key.accountId `null`: a key of any account. */
export const isSandboxKey = async (
  sql: Sql,
  { id, accountId }: { readonly id: string; readonly accountId: string | null },
): Promise<boolean> => {
  const rows = await sql`
    select 1 from api_keys
    where id = ${id} and is_sandbox and revoked_at is null
      ${accountId === null ? sql`` : sql`and account_id = ${accountId}`}`;
  return rows.length > 0;
};

/** Which key is revoked, and whether the keys that it made are revoked with it. */
export interface Revocation {
  readonly id: string;
  /** `null`: a key of any account. */
  readonly accountId: string | null;
  readonly withMade: boolean;
}

/**
 * Revokes a key, and deletes the signing secrets that it made. The keys that it made are kept or revoked with it. Must
 * be called in a transaction. Returns `false` when it is unknown, already revoked, or another account's.
 */
export const revokeKey = async (tx: Sql, { id, accountId, withMade }: Revocation): Promise<boolean> => {
  const isMine = tx`id = ${id} and revoked_at is null ${accountId === null ? tx`` : tx`and account_id = ${accountId}`}`;
  // Keys are made under the same lock, so none that this key makes meanwhile is missed.
  const [key] = await tx<{ accountId: string }[]>`
    select id as account_id from accounts where id = (select account_id from api_keys where ${isMine}) for no key update`;
  if (key === undefined) return false;
  return changesOne(tx`
    with revoked as (
      update api_keys set revoked_at = now()
      where account_id = ${key.accountId} and revoked_at is null
        and (id = ${id} or (${withMade} and ${id}::uuid = any (makers)))
      returning id
    ), deleted as (
      delete from signing_secrets where key_id in (select id from revoked)
    )
    select from revoked where id = ${id}`);
};

/**
 * Records when keys were last used, in one statement. It skips rows that another gateway is writing at the moment,
 * because that gateway's time is just as good. A recorded time never moves backwards.
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
