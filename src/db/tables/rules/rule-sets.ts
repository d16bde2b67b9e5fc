/** Rule sets from their account's point of view. Writers must hold the account's lock (see `lockAccount`). */
import { changesOne, findFirst, type Sql } from '../../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../../cursor.ts';
import type { Rule } from './rule.ts';

/** What a call says about a rule set. */
export interface RuleSetTerms {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** Rules by name that many links share. */
export interface RuleSet extends RuleSetTerms {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A past or current state of a rule set, and who set it. */
export interface RuleSetChange extends RuleSetTerms {
  readonly id: number;
  /** The API key that set it, which may be revoked by now. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
  readonly at: Date;
}

/** Rule sets that an account may have. */
export const RULE_SETS_MAX = 200;

const columns = (sql: Sql) => sql`id, name, rules, created_at, updated_at`;

const written = (rules: readonly Rule[]): string => JSON.stringify(rules);

export const countRuleSets = async (sql: Sql, accountId: string): Promise<number> => {
  const [row] = await sql<
    [{ count: number }]
  >`select count(*) from rule_sets where account_id = ${accountId}`;
  return row.count;
};

/** Whether another rule set of the account has this name. @param id The one that is to get it; `null`: a new one. */
export const isRuleSetNameTaken = async (
  sql: Sql,
  accountId: string,
  name: string,
  id: string | null,
): Promise<boolean> => {
  const rows = await sql`
    select from rule_sets where account_id = ${accountId} and name = ${name} and id is distinct from ${id}::uuid`;
  return rows.length > 0;
};

/** Returns the account's rule set, or `null` when it has none with this id. */
export const getRuleSet = (sql: Sql, accountId: string, id: string): Promise<RuleSet | null> =>
  findFirst(sql<RuleSet[]>`
    select ${columns(sql)} from rule_sets where account_id = ${accountId} and id = ${id}`);

/** Returns a page of the account's rule sets, newest first. */
export const listRuleSets = (sql: Sql, accountId: string, page: PageRequest): Promise<Page<RuleSet>> =>
  readPage(
    page,
    sql<RuleSet[]>`
    select ${columns(sql)} from rule_sets where account_id = ${accountId} ${newestFirst(sql, page)}`,
  );

/** Whether the account has a rule set, which then cannot be deleted until the transaction ends. */
export const holdRuleSet = async (tx: Sql, accountId: string, id: string): Promise<boolean> => {
  const rows = await tx`
    select from rule_sets where account_id = ${accountId} and id = ${id} for key share`;
  return rows.length > 0;
};

/** Returns the account's rule sets with these names or ids, which cannot be deleted until the transaction ends. */
export const holdRuleSets = (
  tx: Sql,
  accountId: string,
  { names, ids }: { readonly names: readonly string[]; readonly ids: readonly string[] },
): Promise<readonly RuleSet[]> => tx<RuleSet[]>`
  select ${columns(tx)} from rule_sets
  where account_id = ${accountId} and (name = any(${names as string[]}) or id = any(${ids as string[]}::uuid[]))
  order by id for key share`;

/** Returns how many links have the rule set, those in the bin included. */
export const countLinksOf = async (sql: Sql, id: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`select count(*) from links where rule_set_id = ${id}`;
  return row.count;
};

const noteHistory = async (
  tx: Sql,
  accountId: string,
  { id, name, rules }: RuleSet,
  keyId: string,
): Promise<void> => {
  await tx`
    insert into rule_set_history (account_id, rule_set_id, name, rules, key_id)
    values (${accountId}, ${id}, ${name}, ${written(rules)}::text::json, ${keyId})`;
};

/** Makes a rule set. */
export const insertRuleSet = async (
  tx: Sql,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  { name, rules }: RuleSetTerms,
): Promise<RuleSet> => {
  const [made] = await tx<[RuleSet]>`
    insert into rule_sets (account_id, name, rules) values (${accountId}, ${name}, ${written(rules)}::text::json)
    returning ${columns(tx)}`;
  await noteHistory(tx, accountId, made, keyId);
  return made;
};

/** Overwrites a rule set, and adds the change to its history. */
export const updateRuleSet = async (
  tx: Sql,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  id: string,
  { name, rules }: RuleSetTerms,
): Promise<RuleSet> => {
  const [changed] = await tx<[RuleSet]>`
    update rule_sets set name = ${name}, rules = ${written(rules)}::text::json, updated_at = now()
    where account_id = ${accountId} and id = ${id} returning ${columns(tx)}`;
  await noteHistory(tx, accountId, changed, keyId);
  return changed;
};

/** Deletes a rule set that no link has. Returns `false` when the account has none with this id. */
export const deleteRuleSet = (tx: Sql, accountId: string, id: string): Promise<boolean> =>
  changesOne(tx`delete from rule_sets where account_id = ${accountId} and id = ${id}`);

/** Deletes those of the sets that no link has. */
export const deleteUnusedSets = async (tx: Sql, accountId: string, ids: readonly string[]): Promise<void> => {
  await tx`
    delete from rule_sets s where account_id = ${accountId} and id = any(${ids as string[]}::uuid[])
      and not exists (select from links l where l.rule_set_id = s.id)`;
};

/** Returns the history of the account's rule set, the current state first. */
export const listRuleSetHistory = (
  sql: Sql,
  accountId: string,
  id: string,
  { beforeId, limit }: { readonly beforeId: number | null; readonly limit: number },
): Promise<readonly RuleSetChange[]> => sql<RuleSetChange[]>`
  select h.id, h.name, h.rules, h.key_id, k.name as key_name, k.prefix as key_prefix, h.at
  from rule_set_history h left join api_keys k on k.id = h.key_id
  where h.account_id = ${accountId} and h.rule_set_id = ${id} ${beforeId === null ? sql`` : sql`and h.id < ${beforeId}`}
  order by h.id desc limit ${limit}`;
