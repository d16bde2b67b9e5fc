/** Scans by link. */
import type { Sql } from '../../client.ts';
import { codesById, type Fragment } from '../codes/look-up.ts';
import { type LinkOfCode, quarters, type Scanned, type Span } from './scanned.ts';
import type { ScanCounts } from './scans.ts';

/** The scans of a link in a span. */
export interface LinkCounts extends ScanCounts {
  /** People, counted once per UTC day. */
  readonly uniqueVisitors: number;
}

/** What a report says about a link, besides its scans. */
export interface ReportedLink extends LinkOfCode {
  /** The slug that its code encodes. */
  readonly shown: string;
  /** That of its own domain, as in short URLs; `null`: it is on the domain that all accounts share. */
  readonly place: string | null;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly tags: readonly string[];
  readonly folder: string;
  readonly destination: string;
}

const sums = (sql: Sql, query: Span & Scanned) => sql`
  select slug, sum(people)::bigint as people, sum(bots)::bigint as bots, sum(previews)::bigint as previews,
    sum(visitors)::bigint as unique_visitors
  from (${quarters(sql, query)}) as quarters group by slug`;

/** Returns the scans of links in a span by their first slugs, without the links that have none. */
export const scansByLink = async (
  sql: Sql,
  query: Span & Scanned,
): Promise<ReadonlyMap<string, LinkCounts>> => {
  const rows = await sql<(LinkCounts & { readonly slug: string })[]>`${sums(sql, query)}`;
  return new Map(rows.map(({ slug, ...counts }) => [slug, counts]));
};

/** Returns what reports say of the links of these codes, in the order of the codes. Those in the bin are left out. */
export const describeLinks = (
  sql: Sql,
  accountId: string,
  ids: readonly string[],
): Promise<readonly ReportedLink[]> => sql<ReportedLink[]>`
  select c.id, c.slug, coalesce(l.own_slug, l.slug) as shown, (select place from domains d where d.id = l.domain_id) as place,
    c.name, c.external_id, coalesce(c.tags, '{}') as tags, f.name as folder, l.destination
  from ${codesById(sql, accountId, ids)} join folders f on f.id = c.folder_id join links l on l.slug = c.slug
  where f.deleted_at is null and l.deleted_at is null order by c.id`;

/** A link among those with the most scans. */
export interface BusyLink extends ScanCounts, Pick<ReportedLink, 'name'> {
  readonly codeId: string;
  readonly slug: string;
}

/** Returns those outside the bin of some links with their counts. @param busy Selects `slug` and counts. */
export const describeBusy = (sql: Sql, busy: Fragment): Promise<readonly BusyLink[]> => sql<BusyLink[]>`
  select c.id as code_id, coalesce(l.own_slug, l.slug) as slug, c.name, busy.people, busy.bots, busy.previews
  from (${busy}) as busy
  join links l on l.slug = busy.slug join codes c on c.slug = l.slug and c.deleted_at is null
  order by busy.people desc, busy.slug collate "C"`;

/** Returns the links outside the bin with the most scans by people in a span, the first of which has most. */
export const busiestLinks = (sql: Sql, query: Span & Scanned, limit: number): Promise<readonly BusyLink[]> =>
  describeBusy(
    sql,
    sql`select * from (${sums(sql, query)}) as sums order by people desc, slug collate "C" limit ${limit}`,
  );
