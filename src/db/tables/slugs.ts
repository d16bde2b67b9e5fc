/** Slugs that accounts choose, and the links of new codes. */
import { ok, type Result, refused } from '../../result.ts';
import type { Changes } from '../changes.ts';
import type { Sql } from '../client.ts';

/** A chosen slug. */
export interface OwnSlug {
  readonly slug: string;
  /**
   * The slug with lookalike characters folded. No two links of the shared domain have slugs that look alike. `null`: the
   * slug is on an own domain, where only its owner chooses slugs.
   */
  readonly skeleton: string | null;
}

/** Maximum slugs given to a link. All of them lead to it for ever, and every change announces each of them. */
export const OWN_SLUGS_MAX = 10;

/** The condition that a row is of the domain; `null`: the shared one. `is not distinct from` would use no index. */
const isOf = (sql: Sql, domainId: string | null) =>
  domainId === null ? sql`domain_id is null` : sql`domain_id = ${domainId}`;

/** The condition that links are found on the domain by the slugs that they were created with. */
const foundOn = (sql: Sql, domainId: string | null) =>
  domainId === null ? sql`true` : sql`domain_id = ${domainId}`;

/**
 * Selects the slug that a link was created with, by any of its slugs on the domain. On the shared domain, every link is
 * also found by the slug that it was created with.
 */
export const firstSlugOf = (sql: Sql, slug: string, domainId: string | null = null) => sql`coalesce(
    (select link_slug from own_slugs where slug = ${slug} and ${isOf(sql, domainId)}),
    ${domainId === null ? sql`${slug}` : sql`(select slug from links where slug = ${slug} and domain_id = ${domainId})`})`;

/** The slug that a link was created with, and its domain. */
interface SluggedLink {
  readonly firstSlug: string;
  readonly domainId: string | null;
}

/**
 * Gives a link a slug, and returns it. Must be called in a transaction that has locked the link. `taken`: another link
 * has it, or a lookalike. `too many`: the link has had `OWN_SLUGS_MAX`. A no-op for a slug that the link already has.
 */
export const claimSlug = async (
  sql: Sql,
  { firstSlug, domainId }: SluggedLink,
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
    insert into own_slugs (slug, link_slug, domain_id, skeleton)
    select ${slug}, ${firstSlug}, ${domainId}::uuid, ${isAlike ? null : skeleton}::text
    where not exists (select from links where slug = ${slug} and ${foundOn(sql, domainId)})
    on conflict do nothing
    returning slug`;
  return claimed.length === 1 ? ok(newSlug) : refused('taken');
};

/**
 * Returns which of the slugs no new link of the domain can be created with: another one was, or was given them later. A
 * link on an own domain is reached through the shared one, too.
 */
export const findSlugsInUse = async (
  sql: Sql,
  slugs: readonly string[],
  domainId: string | null,
): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ slug: string }[]>`
    select slug from links where slug = any(${slugs as string[]})
    union all
    select slug from own_slugs
    where slug = any(${slugs as string[]}) and (domain_id is null or domain_id = ${domainId}::uuid)`;
  return new Set(rows.map(({ slug }) => slug));
};

/** Under what caches keep the target of a slug on a domain. */
export const targetKey = (slug: string, domainId: string | null): string =>
  domainId === null ? slug : `${domainId}/${slug}`;

/** Returns the slug and the domain of a key. */
export const readTargetKey = (key: string): readonly [slug: string, domainId: string | null] => {
  const at = key.indexOf('/');
  return at < 0 ? [key, null] : [key.slice(at + 1), key.slice(0, at)];
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
  const onDomains = await sql<{ slug: string; domainId: string | null }[]>`
    select slug, domain_id from own_slugs where link_slug = any(${firstSlugs as string[]})
    union all
    select slug, domain_id from links where slug = any(${firstSlugs as string[]}) and domain_id is not null`;
  const keys = [...firstSlugs, ...onDomains.map(({ slug, domainId }) => targetKey(slug, domainId))];
  await changes.announce(sql, ...keys.map((id) => ({ kind: 'link', id }) as const));
};

/**
 * The parts of a statement that insert the links of `item`, a table with `slug`, `own_slug`, `skeleton` and
 * `destination`. `new_link` contains those that are new, by `slug`.
 */
export const newLinks = (
  sql: Sql,
  { accountId, keyId, domainId }: { accountId: string; keyId: string | null; domainId: string | null },
) => sql`
  claimed as (
    insert into own_slugs (slug, link_slug, domain_id, skeleton)
    select own_slug, slug, ${domainId}::uuid, skeleton from item
    where own_slug is not null
      -- With a limit it is no join, for which the table might be read whole.
      and (select true from links l where l.slug = item.own_slug and ${foundOn(sql, domainId)} limit 1) is null
    -- One order for all, which avoids deadlocks.
    order by skeleton, own_slug
    on conflict do nothing
    returning slug, link_slug
  ), new_link as (
    insert into links (slug, own_slug, domain_id, account_id, destination, key_id)
    select slug, own_slug, ${domainId}::uuid, ${accountId}::uuid, destination, ${keyId}::uuid from item
    where slug is not null and (
        select true from own_slugs o
        where o.slug = item.slug and (o.domain_id is null or o.domain_id = ${domainId}::uuid) limit 1
      ) is null
      and (own_slug is null or (own_slug, slug) in (select slug, link_slug from claimed))
    order by slug
    on conflict (slug) do nothing
    returning slug
  )`;
