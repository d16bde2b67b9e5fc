import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Database } from '../../db/database.ts';
import { type BreakdownRow, scanBreakdowns } from '../../db/scan-breakdowns.ts';
import { bucketSpan, type Interval, type SeriesPoint, scanSeries } from '../../db/scan-series.ts';
import { fieldError } from '../../errors.ts';
import { callerOf } from '../auth.ts';
import { type AccountParts, ofAccount } from '../of-account.ts';
import { ownLink } from '../owned.ts';
import { errors, KEY_ERRORS, orNull, SlugParams, strict, Timestamp } from '../schema.ts';

const DAY_MS = 86_400_000;
/** Shown when `from` is absent. */
const DEFAULT_SPAN_MS: Readonly<Record<Interval, number>> = {
  hour: 2 * DAY_MS,
  day: 30 * DAY_MS,
  month: 365 * DAY_MS,
};

const ScansQuery = Type.Object(
  {
    from: Type.Optional(
      Type.String({ format: 'date-time', description: 'Absent: 2 days, 30 days or a year before `to`.' }),
    ),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Not included. Absent: now.' })),
    interval: Type.Optional(Type.Enum(['hour', 'day', 'month'], { default: 'day' })),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        default: 'UTC',
        description: 'Whose days and months, as an IANA name.',
        examples: ['Europe/Berlin'],
      }),
    ),
  },
  strict,
);

const counts = { people: Type.Integer(), bots: Type.Integer(), previews: Type.Integer() };
const UniqueVisitors = Type.Integer({ description: 'People, each counted once a UTC day.' });
const Breakdown = Type.Array(
  Type.Object({ value: orNull(Type.String({ description: 'null: not known.' })), ...counts }),
);

const ScansBody = Type.Object({
  slug: Type.String(),
  from: Timestamp,
  to: Timestamp,
  interval: Type.String(),
  time_zone: Type.String(),
  totals: Type.Object({ ...counts, unique_visitors: UniqueVisitors }),
  series: Type.Array(Type.Object({ start: Timestamp, ...counts, unique_visitors: UniqueVisitors }), {
    description: 'Every interval of the range, the empty ones included.',
  }),
  breakdowns: Type.Object({
    device: Breakdown,
    os: Breakdown,
    browser: Breakdown,
    country: Breakdown,
    referrer_host: Breakdown,
  }),
});

const toPointBody = ({ start, people, bots, previews, uniqueVisitors }: SeriesPoint) => ({
  start: start.toISOString(),
  people,
  bots,
  previews,
  unique_visitors: uniqueVisitors,
});

type PointBody = ReturnType<typeof toPointBody>;

const sum = (series: readonly PointBody[], count: Exclude<keyof PointBody, 'start'>): number =>
  series.reduce((total, point) => total + point[count], 0);

const toRows = (rows: readonly BreakdownRow[]) => rows.map((row) => ({ ...row }));

export const scansRoute =
  ({ database, ...account }: AccountParts & { readonly database: Database }): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Links', account);
    const { sql } = database;

    app.get(
      '/links/:slug/scans',
      {
        config: { name: 'scans' },
        schema: {
          summary: 'Who scanned a short link, and when',
          description:
            'The range is widened to whole intervals. People, bots and previews (a chat that draws a card, a browser that loads ahead) are counted apart, and none is left out. A scan is counted within a second or two.',
          params: SlugParams,
          querystring: ScansQuery,
          response: { 200: ScansBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { interval = 'day', timeZone = 'UTC' } = request.query;
        const { slug } = await ownLink(sql, callerOf(request).accountId, request.params.slug);
        const to = request.query.to === undefined ? new Date() : new Date(request.query.to);
        const from =
          request.query.from === undefined
            ? new Date(to.getTime() - DEFAULT_SPAN_MS[interval])
            : new Date(request.query.from);
        const found = await bucketSpan(sql, { from, to, interval, timeZone });
        if (!found.ok) throw fieldError(found.field, found.message, 'invalid_query');
        const { span } = found;
        const [points, breakdowns] = await Promise.all([
          scanSeries(sql, { slug, ...span, interval, timeZone }),
          scanBreakdowns(sql, { slug, ...span }),
        ]);
        const series = points.map(toPointBody);
        return {
          slug,
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
          breakdowns: {
            device: toRows(breakdowns.device),
            os: toRows(breakdowns.os),
            browser: toRows(breakdowns.browser),
            country: toRows(breakdowns.country),
            referrer_host: toRows(breakdowns.referrer_host),
          },
        };
      },
    );
  };
