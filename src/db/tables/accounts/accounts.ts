import { isUuid } from '../../../texts.ts';
import { findFirst, type Sql } from '../../client.ts';
import { type Page, type PageRequest, toPage } from '../../cursor.ts';
import { replaceNul, toLikePattern } from '../../statements.ts';
import type { Forward } from '../links.ts';

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
  /** What its links pass on that say nothing themselves; `null`: nothing. */
  readonly forward: Forward | null;
  /** For how long browsers may repeat a redirect of its links without asking; 0: not at all. */
  readonly redirectMaxAgeS: number;
  readonly createdAt: Date;
}

/** The fields to change; absent ones are unchanged. `null` removes the account's own value. */
export interface AccountPatch {
  readonly name?: string;
  readonly plan?: Plan;
  readonly monthlyQuota?: number | null;
  readonly deadLinkUrl?: string | null;
  readonly forward?: Forward | null;
  readonly redirectMaxAgeS?: number;
}

const columnsOf = (sql: Sql) =>
  sql`id, name, plan, monthly_quota, dead_link_url, forward, redirect_max_age_s, created_at`;

/** Inserts an account. `monthlyQuota: null` means the plan's quota. */
export const createAccount = async (
  sql: Sql,
  account: { name: string; plan: Plan; monthlyQuota: number | null },
): Promise<Account> => {
  const [row] = await sql<[Account]>`
    with created as (
      insert into accounts (name, plan, monthly_quota)
      values (${account.name}, ${account.plan}, ${account.monthlyQuota})
      returning ${columnsOf(sql)}
    ), noted as (
      insert into dead_link_history (account_id, dead_link_url) select id, dead_link_url from created
    )
    select * from created`;
  return row;
};

/** Returns the account, or `null` when there is none with this id. */
export const getAccount = (sql: Sql, id: string): Promise<Account | null> =>
  findFirst(sql<Account[]>`select ${columnsOf(sql)} from accounts where id = ${id}`);

/** The orders of the list: `share` and `used` have only accounts that have used units this month. */
export const ACCOUNT_ORDERS = ['created', 'newest', 'name', 'used', 'share'] as const;
/** An order of the list. */
export type AccountOrder = (typeof ACCOUNT_ORDERS)[number];

/**
 * Returns a page of accounts in an order. A page begins after the place that its cursor's account has now: the places of
 * `used` and `share` change every minute or so.
 */
export const sortAccounts = async (
  sql: Sql,
  { after, limit }: PageRequest,
  order: Exclude<AccountOrder, 'created'>,
): Promise<Page<Account>> => {
  const columns = columnsOf(sql);
  const last = after?.id ?? null;
  if (order === 'used' || order === 'share') {
    const place = sql`${sql(order)}, account_id`;
    const rest =
      last === null
        ? sql`true`
        : sql`(${place}) < (select ${place} from account_standings where account_id = ${last})`;
    const sorted = sql`order by ${sql(order)} desc, account_id desc`;
    const rows = await sql<Account[]>`
      select ${columns} from (
        select ${place} from account_standings where period = quota_month() and ${rest} ${sorted} limit ${limit + 1}
      ) as page join accounts on id = account_id ${sorted}`;
    return toPage(rows, limit);
  }
  const rest =
    last === null || after === null
      ? sql`true`
      : order === 'newest'
        ? sql`(created_at, id) < (${after.createdAt}, ${last})`
        : sql`(lower(name), id) > (select lower(name), id from accounts where id = ${last})`;
  const by = order === 'newest' ? sql`created_at desc, id desc` : sql`lower(name), id`;
  return toPage(
    await sql<Account[]>`select ${columns} from accounts where ${rest} order by ${by} limit ${limit + 1}`,
    limit,
  );
};

/** Accounts that a search examines in their order, before it looks for the matching ones: enough for a frequent text. */
const WALKED = 1000;

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
  const columns = columnsOf(sql);
  const rest = after ? sql`(created_at, id) > (${after.createdAt}, ${after.id})` : sql`true`;
  const first = (rows: number) => sql`order by created_at, id limit ${rows}`;
  if (search === '') {
    return toPage(
      await sql<Account[]>`select ${columns} from accounts where ${rest} ${first(limit + 1)}`,
      limit,
    );
  }
  const text = replaceNul(search);
  const includes = sql`name ilike ${toLikePattern(search)}`;
  const isId = isUuid(text.toLowerCase()) ? sql`id = ${text.toLowerCase()}::uuid` : sql`false`;
  const walked = await sql<(Account & { readonly isAll: boolean })[]>`
    with next as materialized (select ${columns} from accounts where ${rest} ${first(WALKED)})
    select ${columns}, (select count(*) from next) < ${WALKED} as is_all
    from next where ${includes} or ${isId} ${first(limit + 1)}`;
  if (walked.length > limit || walked[0]?.isAll) {
    return toPage(
      walked.map(({ isAll, ...account }) => account),
      limit,
    );
  }
  // Materialized, so that the planner does not go through all accounts in their order until it has a page.
  const found = await sql<Account[]>`
    with found as materialized (
      select ${columns} from accounts
      where name_parts(name, 1) @> name_parts(${text}, 3) and ${includes} and ${rest}
      union
      select ${columns} from accounts where ${isId} and ${rest}
    )
    select ${columns} from found ${first(limit + 1)}`;
  return toPage(found, limit);
};

/** Changes an account and returns it, or `null` when there is none with this id. */
export const updateAccount = async (sql: Sql, id: string, patch: AccountPatch): Promise<Account | null> => {
  const { name = null, plan = null, monthlyQuota, deadLinkUrl, forward, redirectMaxAgeS = null } = patch;
  const [row] = await sql<Account[]>`
    update accounts set
      name = coalesce(${name}, name),
      plan = coalesce(${plan}, plan),
      monthly_quota = ${monthlyQuota === undefined ? sql`monthly_quota` : sql`${monthlyQuota}`},
      dead_link_url = ${deadLinkUrl === undefined ? sql`dead_link_url` : sql`${deadLinkUrl}`},
      redirect_max_age_s = coalesce(${redirectMaxAgeS}::int, redirect_max_age_s),
      forward = ${forward === undefined ? sql`forward` : sql`${forward && JSON.stringify(forward)}::text::jsonb`}
    where id = ${id}
    returning ${columnsOf(sql)}`;
  return row ?? null;
};

export const countAccounts = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`select count(*) from accounts`;
  return row.count;
};
