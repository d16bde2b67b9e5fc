/** What slugs lead to, from the point of view of a visit. */
import { type Asked, findAsked, type Sql } from '../../client.ts';
import type { Forward, LinkRoute } from '../links.ts';
import { firstSlugOf, readTargetKey } from '../slugs.ts';

/** The times of a link in milliseconds since 1970; an open end is infinite. */
export interface LinkWindow {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** What decides whether, and where, a visit to a link within its times is led. */
export interface LinkGuard {
  /** JSON arrays of rules, in their order. */
  readonly rules: readonly string[];
  readonly passwordHash: string | null;
  readonly visitLimit: number | null;
  /** People whom it has led so far; only counted with a limit. */
  readonly people: number;
  /** Where it leads once its limit is reached; `null`: it behaves like a deleted link. */
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
  /** `null`: the link has no rules, limit or password. */
  readonly guard: LinkGuard | null;
  /** What of a visit is passed on; `null`: nothing. */
  readonly forward: Forward | null;
  /** For how long browsers may repeat the redirect without asking, if nothing of a visit decides it; 0: not at all. */
  readonly maxAgeS: number;
}

type TargetRow = Omit<LinkTarget, 'window' | 'guard'> & {
  readonly [Name in Exclude<keyof LinkRoute, 'rules' | 'ruleSetId'>]: LinkRoute[Name] | null;
} & { readonly rules: string | null; readonly setRules: string | null; readonly people: number | null };

const guardOf = ({
  rules,
  setRules,
  passwordHash,
  visitLimit,
  people,
  afterDestination,
}: TargetRow): LinkGuard | null => {
  const texts = [rules, setRules].filter((text) => text !== null);
  if (texts.length === 0 && passwordHash === null && visitLimit === null) return null;
  return { rules: texts, passwordHash, visitLimit, people: people ?? 0, after: afterDestination };
};

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
      live.before_destination, live.after_destination, coalesce(live.forward, d.forward, a.forward) as forward,
      live.rules::text as rules, s.rules::text as set_rules,
      live.visit_limit, live.password_hash, a.id as account_id, a.dead_link_url,
      a.redirect_max_age_s as max_age_s,
      case when live.visit_limit is not null then live.imported_scans
        + coalesce((select people from scan_totals t where t.slug = live.slug), 0) end as people
    from links l join accounts a on a.id = l.account_id left join live_links live on live.slug = l.slug
    left join domains d on d.id = l.domain_id
    left join rule_sets s on s.id = live.rule_set_id
    where l.slug = ${firstSlugOf(sql, slug, domainId)}`,
  );
  if (row === null) return null;
  const { firstSlug, destination, accountId, deadLinkUrl, forward, maxAgeS } = row;
  const [window, guard] = [windowOf(row), guardOf(row)];
  return { firstSlug, destination, accountId, deadLinkUrl, window, guard, forward, maxAgeS };
};
