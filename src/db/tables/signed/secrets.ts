import { type Asked, changesOne, findAsked, lockAccount, type Sql } from '../../client.ts';
import { makersOf, type Principal } from '../keys.ts';

/** A signing secret, without its value. It is void once the key that made it is revoked or has expired. */
export interface SigningSecret {
  /** Appears in the addresses that it signs. */
  readonly id: string;
  readonly accountId: string;
  /** The key that made it. */
  readonly keyId: string;
  readonly keyExpiresAt: Date | null;
  readonly createdAt: Date;
}

/** A signing secret with its value, and the makers of its key. */
export interface SigningSecretText extends SigningSecret, Pick<Principal, 'makers'> {
  readonly secret: string;
}

/** A secret with what the signer may do: as much as the key that made it. */
export type SignerRow = SigningSecretText & Pick<Principal, 'rateLimitPerSecond' | 'keyQuota'>;

/**
 * Counts the account's secrets before another is created. Locks the account's row until the transaction ends, so only
 * one caller at a time counts and inserts.
 */
export const countSecretsToAdd = async (tx: Sql, accountId: string): Promise<number> => {
  await lockAccount(tx, accountId);
  // A separate statement sees what was committed while the first one waited for the lock.
  const [row] = await tx<[{ count: number }]>`
    select count(*) from signing_secrets s join api_keys k on k.id = s.key_id
    where s.account_id = ${accountId} and k.revoked_at is null`;
  return row.count;
};

/** Inserts a secret. */
export const insertSecret = async (
  sql: Sql,
  {
    accountId,
    keyId,
    secret,
  }: { readonly accountId: string; readonly keyId: string; readonly secret: string },
): Promise<Pick<SigningSecret, 'id' | 'createdAt'>> => {
  const [row] = await sql<[Pick<SigningSecret, 'id' | 'createdAt'>]>`
    insert into signing_secrets (account_id, key_id, secret) values (${accountId}, ${keyId}, ${secret})
    returning id, created_at`;
  return row;
};

const columns = (sql: Sql) => sql`
  s.id, s.account_id, s.secret, s.created_at, k.id as key_id, k.expires_at as key_expires_at, ${makersOf(sql)} as makers`;

/** Returns the account's secrets of keys that are not revoked, with their values, newest first. */
export const listSecrets = (sql: Sql, accountId: string): Promise<readonly SigningSecretText[]> =>
  sql<SigningSecretText[]>`
    select ${columns(sql)} from signing_secrets s join api_keys k on k.id = s.key_id
    where s.account_id = ${accountId} and k.revoked_at is null order by s.created_at desc, s.id desc`;

/** Returns the secret with this id, of any account; `null`: it is unknown, or its key is revoked. */
export const findSecret = (sql: Sql, id: string): Promise<SignerRow | null> =>
  findAsked<SignerRow>(
    id,
    sql<(SignerRow & Asked)[]>`
    select s.id as asked, ${columns(sql)}, k.rate_limit_per_second, k.monthly_quota as key_quota
    from signing_secrets s join api_keys k on k.id = s.key_id where s.id = ${id} and k.revoked_at is null`,
  );

/** Deletes a secret of the account. Returns `false` when it is unknown, already deleted, or another account's. */
export const deleteSecret = (sql: Sql, accountId: string, id: string): Promise<boolean> =>
  changesOne(sql`
    delete from signing_secrets where account_id = ${accountId} and id = ${id}`);
