/** Short links from their account's point of view: single ones, and those that are changed together. */
import { findFirst, type Sql } from '../client.ts';
import { TIMESTAMPTZ_ARRAY } from '../statements.ts';
import type { Rule } from './rules/rule.ts';
import { firstSlugOf } from './slugs.ts';

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
  /** Where it leads visits of some kinds instead of to its destination; `null`: none. */
  readonly rules: readonly Rule[] | null;
  /** Rules that many links share, asked after its own ones; `null`: none. */
  readonly ruleSetId: string | null;
  /** How many people it leads to its destination, before it is as after its end; `null`: any number. */
  readonly visitLimit: number | null;
  /** As `hashPassword` returns it; `null`: none. */
  readonly passwordHash: string | null;
  /** What of a visit it passes on; `null`: what its account passes on. */
  readonly forward: Forward | null;
}

const ROUTE_FIELDS = {
  destination: true,
  activeFrom: true,
  activeUntil: true,
  beforeDestination: true,
  afterDestination: true,
  forward: true,
  rules: true,
  ruleSetId: true,
  visitLimit: true,
  passwordHash: true,
} as const satisfies Record<keyof LinkRoute, true>;

/** Returns the route of a link alone. */
export const routeOf = (link: LinkRoute): LinkRoute =>
  Object.fromEntries(
    (Object.keys(ROUTE_FIELDS) as (keyof LinkRoute)[]).map((field) => [field, link[field]]),
  ) as unknown as LinkRoute;

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
  /** The name of the folder. */
  readonly folder: string;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly tags: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Scans that were counted elsewhere before the link was imported. */
  readonly importedScans: number;
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

/** The columns of a route. */
const ROUTE = (sql: Sql) => sql`
  active_from, active_until, before_destination, after_destination, forward, rules, rule_set_id, visit_limit,
  password_hash`;

const LINK_COLUMNS = (sql: Sql) => sql`
  coalesce(own_slug, slug) as slug, slug as first_slug, domain_id,
  (select place from domains d where d.id = live_links.domain_id) as place, account_id, code_id, folder_id,
  (select name from folders f where f.id = live_links.folder_id) as folder, name, external_id, tags, destination, ${ROUTE(sql)}, created_at, updated_at, imported_scans`;

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
        ${links.map(({ forward }) => forward && JSON.stringify(forward))}::text[]::jsonb[],
        ${links.map(({ rules }) => (rules === null ? null : JSON.stringify(rules)))}::text[]::json[],
        ${links.map(({ ruleSetId }) => ruleSetId)}::uuid[], ${links.map(({ visitLimit }) => visitLimit)}::integer[],
        ${links.map(({ passwordHash }) => passwordHash)}::text[]
      ) as item (slug, own_slug, destination, ${ROUTE(sql)})
    ), changed as (
      update links l set own_slug = item.own_slug, destination = item.destination, active_from = item.active_from,
        active_until = item.active_until, before_destination = item.before_destination,
        after_destination = item.after_destination, forward = item.forward, rules = item.rules,
        rule_set_id = item.rule_set_id, visit_limit = item.visit_limit, password_hash = item.password_hash, updated_at = now()
      from item where l.slug = item.slug
    ), entry as (
      -- How the link was made, which has no row until the link is edited.
      select l.slug, l.own_slug, l.destination, l.active_from, l.active_until, l.before_destination,
        l.after_destination, l.forward, l.rules, l.rule_set_id, l.visit_limit, l.password_hash, l.key_id,
        null::uuid as change_id, l.created_at as at, 1 as place
      from item join links l on l.slug = item.slug
      where not exists (select from link_history h where h.slug = item.slug)
      union all
      select *, ${keyId}::uuid, ${changeId}::uuid, now(), 2 from item
    )
    insert into link_history (slug, own_slug, destination, ${ROUTE(sql)}, key_id, change_id, at)
    select slug, own_slug, destination, ${ROUTE(sql)}, key_id, change_id, at
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
    select id, slug, own_slug, destination, ${ROUTE(sql)}, change_id, key_id, at from change
    union all
    select 0, slug, own_slug, destination, ${ROUTE(sql)}, null, key_id, created_at
    from live where not exists (select from link_history h where h.slug = live.slug)
  )
  select e.id, coalesce(e.own_slug, e.slug) as slug, e.destination, ${ROUTE(sql)}, e.change_id, e.key_id,
    k.name as key_name, k.prefix as key_prefix, e.at
  from entry e left join api_keys k on k.id = e.key_id order by e.id desc`;

/** A slug, and the host of its own domain; `null`: it is one of the shared domain. */
export interface SlugAtHost {
  readonly slug: string;
  readonly host: string | null;
}

/** A link found by a list of slugs, which has the slug as given. */
interface FoundLink extends SlugAtHost {
  readonly firstSlug: string;
}

/**
 * Returns the slugs that belong to live links of the account. A link with two of them is found twice. Without
 * `limit`, the planner reads all links for each slug while its statistics are older than most of them.
 */
export const findLinks = (
  sql: Sql,
  accountId: string,
  asked: readonly SlugAtHost[],
): Promise<readonly FoundLink[]> => sql<FoundLink[]>`
  select asked.slug, asked.host, live.slug as first_slug
  from unnest(
    ${asked.map(({ slug }) => slug)}::text[], ${asked.map(({ host }) => host)}::text[]
  ) as asked (slug, host)
  left join domains d on d.account_id = ${accountId} and d.host = asked.host and d.deleted_at is null
  left join own_slugs own on own.slug = asked.slug and own.domain_id is not distinct from d.id
    and (asked.host is null or d.id is not null)
  cross join lateral (
    select slug, account_id, domain_id from live_links where slug = coalesce(own.link_slug, asked.slug) limit 1
  ) as live
  where live.account_id = ${accountId} and (asked.host is null or live.domain_id = d.id)`;

/** A link found by the id that the account has for its code. */
interface NamedLink {
  readonly externalId: string;
  readonly firstSlug: string;
}

/** Returns live links of the account by ids of its own, at most two for each. */
export const findLinksByExternalId = (
  sql: Sql,
  accountId: string,
  externalIds: readonly string[],
): Promise<readonly NamedLink[]> => sql<NamedLink[]>`
  select asked.id as external_id, found.slug as first_slug
  from unnest(${externalIds as string[]}::text[]) as asked (id)
  cross join lateral (
    select slug from live_links where account_id = ${accountId} and external_id = asked.id limit 2
  ) as found`;

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

/** Returns at most `limit` live links that were changed together, each with its previous route, without a set that is gone. */
export const listRoutesBefore = (
  sql: Sql,
  accountId: string,
  changeId: string,
  limit: number,
): Promise<readonly EarlierLink[]> => sql<EarlierLink[]>`
  select h.slug as first_slug, earlier.destination, earlier.active_from, earlier.active_until,
    earlier.before_destination, earlier.after_destination, earlier.forward, earlier.rules, earlier.visit_limit, earlier.password_hash,
    (select s.id from rule_sets s where s.account_id = live.account_id and s.id = earlier.rule_set_id) as rule_set_id
  from link_history h join live_links live on live.slug = h.slug
  cross join lateral (
    select * from link_history where slug = h.slug and id < h.id order by id desc limit 1
  ) as earlier
  where h.change_id = ${changeId} and live.account_id = ${accountId} limit ${limit}`;
