/** Short links from their account's point of view: single ones, and those that are changed together. */
import { type Asked, findAsked, findFirst, type Sql } from '../client.ts';
import { TIMESTAMPTZ_ARRAY } from '../statements.ts';
import { firstSlugOf, readTargetKey } from './slugs.ts';

/** What of the request of a visit is passed on to where the link leads. */
export interface Forward {
  /** The parameters: none; all, where those of the destination win; or all, where those of the visit win. */
  readonly query: 'drop' | 'keep-own' | 'keep-theirs';
  /** Whether what stands behind the slug is appended to the path. */
  readonly path: boolean;
  /** Parameters that every visit gets, by their names without `utm_`. They count as those of the destination. */
  readonly utm: Readonly<Partial<Record<UtmName, string>>>;
}

/** Names of the parameters of web statistics, without `utm_`. */
export const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content', 'id'] as const;
type UtmName = (typeof UTM_NAMES)[number];

/** Where a link leads, and when: what edits change, its history keeps and an undo brings back. */
export interface LinkRoute {
  readonly destination: string;
  /** When the link starts leading to its destination; `null`: at its creation. */
  readonly activeFrom: Date | null;
  /** When the link stops leading to its destination; `null`: never. */
  readonly activeUntil: Date | null;
  /** Where it leads before `activeFrom`; `null`: it behaves like a deleted link. */
  readonly beforeDestination: string | null;
  /** Where it leads from `activeUntil` on; `null`: it behaves like a deleted link. */
  readonly afterDestination: string | null;
  /** What of a visit it passes on; `null`: what its account passes on. */
  readonly forward: Forward | null;
}

