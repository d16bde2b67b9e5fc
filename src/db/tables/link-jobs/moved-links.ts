/** Links that move: what an export reads, and what an import finds and makes. */
import type { Sql } from '../../client.ts';
import { TIMESTAMPTZ_ARRAY } from '../../statements.ts';
import type { LinkRoute } from '../links.ts';
import { nameKey } from '../names.ts';
import type { OwnSlug } from '../slugs.ts';

/** A live link with all that moves. */
export interface ExportedLink extends LinkRoute {
  readonly codeId: string;
  readonly slug: string;
  /** The host of its own domain; `null`: it is on the domain that all accounts share. */
  readonly domain: string | null;
  readonly firstSlug: string;
  /** Its other slugs besides the first one, in order. */
  readonly otherSlugs: readonly string[];
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly externalId: string | null;
  readonly folder: string;
  readonly createdAt: Date;
  /** By people, here and where it was before. */
  readonly scans: number;
}

/** Returns the next live links of the account in the order in which their codes were made. @param after Code id; `null`: from the first. */
export const listForExport = (
  sql: Sql,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<readonly ExportedLink[]> => sql<ExportedLink[]>`
  select c.id as code_id, coalesce(l.own_slug, l.slug) as slug, l.slug as first_slug,
    (select host from domains d where d.id = l.domain_id) as domain,
    array(select o.slug from own_slugs o where o.link_slug = l.slug and o.slug is distinct from l.own_slug
      order by o.slug collate "C") as other_slugs,
    c.name, coalesce(c.tags, '{}') as tags, c.external_id, f.name as folder, l.destination, l.active_from,
    l.active_until, l.before_destination, l.after_destination, l.forward, l.created_at,
    l.imported_scans + coalesce((select people from scan_totals t where t.slug = l.slug), 0) as scans,
    l.rules, l.rule_set_id, l.visit_limit, l.password_hash
  from codes c join folders f on f.id = c.folder_id join links l on l.slug = c.slug
  where c.account_id = ${accountId} and c.slug is not null and c.deleted_at is null and f.deleted_at is null
    and l.deleted_at is null ${after === null ? sql`` : sql`and c.id > ${after}::uuid`}
  order by c.id limit ${limit}`;

/** A slug on a domain; `null`: the one that all accounts share. */
export interface SlugAt {
  readonly slug: string;
  readonly domainId: string | null;
}

/** What has a slug already; slug and domain are as asked. */
export interface SlugOwner extends SlugAt {
  readonly firstSlug: string;
  /** The domain of its link. */
  readonly linkDomainId: string | null;
  readonly accountId: string;
  /** Whether the link leads anywhere: neither it nor its code is deleted or in the bin. */
  readonly isLive: boolean;
  readonly destination: string;
}

/** Returns who has which of the slugs, first ones included. It has a `limit` for the reason that `findLinks` has one. */
export const findSlugOwners = (sql: Sql, asked: readonly SlugAt[]): Promise<readonly SlugOwner[]> => sql<
  SlugOwner[]
>`
  select asked.slug, asked.domain_id, l.slug as first_slug, l.domain_id as link_domain_id, l.account_id,
    l.destination, live.slug is not null as is_live
  from unnest(
    ${asked.map(({ slug }) => slug)}::text[], ${asked.map(({ domainId }) => domainId)}::uuid[]
  ) as asked (slug, domain_id)
  cross join lateral (
    select slug from links
    where slug = asked.slug and (asked.domain_id is null or domain_id = asked.domain_id)
    union all
    select link_slug from own_slugs o
    where o.slug = asked.slug and o.domain_id is not distinct from asked.domain_id
  ) as found (first_slug)
  join links l on l.slug = found.first_slug
  left join lateral (select slug from live_links where slug = l.slug limit 1) as live on true`;

/** Returns which of the looks are taken. */
export const findSkeletons = async (sql: Sql, skeletons: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ skeleton: string }[]>`
    select skeleton from own_slugs where skeleton = any(${skeletons as string[]})`;
  return new Set(rows.map(({ skeleton }) => skeleton));
};

