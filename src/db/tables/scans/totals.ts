/** Totals of links whose single scans are in another store. */
import type { Sql } from '../../client.ts';
import { TIMESTAMPTZ_ARRAY } from '../../statements.ts';
import type { ScanRow } from './scans.ts';

/** What is counted of a link or item. */
interface Counted {
  people: number;
  bots: number;
  previews: number;
  lastAt: Date | null;
}

const NAMES = { person: 'people', bot: 'bots', preview: 'previews' } as const;

const countBySlug = (rows: readonly ScanRow[]): ReadonlyMap<string, Counted> => {
  const bySlug = new Map<string, Counted>();
  for (const { slug, kind, at } of rows) {
    const counted = bySlug.get(slug) ?? { people: 0, bots: 0, previews: 0, lastAt: null };
    counted[NAMES[kind]] += 1;
    if (kind === 'person' && !(counted.lastAt !== null && counted.lastAt >= at)) counted.lastAt = at;
    bySlug.set(slug, counted);
  }
  return bySlug;
};

/**
 * Adds a group of scans to the totals of their links and items, and returns whose each of these is, by slug: the account
 * of the link, or the id of the item. Scans of what neither has are not counted. The same group counts once.
 *
 * @param group A UUID that only retries of the group have.
 */
export const countScans = async (
  sql: Sql,
  group: string,
  rows: readonly ScanRow[],
): Promise<ReadonlyMap<string, string>> => {
  const bySlug = countBySlug(rows);
  const counts = [...bySlug.values()];
  const owners = await sql<{ slug: string; ownerId: string }[]>`
    with counted as materialized (
      select * from unnest(
        ${[...bySlug.keys()]}::text[], ${counts.map(({ people }) => people)}::bigint[],
        ${counts.map(({ bots }) => bots)}::bigint[], ${counts.map(({ previews }) => previews)}::bigint[],
        ${sql.array(counts.map(({ lastAt }) => lastAt) as Date[], TIMESTAMPTZ_ARRAY)}
      ) as counted (slug, people, bots, previews, last_at)
    ), owner as materialized (
      -- The offsets make the planner look the links and items up one by one.
      select slug, coalesce(l.account_id, i.id) as owner_id
      from counted
      left join lateral (select account_id from links where links.slug = counted.slug offset 0) as l on true
      left join lateral (
        select id from resolver_items where left(counted.slug, 1) = '_' and resolver_items.slug = counted.slug offset 0
      ) as i on true
      where coalesce(l.account_id, i.id) is not null
    ), fresh as (
      insert into scan_groups (id) values (${group}) on conflict do nothing returning id
    ), totalled as (
      insert into scan_totals (slug, people, bots, previews, last_at)
      select slug, people, bots, previews, last_at from counted join owner using (slug) where exists (select from fresh)
      order by slug
      on conflict (slug) do update set
        people = scan_totals.people + excluded.people,
        bots = scan_totals.bots + excluded.bots,
        previews = scan_totals.previews + excluded.previews,
        last_at = greatest(scan_totals.last_at, excluded.last_at),
        is_ranked = false
    )
    select slug, owner_id from owner`;
  return new Map(owners.map(({ slug, ownerId }) => [slug, ownerId]));
};

/** Returns whose a slug is: the account of the link, or the id of the item; `null`: nobody's. */
export const ownerOf = async (sql: Sql, slug: string): Promise<string | null> => {
  const [row] = await sql<[{ ownerId: string | null }]>`
    select coalesce(
      (select account_id from links where slug = ${slug}),
      (select id from resolver_items where slug = ${slug})
    ) as owner_id`;
  return row.ownerId;
};

/** How long after its first try a group may be tried again. */
const GROUPS_KEPT_DAYS = 2;

/** Forgets groups that nobody tries any more. */
export const forgetGroups = async (sql: Sql, now: Date): Promise<void> => {
  await sql`delete from scan_groups where counted_at < ${now}::timestamptz - ${GROUPS_KEPT_DAYS}::integer * interval '1 day'`;
};
