/** Queries and bodies of series of scans, of one link or of all links of an account. */

import Type, { type Static } from 'typebox';
import type { Sql } from '../../db/client.ts';
import type { Scanned } from '../../db/tables/scans/scanned.ts';
import type { ScanTotals as Totals } from '../../db/tables/scans/scans.ts';
import {
  type Buckets,
  beginningOf,
  bucketSpan,
  type Interval,
  type SeriesPoint,
  type SpanFault,
} from '../../db/tables/scans/series.ts';
import type { ScanStore } from '../../db/tables/scans/store.ts';
import { fieldError } from '../../errors.ts';
import type { Result } from '../../result.ts';
import { orNull } from '../../stored-json.ts';
import { fieldsOf, strict, Timestamp } from './atoms.ts';
import { isDate, Moment, readMoment } from './cursors.ts';

const DAY_MS = 86_400_000;
/** The length of the range when `from` is absent. */
const DEFAULT_SPAN_MS: Readonly<Record<Interval, number>> = {
  hour: 2 * DAY_MS,
  day: 30 * DAY_MS,
  month: 365 * DAY_MS,
};

/** From when until when, and in which time zone days begin. */
export const rangeQuery = {
  from: Moment(
    'The start. Absent: 30 days before `to`; by hour 2 days, by month a year.',
    'in the time zone',
  ),
  to: Moment('The end (exclusive). Absent: now.', 'in the time zone'),
  time_zone: Type.Optional(
    Type.String({
      maxLength: 64,
      default: 'UTC',
      description: 'The IANA time zone of the days and months.',
      examples: ['Europe/Berlin'],
    }),
  ),
};

/** The range of a series and how it is divided. */
export const ScansQuery = Type.Object(
  { ...rangeQuery, interval: Type.Optional(Type.Enum(['hour', 'day', 'month'], { default: 'day' })) },
  strict,
);

/** The fields that count scans by kind. */
export const scanCounts = { people: Type.Integer(), bots: Type.Integer(), previews: Type.Integer() };

/** The scans of a thing since its creation. */
export const scanTotalFields = {
  scan_count: Type.Integer({ description: 'Scans by people since its creation.' }),
  scans: Type.Object(scanCounts, {
    title: 'ScanKinds',
    description: 'The same count, plus visits of bots and previews.',
  }),
  last_scan_at: orNull(Timestamp),
};

const NO_SCANS: Totals = { people: 0, bots: 0, previews: 0, lastAt: null };

/** Returns the fields of `scanTotalFields`. @param totals Absent: it was never scanned. */
export const toScanTotals = ({ people, bots, previews, lastAt }: Totals = NO_SCANS) => ({
  scan_count: people,
  scans: { people, bots, previews },
  last_scan_at: lastAt?.toISOString() ?? null,
});

const UniqueVisitors = Type.Integer({
  title: 'UniqueVisitors',
  description: 'People, each counted once per link and UTC day.',
});

const ScanInterval = Type.Object(
  { start: Timestamp, ...scanCounts, unique_visitors: UniqueVisitors },
  { title: 'ScanInterval' },
);
const ScanTotals = Type.Object({ ...scanCounts, unique_visitors: UniqueVisitors }, { title: 'ScanTotals' });

/** What an answer says about scans that are no longer kept. */
export const CompleteSince = orNull(Timestamp, {
  title: 'CompleteSince',
  description:
    'No scan since then is missing. Earlier ones are no longer kept, and not counted here. null: all are kept.',
});

/** A series with its totals. */
export const SeriesBody = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    interval: Type.String(),
    time_zone: Type.String(),
    totals: ScanTotals,
    series: Type.Array(ScanInterval, {
      description: 'Every interval of the range, including empty ones.',
    }),
    complete_since: CompleteSince,
  },
  { title: 'AccountScans' },
);

/** What the document says about every series. */
export const ABOUT_SCANS =
  'The range is widened to whole intervals. `people` are the scans; bots and previews (a chat app that shows a card, a browser that preloads) are counted separately. A scan is counted within a second or two.';

const toPointBody = (point: SeriesPoint) =>
  fieldsOf(point, 'start', 'people', 'bots', 'previews', 'uniqueVisitors');

type PointBody = ReturnType<typeof toPointBody>;

const sum = (series: readonly PointBody[], count: Exclude<keyof PointBody, 'start'>): number =>
  series.reduce((total, point) => total + point[count], 0);

/** Returns the value. @throws {AppError} 400. */
const accepted = <T>(result: Result<T, SpanFault>): T => {
  if (result.ok) return result.value;
  throw fieldError(result.fault.field, result.fault.message, 'invalid_query');
};

/** The range of a query as it is written. */
interface Moments {
  readonly from?: string;
  readonly to?: string;
  readonly time_zone?: string;
}

/**
 * Reads the range of a query. A date begins in the time zone.
 *
 * @param lengthMs Its length when `from` is absent.
 * @throws {AppError} 400 when it is empty or the time zone is unknown.
 */
export const readMoments = async (sql: Sql, query: Moments, lengthMs: number) => {
  const { time_zone: timeZone = 'UTC' } = query;
  const begin = async (date: string): Promise<Date> => accepted(await beginningOf(sql, date, timeZone));
  if (timeZone !== 'UTC') await begin('2026-01-01');
  const read = async (field: 'from' | 'to', text: string): Promise<Date> => {
    const moment = readMoment(field, text);
    return isDate(text) && timeZone !== 'UTC' ? begin(text) : moment;
  };
  const to = query.to === undefined ? new Date() : await read('to', query.to);
  const from = query.from === undefined ? new Date(to.getTime() - lengthMs) : await read('from', query.from);
  if (from < to) return { from, to, timeZone };
  throw fieldError('from', 'must be earlier than to', 'invalid_query');
};

/**
 * Reads the range of a query, widened to whole intervals.
 *
 * @throws {AppError} 400 when it is empty or too long for its interval, or the time zone is unknown.
 */
export const readBuckets = async (
  sql: Sql,
  { interval = 'day', ...query }: Static<typeof ScansQuery>,
): Promise<Buckets> => {
  const moments = await readMoments(sql, query, DEFAULT_SPAN_MS[interval]);
  const buckets = { ...moments, interval };
  return { ...buckets, ...accepted(await bucketSpan(sql, buckets)) };
};

/** Returns the time since which no scan is missing, as answers have it. What they have must be read before. */
export const completeSince = async (store: ScanStore, sql: Sql): Promise<string | null> =>
  (await store.keptSince(sql))?.toISOString() ?? null;

/** Reads a series, and returns its body. */
export const readSeries = async (store: ScanStore, sql: Sql, query: Buckets & Scanned) => {
  const series = (await store.series(sql, query)).map(toPointBody);
  return {
    from: query.from.toISOString(),
    to: query.to.toISOString(),
    interval: query.interval,
    time_zone: query.timeZone,
    totals: {
      people: sum(series, 'people'),
      bots: sum(series, 'bots'),
      previews: sum(series, 'previews'),
      unique_visitors: sum(series, 'unique_visitors'),
    },
    series,
    complete_since: await completeSince(store, sql),
  };
};
