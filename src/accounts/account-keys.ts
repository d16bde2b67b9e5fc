import { lockAccount, type Sql } from '../db/client.ts';
import type { Page, PageRequest } from '../db/cursor.ts';
import type { Database } from '../db/database.ts';
import { getAccount } from '../db/tables/accounts/accounts.ts';
import { endReplaced, findReplaced, revokeReplaced } from '../db/tables/accounts/key-rotation.ts';
import * as keyTable from '../db/tables/accounts/keys.ts';
import {
  type Key,
  type KeyBounds,
  type KeyPatch,
  SCOPES,
  type Scope,
  touchKeys,
} from '../db/tables/accounts/keys.ts';
import { countLoopFailure } from '../execution/loops.ts';
import type { Log } from '../log.ts';
import { MAKERS_MAX } from '../quota/check.ts';
import { ok, type Result, refused } from '../result.ts';
import { createApiKey, hashKey, shownPrefixOf } from './api-key.ts';

/** A new key. `secret` is the whole key, which is not stored and cannot be retrieved later. */
export interface CreatedKey {
  readonly key: Key;
  readonly secret: string;
}

/** A key to be created. Absent limits are `null`. */
export interface WantedKey extends Partial<KeyBounds> {
  readonly name: string;
  /** Absent: all scopes. */
  readonly scopes?: readonly Scope[];
  /** Whether it is a sandbox key; absent: no. */
  readonly isSandbox?: boolean;
  /** Whether its calls may have `Tessera-Load-Test`; absent: no. */
  readonly loadTests?: boolean;
}

/** Which key is replaced, by whom, and how long it works on. */
export interface WantedRotation {
  readonly accountId: string;
  readonly id: string;
  /** The key that asks; `null`: the operator does. */
  readonly makerId: string | null;
  /** When the new key expires; `null`: never. */
  readonly expiresAt: Date | null;
  /** 0: the old key is revoked at once. */
  readonly overlapMs: number;
}

type NotMade = 'no maker' | 'too many' | 'too deep';

