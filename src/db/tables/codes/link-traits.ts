/** Filters by what the short links of codes are: where they are, whether they lead, and by which rules. */
import type { Sql } from '../../client.ts';
import type { Fragment } from './look-up.ts';

/** Whether a short link leads to its destination now, will do so later, no longer does, or has led as many as it may. */
export const LINK_STATUSES = ['active', 'scheduled', 'expired', 'limit_reached'] as const;
/** One of `LINK_STATUSES`. */
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** What the short links of a list have in common. */
export interface LinkTraits {
  /** Only those with this status. Absent: all. */
  readonly linkStatus?: LinkStatus;
  /** Only those at this domain; `null`: at the shared one. Absent: all. */
  readonly domainId?: string | null;
  /** Only those with this rule set. Absent: all. */
  readonly ruleSetId?: string;
  /** Only those with rules, of their own or of a set; `false`: those without. Absent: all. */
  readonly hasRules?: boolean;
}

/** The condition that a short link `l` has led as many people as it may. */
const isLimitReached = (sql: Sql): Fragment => sql`
  (l.visit_limit is not null and l.imported_scans
    + coalesce((select people from scan_totals s where s.slug = l.slug), 0) >= l.visit_limit)`;

/** The condition that a short link `l` is between its start and its end. */
const isInTime = (sql: Sql): Fragment => sql`
  coalesce(l.active_from <= now(), true) and coalesce(l.active_until > now(), true)`;

const hasStatus = (sql: Sql, status: LinkStatus): Fragment => {
  switch (status) {
    case 'active':
      return sql`${isInTime(sql)} and not ${isLimitReached(sql)}`;
    case 'scheduled':
      return sql`l.active_from > now()`;
    case 'expired':
      return sql`l.active_until <= now()`;
    case 'limit_reached':
      return sql`${isInTime(sql)} and ${isLimitReached(sql)}`;
  }
};

/** Whether a filter says anything about links. */
export const isAboutLinks = ({ linkStatus, domainId, ruleSetId, hasRules }: LinkTraits): boolean =>
  [linkStatus, domainId, ruleSetId, hasRules].some((wanted) => wanted !== undefined);

/** The conditions that a short link `l` has the traits, each of which begins with `and`. */
const hasLinkTraits = (sql: Sql, { linkStatus, domainId, ruleSetId, hasRules }: LinkTraits): Fragment => sql`
  ${linkStatus === undefined ? sql`` : sql`and ${hasStatus(sql, linkStatus)}`}
  ${domainId === undefined ? sql`` : domainId === null ? sql`and l.domain_id is null` : sql`and l.domain_id = ${domainId}`}
  ${ruleSetId === undefined ? sql`` : sql`and l.rule_set_id = ${ruleSetId}`}
  ${hasRules === undefined ? sql`` : sql`and ${hasRules ? sql`` : sql`not`} (l.rules is not null or l.rule_set_id is not null)`}`;

/** The condition that the short link of a code `c` has the traits, which begins with `and`. */
export const isOfLink = (sql: Sql, traits: LinkTraits): Fragment =>
  isAboutLinks(traits)
    ? sql`and exists (select from links l where l.slug = c.slug ${hasLinkTraits(sql, traits)})`
    : sql``;

const selectLinks = (sql: Sql, accountId: string, traits: LinkTraits): Fragment => sql`
  select slug from links l where l.account_id = ${accountId} and l.deleted_at is null ${hasLinkTraits(sql, traits)}`;

/** Selects codes whose links have the traits. Each is looked up by its slug, which leaves the planner no choice. */
export const selectOfLinks = (sql: Sql, accountId: string, traits: LinkTraits): Fragment => sql`
  select of_link.* from (${selectLinks(sql, accountId, traits)} offset 0) as link
  cross join lateral (
    select id, name_key, slug, folder_id from codes where slug = link.slug and deleted_at is null offset 0
  ) as of_link`;

/** Links that one statement may look up. When more have the traits, reading codes in their order gets further. */
const LINKS_MAX = 20_000;

/** Whether few links of the account have the traits. Those that most links have are in no index. */
export const areFewLinks = async (sql: Sql, accountId: string, traits: LinkTraits): Promise<boolean> => {
  const { linkStatus = 'active', domainId = null, ruleSetId, hasRules = false } = traits;
  if (linkStatus === 'active' && domainId === null && ruleSetId === undefined && !hasRules) return false;
  const [row] = await sql<[{ links: number }]>`
    select count(*)::integer as links
    from (${selectLinks(sql, accountId, traits)} limit ${LINKS_MAX + 1}) as few`;
  return row.links <= LINKS_MAX;
};
