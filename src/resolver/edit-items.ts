/** Changes the links of items, one or many at once, and undoes such changes. Every gateway follows within a second. */
import { randomUUID } from 'node:crypto';
import {
  getItem,
  getItemKeys,
  getItems,
  type Item,
  type ItemEditor,
  type ItemKey,
  type ItemLink,
  listLinksBefore,
  lockKeys,
} from '../db/tables/items.ts';
import { announce, changeLinks, type ItemParts, requireDefaults, sameLinks } from './items.ts';

/** The most items of one change. */
export const ITEMS_AT_ONCE_MAX = 1000;

/** More of them would hold up other requests while they are read and written. */
const ITEMS_AT_A_TIME = 50;

/** Who changes items. */
export type Editor = Pick<ItemEditor, 'accountId' | 'keyId'>;

/** What a change of many items did. */
export interface ItemsChanged {
  /** The id by which to undo the change; `null`: nothing changed. */
  readonly changeId: string | null;
  readonly items: number;
  /** The other items had these links already. */
  readonly changed: number;
}

/** Returns the new links of an item; an error aborts the whole change. */
type NextLinks = (item: Item) => readonly ItemLink[];

const changeAll = (
  parts: ItemParts,
  editor: ItemEditor,
  found: readonly ItemKey[],
  nextOf: NextLinks,
): Promise<readonly Item[]> =>
  parts.sql.begin(async (tx) => {
    const keyPaths = [...new Set(found.map(({ keyPath }) => keyPath))];
    await lockKeys(tx, keyPaths);
    const saved: Item[] = [];
    for (let from = 0; from < found.length; from += ITEMS_AT_A_TIME) {
      const ids = found.slice(from, from + ITEMS_AT_A_TIME).map(({ id }) => id);
      const next = (await getItems(tx, editor.accountId, ids)).flatMap((item) => {
        const links = nextOf(item);
        return sameLinks(item.links, links) ? [] : [{ id: item.id, links }];
      });
      if (next.length > 0) saved.push(...(await changeLinks(tx, parts, editor, next)));
    }
    if (saved.length === 0) return [];
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
 * @param nextOf Called with the item as it is, while no other edit can change it. An error aborts the edit.
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

/** Changes items of the account, all-or-nothing. Those that were deleted meanwhile are left out. */
export const changeItems = async (
  parts: ItemParts,
  editor: Editor,
  items: readonly ItemKey[],
  nextOf: NextLinks,
): Promise<ItemsChanged> => {
  const changeId = randomUUID();
  const { length } = await changeAll(parts, { ...editor, changeId }, items, nextOf);
  return { changeId: length === 0 ? null : changeId, items: items.length, changed: length };
};

/**
 * Undoes a change of many items: each gets the links that it had before, whatever was changed since. Items that were
 * made by the change or deleted since are left out. Returns `null` when the account has no such change, or its history is
 * no longer complete.
 */
export const undoItemsChange = async (
  parts: ItemParts,
  editor: Editor,
  changeId: string,
): Promise<ItemsChanged | null> => {
  const earlier = await listLinksBefore(parts.sql, editor.accountId, changeId);
  if (earlier.length === 0) return null;
  const linksOf = new Map(earlier.map(({ id, links }) => [id, links]));
  const items = await getItemKeys(parts.sql, editor.accountId, [...linksOf.keys()]);
  return changeItems(parts, editor, items, ({ id, links }) => linksOf.get(id) ?? links);
};

/** A change of many items: links of the named types are replaced, and types are removed. */
export interface LinksChange {
  /** Replace all links of their types. */
  readonly set: readonly ItemLink[];
  /** Types whose links are all removed. */
  readonly remove: readonly string[];
}

/** Returns the links after a change. A new default replaces the old one. */
export const applyChange = (
  links: readonly ItemLink[],
  { set, remove }: LinksChange,
): readonly ItemLink[] => {
  const gone = new Set([...remove, ...set.map(({ rel }) => rel)]);
  const kept = links.filter(({ rel }) => !gone.has(rel));
  const isDefaultSet = set.some(({ isDefault }) => isDefault);
  return [...(isDefaultSet ? kept.map((link) => ({ ...link, isDefault: false })) : kept), ...set];
};
