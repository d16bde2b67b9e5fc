import type { Sql } from '../db/client.ts';
import type { Page, PageRequest } from '../db/cursor.ts';
import type { Database } from '../db/database.ts';
import { getAccount } from '../db/tables/accounts.ts';
import * as keyTable from '../db/tables/keys.ts';
import { type Key, SCOPES, type Scope } from '../db/tables/keys.ts';
import { ok, type Result, refused } from '../result.ts';
import { createApiKey, hashKey, shownPrefix } from './api-key.ts';

/** A new key. `secret` is the whole key, which is stored nowhere and cannot be read again. */
export interface CreatedKey {
  readonly key: Key;
  readonly secret: string;
}

/** A key to be made. */
export interface WantedKey {
  readonly name: string;
  /** Absent: all scopes. */
  readonly scopes?: readonly Scope[];
  /** Absent: only the account's limit applies. */
  readonly rateLimitPerSecond?: number;
}

/** Creates the operations on the keys of accounts. An operation on an account that does not exist returns `null`. */
export const createAccountKeys = (
  database: Database,
  { keysPerAccountMax }: { readonly keysPerAccountMax: number },
) => {
  const { sql } = database;

  /** Announces the revocation in its own transaction, so that every gateway applies it within a second. */
  const revoke = (id: string, mark: (tx: Sql) => Promise<boolean>): Promise<boolean> =>
    database.sql.begin(async (tx) => {
      const revoked = await mark(tx);
      if (revoked) await database.changes.announce(tx, { kind: 'key', id });
      return revoked;
    });

  return {
    /** Creates a key. `too many`: the account already has `keysPerAccountMax` active keys. */
    createKey: (
      accountId: string,
      wanted: WantedKey,
    ): Promise<Result<CreatedKey, 'no account' | 'too many'>> =>
      sql.begin(async (tx) => {
        const held = await keyTable.countKeysToAdd(tx, accountId);
        if (held === null) return refused('no account');
        if (held >= keysPerAccountMax) return refused('too many');
        const secret = createApiKey();
        const key = await keyTable.insertKey(tx, {
          accountId,
          name: wanted.name,
          prefix: shownPrefix(secret),
          hash: hashKey(secret),
          scopes: wanted.scopes ?? SCOPES,
          rateLimitPerSecond: wanted.rateLimitPerSecond ?? null,
        });
        await database.changes.announce(tx, { kind: 'key', id: key.id });
        return ok({ key, secret });
      }),

    /** How many active keys an account may have. */
    keysPerAccountMax,

    /** Returns the active keys, newest first, at most a thousand. */
    async listKeys(accountId: string): Promise<readonly Key[] | null> {
      const account = await getAccount(sql, accountId);
      return account === null ? null : keyTable.listKeys(sql, accountId);
    },

    /** Returns a page of the active keys, newest first. */
    pageKeys: (accountId: string, request: PageRequest): Promise<Page<Key>> =>
      keyTable.pageKeys(sql, accountId, request),

    /** Revokes a key of any account. Returns `false` when it is unknown or already revoked. */
    revokeKey: (id: string): Promise<boolean> => revoke(id, (tx) => keyTable.revokeKey(tx, id)),

    /** Revokes a key of this account. Returns `false` when it is unknown, already revoked, or another account's. */
    revokeOwnKey: (accountId: string, id: string): Promise<boolean> =>
      revoke(id, (tx) => keyTable.revokeKeyOfAccount(tx, accountId, id)),
  };
};
