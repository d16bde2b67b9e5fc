/** The signing secrets of accounts: making and deleting them, and finding the one that an address names. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Sql } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import { isOfKey, type Principal } from '../db/tables/accounts/keys.ts';
import type { SignerRow, SigningSecret, SigningSecretText } from '../db/tables/signed.ts';
import * as table from '../db/tables/signed.ts';
import type { Log } from '../log.ts';
import { createOutageCache } from '../outage-cache/outage-cache.ts';
import { ok, type Result, refused } from '../result.ts';

/** Secrets of an account: the one in use, and its successor while pages change over. */
export const SECRETS_MAX = 2;

/** What a signature is checked with, and the API key that made it, which pays: it and its makers bound the pictures. */
export interface Signer
  extends Pick<
    Principal,
    'accountId' | 'keyId' | 'keyExpiresAt' | 'keyQuota' | 'rateLimitPerSecond' | 'makers'
  > {
  readonly secretId: string;
  readonly key: KeyObject;
}

/**
 * Deletions are announced to the cache. While announcements may be missed, an entry is fresh for less than a second.
 */
const CACHE = {
  max: 10_000,
  freshMs: 60_000,
  unknownMs: 10_000,
  freshWithoutNewsMs: 900,
  staleMs: 600_000,
  maxLoads: 1000,
  loadTimeoutMs: 1000,
  refreshTimeoutMs: 1000,
  retryMs: 500,
};

/** Returns a new secret: `tss_` and 32 random bytes in hexadecimal. */
const createSecret = (): string => `tss_${randomBytes(32).toString('hex')}`;

const toSigner = ({ id, secret, createdAt: _, ...key }: SignerRow): Signer => ({
  ...key,
  secretId: id,
  key: createSecretKey(secret, 'utf8'),
});

/** The operations on signing secrets. */
export type SigningSecrets = ReturnType<typeof createSigningSecrets>;

/**
 * Creates the operations. A new secret works at once, and one that is deleted, or whose key is revoked, stops on every
 * gateway within a second. While the database is unavailable, a secret that was used in the last ten minutes is still
 * found.
 */
export const createSigningSecrets = ({ sql, changes }: Pick<Database, 'sql' | 'changes'>, log: Log) => {
  const cache = createOutageCache<Signer>(
    {
      ...CACHE,
      what: 'signing secrets',
      load: async (id) => {
        const found = await table.findSecret(sql, id);
        return found === null ? null : toSigner(found);
      },
      isLive: () => changes.live,
      whileFailing: 'spare',
    },
    log,
  );
  changes.subscribe((change) => {
    if (change.kind === 'everything') cache.outdateAll();
    else if (change.kind === 'signing-secret') cache.drop(({ secretId }) => secretId === change.id);
    else if (change.kind === 'key') cache.drop((signer) => isOfKey(signer, change.id));
  });

  return {
    /** Makes a secret. `too many`: the account has `SECRETS_MAX` already. */
    create: ({
      accountId,
      keyId,
      keyExpiresAt,
    }: Omit<SigningSecret, 'id' | 'createdAt'>): Promise<
      Result<{ readonly made: SigningSecret; readonly secret: string }, 'too many'>
    > =>
      sql.begin(async (tx) => {
        if ((await table.countSecretsToAdd(tx, accountId)) >= SECRETS_MAX) return refused('too many');
        const secret = createSecret();
        const made = await table.insertSecret(tx, { accountId, keyId, secret });
        return ok({ made: { ...made, accountId, keyId, keyExpiresAt }, secret });
      }),

    /** Returns the account's secrets with their texts, newest first. */
    list: (accountId: string): Promise<readonly SigningSecretText[]> => table.listSecrets(sql, accountId),

    /** Deletes a secret in a transaction. Returns `false` when the account has none with this id. */
    async delete(tx: Sql, accountId: string, id: string): Promise<boolean> {
      const deleted = await table.deleteSecret(tx, accountId, id);
      if (deleted) await changes.announce(tx, { kind: 'signing-secret', id });
      return deleted;
    },

    /** Returns a secret from memory; `null`: there is none; `undefined`: `get` must ask. */
    peek: cache.peek,
    /** Whether memory has a usable answer about the secret, even while the database is unavailable. */
    has: cache.has,
    /** Returns the signer, or `null` when there is no such secret. @throws When the database is unavailable. */
    get: cache.get,
  };
};
