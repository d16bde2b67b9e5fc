/** Reports of scans as CSV, for spreadsheets: days are those of the time zone that is asked for. */
import Type from 'typebox';
import { namesOf } from '../../../../../workers/lists.ts';
import { csvLines } from '../../../../csv/write.ts';
import { describeLinks, type LinkCounts, type ReportedLink } from '../../../../db/tables/scans/by-link.ts';
import type { LinkOfCode } from '../../../../db/tables/scans/scanned.ts';
import type { Buckets, Interval } from '../../../../db/tables/scans/series.ts';
import type { ScanStore } from '../../../../db/tables/scans/store.ts';
import type { ShortUrl } from '../../../../domains/place.ts';
import { fieldError } from '../../../../errors.ts';
import { BREAKDOWNS, type Breakdown, ROW_MEDIA_TYPES } from '../../../../lists.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { sendFileHeaders } from '../../../files/attachment.ts';
import { sendStream } from '../../../files/streams.ts';
import { describeBytes, strict } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import { readBuckets } from '../../../schemas/scans.ts';
import type { Need } from '../../services.ts';
import { type Reported, type ReportParts, readReport } from './filter.ts';
import { brokenDown, daysQuery } from './reports.ts';

const INTERVALS = ['hour', 'day', 'month'] as const satisfies readonly Interval[];
const BY = [...INTERVALS, 'hour_of_week', ...namesOf(BREAKDOWNS), 'link'] as const;
type By = (typeof BY)[number];

const ExportQuery = Type.Object(
  {
    by: Type.Optional(Type.Enum([...BY], { default: 'day', description: 'What has a row.' })),
    ...daysQuery,
  },
  strict,
);

/** The characters of a local time that name an interval. */
const SHOWN: Readonly<Record<Interval, number>> = {
  hour: 'YYYY-MM-DD HH:MM'.length,
  day: 'YYYY-MM-DD'.length,
  month: 'YYYY-MM'.length,
};

/** Returns what writes a moment as local time, as spreadsheets read it: `2026-11-03`, `2026-11-03 14:00` or `2026-11`. */
const localTimes = (timeZone: string, interval: Interval): ((moment: Date) => string) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' },
  });
  return (moment) => format.format(moment).slice(0, SHOWN[interval]);
};

type Row = readonly (string | number | null)[];
const COUNTS = ['people', 'bots', 'previews'] as const;
type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

const countsOf = ({ people, bots, previews }: Counts) => [people, bots, previews];

/** What each row says of the range: its first day and its last. */
const daysOf = ({ from, to, timeZone }: Buckets): Row => {
  const local = localTimes(timeZone, 'day');
  return [local(from), local(new Date(to.getTime() - 1))];
};

const isInterval = (by: By): by is Interval => (INTERVALS as readonly By[]).includes(by);

const byTime = async (
  store: ScanStore,
  { sql, scanned }: Reported,
  buckets: Buckets,
): Promise<readonly Row[]> => {
  const local = localTimes(buckets.timeZone, buckets.interval);
  const series = await store.series(sql, { ...buckets, ...scanned });
  return [
    [buckets.interval, ...COUNTS, 'unique_visitors'],
    ...series.map((point) => [local(point.start), ...countsOf(point), point.uniqueVisitors]),
  ];
};

const byHourOfWeek = async (
  store: ScanStore,
  { sql, scanned }: Reported,
  buckets: Buckets,
): Promise<readonly Row[]> => {
  const found = await store.hours(sql, { ...buckets, ...scanned });
  const places = new Map(found.map((one) => [`${one.weekday} ${one.hour}`, one]));
  const none: Counts = { people: 0, bots: 0, previews: 0 };
  const rows = Array.from({ length: 7 * 24 }, (_, index): Row => {
    const [weekday, hour] = [Math.floor(index / 24) + 1, index % 24];
    return [...daysOf(buckets), weekday, hour, ...countsOf(places.get(`${weekday} ${hour}`) ?? none)];
  });
  return [['from', 'to', 'weekday', 'hour', ...COUNTS], ...rows];
};

