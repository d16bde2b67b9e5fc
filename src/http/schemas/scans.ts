/** Queries and bodies of series of scans, of one link or of all links of an account. */

import Type, { type Static } from 'typebox';
import type { Sql } from '../../db/client.ts';
import type { ScanTotals as Totals } from '../../db/tables/scans/scans.ts';
import {
  beginningOf,
  bucketSpan,
  type Interval,
  type Scanned,
  type SeriesPoint,
  type SpanFault,
  scanSeries,
  scansKeptSince,
} from '../../db/tables/scans/series.ts';
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

/** The range of a series and how it is divided. */
export const ScansQuery = Type.Object(
  {
    from: Moment(
      'The start. Absent: 2 days, 30 days or a year before `to`, depending on `interval`.',
      'in the time zone',
    ),
    to: Moment('The end (exclusive). Absent: now.', 'in the time zone'),
    interval: Type.Optional(Type.Enum(['hour', 'day', 'month'], { default: 'day' })),
    time_zone: Type.Optional(
      Type.String({
        maxLength: 64,
        default: 'UTC',
        description: 'The IANA time zone of the days and months.',
        examples: ['Europe/Berlin'],
      }),
    ),
  },
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

const UniqueVisitors = Type.Integer({ description: 'People, each counted once per UTC day.' });

const ScanInterval = Type.Object(
  { start: Timestamp, ...scanCounts, unique_visitors: UniqueVisitors },
  { title: 'ScanInterval' },
);
const ScanTotals = Type.Object({ ...scanCounts, unique_visitors: UniqueVisitors }, { title: 'ScanTotals' });

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
    complete_since: orNull(Timestamp, {
      description:
        'No scan since then is missing. Earlier ones are no longer kept, and not counted here; a link still has its `scan_count`. null: all are kept.',
    }),
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

/**
 * Reads the series that a query asks for. Returns its span, widened to whole intervals, and the body.
 *
 * @throws {AppError} 400 when the span is empty or too long for its interval, or the time zone is unknown.
 */
export const readSeries = async (sql: Sql, query: Static<typeof ScansQuery>, scanned: Scanned) => {
  const { interval = 'day', time_zone: timeZone = 'UTC' } = query;
  const read = async (field: 'from' | 'to', text: string): Promise<Date> => {
    const moment = readMoment(field, text);
    if (!isDate(text) || timeZone === 'UTC') return moment;
    return accepted(await beginningOf(sql, text, timeZone));
  };
  const to = query.to === undefined ? new Date() : await read('to', query.to);
  const from =
    query.from === undefined
      ? new Date(to.getTime() - DEFAULT_SPAN_MS[interval])
      : await read('from', query.from);
  const span = accepted(await bucketSpan(sql, { from, to, interval, timeZone }));
  const series = (await scanSeries(sql, { ...scanned, ...span, interval, timeZone })).map(toPointBody);
  const body = {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    interval,
    time_zone: timeZone,
    totals: {
      people: sum(series, 'people'),
      bots: sum(series, 'bots'),
      previews: sum(series, 'previews'),
      unique_visitors: sum(series, 'unique_visitors'),
    },
    series,
    // Read last: what is no longer kept by now may already be missing.
    complete_since: (await scansKeptSince(sql))?.toISOString() ?? null,
  };
  return { span, body };
};
