import { ok, type Result, refused } from '../../../result.ts';
import type { Sql } from '../../client.ts';
import { codesById, type Fragment, inRangeOrder, isInRange } from '../codes/look-up.ts';
import { quarters, type Scanned, type Span } from './scanned.ts';
import type { ScanCounts } from './scans.ts';

/** The length of a bucket. */
export type Interval = 'hour' | 'day' | 'month';

/** A span, and how it is divided. */
export interface Buckets extends Span {
  readonly interval: Interval;
  /** The IANA name of the time zone whose hours, days or months are the buckets, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/** What is wrong with the span of a query, and in which field. */
export interface SpanFault {
  readonly field: 'from' | 'to' | 'time_zone';
  readonly message: string;
}

/** The scans of one bucket. */
export interface SeriesPoint extends ScanCounts {
  readonly start: Date;
  /** People, counted once per link and UTC day, in the bucket of their first scan, so buckets can be summed. */
  readonly uniqueVisitors: number;
}

/** The longest span of a series by interval, in days, so that a series has at most about 1100 points. */
export const SPAN_MAX_DAYS: Readonly<Record<Interval, number>> = { hour: 45, day: 1100, month: 7320 };

const DAY_MS = 86_400_000;
const EARLIEST = new Date('2000-01-01');
const LATEST = new Date('2100-01-01');

/** Steps that miss no bucket when clocks change: an hour may last 30 minutes (Lord Howe Island), and a day 23 hours. */
const SAMPLING: Readonly<Record<Interval, string>> = { hour: '15 minutes', day: '6 hours', month: '7 days' };

const refuseSpan = (field: SpanFault['field'], message: string) => refused<SpanFault>({ field, message });

/** Only names are accepted, because Postgres reads an offset with the opposite sign. */
const isTimeZoneName = (name: string): boolean => {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
};

/** SQLSTATE invalid_parameter_value: Node knows the time zone and the database does not. */
const isUnknownTimeZone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '22023';

/** Queries the database with a time zone, refusing an invalid one. */
const inTimeZone = async <T>(timeZone: string, ask: () => Promise<T>): Promise<Result<T, SpanFault>> => {
  const unknown = refuseSpan('time_zone', 'must be the name of a time zone, for example Europe/Berlin');
  if (!isTimeZoneName(timeZone)) return unknown;
  try {
    return ok(await ask());
  } catch (error) {
    if (isUnknownTimeZone(error)) return unknown;
    throw error;
  }
};

/** Widens a span to whole buckets. Refuses an empty span, one outside 2000 to 2100 or longer than `SPAN_MAX_DAYS`. */
export const bucketSpan = async (sql: Sql, buckets: Buckets): Promise<Result<Span, SpanFault>> => {
  const { from, to, interval, timeZone } = buckets;
  if (!(from >= EARLIEST && from <= LATEST)) return refuseSpan('from', 'must be a time from 2000 to 2100');
  if (!(to > from)) return refuseSpan('to', 'must be later than from');
  const maxDays = SPAN_MAX_DAYS[interval];
  if (to.getTime() - from.getTime() > maxDays * DAY_MS) {
    return refuseSpan('to', `must be at most ${maxDays} days later than from with the interval ${interval}`);
  }
  const last = new Date(to.getTime() - 1);
  return inTimeZone(timeZone, async () => {
    const [span] = await sql<[Span]>`
      select date_trunc(${interval}, ${from}::timestamptz, ${timeZone}) as from,
        case when ${interval} = 'hour'
        then date_trunc('hour', ${last}::timestamptz, ${timeZone}) + interval '1 hour'
        else (date_trunc(${interval}, ${last}::timestamptz at time zone ${timeZone}) + ('1 ' || ${interval})::interval)
          at time zone ${timeZone} end as to`;
    return span;
  });
};

/** Returns the moment at which a date begins in a time zone. */
export const beginningOf = (sql: Sql, date: string, timeZone: string): Promise<Result<Date, SpanFault>> =>
  inTimeZone(timeZone, async () => {
    const [{ at }] = await sql<
      [{ at: Date }]
    >`select ${date}::date::timestamp at time zone ${timeZone} as at`;
    return at;
  });

/** Returns the time since which no scan is missing; `null`: none is. */
export const scansKeptSince = async (sql: Sql): Promise<Date | null> => {
  const [row] = await sql<[{ since: Date | null }]>`
    select greatest(since, (select since from scans_elsewhere)) as since from scans_kept`;
  return row.since;
};

/** Selects the `start` of every bucket of a span from `bucketSpan`. */
export const bucketStarts = (sql: Sql, { from, to, interval, timeZone }: Buckets) => sql`
  select distinct date_trunc(${interval}, moment, ${timeZone}) as start
  from generate_series(${from}::timestamptz, ${new Date(to.getTime() - 1)}, ${SAMPLING[interval]}::interval) as moment`;

/** Returns every bucket of a span from `bucketSpan`, in order, the empty ones included. */
export const scanSeries = async (sql: Sql, query: Buckets & Scanned): Promise<readonly SeriesPoint[]> => {
  const { interval, timeZone } = query;
  return sql<SeriesPoint[]>`
    with buckets as (${bucketStarts(sql, query)}), counts as (
      select date_trunc(${interval}, quarter, ${timeZone}) as start, sum(people) as people, sum(bots) as bots,
        sum(previews) as previews, sum(visitors) as visitors
      from (${quarters(sql, query)}) as quarters group by 1
    )
    select start, coalesce(people, 0)::bigint as people, coalesce(bots, 0)::bigint as bots,
      coalesce(previews, 0)::bigint as previews, coalesce(visitors, 0)::bigint as unique_visitors
    from buckets left join counts using (start) order by start`;
};

/** The scans of one hour of the week. */
export interface HourOfWeek extends ScanCounts {
  /** 1: Monday. */
  readonly weekday: number;
  readonly hour: number;
}

/** Returns the scans by the hours of the week in a time zone, in order, without those that have none. */
export const scanHours = (
  sql: Sql,
  { timeZone, ...query }: Span & Scanned & Pick<Buckets, 'timeZone'>,
): Promise<readonly HourOfWeek[]> => sql<HourOfWeek[]>`
  select extract(isodow from quarter at time zone ${timeZone})::int as weekday,
    extract(hour from quarter at time zone ${timeZone})::int as hour, sum(people)::bigint as people,
    sum(bots)::bigint as bots, sum(previews)::bigint as previews
  from (${quarters(sql, query as Span & Scanned)}) as quarters group by 1, 2 order by 1, 2`;

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
export const STEP_CODES = 5000;

/** What one statement found of some codes. */
export interface Step extends RecentScans {
  readonly read: number;
  /** The greatest id. */
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
 *
 * @param read Reads one step.
 */
export const countRecentScans = async (
  sql: Sql,
  { accountId, ...which }: OfAccount,
  span: Span,
  signal?: AbortSignal,
  read = readStep,
): Promise<RecentScans> => {
  if ('ids' in which) return read(sql, codesById(sql, accountId, which.ids), span);
  const sum = { links: 0, people: 0, bots: 0, previews: 0 };
  for (let after: string | null = NO_ID; after !== null && !signal?.aborted; ) {
    const range = { of: 'folder', id: which.folderId, after, isNewestFirst: false } as const;
    const step: Step = await read(
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