/** Creates the operations on the keys of accounts. An operation on an account that does not exist returns `null`. */
export const createAccountKeys = (
  database: Pick<Database, 'sql' | 'changes'>,
  { keysPerAccountMax }: { readonly keysPerAccountMax: number },
) => {
  const { sql } = database;

  /** Announces a change of a key in its own transaction, so that every gateway applies it within a second. */
  const change = async <T>(id: string, make: (tx: Sql) => Promise<T>): Promise<T> => {
    const { made } = await database.sql.begin(async (tx) => {
      const made = await make(tx);
      if (made) await database.changes.announce(tx, { kind: 'key', id });
      return { made };
    });
    return made;
  };

  /** Inserts a key with a new secret, in a transaction. */
  const insert = async (
    tx: Sql,
    wanted: WantedKey & { readonly accountId: string; readonly makers: readonly string[] },
  ): Promise<CreatedKey> => {
    const secret = createApiKey(wanted.isSandbox);
    const [prefix, hash] = [shownPrefixOf(secret), hashKey(secret)];
    const key = await keyTable.insertKey(tx, { scopes: SCOPES, ...wanted, prefix, hash });
    await database.changes.announce(tx, { kind: 'key', id: key.id });
    return { key, secret };
  };

  return {
    /**
     * Creates a key. `too many`: the account already has `keysPerAccountMax` active keys. `too deep`: its maker has
     * `MAKERS_MAX` makers. `no maker`: its maker was revoked meanwhile.
     *
     * @param makerId The key that makes it; `null`: the operator does.
     */
    createKey: (
      accountId: string,
      makerId: string | null,
      wanted: WantedKey,
    ): Promise<Result<CreatedKey, 'no account' | NotMade>> =>
      sql.begin(async (tx) => {
        const held = await keyTable.countKeysToAdd(tx, accountId);
        if (held === null) return refused('no account');
        if (held >= keysPerAccountMax) return refused('too many');
        const makers = makerId === null ? [] : await keyTable.findMakers(tx, makerId);
        if (makers === null) return refused('no maker');
        if (makers.length > MAKERS_MAX) return refused('too deep');
        return ok(await insert(tx, { ...wanted, accountId, makers }));
      }),

    /**
     * Makes a key with the name, scopes and bounds of another one, which stops after a while. What the new one uses
     * counts for the keys that the old one counted for, and for the key that asks and its makers. `no key`: the account
     * has no such key. Otherwise it refuses as `createKey`.
     */
    rotateKey: ({
      accountId,
      id,
      makerId,
      expiresAt,
      overlapMs,
    }: WantedRotation): Promise<Result<CreatedKey, 'no key' | NotMade>> =>
      sql.begin(async (tx) => {
        await lockAccount(tx, accountId);
        await revokeReplaced(tx, accountId);
        const replaced = await findReplaced(tx, accountId, id);
        if (replaced === null) return refused('no key');
        const held = (await keyTable.countKeysToAdd(tx, accountId)) ?? 0;
        if (held - (overlapMs === 0 ? 1 : 0) >= keysPerAccountMax) return refused('too many');
        const asking = makerId === null ? [] : await keyTable.findMakers(tx, makerId);
        if (asking === null) return refused('no maker');
        const shared = (await keyTable.findMakers(tx, id)) ?? [];
        const makers = [...new Set([...asking, ...shared.filter((maker) => maker !== id)])];
        if (makers.length > MAKERS_MAX) return refused('too deep');
        const made = await insert(tx, { ...replaced, accountId, makers, expiresAt });
        await endReplaced(tx, { accountId, id, by: made.key.id, overlapMs });
        await database.changes.announce(tx, { kind: 'key', id });
        return ok(made);
      }),

    /** Returns an active key; `null`: there is none with this id. @param accountId `null`: of any account. */
    async findKey(id: string, accountId: string | null): Promise<Key | null> {
      const owner = accountId ?? (await keyTable.findAccountOf(sql, id));
      return owner === null ? null : keyTable.getKey(sql, owner, id);
    },

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

    /**
     * Changes a key. Returns `null` when it is unknown, revoked, or another account's, or when the patch sets a quota
     * on a sandbox key, which has none.
     *
     * @param accountId `null`: a key of any account.
     */
    updateKey: (id: string, accountId: string | null, patch: KeyPatch): Promise<Key | null> =>
      change(id, (tx) => keyTable.updateKey(tx, { id, accountId }, patch)),

    /** Whether a key is a sandbox key. @param accountId `null`: a key of any account. */
    isSandboxKey: (id: string, accountId: string | null): Promise<boolean> =>
      keyTable.isSandboxKey(sql, { id, accountId }),

    /**
     * Revokes a key and its signing secrets, and the keys that it made, if they are wanted too. Returns `false` when it
     * is unknown, already revoked, or another account's.
     */
    revokeKey: (revocation: keyTable.Revocation): Promise<boolean> =>
      change(revocation.id, (tx) => keyTable.revokeKey(tx, revocation)),
  };
};

const FLUSH_MS = 10_000;
/** Maximum keys recorded per interval. Uses of further keys are lost: `last_used_at` is only a hint for people. */
const MAX_KEYS = 10_000;

/** Starts recording. One statement every ten seconds writes all recorded uses, so no request waits for it. */
export const startKeyUses = ({ sql }: Pick<Database, 'sql'>, log: Pick<Log, 'warn'>) => {
  let uses = new Map<string, Date>();

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return;
    const flushed = uses;
    uses = new Map();
    await touchKeys(sql, flushed).catch((error: unknown) => {
      countLoopFailure('key_uses');
      log.warn({ err: error, keys: flushed.size }, 'last uses of keys not recorded; will retry');
    });
  };

  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  return {
    /** Records a use as of now; never waits and never throws. */
    note(keyId: string): void {
      if (uses.size < MAX_KEYS) uses.set(keyId, new Date());
    },
    /** Flushes the recorded uses. */
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
};
