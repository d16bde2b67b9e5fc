/** What the resolver looks up. */
import { type Asked, findAsked, type Sql } from '../../client.ts';
import type { ItemLink } from './items.ts';

/** What exists at one level of a URI. */
export interface ItemEntry {
  /** The possible qualifiers of the items of a primary key. `null`: the path is not a primary key with items. */
  readonly shapes: readonly string[] | null;
  /** `null`: there is no item at the path itself. */
  readonly slug: string | null;
  readonly links: readonly ItemLink[] | null;
}

/** Returns what exists at a path; `null`: neither an item nor a primary key with items. */
export const findEntry = (sql: Sql, path: string): Promise<ItemEntry | null> =>
  findAsked<ItemEntry>(
    path,
    sql<(ItemEntry & Asked)[]>`
    select path as asked, k.shapes, i.slug, i.links from (values (${path}::text)) as asked (path)
    left join resolver_keys k using (path) left join resolver_items i using (path)
    where k.path is not null or i.path is not null`,
  );
