import { type Asked, changesOne, findAsked, lockAccount, type Sql } from '../client.ts';
import { makersOf, type Principal } from './accounts/keys.ts';

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

/** A picture of an account in a ledger month. */
export interface PaidPicture {
  readonly accountId: string;
  /** The first day of the month, `YYYY-MM-DD`. */
  readonly month: string;
  /** SHA-256 of everything that determines the picture: 32 bytes. */
  readonly picture: Uint8Array;
}

/** Whether the picture is paid for. */
export const isPaid = async (sql: Sql, { accountId, month, picture }: PaidPicture): Promise<boolean> => {
  const rows = await sql`
    select from paid_pictures where month = ${month}::date and account_id = ${accountId} and picture = ${picture}`;
  return rows.length === 1;
};

/**
 * Records which reservation pays for the picture. Returns `false` when another one already does: the first wins.
 * Idempotent.
 */
export const notePaid = async (
  sql: Sql,
  { accountId, month, picture }: PaidPicture,
  reservationId: string,
): Promise<boolean> => {
  const [row] = await sql<[{ isFirst: boolean }]>`
    insert into paid_pictures as p (month, account_id, picture, reservation_id)
    values (${month}::date, ${accountId}, ${picture}, ${reservationId})
    on conflict (month, account_id, picture) do update set reservation_id = p.reservation_id
    returning p.reservation_id = ${reservationId} as is_first`;
  return row.isFirst;
};

/** Rows deleted per statement. This blocks the embedded database for some 10 ms. */
const STEP_ROWS = 1000;
/** Statements per run; the rest waits for the next run. */
const STEPS_MAX = 1000;

/**
 * Deletes the payments of past months, in bounded steps, and returns the number of deleted rows. It waits a day after
 * the end of a month, until no gateway's clock is still in that month.
 */
export const purgePaidPictures = async (sql: Sql): Promise<number> => {
  let purged = 0;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { count } = await sql`
      delete from paid_pictures where (month, account_id, picture) in (
        select month, account_id, picture from paid_pictures
        where month < date_trunc('month', (now() - interval '1 day') at time zone 'UTC')::date limit ${STEP_ROWS}
      )`;
    purged += count;
    if (count < STEP_ROWS) break;
  }
  return purged;
};
