/**
 * Resolver items: what the resolver looks up, what their account sees, and what they led to before. Writers must have
 * claimed or locked the primary keys.
 */
import { type Asked, changesOne, findAsked, findFirst, type Sql } from '../client.ts';

export interface ItemLink {
  /** Its link type: `gs1:pip`, or an IRI. */
  readonly rel: string;
  readonly href: string;
  readonly title: string;
  /** `ll` or `ll-CC`; empty: unknown. */
  readonly hreflang: readonly string[];
  /** A media type; `null`: unknown. */
  readonly type: string | null;
  readonly context: readonly string[];
  readonly isDefault: boolean;
}

/** What an identifier leads to. */
export interface Item {
  readonly id: string;
  /** The path of its URI, and that of its primary key. */
  readonly path: string;
  readonly keyPath: string;
  /** The slug under which its scans are recorded. */
  readonly slug: string;
  readonly links: readonly ItemLink[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An item to be created. */
export interface NewItem extends Pick<Item, 'path' | 'keyPath' | 'links'> {
  readonly shape: string;
}

/** Who changes items. */
export interface ItemEditor {
  readonly accountId: string;
  /** The API key, for the history; `null`: the operator. */
  readonly keyId: string | null;
  /** Shared by items that are changed together; `null`: the item is not changed together with others. */
  readonly changeId: string | null;
}

const columns = (sql: Sql) => sql`id, path, key_path, slug, links, created_at, updated_at`;

/** Returns one of these primary keys that another account owns, or `null`. */
export const findForeignKey = async (
  sql: Sql,
  accountId: string,
  keyPaths: readonly string[],
): Promise<string | null> => {
  const found = await findFirst(sql<{ path: string }[]>`
    select path from resolver_keys
    where path = any(${keyPaths as string[]}) and account_id <> ${accountId} limit 1`);
  return found?.path ?? null;
};

/**
 * Claims unowned primary keys for the account, and locks the items of all of them against other changes until the
 * transaction ends. Returns one that another account owns, or `null`.
 */
export const claimKeys = async (
  tx: Sql,
  accountId: string,
  items: readonly Pick<NewItem, 'keyPath' | 'shape'>[],
): Promise<string | null> => {
  const rows = await tx<{ path: string; accountId: string }[]>`
    insert into resolver_keys (path, account_id, shapes)
    select path, ${accountId}::uuid, array_agg(distinct shape) from unnest(
      ${items.map(({ keyPath }) => keyPath)}::text[], ${items.map(({ shape }) => shape)}::text[]
    ) as item (path, shape) group by path order by path
    on conflict (path) do update set shapes = case
      when resolver_keys.account_id <> excluded.account_id or resolver_keys.shapes @> excluded.shapes
      then resolver_keys.shapes
      else array(select distinct unnest(resolver_keys.shapes || excluded.shapes)) end
    returning path, account_id`;
  return rows.find((row) => row.accountId !== accountId)?.path ?? null;
};

/** Locks the items of primary keys against other changes until the transaction ends. */
export const lockKeys = async (tx: Sql, keyPaths: readonly string[]): Promise<void> => {
  await tx`select from resolver_keys where path = any(${keyPaths as string[]}) order by path for update`;
};

/** Releases primary keys that no longer have items. */
export const releaseKeys = async (tx: Sql, keyPaths: readonly string[]): Promise<void> => {
  await tx`
    delete from resolver_keys k where path = any(${keyPaths as string[]})
      and not exists (select from resolver_items i where i.key_path = k.path)`;
};

/** Returns the account's item, or `null` when it has none with this id. */
export const getItem = (sql: Sql, accountId: string, id: string): Promise<Item | null> =>
  findFirst(sql<Item[]>`
    select ${columns(sql)} from resolver_items where account_id = ${accountId} and id = ${id}`);

/** Returns the account's items with these ids, ordered by path. */
export const getItems = (sql: Sql, accountId: string, ids: readonly string[]): Promise<readonly Item[]> =>
  sql<Item[]>`
    select ${columns(sql)} from resolver_items
    where account_id = ${accountId} and id = any(${ids as string[]}::uuid[]) order by path`;

/** An item without its links. */
export type ItemKey = Pick<Item, 'id' | 'keyPath'>;

/** Does what `getItems` does for items without their links. */
export const getItemKeys = (
  sql: Sql,
  accountId: string,
  ids: readonly string[],
): Promise<readonly ItemKey[]> =>
  sql<ItemKey[]>`
    select id, key_path from resolver_items
    where account_id = ${accountId} and id = any(${ids as string[]}::uuid[]) order by path`;

/** Returns the account's items at these paths. */
export const getItemsAt = (sql: Sql, accountId: string, paths: readonly string[]): Promise<readonly Item[]> =>
  sql<Item[]>`
    select ${columns(sql)} from resolver_items
    where account_id = ${accountId} and path = any(${paths as string[]})`;

/** Whether the account has at least `min` items. */
export const hasItems = async (sql: Sql, accountId: string, min: number): Promise<boolean> =>
  min <= 0 ||
  (await sql`select from resolver_items where account_id = ${accountId} offset ${min - 1} limit 1`).length >
    0;

/** Which of an account's items are listed. */
interface ItemList {
  /** The prefix of their paths. */
  readonly prefix: string;
  /** The path after which the list starts; `null`: from the beginning. */
  readonly after: string | null;
  readonly limit: number;
}

/** Returns the account's items ordered by path. Paths are visible ASCII, so DEL sorts after all of them. */
export const listItems = (
  sql: Sql,
  accountId: string,
  { prefix, after, limit }: ItemList,
): Promise<readonly Item[]> => sql<Item[]>`
  select ${columns(sql)} from resolver_items
  where account_id = ${accountId} and path >= ${prefix} and path < ${`${prefix}\x7f`}
    ${after === null ? sql`` : sql`and path > ${after}`}
  order by path limit ${limit}`;

/** Returns the first items whose path begins with a prefix, without their links, by path. */
export const listItemKeys = (
  sql: Sql,
  accountId: string,
  prefix: string,
  limit: number,
): Promise<readonly ItemKey[]> => sql<ItemKey[]>`
  select id, key_path from resolver_items
  where account_id = ${accountId} and path >= ${prefix} and path < ${`${prefix}\x7f`} order by path limit ${limit}`;

/** Adds the links of items to their history. */
const note = (
  tx: Sql,
  items: readonly Pick<Item, 'id' | 'links'>[],
  { accountId, keyId, changeId }: ItemEditor,
): Promise<unknown> => tx`
  insert into resolver_history (account_id, item_id, links, change_id, key_id)
  select ${accountId}::uuid, id, links, ${changeId}::uuid, ${keyId}::uuid from unnest(
    ${items.map(({ id }) => id)}::uuid[], ${items.map(({ links }) => JSON.stringify(links))}::text[]::jsonb[]
  ) as item (id, links)`;

/** Inserts items of primary keys that the account has claimed. Returns them. */
export const insertItems = async (
  tx: Sql,
  items: readonly NewItem[],
  editor: ItemEditor,
): Promise<readonly Item[]> => {
  const made: Item[] = [];
  // Slugs are random, so one of them may be taken.
  for (let left = items; left.length > 0; ) {
    const rows = await tx<Item[]>`
      insert into resolver_items (account_id, key_path, path, links)
      select ${editor.accountId}::uuid, key_path, path, links from unnest(
        ${left.map(({ keyPath }) => keyPath)}::text[], ${left.map(({ path }) => path)}::text[],
        ${left.map(({ links }) => JSON.stringify(links))}::text[]::jsonb[]
      ) as item (key_path, path, links)
      on conflict (slug) do nothing
      returning ${columns(tx)}`;
    made.push(...rows);
    const paths = new Set(rows.map(({ path }) => path));
    left = left.filter(({ path }) => !paths.has(path));
  }
  await note(tx, made, editor);
  return made;
};

/** Writes the links of items, and adds them to the history. Returns the items as they are now. */
export const saveItems = async (
  tx: Sql,
  items: readonly Pick<Item, 'id' | 'links'>[],
  editor: ItemEditor,
): Promise<readonly Item[]> => {
  const saved = await tx<Item[]>`
    update resolver_items i set links = item.links, updated_at = now()
    from unnest(
      ${items.map(({ id }) => id)}::uuid[], ${items.map(({ links }) => JSON.stringify(links))}::text[]::jsonb[]
    ) as item (id, links)
    where i.id = item.id
    returning i.id, path, key_path, slug, i.links, created_at, updated_at`;
  await note(tx, saved, editor);
  return saved;
};

/** Deletes an item with its history and the totals of its scans. The scans themselves are removed later. */
export const deleteItem = async (tx: Sql, { id, slug }: Pick<Item, 'id' | 'slug'>): Promise<boolean> => {
  await tx`delete from scan_totals where slug = ${slug}`;
  await tx`insert into gone_scans (slug, account_id) values (${slug}, ${id})`;
  // Before entries of its history, in the order in which `boundHistory` locks them.
  await tx`
    select from history_sizes where account_id = (select account_id from resolver_items where id = ${id}) for update`;
  return changesOne(tx`delete from resolver_items where id = ${id}`);
};

/** Returns the path of an item of these primary keys with no default link of its own or inherited, or `null`. */
export const findWithoutDefault = async (tx: Sql, keyPaths: readonly string[]): Promise<string | null> => {
  const found = await findFirst(tx<{ path: string }[]>`
    select path from resolver_items i where key_path = any(${keyPaths as string[]}) and not has_default
      and not exists (select from resolver_items k where k.path = i.key_path) limit 1`);
  return found?.path ?? null;
};

/** What exists at one level of a URI. */
export interface ItemEntry {
  /** The possible qualifiers of the items of a primary key. `null`: the path is not a primary key with items. */
  readonly shapes: readonly string[] | null;
  /** That of the item, or of those of the primary key. */
  readonly accountId: string;
  /** `null`: there is no item at the path itself. */
  readonly slug: string | null;
  readonly links: readonly ItemLink[] | null;
}

/** Returns what exists at a path; `null`: neither an item nor a primary key with items. */
export const findEntry = (sql: Sql, path: string): Promise<ItemEntry | null> =>
  findAsked<ItemEntry>(
    path,
    sql<(ItemEntry & Asked)[]>`
    select path as asked, coalesce(i.account_id, k.account_id) as account_id, k.shapes, i.slug, i.links from (values (${path}::text)) as asked (path)
    left join resolver_keys k using (path) left join resolver_items i using (path)
    where k.path is not null or i.path is not null`,
  );

/** Past or current links of an item, and who set them. */
export interface ItemChange {
  readonly id: number;
  readonly links: readonly ItemLink[];
  /** Shared by items that were changed together; `null`: the item was not changed together with others. */
  readonly changeId: string | null;
  /** The API key that set them, which may be revoked by now. The three fields are `null` for the operator. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
  readonly at: Date;
}

/** Returns the history of an item's links, the current ones first. */
export const listItemChanges = (
  sql: Sql,
  itemId: string,
  { beforeId, limit }: { readonly beforeId: number | null; readonly limit: number },
): Promise<readonly ItemChange[]> => sql<ItemChange[]>`
  select h.id, h.links, h.change_id, h.key_id, k.name as key_name, k.prefix as key_prefix, h.at
  from resolver_history h left join api_keys k on k.id = h.key_id
  where h.item_id = ${itemId} ${beforeId === null ? sql`` : sql`and h.id < ${beforeId}`}
  order by h.id desc limit ${limit}`;

/** Returns the account's items that were changed together, each with its previous links. */
export const listLinksBefore = (
  sql: Sql,
  accountId: string,
  changeId: string,
): Promise<readonly { readonly id: string; readonly links: readonly ItemLink[] }[]> => sql`
  select h.item_id as id, earlier.links
  from resolver_history h join resolver_items i on i.id = h.item_id
  cross join lateral (
    select links from resolver_history where item_id = h.item_id and id < h.id order by id desc limit 1
  ) as earlier
  where h.change_id = ${changeId} and i.account_id = ${accountId}`;
