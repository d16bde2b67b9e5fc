/** Scans counted: over time, by what is known of the visitors, and by link. */
import Type, { type Static } from 'typebox';
import { namesOf } from '../../../../../workers/lists.ts';
import type { Sql } from '../../../../db/client.ts';
import type { Breakdowns } from '../../../../db/tables/scans/breakdowns.ts';
import type { HourOfWeek } from '../../../../db/tables/scans/series.ts';
import type { ScanStore } from '../../../../db/tables/scans/store.ts';
import { BREAKDOWNS, type Breakdown as Name, OTHER } from '../../../../lists.ts';
import { orNull } from '../../../../stored-json.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireLink } from '../../../auth/require-found.ts';
import { DomainQuery } from '../../../domain.ts';
import { fieldsOf, SlugParams, strict, Timestamp, Uuid } from '../../../schemas/atoms.ts';
import {
  ABOUT_SCANS,
  CompleteSince,
  completeSince,
  rangeQuery,
  readBuckets,
  readSeries,
  ScansQuery,
  SeriesBody,
  scanCounts,
} from '../../../schemas/scans.ts';
import { type Reported, type ReportParts, readReport, scanFilters } from './filter.ts';

const Breakdown = Type.Array(
  Type.Object(
    {
      value: orNull(
        Type.String({ description: `null: the value is not known. ${OTHER}: all values without a row.` }),
      ),
      ...scanCounts,
    },
    { title: 'ScanGroup' },
  ),
);

const forEach = <T>(make: (name: Name) => T) =>
  Object.fromEntries(namesOf(BREAKDOWNS).map((name) => [name, make(name)])) as Record<Name, T>;

const BreakdownsOfAll = Type.Object(
  forEach(() => Breakdown),
  { title: 'Breakdowns' },
);

const toRows = (breakdowns: Breakdowns) => forEach((name) => breakdowns[name].map((row) => ({ ...row })));

/** The scans of one link, or of what has a slug for its scans too. */
export const ScansBody = Type.Object(
  {
    slug: Type.String(),
    ...SeriesBody.properties,
    breakdowns: BreakdownsOfAll,
  },
  { title: 'LinkScans' },
);

/** Returns the scans that are kept under a slug. @param slug How it is called. @throws {AppError} As `readBuckets`. */
export const readScans = async (
  store: ScanStore,
  sql: Sql,
  query: Static<typeof ScansQuery>,
  { slug, firstSlug }: { readonly slug: string; readonly firstSlug: string },
) => {
  const buckets = await readBuckets(sql, query);
  const body = await readSeries(store, sql, { ...buckets, slug: firstSlug });
  const breakdowns = await store.breakdowns(sql, { slug: firstSlug, from: buckets.from, to: buckets.to });
  return { slug, ...body, breakdowns: toRows(breakdowns) };
};

const LinkScansQuery = Type.Object({ ...ScansQuery.properties, ...DomainQuery.properties }, strict);
const AllScansQuery = Type.Object({ ...ScansQuery.properties, ...scanFilters }, strict);

/** The query of reports whose range is widened to whole days. */
export const daysQuery = { ...rangeQuery, ...scanFilters };
const BreakdownsQuery = Type.Object(daysQuery, strict);

const Hour = Type.Object(
  {
    weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1: Monday.' }),
    hour: Type.Integer({ minimum: 0, maximum: 23 }),
    ...scanCounts,
  },
  { title: 'ScanHour' },
);

const BusyLink = Type.Object(
  { code_id: Uuid, slug: Type.String(), name: orNull(Type.String()), ...scanCounts },
  { title: 'BusyLink' },
);

const LINKS_LISTED = 20;

const BreakdownsBody = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    time_zone: Type.String(),
    breakdowns: BreakdownsOfAll,
    hours: Type.Array(Hour, {
      description: 'Hours of the week with scans, in the time zone.',
    }),
    links: Type.Array(BusyLink, { description: `The ${LINKS_LISTED} links with the most people.` }),
    complete_since: CompleteSince,
  },
  { title: 'ScanBreakdowns' },
);

const toHour = (hour: HourOfWeek) => ({ ...hour });

/** The scans that a report breaks down, which are not those of all links together. */
export const brokenDown = (scanned: Reported['scanned']) => {
  if ('accountId' in scanned && !('rule' in scanned || 'except' in scanned))
    throw new Error('these scans are not broken down');
  return scanned;
};

/** Adds the routes that read the scans of one short link, and of all or some together. */
export const scansRoutes = ofAccount({ tag: 'Links', name: 'scans' }, (route, parts: ReportParts) => {
  const { scanStore } = parts;
  const { sql } = parts.database;

  route('GET /links/:slug/scans', {
    operationId: 'getLinkScans',
    summary: 'The scans of a short link, over time and broken down',
    description: ABOUT_SCANS,
    params: SlugParams,
    querystring: LinkScansQuery,
    answer: ScansBody,
    handle: async ({ params, query }, { accountId }) =>
      readScans(scanStore, sql, query, await requireLink(sql, accountId, params.slug, query.domain)),
  });

  route('GET /scans', {
    operationId: 'getScans',
    summary: 'The scans of all your short links together, or of those that you name',
    description:
      'Counted as in `getLinkScans`. Without a filter, with those of links that were deleted since. An account runs one call with filters at a time; a few more are queued.',
    querystring: AllScansQuery,
    answer: SeriesBody,
    fails: [404],
    handle: async ({ query }, { accountId }, reply) => {
      const span = await readBuckets(sql, query);
      return readReport(parts, accountId, reply, { query, span, links: 'if named' }, (reported) =>
        readSeries(scanStore, reported.sql, { ...span, ...reported.scanned }),
      );
    },
  });

  route('GET /scans/breakdowns', {
    operationId: 'getScanBreakdowns',
    summary: 'The scans of your short links by country, device, hour of the week and so on',
    description:
      'Takes the filters of `getScans`. Links in the bin are left out. The range is widened to whole days.',
    querystring: BreakdownsQuery,
    answer: BreakdownsBody,
    fails: [404],
    handle: async ({ query }, { accountId }, reply) => {
      const { from, to, timeZone } = await readBuckets(sql, query);
      const span = { from, to };
      return readReport(parts, accountId, reply, { query, span, links: 'scanned' }, async (reported) => {
        const scanned = brokenDown(reported.scanned);
        const breakdowns = toRows(await scanStore.breakdowns(reported.sql, { ...scanned, ...span }));
        const hours = await scanStore.hours(reported.sql, { ...scanned, ...span, timeZone });
        const busiest = await scanStore.busiest(reported.sql, { ...scanned, ...span }, LINKS_LISTED);
        return {
          from: from.toISOString(),
          to: to.toISOString(),
          time_zone: timeZone,
          breakdowns,
          hours: hours.map(toHour),
          links: busiest.map((link) =>
            fieldsOf(link, 'codeId', 'slug', 'name', 'people', 'bots', 'previews'),
          ),
          complete_since: await completeSince(scanStore, reported.sql),
        };
      });
    },
  });
});
