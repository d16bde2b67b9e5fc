import type { Sql } from '../db/client.ts';
import type { Page, PageRequest } from '../db/cursor.ts';
import type { Database } from '../db/database.ts';
import type { Account, AccountPatch, Plan } from '../db/tables/accounts.ts';
import * as accountTable from '../db/tables/accounts.ts';
import * as keyTable from '../db/tables/keys.ts';
import { type Key, SCOPES, type Scope } from '../db/tables/keys.ts';
import type { Balance, Quota } from '../quota/quota.ts';
import { ok, type Result, refused } from '../result.ts';
import { createApiKey, hashKey, shownPrefix } from './api-key.ts';

export interface AccountWithBalance {
  readonly account: Account;
  readonly balance: Balance;
}

/** The secret stands in `secret` and nowhere else, this once. */
export interface CreatedKey {
  readonly key: Key;
  readonly secret: string;
}

export interface WantedKey {
  readonly name: string;
  /** Absent: all. */
  readonly scopes?: readonly Scope[];
  /** Absent: no limit of its own. */
  readonly rateLimitPerSecond?: number;
}

/** Accounts, their plans, credits and keys: what the operator and the first start do. */
export const createAccounts = (
  database: Database,
  quota: Quota,
  { keysPerAccountMax }: { readonly keysPerAccountMax: number },
) => {
  const { sql } = database;

  const withBalance = async (account: Account): Promise<AccountWithBalance> => ({
    account,
    balance: await quota.read(account.id),
  });

  const get = async (id: string): Promise<AccountWithBalance | null> => {
    const account = await accountTable.getAccount(sql, id);
    return account === null ? null : withBalance(account);
  };

  /** In force on every gateway within a second: told of in the transaction that makes it so. */
  const revoke = (id: string, mark: (tx: Sql) => Promise<boolean>): Promise<boolean> =>
    database.sql.begin(async (tx) => {
      const revoked = await mark(tx);
      if (revoked) await database.changes.announce(tx, { kind: 'key', id });
      return revoked;
    });

  const change = (id: string, patch: AccountPatch): Promise<Account | null> =>
    database.sql.begin(async (tx) => {
      const account = await accountTable.updateAccount(tx, id, patch);
      if (account !== null) await database.changes.announce(tx, { kind: 'account', id });
      return account;
    });

  return {
    get,

    /** Without its balance. */
    find: (id: string): Promise<Account | null> => accountTable.getAccount(sql, id),

    /** Where deleted short links lead from now on, on every gateway within a second; `null`: nowhere. */
    leadDeadLinks: (id: string, deadLinkUrl: string | null): Promise<Account | null> =>
      change(id, { deadLinkUrl }),

    async create(wanted: {
      name: string;
      plan: Plan;
      monthlyQuota?: number | null;
      credits?: number;
    }): Promise<AccountWithBalance> {
      const { name, plan, monthlyQuota = null, credits = 0 } = wanted;
      const account = await accountTable.createAccount(sql, { name, plan, monthlyQuota });
      if (credits > 0) await quota.addCredits({ accountId: account.id, amount: credits, reference: null });
      return withBalance(account);
    },

    async list(request: PageRequest): Promise<Page<AccountWithBalance>> {
      const { rows, next } = await accountTable.listAccounts(sql, request);
      return { rows: await Promise.all(rows.map(withBalance)), next };
    },

    /** In force within a second: for the ledger at once, for what gateways keep in memory by the change event. */
    async update(id: string, patch: AccountPatch): Promise<AccountWithBalance | null> {
      const account = await change(id, patch);
      if (account === null) return null;
      await quota.refreshLimit(id);
      return withBalance(account);
    },

    /** The same reference for the same account again adds nothing. `mismatch`: it was of another amount. */
    async addCredits(
      id: string,
      grant: { amount: number; reference?: string },
    ): Promise<Result<AccountWithBalance, 'no account' | 'mismatch'>> {
      const account = await accountTable.getAccount(sql, id);
      if (account === null) return refused('no account');
      const { amount, reference = null } = grant;
      const balance = await quota.addCredits({ accountId: id, amount, reference });
      return balance === null ? refused('mismatch') : ok({ account, balance });
    },

    /** `too many`: the account has as many keys in force as one may have. */
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

    /** Keys in force that an account may have. */
    keysPerAccountMax,

    async listKeys(accountId: string): Promise<readonly Key[] | null> {
      const account = await accountTable.getAccount(sql, accountId);
      return account === null ? null : keyTable.listKeys(sql, accountId);
    },

    /** The keys in force, newest first. */
    pageKeys: (accountId: string, request: PageRequest): Promise<Page<Key>> =>
      keyTable.pageKeys(sql, accountId, request),

    /** For the operator: a key of any account. `false`: unknown, or revoked before. */
    revokeKey: (id: string): Promise<boolean> => revoke(id, (tx) => keyTable.revokeKey(tx, id)),

    /** `false`: unknown, revoked before, or another account's. */
    revokeOwnKey: (accountId: string, id: string): Promise<boolean> =>
      revoke(id, (tx) => keyTable.revokeKeyOfAccount(tx, accountId, id)),
  };
};

export type Accounts = ReturnType<typeof createAccounts>;
