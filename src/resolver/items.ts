/** Makes, changes and deletes items. Every gateway follows within a second. */
import { randomUUID } from 'node:crypto';
import { counted } from '../counted.ts';
import type { Sql } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import { listLinksBefore } from '../db/tables/resolver/history.ts';
import {
  claimKeys,
  deleteItem,
  findWithoutDefault,
  getItem,
  getItems,
  getItemsAt,
  hasMoreItems,
  type Item,
  type ItemEditor,
  type ItemLink,
  insertItems,
  lockKeys,
  type NewItem,
  releaseKeys,
  saveItems,
} from '../db/tables/resolver/items.ts';
import { AppError, fieldError } from '../errors.ts';
import { bracketsOf } from './key.ts';

/** Items that are changed at once at most. */
export const ITEMS_AT_ONCE_MAX = 1000;

/** What changing items needs. */
export type ItemParts = Pick<Database, 'sql' | 'changes'>;

/** Who changes items. */
export type Editor = Pick<ItemEditor, 'accountId' | 'keyId'>;

/** What a change of many items did. */
export interface ItemsChanged {
  /** With which the change is undone; `null`: it changed nothing. */
  readonly changeId: string | null;
  readonly items: number;
  /** The other items had these links already. */
  readonly changed: number;
}

/** Fields of links have one order only, as `readLinks` writes them, but not in the database. */
const written = (links: readonly ItemLink[]): string =>
  JSON.stringify(
    links.map(({ rel, href, title, hreflang, type, context, isDefault }) => [
      ...[rel, href, title, hreflang, type, context, isDefault],
    ]),
  );

const sameLinks = (one: readonly ItemLink[], other: readonly ItemLink[]): boolean =>
  written(one) === written(other);

/** Beyond this many changed paths, caches look everything up again. */
const ANNOUNCED_MAX = 1000;

const announce = (tx: Sql, { changes }: ItemParts, paths: Iterable<string>): Promise<void> => {
  const ids = [...new Set(paths)];
  if (ids.length > ANNOUNCED_MAX) return changes.announce(tx, { kind: 'everything' });
  return changes.announce(tx, ...ids.map((id) => ({ kind: 'item', id }) as const));
};

/** @throws {AppError} 400 when an item has no default link and none above it. */
const requireDefaults = async (tx: Sql, keyPaths: readonly string[]): Promise<void> => {
  const path = await findWithoutDefault(tx, keyPaths);
  if (path === null) return;
  throw fieldError(
    'links',
    `${bracketsOf(path)} has no default link, and there is no item of its primary key that has one for it; mark a link with is_default, or make that item first`,
  );
};

const keyTaken = (path: string): AppError =>
  fieldError('key', `${bracketsOf(path)} belongs to another account, which has items for it`, 'name_taken');

/**
 * Makes items, and gives those that the account has already these links. Call it in a transaction.
 *
 * @param items With different paths.
 * @param terms.mayExist Whether the account may have one of them already.
 * @param terms.itemsMax How many it may have.
 * @throws {AppError} 409 when another account holds a primary key, or the account has an item that may not exist, or too
 *   many; 400 when an item would have no default link.
 */
export const putItems = async (
  tx: Sql,
  parts: ItemParts,
  editor: ItemEditor,
  items: readonly NewItem[],
  { mayExist, itemsMax }: { readonly mayExist: boolean; readonly itemsMax: number },
): Promise<{ readonly made: readonly Item[]; readonly changed: readonly Item[] }> => {
  const taken = await claimKeys(tx, editor.accountId, items);
  if (taken !== null) throw keyTaken(taken);
  const paths = items.map(({ path }) => path);
  const old = new Map((await getItemsAt(tx, editor.accountId, paths)).map((item) => [item.path, item]));
  const [known] = old.values();
  if (known !== undefined && !mayExist)
    throw fieldError('key', `you have an item of ${bracketsOf(known.path)} already; change it`, 'name_taken');
  const made = await insertItems(
    tx,
    items.filter(({ path }) => !old.has(path)),
    editor,
  );
  if (made.length > 0 && (await hasMoreItems(tx, editor.accountId, itemsMax)))
    throw new AppError(
      'limit_reached',
      `An account may have ${counted(itemsMax, 'item')}; delete some first.`,
    );
  const next = items.flatMap(({ path, links }) => {
    const before = old.get(path);
    return before === undefined || sameLinks(before.links, links) ? [] : [{ id: before.id, links }];
  });
  const changed = next.length === 0 ? [] : await saveItems(tx, next, editor);
  const keyPaths = items.map(({ keyPath }) => keyPath);
  await requireDefaults(tx, keyPaths);
  await announce(tx, parts, [...made, ...changed].map(({ path }) => path).concat(keyPaths));
  return { made, changed };
};

