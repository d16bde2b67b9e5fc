import { findFirst, type Sql } from '../client.ts';
import { type Page, type PageRequest, toPage } from '../cursor.ts';
import { replaceNul, toLikePattern } from './search.ts';

/** The plan of an account. The configuration defines what a plan allows. */
export type Plan = 'free' | 'pro';

/** A row of `accounts`. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Units a month; `null`: the plan's quota. */
  readonly monthlyQuota: number | null;
  /** Where the account's dead short links redirect; `null`: nowhere. */
  readonly deadLinkUrl: string | null;
  readonly createdAt: Date;
}

/** The fields to change; absent ones are unchanged. `null` removes the account's own value. */
export interface AccountPatch {
  readonly name?: string;
  readonly plan?: Plan;
  readonly monthlyQuota?: number | null;
  readonly deadLinkUrl?: string | null;
}

/** Inserts an account. `monthlyQuota: null` means the plan's quota. */
export const createAccount = async (
  sql: Sql,
  account: { name: string; plan: Plan; monthlyQuota: number | null },
): Promise<Account> => {
  const [row] = await sql<[Account]>`
    with created as (
      insert into accounts (name, plan, monthly_quota)
      values (${account.name}, ${account.plan}, ${account.monthlyQuota})
      returning id, name, plan, monthly_quota, dead_link_url, created_at
    ), noted as (
      insert into dead_link_history (account_id, dead_link_url) select id, dead_link_url from created
    )
    select * from created`;
  return row;
};

/** Returns the account, or `null` when there is none with this id. */
export const getAccount = (sql: Sql, id: string): Promise<Account | null> =>
  findFirst(sql<Account[]>`
    select id, name, plan, monthly_quota, dead_link_url, created_at from accounts where id = ${id}`);

/**
 * Returns a page of accounts, oldest first.
 *
 * @param search Only names that include it, ignoring case, or this id.
 */
export const listAccounts = async (
  sql: Sql,
  { after, limit }: PageRequest,
  search = '',
): Promise<Page<Account>> => {
  const rows = await sql<Account[]>`
    select id, name, plan, monthly_quota, dead_link_url, created_at from accounts
    where true
    ${after ? sql`and (created_at, id) > (${after.createdAt}, ${after.id})` : sql``}
    ${search === '' ? sql`` : sql`and (name ilike ${toLikePattern(search)} or id::text = ${replaceNul(search).toLowerCase()})`}
    order by created_at, id limit ${limit + 1}`;
  return toPage(rows, limit);
};

/** Changes an account and returns it, or `null` when there is none with this id. */
export const updateAccount = async (sql: Sql, id: string, patch: AccountPatch): Promise<Account | null> => {
  const { name = null, plan = null, monthlyQuota, deadLinkUrl } = patch;
  const [row] = await sql<Account[]>`
    update accounts set
      name = coalesce(${name}, name),
      plan = coalesce(${plan}, plan),
      monthly_quota = ${monthlyQuota === undefined ? sql`monthly_quota` : sql`${monthlyQuota}`},
      dead_link_url = ${deadLinkUrl === undefined ? sql`dead_link_url` : sql`${deadLinkUrl}`}
    where id = ${id}
    returning id, name, plan, monthly_quota, dead_link_url, created_at`;
  return row ?? null;
};

/** Counts all accounts. */
export const countAccounts = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`select count(*) from accounts`;
  return row.count;
};