/** A link to be made for one that was elsewhere. */
export interface ImportedLink {
  readonly route: LinkRoute;
  /** Instead of that of the route. */
  readonly ruleSetId: string | null;
  /** The place of its code among those of its import, from 0. */
  readonly position: number;
  /** The slug that it is made with. */
  readonly firstSlug: string;
  /** `null`: the domain that all accounts share. */
  readonly domainId: string | null;
  /** The slug that its code encodes; `null`: the first one. */
  readonly own: OwnSlug | null;
  /** Further slugs that lead to it. */
  readonly others: readonly OwnSlug[];
  readonly folderId: string;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly tags: readonly string[];
  /** `null`: now. */
  readonly createdAt: Date | null;
  readonly scans: number;
}

/** Who imports, and what their codes have in common. */
interface Importer {
  readonly accountId: string;
  readonly keyId: string;
  /** The time of position 0. */
  readonly at: Date;
  /** The design in which the codes will be drawn unless another is chosen. */
  readonly designId: number;
}

/** The slugs that are claimed for a link. Of those that look alike, the first one has the look. */
const chosenSlugs = ({ firstSlug, domainId, own, others }: ImportedLink) =>
  (own === null ? others : [own, ...others]).map(({ slug, skeleton }, index, all) => ({
    firstSlug,
    domainId,
    slug,
    skeleton: all.findIndex((one) => one.skeleton === skeleton) < index ? null : skeleton,
  }));

const toSlug = ({ slug }: Pick<OwnSlug, 'slug'>): string => slug;

/** The statement that returns links as rows. */
const itemsOf = (sql: Sql, links: readonly ImportedLink[]) => {
  const texts = (of: (link: ImportedLink) => string | null) => links.map(of);
  const times = (of: (link: ImportedLink) => Date | null) => sql.array(links.map(of), TIMESTAMPTZ_ARRAY);
  return sql`
    select * from unnest(
      ${links.map(({ position }) => position)}::integer[], ${texts((l) => l.firstSlug)}::text[],
      ${texts((l) => l.domainId)}::uuid[],
      ${texts((l) => l.own?.slug ?? null)}::text[], ${texts(({ route }) => route.destination)}::text[],
      ${times(({ route }) => route.activeFrom)}, ${times(({ route }) => route.activeUntil)},
      ${texts(({ route }) => route.beforeDestination)}::text[], ${texts(({ route }) => route.afterDestination)}::text[],
      ${texts(({ route }) => route.forward && JSON.stringify(route.forward))}::text[],
      ${texts(({ route }) => route.rules && JSON.stringify(route.rules))}::text[], ${texts((l) => l.ruleSetId)}::uuid[],
      ${links.map(({ route }) => route.visitLimit)}::integer[], ${texts(({ route }) => route.passwordHash)}::text[],
      ${times((l) => l.createdAt)}, ${links.map(({ scans }) => scans)}::bigint[],
      ${texts((l) => l.folderId)}::uuid[], ${texts((l) => l.name)}::text[],
      ${texts((l) => (l.name === null ? null : nameKey(l.name)))}::text[], ${texts((l) => l.externalId)}::text[],
      ${texts((l) => (l.tags.length === 0 ? null : JSON.stringify(l.tags)))}::text[],
      ${texts((l) => chosenSlugs(l).map(toSlug).join(' ') || null)}::text[]
    ) as item (position, slug, domain_id, own_slug, destination, active_from, active_until, before_destination,
      after_destination, forward, rules, rule_set_id, visit_limit, password_hash, created_at, imported_scans,
      folder_id, name, name_key, external_id, tags, own_slugs)`;
};

/**
 * Makes links with their codes, which have no picture yet. Must be called in a transaction, which must be rolled back when
 * it returns fewer first slugs than it was given: a slug of the others was taken meanwhile.
 */
