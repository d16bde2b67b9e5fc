import { OTHER } from '../../../lists.ts';
import type { Sql } from '../../client.ts';
import { ensurePartitions } from './upkeep.ts';

/** Who made a scan. `preview`: a chat app that renders a link card, or a browser that prefetches. */
export type ScanKind = 'person' | 'bot' | 'preview';

/** A stored scan. In every text field '' means "not known". */
export interface ScanRow {
  /** A UUID. It and `at` stay the same across retries, so that a scan is never counted twice. */
  readonly id: string;
  readonly at: Date;
  readonly slug: string;
  readonly kind: ScanKind;
  /** 8 bytes, hexadecimal, that identify a visitor within one link and one UTC day. */
  readonly visitor: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  readonly referrerHost: string;
  /** The name of the rule that led it; '': none did. */
  readonly rule: string;
}

/** The number of scans by kind. */
export interface ScanCounts {
  readonly people: number;
  readonly bots: number;
  readonly previews: number;
}

/** The scans of a link since its creation. */
export interface ScanTotals extends ScanCounts {
  /** When a person last scanned it; `null`: never. */
  readonly lastAt: Date | null;
}

/**
 * Whether the database will never accept one of the rows: SQLSTATE classes 22 (data exception) and 23 (integrity
 * constraint violation). It accepts all rows that `createScanDescriber` makes.
 */
export const isUnfitScan = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^2[23]...$/.test(String(error.code));

/** Whether a partition is missing. CHECK constraints have the same SQLSTATE 23514, so the routine decides. */
const isMissingPartition = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'ExecFindPartition';

const toLine = (scan: ScanRow): string =>
  `${scan.at.getTime()}\t${scan.id}\t${scan.slug}\t${scan.kind}\t${scan.visitor}\t${scan.device}\t${scan.os}\t${scan.browser}\t${scan.country}\t${scan.referrerHost}\t${scan.rule}`;

/** The account of scans of a slug that neither a short link nor an item has. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/**
 * Values of a dimension that have rows of their own, of each link, in a day and in a quarter of an hour: the first ones.
 * Visitors can make up new ones with every visit, which are counted together as `OTHER`. Statements that run at the same
 * time do not see each other's new values, so there may be some more.
 */
export const VALUES_MAX = { day: 1000, quarter: 250 } as const;

/** `OTHER` as a client, all parts of which it stands for. */
const OTHER_CLIENT = [OTHER, OTHER, OTHER].join('/');

/** Writes one tab-separated line per scan. This takes half the time of JSON in Node and in Postgres. */
const toLines = (rows: readonly ScanRow[]): string => rows.map(toLine).join('\n');

const DAY_MS = 86_400_000;

/** The UTC days of scans, from the first until before the last has ended. They tell the planner which partitions to read. */
const daysOf = (rows: readonly ScanRow[]): readonly [from: Date, to: Date] => {
  const days = rows.map(({ at }) => Math.floor(at.getTime() / DAY_MS));
  // Not `Math.min(...days)`: groups have thousands of scans.
  const [first, last] = [days.reduce((a, b) => Math.min(a, b)), days.reduce((a, b) => Math.max(a, b))];
  return [new Date(first * DAY_MS), new Date((last + 1) * DAY_MS)];
};

/**
 * Inserts scans and adds the new ones to the roll-ups, in one statement. It is idempotent, so a group may be retried,
 * whole or in parts. Rows that several gateways update are locked in a fixed order, which avoids deadlocks.
 *
 * Scans with equal values are first counted together, because there are far fewer combinations than scans.
 *
 * The function is long because it is a single statement, which reads best in one piece.
 */