const byValue = async (
  store: ScanStore,
  { sql, scanned }: Reported,
  buckets: Buckets,
  by: Breakdown,
): Promise<readonly Row[]> => {
  const { [by]: rows } = await store.breakdowns(sql, { ...brokenDown(scanned), ...buckets });
  return [
    ['from', 'to', by, ...COUNTS],
    ...rows.map((row) => [...daysOf(buckets), row.value, ...countsOf(row)]),
  ];
};

const LINK_COLUMNS = [
  ...['from', 'to', 'slug', 'short_url', 'code_id', 'name', 'external_id', 'tags', 'folder', 'destination'],
  ...[...COUNTS, 'unique_visitors'],
];

const NO_SCANS: LinkCounts = { people: 0, bots: 0, previews: 0, uniqueVisitors: 0 };
/** Between the tags of a cell. */
const TAG_SEPARATOR = ', ';

const toLinkRow = (
  { id, shown, place, name, externalId, tags, folder, destination }: ReportedLink,
  counts: LinkCounts,
  shortUrl: ShortUrl,
): Row => [
  ...[shown, shortUrl(shown, place), id, name, externalId, tags.join(TAG_SEPARATOR), folder, destination],
  ...[...countsOf(counts), counts.uniqueVisitors],
];

/** Links that are read in one query, and written as one chunk. */
const LINKS_AT_A_TIME = 50;

/** The rows of a report, or its links, which are read while they are sent. */
type Report =
  | { readonly rows: readonly Row[] }
  | { readonly links: readonly LinkOfCode[]; readonly counts: ReadonlyMap<string, LinkCounts> };

const readOf = async (store: ScanStore, by: By, reported: Reported, buckets: Buckets): Promise<Report> => {
  if (isInterval(by)) return { rows: await byTime(store, reported, buckets) };
  if (by === 'hour_of_week') return { rows: await byHourOfWeek(store, reported, buckets) };
  if (by !== 'link') return { rows: await byValue(store, reported, buckets, by) };
  const { sql, scanned, links } = reported;
  if (links === null) throw fieldError('by', 'must not be link for an item', 'invalid_query');
  return { links, counts: await store.byLink(sql, { ...scanned, ...buckets }) };
};

/** Adds the route of reports as CSV. */
export const exportScansRoute = ofAccount(
  { tag: 'Links', name: 'scans' },
  (route, parts: ReportParts & Need<'linkRules'>) => {
    const { sql } = parts.database;

    async function* write(accountId: string, buckets: Buckets, report: Report): AsyncGenerator<string, void> {
      if ('rows' in report) {
        yield csvLines(report.rows);
        return;
      }
      yield csvLines([LINK_COLUMNS]);
      const ids = report.links.map(({ id }) => id).sort();
      for (let at = 0; at < ids.length; at += LINKS_AT_A_TIME) {
        const links = await describeLinks(sql, accountId, ids.slice(at, at + LINKS_AT_A_TIME));
        yield csvLines(
          links.map((link) => [
            ...daysOf(buckets),
            ...toLinkRow(link, report.counts.get(link.slug) ?? NO_SCANS, parts.linkRules.shortUrl),
          ]),
        );
      }
    }

    route('GET /scans/export', {
      operationId: 'exportScans',
      summary: 'The scans of your short links as CSV, by time, country, link and so on',
      description:
        'Takes the filters of `getScans`. The range is widened to whole days, which are those of the time zone: `2026-11-03`. By `link`, a row has also its name, tags, folder and so on.',
      querystring: ExportQuery,
      answer: withHeaders(
        describeBytes('A table with a header row.', ROW_MEDIA_TYPES.csv),
        'Cache-Control',
        'Content-Disposition',
      ),
      fails: [404],
      handle: async ({ query: { by = 'day', ...query } }, { accountId }, reply) => {
        const interval = isInterval(by) ? by : 'day';
        const buckets = await readBuckets(sql, { ...query, interval });
        const links = by === 'link' ? 'all' : isInterval(by) ? 'if named' : 'scanned';
        const report = await readReport(parts, accountId, reply, { query, span: buckets, links }, (found) =>
          readOf(parts.scanStore, by, found, buckets),
        );
        const name = ['scans-by', by, ...daysOf(buckets)].join('-');
        const head = () => void sendFileHeaders(reply, `${ROW_MEDIA_TYPES.csv}; charset=utf-8`, name, 'csv');
        return sendStream(reply, write(accountId, buckets, report), { isWhole: true, head });
      },
    });
  },
);
