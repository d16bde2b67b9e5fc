/** Scans counted by time and by link. */
import type { Sql } from '../../db/client.ts';
import type { BusyLink, LinkCounts } from '../../db/tables/scans/by-link.ts';
import { describeBusy } from '../../db/tables/scans/by-link.ts';
import type { Scanned, Span } from '../../db/tables/scans/scanned.ts';
import {
  type Buckets,
  bucketStarts,
  type HourOfWeek,
  type SeriesPoint,
} from '../../db/tables/scans/series.ts';
import type { ClickHouse, Parameters } from '../client.ts';
import { midnightBefore, quartersIn, scopeOf, within } from './scope.ts';

/** A query of rows that each count some scans of a link in a quarter of an hour, and its values. */
interface Parts {
  readonly query: string;
  readonly parameters: Parameters;
}

const KINDS = `kind = 'person' as people, kind = 'bot' as bots, kind = 'preview' as previews`;
const SUMS = 'sum(people) as people, sum(bots) as bots, sum(previews) as previews';

/** Those of all links that an account has or had, whose slugs are not told. */
const partsOfAccount = (account: string, { from, to }: Span): Parts => ({
  query: `
    select '' as slug, quarter, people, bots, previews, 0 as visitors from scan_account_series
    where account_id = {account:UUID} and quarter >= toDateTime({from:UInt32}) and quarter < toDateTime({to:UInt32})
    union all
    select '' as slug, toStartOfFifteenMinutes(min(first_at)) as quarter, 0, 0, 0, 1
    from scan_account_visitors
    where account_id = {account:UUID} and day >= toDate(toDateTime({from:UInt32}, 'UTC'))
      and day <= toDate(toDateTime({to:UInt32}, 'UTC'))
    group by day, visitor_of_link
    having quarter >= toDateTime({from:UInt32}) and quarter < toDateTime({to:UInt32})`,
  parameters: { account, from: Math.ceil(from.getTime() / 1000), to: Math.ceil(to.getTime() / 1000) },
});

/** @param counts `visitors too`: visitors are counted, which is slower. */
const partsOf = async (
  sql: Sql,
  { from, to, ...scanned }: Span & Scanned,
  counts: 'scans' | 'visitors too',
): Promise<Parts> => {
  const span = { from, to };
  if ('accountId' in scanned && !('rule' in scanned || 'except' in scanned))
    return partsOfAccount(scanned.accountId, span);
  const { where, parameters } = await scopeOf(sql, scanned);
  const all = { ...parameters, ...quartersIn(span) };
  const scans = `
    select slug, toStartOfFifteenMinutes(at) as quarter, ${KINDS}, 0 as visitors
    from scans where ${where} and ${within('from', 'to')}`;
  if (counts === 'scans') return { query: scans, parameters: all };
  // Of a visitor's scans on a day (UTC), the first counts. It may be before the span.
  const visitors = `
    select slug, toStartOfFifteenMinutes(min(at)) as quarter, 0, 0, 0, 1
    from scans where ${where} and ${within('midnight', 'to')} and kind = 'person' group by slug, toDate(at), visitor
    having quarter >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')`;
  return {
    query: `${scans} union all ${visitors}`,
    parameters: { ...all, midnight: midnightBefore(from) },
  };
};

/** Returns every bucket of a span from `bucketSpan`, in order, the empty ones included. */
export const readSeries = async (
  clickhouse: ClickHouse,
  sql: Sql,
  { interval, timeZone, ...query }: Buckets & Scanned,
): Promise<readonly SeriesPoint[]> => {
  const { from, to } = query;
  const starts = await sql<
    { start: Date }[]
  >`${bucketStarts(sql, { from, to, interval, timeZone })} order by start`;
  const { query: parts, parameters } = await partsOf(sql, query as Span & Scanned, 'visitors too');
  const rows = await clickhouse.read<Omit<SeriesPoint, 'start'> & { readonly start: number }>(
    `select roundDown(toUnixTimestamp(quarter), {starts:Array(UInt32)}) as start, ${SUMS}, sum(visitors) as uniqueVisitors
    from (${parts}) group by start`,
    { ...parameters, starts: starts.map(({ start }) => start.getTime() / 1000) },
  );
  const found = new Map(rows.map((row) => [row.start * 1000, row]));
  return starts.map(({ start }) => {
    const { people, bots, previews, uniqueVisitors } = found.get(start.getTime()) ?? NONE;
    return { start, people, bots, previews, uniqueVisitors };
  });
};

const NONE: LinkCounts = { people: 0, bots: 0, previews: 0, uniqueVisitors: 0 };

/** The name of a time zone as ClickHouse knows it, in whatever case it was written. */
export const zoneOf = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

/** Returns the scans by the hours of the week in a time zone, in order, without those that have none. */
export const readHours = async (
  clickhouse: ClickHouse,
  sql: Sql,
  { timeZone, ...query }: Span & Scanned & Pick<Buckets, 'timeZone'>,
): Promise<readonly HourOfWeek[]> => {
  const { query: parts, parameters } = await partsOf(sql, query as Span & Scanned, 'scans');
  return clickhouse.read<HourOfWeek>(
    `select toDayOfWeek(quarter, 0, {zone:String}) as weekday, toHour(quarter, {zone:String}) as hour, ${SUMS}
    from (${parts}) group by weekday, hour
    having people + bots + previews > 0 order by weekday, hour`,
    { ...parameters, zone: zoneOf(timeZone) },
  );
};

/** Returns the scans of links in a span by their first slugs, without the links that have none. */
export const readByLink = async (
  clickhouse: ClickHouse,
  sql: Sql,
  query: Span & Scanned,
): Promise<ReadonlyMap<string, LinkCounts>> => {
  const { query: parts, parameters } = await partsOf(sql, query, 'visitors too');
  const rows = await clickhouse.read<LinkCounts & { readonly slug: string }>(
    `select slug, ${SUMS}, sum(visitors) as uniqueVisitors from (${parts}) group by slug`,
    parameters,
  );
  return new Map(rows.map(({ slug, ...counts }) => [slug, counts]));
};

/** Returns the links outside the bin with the most scans by people in a span, the first of which has most. */
export const readBusiest = async (
  clickhouse: ClickHouse,
  sql: Sql,
  query: Span & Scanned,
  limit: number,
): Promise<readonly BusyLink[]> => {
  const { query: parts, parameters } = await partsOf(sql, query, 'scans');
  const rows = await clickhouse.read<Omit<LinkCounts, 'uniqueVisitors'> & { readonly slug: string }>(
    `select slug, ${SUMS} from (${parts}) group by slug order by people desc, slug limit {limit:UInt32}`,
    { ...parameters, limit },
  );
  return describeBusy(
    sql,
    sql`select * from unnest(
      ${rows.map(({ slug }) => slug)}::text[], ${rows.map(({ people }) => people)}::bigint[],
      ${rows.map(({ bots }) => bots)}::bigint[], ${rows.map(({ previews }) => previews)}::bigint[]
    ) as busiest (slug, people, bots, previews)`,
  );
};

/** Returns how many scans of an account there are in a span, from the beginning of its first day on. */
export const countOf = async (
  clickhouse: ClickHouse,
  account: string,
  { from, to }: Span,
): Promise<number> => {
  const [row] = await clickhouse.read<{ count: number }>(
    `select sum(people + bots + previews) as count from scan_account_series
    where account_id = {account:UUID} and quarter >= toDateTime({from:UInt32}) and quarter < toDateTime({to:UInt32})`,
    { account, from: midnightBefore(from) / 1000, to: Math.ceil(to.getTime() / 1000) },
  );
  return row!.count;
};
