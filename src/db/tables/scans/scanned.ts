/** Whose scans are counted: those of one link, of some links, or of an account. */
import { ok, type Result, refused } from '../../../result.ts';
import type { Sql } from '../../client.ts';
import { codesById, type Fragment, isFolderLive, isInRange } from '../codes/look-up.ts';
import { hasTag } from '../names.ts';

/** A time range, excluding its end `to`. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** Which links of an account are meant: those outside the bin for which all of this holds. */
export interface LinkFilter {
  readonly accountId: string;
  readonly folderId?: string;
  /** As returned by `toTag`. */
  readonly tag?: string;
  /** Only those whose codes have ids from the first one until just before the second: those of a batch. */
  readonly between?: readonly [first: string, end: string];
  /** `null`: those of the domain that all accounts share. */
  readonly domainId?: string | null;
  readonly ruleSetId?: string;
  readonly codeIds?: readonly string[];
}

/** Whose scans are read. */
export type Scanned =
  /** Those of one link, or of what has a slug for its scans too. */
  | { readonly slug: string }
  | { readonly slugs: readonly string[] }
  /** Those of all links that an account has or had. */
  | { readonly accountId: string }
  /** Those of all links of an account outside the bin. @see findHidden */
  | { readonly accountId: string; readonly except: readonly string[] }
  /** Those that a rule led, of some links or of all; they are read one by one. */
  | { readonly accountId: string; readonly slugs: readonly string[] | null; readonly rule: string };

/** A short link and its code. */
export interface LinkOfCode {
  readonly id: string;
  /** The slug that the link was created with. */
  readonly slug: string;
}

/** What one call may read. The embedded database runs one query at a time, and everything else waits for it. */
export const SCANNED_MAX = {
  server: { links: 100_000, scans: 2_000_000 },
  embedded: { links: 5000, scans: 50_000 },
} as const;

/** What would be too much to read, and how much may be. */
export interface TooMuch {
  readonly what: keyof (typeof SCANNED_MAX)['server'];
  readonly max: number;
}

/** The condition that a link with the slug of a code `c` has a domain and a rule set. */
const hasLink = (sql: Sql, { domainId, ruleSetId }: LinkFilter) => sql`
  and exists (
    select from links l where l.slug = c.slug
      ${domainId === undefined ? sql`` : sql`and l.domain_id is not distinct from ${domainId}::uuid`}
      ${ruleSetId === undefined ? sql`` : sql`and l.rule_set_id = ${ruleSetId}`}
  )`;

/** The condition that the link of a code `c` outside the bin is meant. */
export const isMeant = (sql: Sql, filter: LinkFilter) => {
  const { accountId, folderId, tag, between, domainId, ruleSetId, codeIds } = filter;
  return sql`
    c.account_id = ${accountId} and c.slug is not null and ${isFolderLive(sql)}
    ${folderId === undefined ? sql`` : sql`and c.folder_id = ${folderId}`}
    ${tag === undefined ? sql`` : sql`and c.tags @> array[${tag}::text]`}
    ${between === undefined ? sql`` : sql`and c.id >= ${between[0]} and c.id < ${between[1]}`}
    ${codeIds === undefined ? sql`` : sql`and c.id = any(${codeIds as string[]}::uuid[])`}
    ${domainId === undefined && ruleSetId === undefined ? sql`` : hasLink(sql, filter)}`;
};

/** A table `c` of codes, read before anything else is asked of them. @param from Codes `c` with conditions. */
const apart = (sql: Sql, from: Fragment) =>
  sql`(select c.id, c.account_id, c.folder_id, c.slug, c.tags from ${from} offset 0) as c`;

/** A table `c` of the codes outside the bin that some links have. @param condition On a link. */
const ofLinks = (sql: Sql, condition: Fragment) =>
  apart(
    sql,
    sql`(select slug from links where ${condition} offset 0) as l cross join lateral (
      select * from codes where codes.slug = l.slug and deleted_at is null offset 0
    ) as c`,
  );

/** A table `c` of codes outside the bin among which are all that are meant, from the index that leads to the fewest. */
const candidates = (sql: Sql, filter: LinkFilter): Fragment => {
  const { accountId, folderId, tag, between, domainId, ruleSetId, codeIds } = filter;
  if (codeIds !== undefined) return codesById(sql, accountId, codeIds);
  if (ruleSetId !== undefined) return ofLinks(sql, sql`rule_set_id = ${ruleSetId}`);
  const live = (condition: Fragment) => apart(sql, sql`codes c where c.deleted_at is null and ${condition}`);
  const range = { after: null, isNewestFirst: false } as const;
  if (between !== undefined)
    return live(sql`(c.account_id, c.id) >= (${accountId}::uuid, ${between[0]}::uuid)
      and (c.account_id, c.id) < (${accountId}::uuid, ${between[1]}::uuid)`);
  if (tag !== undefined) return live(hasTag(sql, accountId, tag));
  if (folderId !== undefined) return live(isInRange(sql, { of: 'folder', id: folderId, ...range }));
  if (domainId !== undefined && domainId !== null) return ofLinks(sql, sql`domain_id = ${domainId}`);
  return live(sql`c.slug is not null and ${isInRange(sql, { of: 'account', id: accountId, ...range })}`);
};