/** A short link that works. */
export interface Link extends LinkRoute {
  /** The slug that its code encodes. */
  readonly slug: string;
  /** The slug that the link was created with. It leads to the link for ever, and scans are recorded under it. */
  readonly firstSlug: string;
  /** The own domain of its account at which it is, and what its short URL begins with there; `null`: the shared domain. */
  readonly domainId: string | null;
  readonly place: string | null;
  readonly accountId: string;
  /** The dynamic code that encodes the link, and its labels. */
  readonly codeId: string;
  readonly folderId: string;
  readonly externalId: string | null;
  readonly tags: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A past or current route and slug of a link, and who set them. */
export interface LinkChange extends LinkRoute {
  readonly id: number;
  /** The slug that its code encoded. */
  readonly slug: string;
  /** Shared by links that were changed together; `null`: the link was not changed together with others. */
  readonly changeId: string | null;
  /** The API key that set it, which may be revoked by now. The three fields of the key are `null` for the operator. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
  readonly at: Date;
}

/** The times of a link in milliseconds since 1970; an open end is infinite. */
export interface LinkWindow {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a slug leads to. */
export interface LinkTarget {
  /** The slug that the link was created with, under which scans are recorded. */
  readonly firstSlug: string;
  /** `null`: the link was deleted. */
  readonly destination: string | null;
  readonly accountId: string;
  /** Where the account's dead links redirect; `null`: nowhere. */
  readonly deadLinkUrl: string | null;
  /** `null`: the link has neither a start nor an end, or was deleted. */
  readonly window: LinkWindow | null;
  /** What of a visit is passed on; `null`: nothing. */
  readonly forward: Forward | null;
}

type TargetRow = Omit<LinkTarget, 'window'> & { readonly [Name in keyof LinkRoute]: LinkRoute[Name] | null };

const windowOf = (row: TargetRow): LinkWindow | null =>
  row.activeFrom === null && row.activeUntil === null
    ? null
    : {
        fromMs: row.activeFrom?.getTime() ?? Number.NEGATIVE_INFINITY,
        untilMs: row.activeUntil?.getTime() ?? Number.POSITIVE_INFINITY,
        before: row.beforeDestination,
        after: row.afterDestination,
      };

/**
 * Returns the target of a slug on a domain, or `null` when no link of it ever had it. A deleted link keeps its row and its
 * owner.
 *
 * @param key As `targetKey` returns it.
 */
export const findTarget = async (sql: Sql, key: string): Promise<LinkTarget | null> => {
  const [slug, domainId] = readTargetKey(key);
  const row = await findAsked<TargetRow>(
    key,
    sql<(TargetRow & Asked)[]>`
    select ${key}::text as asked, l.slug as first_slug, live.destination, live.active_from, live.active_until,
      live.before_destination, live.after_destination, coalesce(live.forward, a.forward) as forward,
      a.id as account_id, a.dead_link_url
    from links l join accounts a on a.id = l.account_id left join live_links live on live.slug = l.slug
    where l.slug = ${firstSlugOf(sql, slug, domainId)}`,
  );
  if (row === null) return null;
  const { firstSlug, destination, accountId, deadLinkUrl, forward } = row;
  return { firstSlug, destination, accountId, deadLinkUrl, window: windowOf(row), forward };
};

const LINK_COLUMNS = (sql: Sql) => sql`
  coalesce(own_slug, slug) as slug, slug as first_slug, domain_id,
  (select place from domains d where d.id = live_links.domain_id) as place, account_id, code_id, folder_id, external_id, tags, destination,
  active_from, active_until, before_destination, after_destination, forward, created_at, updated_at`;

/**
 * Returns a link of the account by any of its slugs on a domain, or `null` when it is unknown, deleted or another
 * account's.
 */
export const getLink = (
  sql: Sql,
  accountId: string,
  slug: string,
  domainId: string | null = null,
): Promise<Link | null> =>
  findFirst(sql<Link[]>`
    select ${LINK_COLUMNS(sql)} from live_links
    where account_id = ${accountId} and slug = ${firstSlugOf(sql, slug, domainId)}`);

/** Locks links against other edits until the transaction ends. @param firstSlugs The slugs they were created with. */
export const lockLinks = async (sql: Sql, firstSlugs: readonly string[]): Promise<void> => {
  await sql`select from links where slug = any(${firstSlugs as string[]}) order by slug for update`;
};

/**
 * Returns live links of the account, ordered by the slugs that they were created with. Links that are unknown, deleted
 * or another account's are omitted.
 */
export const getLinks = (
  sql: Sql,
  accountId: string,
  firstSlugs: readonly string[],
): Promise<readonly Link[]> => sql<Link[]>`
  select ${LINK_COLUMNS(sql)} from live_links
  where account_id = ${accountId} and slug = any(${firstSlugs as string[]}) order by live_links.slug`;

/** Who changes links. */
interface LinkEditor {
  /** The API key, for the history; `null`: the operator. */
  readonly keyId: string | null;
  /** Shared by links that are changed together; `null`: the link is not changed together with others. */
  readonly changeId: string | null;
}

/**
 * Writes the routes and slugs of links, and adds them to the history. Must be called in a transaction that has locked
 * the links and verified that they are the account's. A new slug must already be claimed.
 */
export const saveLinks = async (
  sql: Sql,
  links: readonly (LinkRoute & Pick<Link, 'slug' | 'firstSlug'>)[],
  { keyId, changeId }: LinkEditor,
): Promise<void> => {
  const times = (name: 'activeFrom' | 'activeUntil') =>
    sql.array(
      links.map((link) => link[name]),
      TIMESTAMPTZ_ARRAY,
    );
  await sql`
    with item as (
      select * from unnest(
        ${links.map(({ firstSlug }) => firstSlug)}::text[],
        ${links.map(({ slug, firstSlug }) => (slug === firstSlug ? null : slug))}::text[],
        ${links.map(({ destination }) => destination)}::text[],
        ${times('activeFrom')}, ${times('activeUntil')},
        ${links.map(({ beforeDestination }) => beforeDestination)}::text[],
        ${links.map(({ afterDestination }) => afterDestination)}::text[],
        ${links.map(({ forward }) => forward && JSON.stringify(forward))}::text[]::jsonb[]
      ) as item (slug, own_slug, destination, active_from, active_until, before_destination, after_destination, forward)
    ), changed as (
      update links l set own_slug = item.own_slug, destination = item.destination, active_from = item.active_from,
        active_until = item.active_until, before_destination = item.before_destination,
        after_destination = item.after_destination, forward = item.forward, updated_at = now()
      from item where l.slug = item.slug
    ), entry as (
      -- How the link was made, which has no row until the link is edited.
      select l.slug, l.own_slug, l.destination, l.active_from, l.active_until, l.before_destination,
        l.after_destination, l.forward, l.key_id, null::uuid as change_id, l.created_at as at, 1 as place
      from item join links l on l.slug = item.slug
      where not exists (select from link_history h where h.slug = item.slug)
      union all
      select *, ${keyId}::uuid, ${changeId}::uuid, now(), 2 from item
    )
    insert into link_history (slug, own_slug, destination, active_from, active_until, before_destination,
      after_destination, forward, key_id, change_id, at)
    select slug, own_slug, destination, active_from, active_until, before_destination, after_destination, forward,
      key_id, change_id, at
    from entry order by place, slug`;
};

/**
 * Returns the history of a link's routes and slugs, the current ones first. It is empty for a link that is deleted or
 * belongs to another account.
 */
export const listLinkHistory = (
  sql: Sql,
  accountId: string,
  firstSlug: string,
  { beforeId, limit }: { readonly beforeId: number | null; readonly limit: number },
): Promise<readonly LinkChange[]> => sql<LinkChange[]>`
  with live as (
    select * from live_links where account_id = ${accountId} and slug = ${firstSlug}
  ), change as (
    select h.* from link_history h join live using (slug)
    ${beforeId === null ? sql`` : sql`where h.id < ${beforeId}`} order by h.id desc limit ${limit}
  ), entry as (
    select id, slug, own_slug, destination, active_from, active_until, before_destination, after_destination, forward,
      change_id, key_id, at from change
    union all
    select 0, slug, own_slug, destination, active_from, active_until, before_destination, after_destination, forward,
      null, key_id, created_at
    from live where not exists (select from link_history h where h.slug = live.slug)
  )
  select e.id, coalesce(e.own_slug, e.slug) as slug, e.destination, e.active_from, e.active_until,
    e.before_destination, e.after_destination, e.forward, e.change_id, e.key_id, k.name as key_name, k.prefix as key_prefix, e.at
  from entry e left join api_keys k on k.id = e.key_id order by e.id desc`;

/** A link found by a list of slugs. */
interface FoundLink {
  /** The slug as given in the list. */
  readonly slug: string;
  readonly firstSlug: string;
}

/**
 * Returns the slugs that belong to live links of the account: slugs of the shared domain, and those that links were
 * created with. A link with two of them is found twice.
 */
export const findLinks = (
  sql: Sql,
  accountId: string,
  slugs: readonly string[],
): Promise<readonly FoundLink[]> => sql<FoundLink[]>`
  select asked.slug, live.slug as first_slug
  from unnest(${slugs as string[]}::text[]) as asked (slug)
  left join own_slugs own on own.slug = asked.slug and own.domain_id is null
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
    earlier.before_destination, earlier.after_destination, earlier.forward
  from link_history h join live_links live on live.slug = h.slug
  cross join lateral (
    select * from link_history where slug = h.slug and id < h.id order by id desc limit 1
  ) as earlier
  where h.change_id = ${changeId} and live.account_id = ${accountId}`;
