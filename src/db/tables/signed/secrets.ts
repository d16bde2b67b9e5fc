import { type Asked, changesOne, findAsked, lockAccount, type Sql } from '../../client.ts';

/** A signing secret, without its value. */
export interface SigningSecret {
  /** Appears in the addresses that it signs. */
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: Date;
}

/** A signing secret with its value. */
export interface SigningSecretText extends SigningSecret {
  readonly secret: string;
}

/**
 * Counts the account's secrets before another is created. Locks the account's row until the transaction ends, so only
 * one caller at a time counts and inserts.
 */
export const countSecretsToAdd = async (tx: Sql, accountId: string): Promise<number> => {
  await lockAccount(tx, accountId);
  // A separate statement sees what was committed while the first one waited for the lock.
  const [row] = await tx<[{ count: number }]>`
    select count(*) from signing_secrets where account_id = ${accountId}`;
  return row.count;
};

/** Inserts a secret. */
export const insertSecret = async (sql: Sql, accountId: string, secret: string): Promise<SigningSecret> => {
  const [row] = await sql<[SigningSecret]>`
    insert into signing_secrets (account_id, secret) values (${accountId}, ${secret})
    returning id, account_id, created_at`;
  return row;
};

/** Returns the account's secrets with their values, newest first. */
export const listSecrets = (sql: Sql, accountId: string): Promise<readonly SigningSecretText[]> =>
  sql<SigningSecretText[]>`
    select id, account_id, secret, created_at from signing_secrets
    where account_id = ${accountId} order by created_at desc, id desc`;

/** Returns the secret with this id, of any account, or `null`. */
export const findSecret = (sql: Sql, id: string): Promise<SigningSecretText | null> =>
  findAsked<SigningSecretText>(
    id,
    sql<(SigningSecretText & Asked)[]>`
    select id as asked, id, account_id, secret, created_at from signing_secrets where id = ${id}`,
  );

/** Deletes a secret of the account. Returns `false` when it is unknown, already deleted, or another account's. */
export const deleteSecret = (sql: Sql, accountId: string, id: string): Promise<boolean> =>
  changesOne(sql`
    delete from signing_secrets where account_id = ${accountId} and id = ${id}`);
