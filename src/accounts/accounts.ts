import type { Page, PageRequest } from '../db/cursor.ts';
import type { Database } from '../db/database.ts';
import type { Account, AccountOrder, AccountPatch, Plan } from '../db/tables/accounts/accounts.ts';
import * as accountTable from '../db/tables/accounts/accounts.ts';
import { noteStanding, type PlanMonthly } from '../db/tables/accounts/standings.ts';
import { boundDeadLinkHistory, noteDeadLinkUrl } from '../db/tables/histories.ts';
import type { Balance, Quota } from '../quota/quota.ts';
import { ok, type Result, refused } from '../result.ts';
import { createAccountKeys } from './account-keys.ts';

/** An account and its balance, read one after the other. */
export interface AccountWithBalance {
  readonly account: Account;
  readonly balance: Balance;
}

interface AccountLimits {
  readonly keysPerAccountMax: number;
  readonly quota: { readonly planMonthly: PlanMonthly };
}

const operationsOn = (database: Database, quota: Quota, options: AccountLimits) => {
  const { sql } = database;

  const withBalance = async (account: Account): Promise<AccountWithBalance> => ({
    account,
    balance: await quota.read(account.id),
  });

  const get = async (id: string): Promise<AccountWithBalance | null> => {
    const account = await accountTable.getAccount(sql, id);
    return account === null ? null : withBalance(account);
  };

  /** @param keyId The API key of the caller; `null`: the operator. */
  const change = (id: string, patch: AccountPatch, keyId: string | null): Promise<Account | null> =>
    database.sql.begin(async (tx) => {
      const account = await accountTable.updateAccount(tx, id, patch);
      if (account === null) return null;
      if (patch.deadLinkUrl !== undefined) {
        await noteDeadLinkUrl(tx, id, { url: patch.deadLinkUrl, keyId });
        await boundDeadLinkHistory(tx, database.histories, id);
      }
      await database.changes.announce(tx, { kind: 'account', id });
      if (patch.forward !== undefined || patch.redirectMaxAgeS !== undefined)
        await database.changes.announce(tx, { kind: 'links-of', id });
      return account;
    });

  return {
    /** Units a month by plan. */
    planMonthly: options.quota.planMonthly,

    /** Returns the account with its balance. */
    get,

    /** Returns the account without its balance, which avoids querying the ledger. */
    find: (id: string): Promise<Account | null> => accountTable.getAccount(sql, id),

    /**
     * Sets where the account's short links redirect while they are deleted or lead nowhere, what its links pass on
     * that say nothing themselves, and for how long browsers may repeat a redirect. Every gateway applies it within a
     * second. The history keeps the address.
     *
     * @param keyId The API key of the caller.
     */
    setLinks: (
      id: string,
      patch: Pick<AccountPatch, 'deadLinkUrl' | 'forward' | 'redirectMaxAgeS'>,
      keyId: string,
    ): Promise<Account | null> => change(id, patch, keyId),

    /** Creates an account; `monthlyQuota: null` means the plan's quota. */
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

    /**
     * Returns a page of accounts with their balances. `search` is a part of a name, or an id, and needs the order
     * `created`, the oldest account first.
     */
    async list(
      request: PageRequest,
      { search = '', order = 'created' }: { readonly search?: string; readonly order?: AccountOrder } = {},
    ): Promise<Page<AccountWithBalance>> {
      const { rows, next } = await (order === 'created'
        ? accountTable.listAccounts(sql, request, search)
        : accountTable.sortAccounts(sql, request, order));
      return { rows: await Promise.all(rows.map(withBalance)), next };
    },

    /** Changes the account. The ledger applies it at once, and the gateways' caches within a second. */
    async update(id: string, patch: AccountPatch): Promise<AccountWithBalance | null> {
      const account = await change(id, patch, null);
      if (account === null) return null;
      await quota.refreshLimit(id);
      await noteStanding(sql, id, options.quota.planMonthly);
      return withBalance(account);
    },

    /**
     * Adds credits, idempotently per account and reference. Refuses with `mismatch`, and adds nothing, when the
     * reference was used with another amount.
     */
    async addCredits(
      id: string,
      grant: { amount: number; reference?: string },
    ): Promise<Result<AccountWithBalance, 'no account' | 'mismatch'>> {
      const account = await accountTable.getAccount(sql, id);
      if (account === null) return refused('no account');
      const { amount, reference = null } = grant;
      const added = await quota.addCredits({ accountId: id, amount, reference });
      await noteStanding(sql, id, options.quota.planMonthly);
      return added.ok ? ok({ account, balance: added.value }) : added;
    },

    ...createAccountKeys(database, options),
  };
};

/**
 * Creates the operations on accounts and keys that the API offers to operators and to the accounts themselves. Account
 * and key ids are UUIDs. A result of `null` means that there is no such account.
 */
export const createAccounts = (database: Database, quota: Quota, options: AccountLimits) => {
  /** The same operations as parts of a transaction. */
  const within = (changed: Database) => operationsOn(changed, quota, options);
  return Object.assign(within(database), { within });
};

/** What `createAccounts` returns. */
export type Accounts = ReturnType<typeof createAccounts>;
