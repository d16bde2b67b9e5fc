/** The links that the rows of a job name, and how they were before the job changed them. */
import type { Sql } from '../../client.ts';
import type { LinkRoute } from '../links.ts';

/** A link, and the row of a job that names it. */
export interface ClaimedLink {
  /** The slug that the link was made with. */
  readonly firstSlug: string;
  readonly row: number;
}

/**
 * Notes which rows name which links. Returns the rows that name a link of an earlier row, each with the first such row. Rows
 * that were noted before may be noted again.
 */
export const claimLinks = async (
  tx: Sql,
  jobId: string,
  claimed: readonly ClaimedLink[],
): Promise<ReadonlyMap<number, number>> => {
  const slugs = claimed.map(({ firstSlug }) => firstSlug);
  const rows = claimed.map(({ row }) => row);
  const { count } = await tx`
    insert into link_job_links (job_id, slug, row)
    select ${jobId}::uuid, * from unnest(${slugs}::text[], ${rows}::integer[]) as item (slug, row) order by row
    on conflict do nothing`;
  if (count === claimed.length) return new Map();
  // With a limit, so that each is looked up by its key: all of a job may look few when its table has just been filled.
  const repeated = await tx<{ row: number; first: number }[]>`
    select item.row, min(l.row) as first
    from unnest(${slugs}::text[], ${rows}::integer[]) as item (slug, row)
    cross join lateral (
      select row from link_job_links where job_id = ${jobId} and slug = item.slug limit 1
    ) as l
    where l.row < item.row
    group by item.row`;
  return new Map(repeated.map(({ row, first }) => [row, first]));
};

/** Returns what a job has noted with a mark in front, without the mark. @param mark One character of ASCII. */
export const listClaimed = async (
  sql: Sql,
  jobId: string,
  mark: string,
  limit: number | null = null,
): Promise<readonly string[]> => {
  const after = String.fromCharCode(mark.charCodeAt(0) + 1);
  const rows = await sql<{ slug: string }[]>`
    select substr(slug, 2) as slug from link_job_links
    where job_id = ${jobId} and slug >= ${mark} and slug < ${after} order by slug limit ${limit}`;
  return rows.map(({ slug }) => slug);
};

/** How a link was before a job changed it. */
export interface EarlierState extends ClaimedLink {
  readonly route: LinkRoute;
  /** Of its code; `null`: the job has not changed them. */
  readonly tags: readonly string[] | null;
}

/** A route as JSON has it. */
type StoredRoute = { readonly [Field in keyof LinkRoute]: LinkRoute[Field] | string };

/** A stored state of a link. */
interface StoredState extends ClaimedLink {
  readonly earlier: { readonly route: StoredRoute; readonly tags: readonly string[] | null };
}

const toTime = (stored: Date | string | null): Date | null => (stored === null ? null : new Date(stored));

const toState = ({ firstSlug, row, earlier: { route, tags } }: StoredState): EarlierState => {
  const { activeFrom, activeUntil, ...rest } = route;
  const times = { activeFrom: toTime(activeFrom), activeUntil: toTime(activeUntil) };
  return { firstSlug, row, tags, route: { ...(rest as Omit<LinkRoute, keyof typeof times>), ...times } };
};

/** Keeps how links were before a job changes them, and returns how many bytes that takes. */
export const keepEarlier = async (
  tx: Sql,
  jobId: string,
  states: readonly EarlierState[],
): Promise<number> => {
  if (states.length === 0) return 0;
  const [{ bytes }] = await tx<[{ bytes: number }]>`
    with kept as (
      insert into link_job_links as l (job_id, slug, row, earlier)
      select ${jobId}::uuid, slug, row, earlier::jsonb from unnest(
        ${states.map(({ firstSlug }) => firstSlug)}::text[], ${states.map(({ row }) => row)}::integer[],
        ${states.map(({ route, tags }) => JSON.stringify({ route, tags }))}::text[]) as item (slug, row, earlier)
      on conflict (job_id, slug) do update set earlier = excluded.earlier
      returning octet_length(l.earlier::text) + 100 as bytes)
    select coalesce(sum(bytes), 0)::int as bytes from kept`;
  return bytes;
};

/** Returns how the next links were before a job, in the order of their slugs. */
export const listEarlier = async (
  sql: Sql,
  jobId: string,
  { afterSlug, limit }: { readonly afterSlug: string; readonly limit: number },
): Promise<readonly EarlierState[]> => {
  const rows = await sql<StoredState[]>`
    select slug as first_slug, row, earlier from link_job_links
    where job_id = ${jobId} and slug > ${afterSlug} and earlier is not null order by slug limit ${limit}`;
  return rows.map(toState);
};

/** Drops what is kept of links that a job has brought back. */
export const dropEarlier = async (tx: Sql, jobId: string, firstSlugs: readonly string[]): Promise<void> => {
  await tx`
    update link_job_links set earlier = null where job_id = ${jobId} and slug = any(${firstSlugs as string[]})`;
};