/** What becomes of an item; thrown errors end the change of all. */
type NextLinks = (item: Item) => readonly ItemLink[];

const changeAll = (
  parts: ItemParts,
  editor: ItemEditor,
  found: readonly Pick<Item, 'id' | 'keyPath'>[],
  nextOf: NextLinks,
): Promise<readonly Item[]> =>
  parts.sql.begin(async (tx) => {
    const keyPaths = [...new Set(found.map(({ keyPath }) => keyPath))];
    await lockKeys(tx, keyPaths);
    const items = await getItems(
      tx,
      editor.accountId,
      found.map(({ id }) => id),
    );
    const next = items.flatMap((item) => {
      const links = nextOf(item);
      return sameLinks(item.links, links) ? [] : [{ id: item.id, links }];
    });
    if (next.length === 0) return [];
    const saved = await saveItems(tx, next, editor);
    await requireDefaults(tx, keyPaths);
    await announce(
      tx,
      parts,
      saved.map(({ path }) => path),
    );
    return saved;
  });

/**
 * Changes the links of an item. Writes nothing when nothing changes. Returns `null` when the account has no such item.
 *
 * @param nextOf Called with the item as it is, while no other edit can change it. What it throws ends the edit.
 */
export const changeItem = async (
  parts: ItemParts,
  { accountId, keyId }: Editor,
  id: string,
  nextOf: NextLinks,
): Promise<Item | null> => {
  const found = await getItem(parts.sql, accountId, id);
  if (found === null) return null;
  const [changed] = await changeAll(parts, { accountId, keyId, changeId: null }, [found], nextOf);
  return changed ?? getItem(parts.sql, accountId, id);
};

/** Changes items of the account, all or none. Those that were deleted meanwhile are left out. */
export const changeItems = async (
  parts: ItemParts,
  editor: Editor,
  items: readonly Pick<Item, 'id' | 'keyPath'>[],
  nextOf: NextLinks,
): Promise<ItemsChanged> => {
  const changeId = randomUUID();
  const { length } = await changeAll(parts, { ...editor, changeId }, items, nextOf);
  return { changeId: length === 0 ? null : changeId, items: items.length, changed: length };
};

/**
 * Gives the items of a change of many the links that each had before it, whatever was changed since. Items that were
 * made by the change or deleted since are left out. Returns `null` when the account has no such change.
 */
export const undoItemsChange = async (
  parts: ItemParts,
  editor: Editor,
  changeId: string,
): Promise<ItemsChanged | null> => {
  const earlier = await listLinksBefore(parts.sql, editor.accountId, changeId);
  if (earlier.length === 0) return null;
  const linksOf = new Map(earlier.map(({ id, links }) => [id, links]));
  const items = await getItems(parts.sql, editor.accountId, [...linksOf.keys()]);
  return changeItems(parts, editor, items, ({ id, links }) => linksOf.get(id) ?? links);
};

/**
 * Deletes an item with its history and the totals of its scans. Returns `false` when the account has none with this id.
 *
 * @param check Called with the item while no other edit can change it. What it throws ends the deletion.
 * @throws {AppError} 409 when items of the same primary key would have no default link.
 */
export const removeItem = async (
  parts: ItemParts,
  accountId: string,
  id: string,
  check: (item: Item) => void,
): Promise<boolean> => {
  const found = await getItem(parts.sql, accountId, id);
  if (found === null) return false;
  return parts.sql.begin(async (tx) => {
    const keyPaths = [found.keyPath];
    await lockKeys(tx, keyPaths);
    const item = await getItem(tx, accountId, id);
    if (item === null) return false;
    check(item);
    await deleteItem(tx, item);
    const path = await findWithoutDefault(tx, keyPaths);
    if (path !== null) {
      const why = `${bracketsOf(path)} has its default link from this item; delete it first, or mark one of its links with is_default.`;
      throw new AppError('in_use', why);
    }
    await releaseKeys(tx, keyPaths);
    await announce(tx, parts, [item.path, item.keyPath]);
    return true;
  });
};

/** What many items are told: links of the named types are replaced, and types are taken away. */
export interface LinksChange {
  /** Instead of all links of their types. */
  readonly set: readonly ItemLink[];
  /** Types of which no link stays. */
  readonly remove: readonly string[];
}

/** Returns the links after a change. A new default takes the place of the old one. */
export const applyChange = (
  links: readonly ItemLink[],
  { set, remove }: LinksChange,
): readonly ItemLink[] => {
  const gone = new Set([...remove, ...set.map(({ rel }) => rel)]);
  const kept = links.filter(({ rel }) => !gone.has(rel));
  const isDefaultSet = set.some(({ isDefault }) => isDefault);
  return [...(isDefaultSet ? kept.map((link) => ({ ...link, isDefault: false })) : kept), ...set];
};
