import type { Sql } from '../../client.ts';
import type { ScanCounts } from './scans.ts';
import type { Span } from './series.ts';

/** Codes of an account: those of a folder, or chosen ones. */
export type OfAccount = { readonly accountId: string } & (
  | { readonly folderId: string }
  | { readonly ids: readonly string[] }
);

/** Returns how many short links of these codes work, and their scans in a span. */
export const countRecentScans = async (
  sql: Sql,
  { accountId, ...which }: OfAccount,
  { from, to }: Span,
): Promise<ScanCounts & { readonly links: number }> => {
  const chosen =
    'ids' in which ? sql`c.id = any(${which.ids}::uuid[])` : sql`c.folder_id = ${which.folderId}`;
  const [row] = await sql<[ScanCounts & { readonly links: number }]>`
    with link as materialized (
      select l.slug from live_links l join codes c on c.slug = l.slug where c.account_id = ${accountId}
        and c.deleted_at is null and ${chosen}
    )
    select (select count(*) from link) as links, coalesce(sum(counts.people), 0)::bigint as people,
      coalesce(sum(counts.bots), 0)::bigint as bots, coalesce(sum(counts.previews), 0)::bigint as previews
    from link join scan_totals t on t.slug = link.slug and t.last_at >= ${from}
    cross join lateral (
      select sum(s.people) as people, sum(s.bots) as bots, sum(s.previews) as previews
      from scan_series s where s.slug = link.slug and s.quarter >= ${from} and s.quarter < ${to} offset 0
    ) as counts`;
  return row;
};
