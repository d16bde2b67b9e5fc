import type { Sql } from '../client.ts';
import { type Page, type PageRequest, toPage } from '../cursor.ts';

export type Plan = 'free' | 'pro';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** `null`: what the plan gives. */
  readonly monthlyQuota: number | null;
  /** Where the account's deleted short links lead; `null`: nowhere. */
  readonly deadLinkUrl: string | null;
  readonly createdAt: Date;
}

/** What an update names is changed; `null` takes a value of the account's own away. */
export interface AccountPatch {
  readonly name?: string;
  readonly plan?: Plan;
  readonly monthlyQuota?: number | null;
  readonly deadLinkUrl?: string | null;
}

export const createAccount = async (
  sql: Sql,
  account: { name: string; plan: Plan; monthlyQuota: number | null },
): Promise<Account> => {
  const [row] = await sql<[Account]>`
    insert into accounts (name, plan, monthly_quota)
    values (${account.name}, ${account.plan}, ${account.monthlyQuota})
    returning id, name, plan, monthly_quota, dead_link_url, created_at`;
  return row;
};

export const getAccount = async (sql: Sql, id: string): Promise<Account | null> => {
  const [row] = await sql<Account[]>`
    select id, name, plan, monthly_quota, dead_link_url, created_at from accounts where id = ${id}`;
  return row ?? null;
};

/** The oldest account of that name; names are not unique. */
export const findAccountByName = async (sql: Sql, name: string): Promise<Account | null> => {
  const [row] = await sql<Account[]>`
    select id, name, plan, monthly_quota, dead_link_url, created_at from accounts
    where name = ${name} order by created_at, id limit 1`;
  return row ?? null;
};

/** Oldest first. */
export const listAccounts = async (sql: Sql, { after, limit }: PageRequest): Promise<Page<Account>> => {
  const rows = await sql<Account[]>`
    select id, name, plan, monthly_quota, dead_link_url, created_at from accounts
    ${after ? sql`where (created_at, id) > (${after.createdAt}, ${after.id})` : sql``}
    order by created_at, id limit ${limit + 1}`;
  return toPage(rows, limit);
};

/** `monthlyQuota: null` goes back to the plan's. `null`: no such account. */
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

export const countAccounts = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`select count(*) from accounts`;
  return row.count;
};
