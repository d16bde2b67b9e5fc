/** The replacement of keys: a new key takes the place of one that goes on working for a while. */
import { findFirst, fromNow, type Sql } from '../../client.ts';
import { type Key, revokeKey } from './keys.ts';

/** What a key hands down to the one that replaces it. Its scopes and what kind of key it is never change. */
type Replaced = Pick<
  Key,
  'name' | 'scopes' | 'isSandbox' | 'loadTests' | 'rateLimitPerSecond' | 'monthlyQuota'
>;

/** Returns an active key that is to be replaced; `null`: the account has none with this id. */
export const findReplaced = (tx: Sql, accountId: string, id: string): Promise<Replaced | null> =>
  findFirst(tx<Replaced[]>`
    select name, scopes, is_sandbox, load_tests, rate_limit_per_second, monthly_quota
    from api_keys where account_id = ${accountId} and id = ${id} and revoked_at is null`);

/**
 * Revokes the keys of an account that were replaced and whose time is over, so that a key that replaces itself again and
 * again leaves no more behind it than one. The caller has locked the account.
 */
export const revokeReplaced = async (tx: Sql, accountId: string): Promise<void> => {
  await tx`
    update api_keys set revoked_at = now()
    where account_id = ${accountId} and revoked_at is null and replaced_by is not null and expires_at <= now()`;
};

/** Which key is replaced by which, and how long it works on. */
interface Replacement {
  readonly accountId: string;
  readonly id: string;
  readonly by: string;
  /** 0: it is revoked. */
  readonly overlapMs: number;
}

/**
 * Ends a key that was replaced, after a while or at once. What its signing secrets have signed goes on, by the new key.
 */
export const endReplaced = async (tx: Sql, { accountId, id, by, overlapMs }: Replacement): Promise<void> => {
  await tx`update signing_secrets set key_id = ${by} where account_id = ${accountId} and key_id = ${id}`;
  await tx`
    update api_keys set replaced_by = ${by}, expires_at = least(expires_at, ${fromNow(tx, overlapMs)})
    where account_id = ${accountId} and id = ${id}`;
  if (overlapMs === 0) await revokeKey(tx, { id, accountId, withMade: false });
};
