/** What the resolver looks up. */
import { findFirst, type Sql } from '../../client.ts';
import type { ItemLink } from './items.ts';

/** What there is at one level of a URI. */
export interface ItemEntry {
  /** Of a primary key with items: which qualifiers they may have. `null`: the path is not that of one. */
  readonly shapes: readonly string[] | null;
  /** `null`: the path has no item itself. */
  readonly slug: string | null;
  readonly links: readonly ItemLink[] | null;
}

/** Returns what there is at a path, or `null`: no item, and no primary key with items. */
export const findEntry = (sql: Sql, path: string): Promise<ItemEntry | null> =>
  findFirst(sql<ItemEntry[]>`
    select k.shapes, i.slug, i.links from (values (${path}::text)) as asked (path)
    left join resolver_keys k using (path) left join resolver_items i using (path)
    where k.path is not null or i.path is not null`);
