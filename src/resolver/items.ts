/** Makes and deletes items. Every gateway follows within a second. */

import type { Sql } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import {
  claimKeys,
  deleteItem,
  findWithoutDefault,
  getItem,
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
import { pluralise } from '../pluralise.ts';
import { bracketsOf } from './key.ts';

/** What changing items needs. */
export type ItemParts = Pick<Database, 'sql' | 'changes'>;

/** `readLinks` writes the fields of links in one order, which the database does not keep. */
const writeLinks = (links: readonly ItemLink[]): string =>
  JSON.stringify(
    links.map(({ rel, href, title, hreflang, type, context, isDefault }) => [
      ...[rel, href, title, hreflang, type, context, isDefault],
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

/** @throws {AppError} 400 when an item has no default link and none above it. */
export const requireDefaults = async (tx: Sql, keyPaths: readonly string[]): Promise<void> => {
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
 * Makes items, and gives these links to those that the account already has. Call it in a transaction.
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
      `An account may have ${pluralise(itemsMax, 'item')}; delete some first.`,
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

/**
 * Deletes an item with its history and the totals of its scans. Returns `false` when the account has none with this id.
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
