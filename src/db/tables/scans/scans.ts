import type { Sql } from '../../client.ts';
import { ensurePartitions } from './upkeep.ts';

export type ScanKind = 'person' | 'bot' | 'preview';

/** A scan as it is kept. In every text field '' means "not known". */
export interface ScanRow {
  /** UUID. Stays the same over retries, as does `at`: the two keep a scan from being counted twice. */
  readonly id: string;
  readonly at: Date;
  readonly slug: string;
  readonly kind: ScanKind;
  /** 8 bytes, hexadecimal, that tell visitors apart within one link and one UTC day. */
  readonly visitor: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  readonly referrerHost: string;
}

export interface ScanCounts {
  readonly people: number;
  readonly bots: number;
  readonly previews: number;
}

export interface ScanTotals extends ScanCounts {
  readonly lastAt: Date;
}

/**
 * Whether the database will never take one of the rows: SQLSTATE classes 22 (data exception) and 23 (integrity
 * constraint violation). Rows that `createScanDescriber` makes are always taken.
 */
export const isUnfitScan = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^2[23]...$/.test(String(error.code));

/** SQLSTATE 23514 is shared with CHECK constraints; this routine tells that a partition is missing. */
const isMissingPartition = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'ExecFindPartition';

/** One line a scan, its fields parted by tabs: half the time of JSON, in Node as in Postgres. */
const toLines = (rows: readonly ScanRow[]): string =>
  rows
    .map(({ at, id, slug, kind, visitor, device, os, browser, country, referrerHost }) =>
      [at.getTime(), id, slug, kind, visitor, device, os, browser, country, referrerHost].join('\t'),
    )
    .join('\n');

/**
 * Keeps scans and adds those that are new to the roll-ups, in one statement: all of it or nothing. A scan that
 * is known already changes nothing, so any batch may be sent again, whole or in parts. Rows that several
 * gateways update are touched in one order, so that they wait for each other and don't deadlock.
 *
 * Scans that are alike are counted together first: what follows costs by the kinds of scans, not by the scans.
 */
const insertBatch = async (sql: Sql, rows: readonly ScanRow[]): Promise<number> => {
  const [result] = await sql<[{ inserted: number }]>`
    with fresh as (
      insert into scans (at, id, slug, kind, visitor, device, os, browser, country, referrer_host)
      select to_timestamp(f[1]::float8 / 1000), f[2]::uuid, f[3], f[4], decode(f[5], 'hex'), f[6], f[7], f[8], f[9],
        -- A field with a tab in it moves the others: then this is null, which is refused.
        case cardinality(f) when 10 then f[10] end
      -- Without the offset, each of the ten would part the line anew.
      from (select string_to_array(line, E'\\t') as f from string_to_table(${toLines(rows)}, E'\\n') as line offset 0)
        as scan
      order by 1, 2
      on conflict do nothing
      returning *
    ), alike as materialized (
      select slug, date_bin('15 minutes', at, 'epoch') as quarter, kind, device, os, browser, country,
        referrer_host, count(*) as scans, max(at) as last_at
      from fresh group by 1, 2, 3, 4, 5, 6, 7, 8
    ), counted as materialized (
      select *,
        case kind when 'person' then scans else 0 end as people,
        case kind when 'bot' then scans else 0 end as bots,
        case kind when 'preview' then scans else 0 end as previews
      from alike
    ), first_seen as (
      select (at at time zone 'UTC')::date as day, slug, visitor, min(at) as at
      -- Not "= 'person'": for one row, which is what the planner would expect, it joins in quadratic time below.
      from fresh where kind not in ('bot', 'preview') group by 1, 2, 3
    ), visitors as (
      insert into scan_visitors (day, slug, visitor)
      select day, slug, visitor from first_seen order by 1, 2, 3
      on conflict do nothing
      returning day, slug, visitor
    ), series as (
      insert into scan_series (slug, quarter, people, bots, previews, visitors)
      select slug, quarter, sum(people), sum(bots), sum(previews), sum(visitors)
      from (
        select slug, quarter, people, bots, previews, 0 as visitors from counted
        union all
        select slug, date_bin('15 minutes', at, 'epoch'), 0, 0, 0, 1
        from visitors join first_seen using (day, slug, visitor)
      ) as seen
      group by 1, 2 order by 1, 2
      on conflict (slug, quarter) do update set
        people = scan_series.people + excluded.people,
        bots = scan_series.bots + excluded.bots,
        previews = scan_series.previews + excluded.previews,
        visitors = scan_series.visitors + excluded.visitors
    ), breakdowns as (
      insert into scan_breakdowns (slug, dimension, grain, start, value, people, bots, previews)
      select slug, dimension, grain, start, value, sum(people), sum(bots), sum(previews)
      from counted
      cross join lateral (values
        ('client', concat_ws('/', device, os, browser)), ('country', country), ('referrer', referrer_host)
      ) as known (dimension, value)
      cross join lateral (values
        ('quarter', quarter), ('day', date_trunc('day', quarter, 'UTC'))
      ) as grains (grain, start)
      where value <> ''
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (slug, dimension, grain, start, value) do update set
        people = scan_breakdowns.people + excluded.people,
        bots = scan_breakdowns.bots + excluded.bots,
        previews = scan_breakdowns.previews + excluded.previews
    ), totalled as (
      insert into scan_totals (slug, people, bots, previews, last_at)
      select slug, sum(people), sum(bots), sum(previews), max(last_at)
      from counted group by 1 order by 1
      on conflict (slug) do update set
        people = scan_totals.people + excluded.people,
        bots = scan_totals.bots + excluded.bots,
        previews = scan_totals.previews + excluded.previews,
        last_at = greatest(scan_totals.last_at, excluded.last_at)
    )
    select coalesce(sum(scans), 0)::integer as inserted from alike`;
  return result.inserted;
};

/** As `insertBatch`, and makes the partitions of the scans' days when nobody has. Returns how many were new. */
export const insertScans = async (sql: Sql, rows: readonly ScanRow[]): Promise<number> => {
  if (rows.length === 0) return 0;
  try {
    return await insertBatch(sql, rows);
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    const days = new Set(rows.map(({ at }) => at.toISOString().slice(0, 'YYYY-MM-DD'.length)));
    for (const day of days) await ensurePartitions(sql, new Date(day));
    return insertBatch(sql, rows);
  }
};

/** Scans of links since their creation, all of them; a link without any is missing. */
export const scanTotals = async (
  sql: Sql,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, ScanTotals>> => {
  const rows = await sql<(ScanTotals & { readonly slug: string })[]>`
    select slug, people, bots, previews, last_at from scan_totals where slug = any(${slugs as string[]})`;
  return new Map(rows.map(({ slug, ...totals }) => [slug, totals]));
};
