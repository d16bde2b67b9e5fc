/** The history of what resolver items led to. */
import type { Sql } from '../../client.ts';
import type { ItemLink } from './items.ts';

/** Past or current links of an item, and who set them. */
export interface ItemChange {
  readonly id: number;
  readonly links: readonly ItemLink[];
  /** Shared by items that were changed together; `null`: the item was changed alone. */
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
