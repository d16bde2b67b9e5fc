/** Makes and deletes items. Every gateway follows within a second. */

import type { Sql } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import { boundHistory } from '../db/tables/histories.ts';
import {
  claimKeys,
  deleteItem,
  findForeignKey,
  findWithoutDefault,
  getItem,
  getItemsAt,
  hasItems,
  type Item,
  type ItemEditor,
  type ItemLink,
  insertItems,
  lockKeys,
  type NewItem,
  releaseKeys,
  saveItems,
} from '../db/tables/items.ts';
import { AppError, fieldError } from '../errors.ts';
import { pluralise } from '../texts.ts';
import { bracketsOf } from './key.ts';

/** What changing items needs. */
export type ItemParts = Pick<Database, 'sql' | 'changes' | 'histories'>;

/** `readLinks` writes the fields of links in one order, which the database does not keep. */
const writeLinks = (links: readonly ItemLink[]): string =>
  JSON.stringify(
    links.map(({ rel, href, title, hreflang, type, context, isDefault }) => [
      rel,
      href,
      title,
      hreflang,
      type,
      context,
      isDefault,
    ]),
  );

/** Whether links are the same, in the same order. */
export const sameLinks = (one: readonly ItemLink[], other: readonly ItemLink[]): boolean =>
  writeLinks(one) === writeLinks(other);

/** Notifies every gateway of changed paths. Call it in the transaction that changes them. */
export const announce = (tx: Sql, { changes }: ItemParts, paths: Iterable<string>): Promise<void> => {
  const ids = [...new Set(paths)];
  return changes.announce(tx, ...ids.map((id) => ({ kind: 'item', id }) as const));
};

/** Writes the links of items, and bounds their histories. Returns the items as they are now. */
export const changeLinks = async (
  tx: Sql,
  { histories }: ItemParts,
  editor: ItemEditor,
  items: readonly Pick<Item, 'id' | 'links'>[],
): Promise<readonly Item[]> => {
  const saved = await saveItems(tx, items, editor);
  const ids = items.map(({ id }) => id);
  await boundHistory(tx, histories, editor.accountId, 'items', ids);
  return saved;
};

const noDefault = (path: string): AppError =>
  fieldError(
    'links',
    `${bracketsOf(path)} has no default link, and there is no item of its primary key that has one for it; mark a link with is_default, or make that item first`,
  );

/** @throws {AppError} 400 when an item has no default link and none above it. */
export const requireDefaults = async (tx: Sql, keyPaths: readonly string[]): Promise<void> => {
  const path = await findWithoutDefault(tx, keyPaths);
  if (path !== null) throw noDefault(path);
};

const keyTaken = (path: string): AppError =>
  fieldError('key', `${bracketsOf(path)} belongs to another account, which has items for it`, 'name_taken');

/** How items are put. */
export interface PutTerms {
  /** Whether the account may have one of them already. */
  readonly mayExist: boolean;
  /** How many it may have. */
  readonly itemsMax: number;
  /** Whether it is only found out what would be done. */
  readonly isDryRun: boolean;
}

/** How many items putting them makes and changes. */
export interface Put {
  readonly made: readonly Item[];
  readonly created: number;
  readonly changed: number;
}

/** @throws {AppError} 400 when one of these has no default link, and neither has its primary key. */
const requireInherited = async (tx: Sql, accountId: string, items: readonly NewItem[]): Promise<void> => {
  const lacking = items.filter(
    ({ path, keyPath, links }) => path !== keyPath && !links.some(({ isDefault }) => isDefault),
  );
  if (lacking.length === 0) return;
  const keyPaths = lacking.map(({ keyPath }) => keyPath);
  const known = [...items, ...(await getItemsAt(tx, accountId, keyPaths))].map(({ path }) => path);
  const there = new Set(known);
  const without = lacking.find(({ keyPath }) => !there.has(keyPath));
  if (without !== undefined) throw noDefault(without.path);
};

/**
 * Makes items, and gives these links to those that the account already has. Call it in a transaction. What is refused
 * has written nothing, except that it claims primary keys, and a dry run writes nothing at all.
 *
 * @param items With different paths.
 * @throws {AppError} 409 when another account holds a primary key, or the account has an item that may not exist, or too
 *   many; 400 when an item would have no default link.
 */
export const putItems = async (
  tx: Sql,
  parts: ItemParts,
  editor: ItemEditor,
  items: readonly NewItem[],
  { mayExist, itemsMax, isDryRun }: PutTerms,
): Promise<Put> => {
  const { accountId } = editor;
  const keyPaths = items.map(({ keyPath }) => keyPath);
  const taken = isDryRun
    ? await findForeignKey(tx, accountId, keyPaths)
    : await claimKeys(tx, accountId, items);
  if (taken !== null) throw keyTaken(taken);
  const paths = items.map(({ path }) => path);
  const old = new Map((await getItemsAt(tx, accountId, paths)).map((item) => [item.path, item]));
  const [known] = old.values();
  if (known !== undefined && !mayExist)
    throw fieldError('key', `you have an item of ${bracketsOf(known.path)} already; change it`, 'name_taken');
  const fresh = items.filter(({ path }) => !old.has(path));
  if (fresh.length > 0 && (await hasItems(tx, accountId, itemsMax - fresh.length + 1)))
    throw new AppError(
      'limit_reached',
      `An account may have ${pluralise(itemsMax, 'item')}; delete some first.`,
    );
  await requireInherited(tx, accountId, items);
  const next = items.flatMap(({ path, links }) => {
    const before = old.get(path);
    return before === undefined || sameLinks(before.links, links) ? [] : [{ id: before.id, path, links }];
  });
  const counts = { created: fresh.length, changed: next.length };
  if (isDryRun) return { made: [], ...counts };
  const made = await insertItems(tx, fresh, editor);
  if (next.length > 0) await changeLinks(tx, parts, editor, next);
  await announce(tx, parts, [...made, ...next].map(({ path }) => path).concat(keyPaths));
  return { made, ...counts };
};

/**
 * Deletes an item with its history, and marks its scans to be removed. Returns `false` when the account has none with
 * this id.
 *
 * @param check Called with the item while no other edit can change it. An error aborts the deletion.
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
