/** Links that are changed together. */
import type { Sql } from '../../client.ts';
import type { LinkRoute } from '../links.ts';

/** A link found by a list of slugs. */
export interface FoundLink {
  /** The slug as given in the list. */
  readonly slug: string;
  readonly firstSlug: string;
}

/** Returns the slugs that belong to live links of the account. A link with two of them is found twice. */
export const findLinks = (
  sql: Sql,
  accountId: string,
  slugs: readonly string[],
): Promise<readonly FoundLink[]> => sql<FoundLink[]>`
  select asked.slug, live.slug as first_slug
  from unnest(${slugs as string[]}::text[]) as asked (slug)
  left join own_slugs own on own.slug = asked.slug
  join live_links live on live.slug = coalesce(own.link_slug, asked.slug)
  where live.account_id = ${accountId}`;

/** Returns at most `limit` of the slugs that the links of a folder were created with. */
export const listSlugsOfFolder = async (
  sql: Sql,
  accountId: string,
  folderId: string,
  limit: number,
): Promise<readonly string[]> => {
  const rows = await sql<{ slug: string }[]>`
    select slug from live_codes
    where account_id = ${accountId} and folder_id = ${folderId} and slug is not null limit ${limit}`;
  return rows.map(({ slug }) => slug);
};

/** A link as it was before it was changed together with others. */
export interface EarlierLink extends LinkRoute {
  readonly firstSlug: string;
}

/** Returns the live links that were changed together, each with its previous route. */
export const listRoutesBefore = (
  sql: Sql,
  accountId: string,
  changeId: string,
): Promise<readonly EarlierLink[]> => sql<EarlierLink[]>`
  select h.slug as first_slug, earlier.destination, earlier.active_from, earlier.active_until,
    earlier.before_destination, earlier.after_destination
  from link_history h join live_links live on live.slug = h.slug
  cross join lateral (
    select * from link_history where slug = h.slug and id < h.id order by id desc limit 1
  ) as earlier
  where h.change_id = ${changeId} and live.account_id = ${accountId}`;
