import type { JSONValue } from 'postgres';
import type { Sql } from './client.ts';
import { ensurePartitions } from './scan-upkeep.ts';

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

/**
 * Keeps scans and adds those that are new to the roll-ups, in one statement: all of it or nothing. A scan that
 * is known already changes nothing, so any batch may be sent again, whole or in parts. Rows that several
 * gateways update are touched in one order, so that they wait for each other and don't deadlock.
 */
const insertBatch = async (sql: Sql, rows: readonly ScanRow[]): Promise<number> => {
  const [result] = await sql<[{ inserted: number }]>`
    with fresh as (
      insert into scans (at, id, slug, kind, visitor, device, os, browser, country, referrer_host)
      select at, id, slug, kind, decode(visitor, 'hex'), device, os, browser, country, "referrerHost"
      from jsonb_to_recordset(${sql.json(rows as unknown as JSONValue)}) as scan (
        at timestamptz, id uuid, slug text, kind text, visitor text,
        device text, os text, browser text, country text, "referrerHost" text)
      order by at, id
      on conflict do nothing
      returning *
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
      select slug, date_bin('15 minutes', at, 'epoch') as quarter,
        count(*) filter (where kind = 'person'), count(*) filter (where kind = 'bot'),
        count(*) filter (where kind = 'preview'), count(*) filter (where kind = 'visitor')
      from (
        select slug, at, kind from fresh
        union all
        select slug, at, 'visitor' from visitors join first_seen using (day, slug, visitor)
      ) as seen
      group by 1, 2 order by 1, 2
      on conflict (slug, quarter) do update set
        people = scan_series.people + excluded.people,
        bots = scan_series.bots + excluded.bots,
        previews = scan_series.previews + excluded.previews,
        visitors = scan_series.visitors + excluded.visitors
    ), breakdowns as (
      insert into scan_breakdowns (slug, dimension, grain, start, value, people, bots, previews)
      select slug, dimension, grain, start, value,
        count(*) filter (where kind = 'person'), count(*) filter (where kind = 'bot'),
        count(*) filter (where kind = 'preview')
      from fresh
      cross join lateral (values
        ('client', concat_ws('/', device, os, browser)), ('country', country), ('referrer', referrer_host)
      ) as known (dimension, value)
      cross join lateral (values
        ('quarter', date_bin('15 minutes', at, 'epoch')), ('day', date_trunc('day', at, 'UTC'))
      ) as grains (grain, start)
      where value <> ''
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (slug, dimension, grain, start, value) do update set
        people = scan_breakdowns.people + excluded.people,
        bots = scan_breakdowns.bots + excluded.bots,
        previews = scan_breakdowns.previews + excluded.previews
    ), totalled as (
      insert into scan_totals (slug, people, bots, previews, last_at)
      select slug, count(*) filter (where kind = 'person'), count(*) filter (where kind = 'bot'),
        count(*) filter (where kind = 'preview'), max(at)
      from fresh group by 1 order by 1
      on conflict (slug) do update set
        people = scan_totals.people + excluded.people,
        bots = scan_totals.bots + excluded.bots,
        previews = scan_totals.previews + excluded.previews,
        last_at = greatest(scan_totals.last_at, excluded.last_at)
    )
    select count(*)::integer as inserted from fresh`;
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