const insertGroup = async (sql: Sql, rows: readonly ScanRow[]): Promise<number> => {
  const [from, to] = daysOf(rows);
  const [result] = await sql<[{ inserted: number }]>`
    with scan as materialized (
      select string_to_array(line, E'\\t') as f from string_to_table(${toLines(rows)}, E'\\n') as line
    ), owner as materialized (
      -- The offsets make the planner look the links and items up one by one.
      select slug, coalesce(l.account_id, i.id, ${NO_ACCOUNT}::uuid) as account_id, l.account_id is not null as is_link
      from (select distinct f[3] as slug from scan) as scanned
      left join lateral (select account_id from links where links.slug = scanned.slug offset 0) as l on true
      left join lateral (
        select id from resolver_items where left(scanned.slug, 1) = '_' and resolver_items.slug = scanned.slug offset 0
      ) as i on true
      -- An item was deleted since it was visited.
      where left(slug, 1) <> '_' or i.id is not null
    ), fresh as (
      insert into scans (account_id, at, id, slug, kind, visitor, device, os, browser, country, referrer_host, rule)
      select account_id, to_timestamp(f[1]::float8 / 1000), f[2]::uuid, f[3], f[4], decode(f[5], 'hex'), f[6], f[7], f[8],
        f[9], f[10],
        -- A field that holds a tab shifts the others. The line then has another length, and null is refused.
        case cardinality(f) when 11 then f[11] end
      from scan join owner on owner.slug = f[3]
      order by 1, 2, 3
      on conflict do nothing
      returning *
    ), alike as materialized (
      select slug, date_bin('15 minutes', at, 'epoch') as quarter, kind, device, os, browser, country,
        referrer_host, rule, count(*) as scans, max(at) as last_at
      from fresh group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ), counted as materialized (
      select *,
        case kind when 'person' then scans else 0 end as people,
        case kind when 'bot' then scans else 0 end as bots,
        case kind when 'preview' then scans else 0 end as previews
      from alike
    ), first_seen as (
      select (at at time zone 'UTC')::date as day, slug, visitor, min(at) as at
      -- With "= 'person'" the planner would expect one row and choose a join below that takes quadratic time.
      from fresh where kind not in ('bot', 'preview') group by 1, 2, 3
    ), visitors as (
      insert into scan_visitors (day, slug, visitor)
      select day, slug, visitor from first_seen order by 1, 2, 3
      on conflict do nothing
      returning day, slug, visitor
    ), seen as materialized (
      select slug, quarter, sum(people) as people, sum(bots) as bots, sum(previews) as previews, sum(visitors) as visitors
      from (
        select slug, quarter, people, bots, previews, 0 as visitors from counted
        union all
        select slug, date_bin('15 minutes', at, 'epoch'), 0, 0, 0, 1
        from visitors join first_seen using (day, slug, visitor)
      ) as seen
      group by 1, 2
    ), account_series as (
      insert into scan_account_series (account_id, quarter, people, bots, previews, visitors)
      select account_id, quarter, sum(people), sum(bots), sum(previews), sum(visitors)
      from seen join owner using (slug) where is_link
      group by 1, 2 order by 1, 2
      on conflict (account_id, quarter) do update set
        people = scan_account_series.people + excluded.people,
        bots = scan_account_series.bots + excluded.bots,
        previews = scan_account_series.previews + excluded.previews,
        visitors = scan_account_series.visitors + excluded.visitors
    ), series as (
      insert into scan_series (slug, quarter, people, bots, previews, visitors)
      select slug, quarter, people, bots, previews, visitors from seen order by 1, 2
      on conflict (slug, quarter) do update set
        people = scan_series.people + excluded.people,
        bots = scan_series.bots + excluded.bots,
        previews = scan_series.previews + excluded.previews,
        visitors = scan_series.visitors + excluded.visitors
    ), valued as materialized (
      select slug, dimension, grain, start, value, sum(people) as people, sum(bots) as bots, sum(previews) as previews
      from counted
      cross join lateral (values
        ('client', concat_ws('/', device, os, browser)), ('country', country), ('referrer_host', referrer_host),
        ('rule', rule)
      ) as known (dimension, value)
      cross join lateral (values
        ('quarter', quarter), ('day', date_trunc('day', quarter, 'UTC'))
      ) as grains (grain, start)
      where value <> ''
      group by 1, 2, 3, 4, 5
    ), busy as materialized (
      -- Fewer scans have no more values than may be kept, so most links cost one look-up.
      select slug, day from (
        select slug, date_trunc('day', quarter, 'UTC') as day, sum(people + bots + previews) as scans from seen group by 1, 2
      ) as new
      where scans + (
        select coalesce(sum(people + bots + previews), 0) from scan_series s
        where s.slug = new.slug and s.quarter >= day and s.quarter < day + interval '24 hours'
          and s.quarter >= ${from} and s.quarter < ${to}
      ) > ${VALUES_MAX.quarter}::integer
    ), tight as materialized (
      select slug, dimension, grain, start, room from (
        select slug, dimension, grain, start, count(*) as found,
          case grain when 'day' then ${VALUES_MAX.day}::integer else ${VALUES_MAX.quarter}::integer end - (
            select count(*) from (
              select from scan_breakdowns b
              where b.slug = v.slug and b.dimension = v.dimension and b.grain = v.grain and b.start = v.start
                and b.start >= ${from} and b.start < ${to}
              limit ${VALUES_MAX.day}
            ) as kept
          ) as room
        from valued v join busy using (slug) where day = date_trunc('day', start, 'UTC')
        group by 1, 2, 3, 4
      ) as values where found > room
    ), fitted as (
      select slug, dimension, grain, start, people, bots, previews,
        case
          when is_kept or row_number() over (
            partition by slug, dimension, grain, start, is_kept order by people + bots + previews desc, value
          ) <= room then value
          when dimension = 'client' then ${OTHER_CLIENT}
          else ${OTHER}
        end as value
      from valued v join tight using (slug, dimension, grain, start)
      cross join lateral (
        select exists (
          select from scan_breakdowns b
          where b.slug = v.slug and b.dimension = v.dimension and b.grain = v.grain and b.start = v.start
            and b.value = v.value and b.start >= ${from} and b.start < ${to}
        ) as is_kept offset 0
      ) as look_up
    ), breakdowns as (
      insert into scan_breakdowns (slug, dimension, grain, start, value, people, bots, previews)
      select slug, dimension, grain, start, value, people, bots, previews
      from valued left join tight using (slug, dimension, grain, start) where room is null
      union all
      select slug, dimension, grain, start, value, sum(people), sum(bots), sum(previews)
      from fitted group by 1, 2, 3, 4, 5
      order by 1, 2, 3, 4, 5
      on conflict (slug, dimension, grain, start, value) do update set
        people = scan_breakdowns.people + excluded.people,
        bots = scan_breakdowns.bots + excluded.bots,
        previews = scan_breakdowns.previews + excluded.previews
    ), totalled as (
      insert into scan_totals (slug, people, bots, previews, last_at)
      select slug, sum(people), sum(bots), sum(previews), max(last_at) filter (where kind = 'person')
      from counted group by 1 order by 1
      on conflict (slug) do update set
        people = scan_totals.people + excluded.people,
        bots = scan_totals.bots + excluded.bots,
        previews = scan_totals.previews + excluded.previews,
        last_at = greatest(scan_totals.last_at, excluded.last_at),
        is_ranked = false
    )
    select coalesce(sum(scans), 0)::integer as inserted from alike`;
  return result.inserted;
};

/**
 * Inserts scans, all or nothing, and returns how many were new. Inserting a stored scan again is a no-op, and so is one of
 * an item that is deleted. Creates the partitions that the scans need.
 */
export const insertScans = async (sql: Sql, rows: readonly ScanRow[]): Promise<number> => {
  if (rows.length === 0) return 0;
  try {
    return await insertGroup(sql, rows);
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    const days = new Set(rows.map(({ at }) => at.toISOString().slice(0, 'YYYY-MM-DD'.length)));
    for (const day of days) await ensurePartitions(sql, new Date(day));
    return insertGroup(sql, rows);
  }
};

/** Returns the totals of links by slug. Links without scans are omitted. */
export const scanTotals = async (
  sql: Sql,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, ScanTotals>> => {
  const rows = await sql<(ScanTotals & { readonly slug: string })[]>`
    select slug, people, bots, previews, last_at from scan_totals where slug = any(${slugs as string[]})`;
  return new Map(rows.map(({ slug, ...totals }) => [slug, totals]));
};