/**
 * Returns the links that are meant, or that they are too many.
 *
 * @param which `scanned`: without those that were never visited.
 */
export const findLinks = async (
  tx: Sql,
  filter: LinkFilter,
  which: 'all' | 'scanned',
  max: number,
): Promise<Result<readonly LinkOfCode[], TooMuch>> => {
  // What an account has is never so much of a large table that reading all of the table would be better.
  await tx`select set_config('enable_seqscan', 'off', true)`;
  const links = await tx<LinkOfCode[]>`
    select c.id, c.slug from ${candidates(tx, filter)}
    ${
      which === 'all'
        ? tx``
        : tx`cross join lateral (
            select from scan_totals t where t.slug = c.slug and t.people + t.bots + t.previews > 0 offset 0
          ) as scanned`
    }
    where ${isMeant(tx, filter)} limit ${max + 1}`;
  return links.length > max ? refused({ what: 'links', max }) : ok(links);
};

/** Returns the slugs of an account under which there may be scans that reports leave out, or that they are too many. */
export const findHidden = async (
  tx: Sql,
  accountId: string,
  max: number,
): Promise<Result<readonly string[], TooMuch>> => {
  const rows = await tx<{ slug: string }[]>`
    select c.slug from codes c
    where c.account_id = ${accountId} and c.deleted_at is not null and c.slug is not null
    union
    select c.slug from folders f join codes c on c.folder_id = f.id
    where f.account_id = ${accountId} and f.deleted_at is not null and c.slug is not null
    union
    select slug from gone_scans where account_id = ${accountId}
    limit ${max + 1}`;
  return rows.length > max ? refused({ what: 'links', max }) : ok(rows.map(({ slug }) => slug));
};

/** Selects the slugs of the links of an account, as a table `wanted`. */
export const slugsExcept = (sql: Sql, accountId: string, except: readonly string[]) => sql`
  (select slug from codes where account_id = ${accountId} and slug is not null and deleted_at is null
    and slug <> all(${except as string[]})) as wanted`;

/** How many scans of an account are read to find those of a rule. */
export const countScansOf = async (sql: Sql, accountId: string, { from, to }: Span): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(people + bots + previews), 0)::bigint as count from scan_account_series
    where account_id = ${accountId} and quarter >= date_trunc('day', ${from}::timestamptz, 'UTC') and quarter < ${to}`;
  return row.count;
};

/** The single scans that a rule led. */
export const scansOfRule = (
  sql: Sql,
  {
    accountId,
    slugs,
    rule,
  }: { readonly accountId: string; readonly slugs: readonly string[] | null; readonly rule: string },
) => sql`
  scans where account_id = ${accountId} and rule = ${rule}
    ${slugs === null ? sql`` : sql`and slug = any(${slugs as string[]})`}`;

/** Selects counts by slug and quarter of an hour; of all links of an account together, the slug is null. */
export const quarters = (sql: Sql, { from, to, ...scanned }: Span & Scanned) => {
  if ('rule' in scanned)
    // Of a visitor's scans on a day (UTC), the first counts. It may be before the span.
    return sql`
      select * from (
        select slug, date_bin('15 minutes', at, 'epoch') as quarter, (kind = 'person')::int as people,
          (kind = 'bot')::int as bots, (kind = 'preview')::int as previews,
          (kind = 'person' and row_number() over (
            partition by slug, kind, (at at time zone 'UTC')::date, visitor order by at, id
          ) = 1)::int as visitors
        from ${scansOfRule(sql, scanned)} and at >= date_trunc('day', ${from}::timestamptz, 'UTC') and at < ${to}
      ) as led where quarter >= ${from}`;
  if ('accountId' in scanned && !('except' in scanned))
    return sql`
      select null::text as slug, quarter, people, bots, previews, visitors from scan_account_series
      where account_id = ${scanned.accountId} and quarter >= ${from} and quarter < ${to}`;
  const ofLink = (slug: Fragment) => sql`
    select slug, quarter, people, bots, previews, visitors from scan_series s
    where s.slug = ${slug} and quarter >= ${from} and quarter < ${to}`;
  if ('slug' in scanned) return ofLink(sql`${scanned.slug}`);
  // The offset makes the planner look the links up one by one, so the cost does not depend on those of others.
  const wanted =
    'except' in scanned
      ? slugsExcept(sql, scanned.accountId, scanned.except)
      : sql`unnest(${scanned.slugs as string[]}::text[]) as wanted (slug)`;
  return sql`
    select s.* from ${wanted}
    cross join lateral (${ofLink(sql`wanted.slug`)} offset 0) as s`;
};
