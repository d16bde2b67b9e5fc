/** Slugs that accounts choose, and the links of new codes. */
import { ok, type Result, refused } from '../../result.ts';
import type { Changes } from '../changes.ts';
import type { Sql } from '../client.ts';

/** A chosen slug. */
export interface OwnSlug {
  readonly slug: string;
  /** The slug with lookalike characters folded. No two links have slugs that look alike. */
  readonly skeleton: string;
}

/** Maximum slugs given to a link. All of them lead to it for ever, and every change announces each of them. */
export const OWN_SLUGS_MAX = 10;

/** Selects the slug that a link was created with, by any of its slugs. */
export const firstSlugOf = (sql: Sql, slug: string) =>
  sql`coalesce((select link_slug from own_slugs where slug = ${slug}), ${slug})`;

/**
 * Gives a link a slug, and returns it. Must be called in a transaction that has locked the link. `taken`: another link
 * has it, or a lookalike. `too many`: the link has had `OWN_SLUGS_MAX`. A no-op for a slug that the link already has.
 *
 * @param firstSlug The slug that the link was created with.
 */
export const claimSlug = async (
  sql: Sql,
  firstSlug: string,
  newSlug: OwnSlug,
): Promise<Result<OwnSlug, 'taken' | 'too many'>> => {
  const { slug, skeleton } = newSlug;
  if (slug === firstSlug) return ok(newSlug);
  const own = await sql<{ slug: string; skeleton: string | null }[]>`
    select slug, skeleton from own_slugs where link_slug = ${firstSlug}`;
  if (own.some((each) => each.slug === slug)) return ok(newSlug);
  if (own.length >= OWN_SLUGS_MAX) return refused('too many');
  const isAlike = own.some((each) => each.skeleton === skeleton);
  const claimed = await sql`
    insert into own_slugs (slug, link_slug, skeleton)
    select ${slug}, ${firstSlug}, ${isAlike ? null : skeleton}::text
    where not exists (select from links where slug = ${slug})
    on conflict do nothing
    returning slug`;
  return claimed.length === 1 ? ok(newSlug) : refused('taken');
};

/** Returns which of the slugs are in use: a link was created with them or given them later. */
export const findSlugsInUse = async (sql: Sql, slugs: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ slug: string }[]>`
    select slug from links where slug = any(${slugs as string[]})
    union all select slug from own_slugs where slug = any(${slugs as string[]})`;
  return new Set(rows.map(({ slug }) => slug));
};

/**
 * Announces a change of links under every one of their slugs.
 *
 * @param sql The transaction that changes them.
 * @param firstSlugs The slugs that the links were created with.
 */
export const announceLinks = async (
  sql: Sql,
  changes: Pick<Changes, 'announce'>,
  firstSlugs: readonly string[],
): Promise<void> => {
  const own = await sql<{ slug: string }[]>`
    select slug from own_slugs where link_slug = any(${firstSlugs as string[]})`;
  const slugs = [...firstSlugs, ...own.map(({ slug }) => slug)];
  await changes.announce(sql, ...slugs.map((id) => ({ kind: 'link', id }) as const));
};

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
