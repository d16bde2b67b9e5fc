/**
 * The histories of short links: how much an account can make with calls that cost no units, in bytes, and where its
 * dead links led.
 */
import type { Sql } from '../client.ts';

/** The bound on the histories of each account, and what was removed for it since the start of this process. */
export type HistoryBound = ReturnType<typeof createHistoryBound>;

/** Creates the bound. @param maxBytes What an account may have before changes remove older entries. */
export const createHistoryBound = (maxBytes: number) => {
  let removed = 0;
  return {
    maxBytes,
    noteRemoved(entries: number): void {
      removed += entries;
    },
    /** How many entries were removed. */
    removed: (): number => removed,
  };
};

/** Entries that a change removes of each thing that it changes. It adds one, so the history becomes shorter. */
const REMOVED_MAX = 4;

const isExceeded = async (tx: Sql, accountId: string, { maxBytes }: HistoryBound): Promise<boolean> =>
  (await tx`select from history_sizes where account_id = ${accountId} and bytes > ${maxBytes}`).length > 0;

/** Where a history is, the column that names its things, and whether several of them are changed, and undone, at once. */
export const HISTORIES = {
  links: { table: 'link_history', thing: 'slug', isUndoable: true },
  items: { table: 'resolver_history', thing: 'item_id', isUndoable: true },
  ruleSets: { table: 'rule_set_history', thing: 'rule_set_id', isUndoable: false },
  deadLinks: { table: 'dead_link_history', thing: 'account_id', isUndoable: false },
} as const;

/**
 * Returns the time since which a history has every entry: that of its oldest one, which is when its thing was made unless
 * older ones were removed. A link that was never edited has no entries, and nothing is missing.
 *
 * @param id The first slug of a link, or the id of an item or an account.
 */
export const readCompleteSince = async (
  sql: Sql,
  history: keyof typeof HISTORIES,
  id: string,
): Promise<Date> => {
  const { table, thing } = HISTORIES[history];
  const made = history === 'links' ? sql`(select created_at from links where slug = ${id})` : sql`null`;
  const [row] = await sql<[{ at: Date }]>`
    select coalesce((select at from ${sql(table)} where ${sql(thing)} = ${id} order by id limit 1), ${made}, now()) as at`;
  return row.at;
};

/**
 * Removes the oldest entries of things that the transaction has changed, if the account's histories exceed the bound. How
 * a thing is, and how it was before, is always kept. A change of many that could then be undone only in part, or not at
 * all, cannot be undone any more: its entries no longer have its id.
 *
 * @param ids Of the changed things: first slugs of links, or ids of items.
 */
export const boundHistory = async (
  tx: Sql,
  bound: HistoryBound,
  accountId: string,
  history: Exclude<keyof typeof HISTORIES, 'deadLinks'>,
  ids: readonly string[],
): Promise<void> => {
  if (!(await isExceeded(tx, accountId, bound))) return;
  const { table, thing } = HISTORIES[history];
  const changed = history === 'links' ? tx`${ids as string[]}::text[]` : tx`${ids as string[]}::uuid[]`;
  // Of each thing, the entries that are removed and the one after them.
  const { count } = await tx`
    with entry as materialized (
      select oldest.*, oldest.id < kept.id and place <= ${REMOVED_MAX} as is_old
      from unnest(${changed}) as changed (thing)
      cross join lateral (
        select id from ${tx(table)} where ${tx(thing)} = changed.thing order by id desc offset 1 limit 1
      ) as kept
      cross join lateral (
        select id, change_id, row_number() over (order by id) as place from ${tx(table)}
        where ${tx(thing)} = changed.thing and id <= kept.id order by id limit ${REMOVED_MAX + 1}
      ) as oldest
    ), parted as (
      update ${tx(table)} set change_id = null
      where change_id in (select change_id from entry where is_old or place > 1)
        and id not in (select id from entry where is_old)
    )
    delete from ${tx(table)} where id in (select id from entry where is_old)`;
  bound.noteRemoved(count);
};

/** Does the same for the addresses of the account's dead links. */
export const boundDeadLinkHistory = async (
  tx: Sql,
  bound: HistoryBound,
  accountId: string,
): Promise<void> => {
  if (!(await isExceeded(tx, accountId, bound))) return;
  const { count } = await tx`
    delete from dead_link_history where id in (
      select id from dead_link_history where account_id = ${accountId} and id < (
        select id from dead_link_history where account_id = ${accountId} order by id desc offset 1 limit 1
      ) order by id limit ${REMOVED_MAX})`;
  bound.noteRemoved(count);
};

/** A past or current redirect address for an account's dead links, and who set it. */
export interface DeadLinkChange {
  readonly id: number;
  /** `null`: none. */
  readonly deadLinkUrl: string | null;
  /** The API key that set it, which may be revoked by now. The three fields of the key are `null` for the operator. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
  readonly at: Date;
}

/**
 * Adds an address to the history, unless it is the latest one. Must be called in the transaction that sets it.
 *
 * @param keyId The API key that sets it; `null`: the operator.
 */
export const noteDeadLinkUrl = async (
  sql: Sql,
  accountId: string,
  { url, keyId }: { readonly url: string | null; readonly keyId: string | null },
): Promise<void> => {
  await sql`
    insert into dead_link_history (account_id, dead_link_url, key_id)
    select ${accountId}, ${url}::text, ${keyId}::uuid
    where ${url}::text is distinct from (
      select dead_link_url from dead_link_history where account_id = ${accountId} order by id desc limit 1
    )`;
};

/** Returns the addresses of an account, the current one first. */
export const listDeadLinkHistory = (
  sql: Sql,
  accountId: string,
  { beforeId, limit }: { readonly beforeId: number | null; readonly limit: number },
): Promise<readonly DeadLinkChange[]> => sql<DeadLinkChange[]>`
  select h.id, h.dead_link_url, h.key_id, k.name as key_name, k.prefix as key_prefix, h.at
  from dead_link_history h left join api_keys k on k.id = h.key_id
  where h.account_id = ${accountId} ${beforeId === null ? sql`` : sql`and h.id < ${beforeId}`}
  order by h.id desc limit ${limit}`;
