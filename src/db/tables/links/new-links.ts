import type { Sql } from '../../client.ts';

/**
 * The parts of a statement that insert the links of `item`, a table with `slug`, `own_slug`, `skeleton` and
 * `destination`. `new_link` contains those that are new, by `slug`.
 */
export const newLinks = (sql: Sql, accountId: string, keyId: string | null) => sql`
  claimed as (
    insert into own_slugs (slug, link_slug, skeleton)
    select own_slug, slug, skeleton from item
    where own_slug is not null and not exists (select from links l where l.slug = item.own_slug)
    -- One order for all, which avoids deadlocks.
    order by skeleton, own_slug
    on conflict do nothing
    returning slug, link_slug
  ), new_link as (
    insert into links (slug, own_slug, account_id, destination, key_id)
    select slug, own_slug, ${accountId}::uuid, destination, ${keyId}::uuid from item
    where slug is not null and not exists (select from own_slugs o where o.slug = item.slug)
      and (own_slug is null or (own_slug, slug) in (select slug, link_slug from claimed))
    order by slug
    on conflict (slug) do nothing
    returning slug
  )`;
