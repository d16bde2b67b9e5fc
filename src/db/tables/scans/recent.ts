import type { Sql } from '../../client.ts';
import { codesById, type Fragment, inRangeOrder, isInRange } from '../codes/look-up.ts';
import type { ScanCounts } from './scans.ts';
import type { Span } from './series.ts';

/** Codes of an account: those of a folder, or chosen ones, at most some thousands. */
export type OfAccount = { readonly accountId: string } & (
  | { readonly folderId: string }
  | { readonly ids: readonly string[] }
);

/** Scans of the links of some codes, and how many of the links work. */
export interface RecentScans extends ScanCounts {
  readonly links: number;
}

/** Codes of a folder per statement: some 100 ms when all of their links were scanned. */
const STEP_CODES = 5000;

interface Step extends RecentScans {
  readonly read: number;
  readonly last: string | null;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Reads codes. Those outside the bin in a folder outside the bin have links that work. @param codes A table `c`, with conditions. */
const readStep = async (sql: Sql, codes: Fragment, { from, to }: Span): Promise<Step> => {
  const [row] = await sql<[Step]>`
    with code as materialized (
      select c.id, c.slug from ${codes} limit ${STEP_CODES}
    )
    select (select count(*)::int from code) as read, (select count(slug)::int from code) as links,
      (select id from code order by id desc limit 1) as last, coalesce(sum(counts.people), 0)::bigint as people,
      coalesce(sum(counts.bots), 0)::bigint as bots, coalesce(sum(counts.previews), 0)::bigint as previews
    -- The offsets make the planner look the links up one by one, so the cost does not depend on those of others.
    from code cross join lateral (
      select from scan_totals t where t.slug = code.slug and t.last_at >= ${from} offset 0
    ) as recent cross join lateral (
      select sum(s.people) as people, sum(s.bots) as bots, sum(s.previews) as previews
      from scan_series s where s.slug = code.slug and s.quarter >= ${from} and s.quarter < ${to} offset 0
    ) as counts`;
  return row;
};

/**
 * Returns how many short links of these codes work, and their scans in a span. A folder is read in steps of bounded
 * work, so one of a million links takes many; none starts once the signal is aborted. The account must have the folder,
 * or all of the codes, outside the bin.
 */
export const countRecentScans = async (
  sql: Sql,
  { accountId, ...which }: OfAccount,
  span: Span,
  signal?: AbortSignal,
): Promise<RecentScans> => {
  if ('ids' in which) return readStep(sql, codesById(sql, accountId, which.ids), span);
  const sum = { links: 0, people: 0, bots: 0, previews: 0 };
  for (let after: string | null = NO_ID; after !== null && !signal?.aborted; ) {
    const range = { of: 'folder', id: which.folderId, after, isNewestFirst: false } as const;
    const step: Step = await readStep(
      sql,
      sql`codes c where c.deleted_at is null and ${isInRange(sql, range)} order by ${inRangeOrder(sql, range)}`,
      span,
    );
    sum.links += step.links;
    sum.people += step.people;
    sum.bots += step.bots;
    sum.previews += step.previews;
    after = step.read < STEP_CODES ? null : step.last;
  }
  return sum;
};