export const insertImported = async (
  sql: Sql,
  { accountId, keyId, at, designId }: Importer,
  links: readonly ImportedLink[],
): Promise<number> => {
  if (links.length === 0) return 0;
  const slugs = links.flatMap(chosenSlugs);
  const { count } = await sql`
    with item as materialized (
      ${itemsOf(sql, links)}
    ), chosen as materialized (
      select * from unnest(
        ${slugs.map(({ firstSlug }) => firstSlug)}::text[], ${slugs.map(({ slug }) => slug)}::text[],
        ${slugs.map(({ domainId }) => domainId)}::uuid[], ${slugs.map(({ skeleton }) => skeleton)}::text[]
      ) as chosen (link_slug, slug, domain_id, skeleton)
    ), claimed as (
      insert into own_slugs (slug, link_slug, domain_id, skeleton)
      select slug, link_slug, domain_id, skeleton from chosen
      where not exists (
        select from links l
        where l.slug = chosen.slug and (chosen.domain_id is null or l.domain_id = chosen.domain_id)
      )
      -- One order for all, which avoids deadlocks.
      order by skeleton, slug
      on conflict do nothing
      returning slug
    ), new_link as (
      insert into links (slug, domain_id, own_slug, account_id, destination, active_from, active_until, before_destination,
        after_destination, forward, rules, rule_set_id, visit_limit, password_hash, created_at, imported_scans, key_id)
      select slug, domain_id, own_slug, ${accountId}::uuid, destination, active_from, active_until, before_destination,
        after_destination, forward::jsonb, rules::json, rule_set_id, visit_limit, password_hash,
        coalesce(created_at, now()), imported_scans, ${keyId}::uuid
      from item where not exists (
        select from own_slugs o
        where o.slug = item.slug and (o.domain_id is null or o.domain_id = item.domain_id)
      )
      order by slug
      on conflict (slug) do nothing
      returning slug
    )
    insert into codes (id, account_id, folder_id, content, slug, design_id, warnings, name, name_key, own_slugs,
      external_id, tags)
    select code_id(${at}::timestamptz, position), ${accountId}::uuid, folder_id, convert_to(destination, 'UTF8'), slug,
      ${designId}, '', name, name_key, own_slugs, external_id,
      case when tags is not null then array(select jsonb_array_elements_text(tags::jsonb)) end
    from item
    where slug in (select slug from new_link)
      and (select count(*) from claimed) = ${slugs.length}
    -- In the order of the indexes, which fills their pages.
    order by position`;
  return count;
};

/** Returns how many links the account has imported so far. */
export const countImported = async (sql: Sql, accountId: string): Promise<number> => {
  const [row] = await sql<
    { links: number }[]
  >`select links from imported_links where account_id = ${accountId}`;
  return row?.links ?? 0;
};

/** Adds imported links to those of the account, locks their number until the transaction ends, and returns it. */
export const addImported = async (sql: Sql, accountId: string, links: number): Promise<number> => {
  const [row] = await sql<[{ links: number }]>`
    insert into imported_links (account_id, links) values (${accountId}, ${links})
    on conflict (account_id) do update set links = imported_links.links + excluded.links
    returning links`;
  return row.links;
};

/**
 * Removes imported links whole, as if they had never been made: their slugs are free again. Must be called in a
 * transaction.
 */
export const removeImported = async (
  sql: Sql,
  jobId: string,
  accountId: string,
  firstSlugs: readonly string[],
): Promise<void> => {
  const slugs = firstSlugs as string[];
  // Without visits nothing of them is left to be removed later, when another link may have the slug.
  await sql`delete from scan_totals where slug = any(${slugs}) and people + bots + previews = 0`;
  await sql`delete from codes where account_id = ${accountId} and slug = any(${slugs})`;
  await sql`update links set own_slug = null where account_id = ${accountId} and slug = any(${slugs})`;
  await sql`delete from own_slugs where link_slug = any(${slugs})`;
  const { count } = await sql`delete from links where account_id = ${accountId} and slug = any(${slugs})`;
  await sql`update imported_links set links = links - ${count} where account_id = ${accountId}`;
  await sql`
    delete from link_job_links
    where job_id = ${jobId} and slug = any(${slugs.map((slug) => `+${slug}`)})`;
};
