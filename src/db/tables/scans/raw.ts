/** Individual scans, as stored. */
import { BREAKDOWNS, type Breakdown } from '../../../lists.ts';
import type { Sql } from '../../client.ts';
import { type Cursor, encodeCursor, type Page, type PageRequest } from '../../cursor.ts';
import type { Database } from '../../database.ts';
import { isMeant, type LinkFilter, type Span } from './scanned.ts';
import type { ScanRow } from './scans.ts';

/** A scan of a short link that works. */
export interface RawScan extends Pick<ScanRow, 'id' | 'kind' | 'visitor'> {
  /** The time of the scan. */
  readonly createdAt: Date;
  /** The same in the time zone that was asked for, `YYYY-MM-DD HH:MM:SS`. */
  readonly localTime: string;
  /** The slug that its code currently encodes. */
  readonly slug: string;
  readonly codeId: string;
  /** The values by which scans are broken down, in the order of `BREAKDOWNS`; '' for one that is not known. */
  readonly values: readonly string[];
}

const VALUES = Object.keys(BREAKDOWNS) as Breakdown[];

/** Which scans are wanted. */
export interface RawScansFilter extends Span, LinkFilter {
  /** The slug that a link was created with; `null`: all links. */
  readonly firstSlug: string | null;
  /** Only scans that this rule led. */
  readonly rule?: string;
  readonly timeZone: string;
}

/** What a page may cost. */
export interface RawScansBounds {
  /**
   * Scans of the account that it examines, in time order. The embedded database runs one query at a time, and everything
   * else waits for it.
   */
  readonly lookedAt: number;
  /** Scans that one query returns: reading their answer takes some milliseconds, in which nobody else is served. */
  readonly atOnce: number;
}

const BOUNDS = {
  server: { lookedAt: 25_000, atOnce: 500 },
  embedded: { lookedAt: 10_000, atOnce: 500 },
} as const;

/** A place between scans. */
export type Place = Pick<Cursor, 'createdAt' | 'id'>;

/** Where to begin: for a single link, no earlier than the next quarter of an hour with scans of it; null: none. */
const beginOf = (sql: Sql, start: Date, { firstSlug, to }: RawScansFilter) =>
  firstSlug === null
    ? sql`${start}::timestamptz`
    : sql`(
        select greatest(quarter, ${start}::timestamptz) from scan_series
        where slug = ${firstSlug} and quarter < ${to}
          and quarter >= date_bin('15 minutes', ${start}::timestamptz, 'epoch')
        order by quarter limit 1)`;

/** Returns at most `limit` scans after a place, and where the next ones begin; `null`: there are none. */
const readPiece = async (
  sql: Sql,
  filter: RawScansFilter,
  {
    after,
    limit,
    lookedAt,
  }: { readonly after: Place | null; readonly limit: number; readonly lookedAt: number },
): Promise<{ readonly rows: readonly RawScan[]; readonly end: Place | null }> => {
  const { accountId, firstSlug, from, to, rule, timeZone } = filter;
  const walk = sql`
    select at, id, slug, kind, visitor, array[${sql(VALUES)}] as values, rule from scans
    where account_id = ${accountId} and at >= ${beginOf(sql, after?.createdAt ?? from, filter)} and at < ${to}
      ${after === null ? sql`` : sql`and (at, id) > (${after.createdAt}, ${after.id})`}
    order by at, id`;
  const rows = await sql<(RawScan & { readonly isEnd: boolean })[]>`
    with found as materialized (
      select w.*, live.shown, live.code_id from (${walk} limit ${lookedAt}) as w
      -- Without the offset, all links of the account may be read.
      cross join lateral (
        select coalesce(l.own_slug, l.slug) as shown, c.id as code_id from codes c join links l on l.slug = c.slug
        where c.slug = w.slug and c.deleted_at is null and l.deleted_at is null and ${isMeant(sql, filter)} offset 0
      ) as live
      where ${firstSlug === null ? sql`true` : sql`w.slug = ${firstSlug}`}
        ${rule === undefined ? sql`` : sql`and w.rule = ${rule}`}
      order by w.at, w.id limit ${limit + 1}
    )
    select false as is_end, at as created_at, id, shown as slug, code_id, kind, encode(visitor, 'hex') as visitor, values,
      to_char(at at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS') as local_time
    from found
    union all
    (select true, at, id, '', null, '', '', '{}', ''
      from (${walk} offset ${lookedAt - 1} limit 1) as last_looked_at
      where (select count(*) from found) <= ${limit})
    order by is_end, created_at, id`;
  const found = rows.filter(({ isEnd }) => !isEnd);
  const shown = found.slice(0, limit);
  const end = found.length > limit ? shown.at(-1) : rows.find(({ isEnd }) => isEnd);
  return { rows: shown, end: end ?? null };
};

/**
 * Returns a page of scans by time, oldest first. What it examines is bounded, so a page may be short or empty even though
 * `next` is not `null`; the next page continues there. Scans of deleted links are omitted.
 */
export const listRawScans = async (
  { sql, embedded }: Pick<Database, 'sql' | 'embedded'>,
  filter: RawScansFilter,
  { after, limit }: PageRequest,
  { lookedAt, atOnce }: RawScansBounds = BOUNDS[embedded ? 'embedded' : 'server'],
): Promise<Page<RawScan>> => {
  const pieces = Math.ceil(limit / atOnce);
  const rows: RawScan[] = [];
  let place: Place | null = after;
  for (let left = pieces; left > 0 && rows.length < limit; left -= 1) {
    const wanted = Math.min(atOnce, limit - rows.length);
    const piece = await readPiece(sql, filter, {
      after: place,
      limit: wanted,
      lookedAt: Math.ceil(lookedAt / pieces),
    });
    rows.push(...piece.rows);
    place = piece.end;
    if (place === null) break;
  }
  return { rows, next: place && encodeCursor(place) };
};
