/** Single scans. */
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { namesOf } from '../../../../../workers/lists.ts';
import { csvLines } from '../../../../csv/write.ts';
import type { Sql } from '../../../../db/client.ts';
import { getCode } from '../../../../db/tables/codes/codes.ts';
import type { RawScan } from '../../../../db/tables/scans/raw.ts';
import type { LinkFilter } from '../../../../db/tables/scans/scanned.ts';
import { createTimeSlices } from '../../../../execution/time-limits.ts';
import { BREAKDOWNS, ROW_MEDIA_TYPES } from '../../../../lists.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireLink } from '../../../auth/require-found.ts';
import { acceptedType, sendFileHeaders } from '../../../files/attachment.ts';
import { sendStream } from '../../../files/streams.ts';
import { describeBytes, strict, toPageRequest } from '../../../schemas/atoms.ts';
import { tieCursor } from '../../../schemas/cursors.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import { rangeQuery, readMoments } from '../../../schemas/scans.ts';
import type { Need } from '../../services.ts';
import { linkFilters, readLinkFilter } from './filter.ts';

/** How rows can be written as they are read. */
export const LINE_TYPES = { ndjson: ROW_MEDIA_TYPES.ndjson, csv: ROW_MEDIA_TYPES.csv } as const;
/** How rows can be written as they are read. */
export type LineFormat = keyof typeof LINE_TYPES;

const LIMIT_MAX = 5000;
/** Default number of scans of a page. */
const RAW_SCANS_LIMIT = 1000;

/** The query of single scans. */
const RawScansQuery = Type.Object(
  {
    ...rangeQuery,
    ...linkFilters,
    slug: Type.Optional(Type.String({ description: 'Only scans of this short link, by any of its slugs.' })),
    format: Type.Optional(Type.Enum(['ndjson', 'csv'], { description: 'Absent: `Accept` decides.' })),
    cursor: Type.Optional(
      Type.String({ maxLength: 200, description: 'The `Tessera-Next-Cursor` of the previous page.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: RAW_SCANS_LIMIT })),
  },
  strict,
);

const OWN_COLUMNS = ['id', 'at', 'local_time', 'slug', 'code_id', 'kind', 'visitor'];
const COLUMNS = [...OWN_COLUMNS, ...Object.keys(BREAKDOWNS)];

/** The fields of a scan, in the order of the columns; `null`: not known. */
const toFields = ({ id, createdAt, localTime, slug, codeId, kind, visitor, values }: RawScan) => [
  id,
  createdAt.toISOString(),
  localTime,
  slug,
  codeId,
  kind,
  visitor,
  ...values.map((value) => value || null),
];

const toObject = (fields: ReturnType<typeof toFields>) =>
  Object.fromEntries(fields.map((field, index) => [COLUMNS[index], field]));

/** Some kilobytes, which are written in a millisecond. */
const ROWS_AT_ONCE = 50;

/**
 * Writes a page of scans, in time slices. @param isFirst Whether CSV begins with its header row, so that pages can be
 * joined.
 */
export async function* writeRawScans(
  scans: readonly RawScan[],
  format: LineFormat,
  isFirst: boolean,
): AsyncGenerator<string, void> {
  const slices = createTimeSlices();
  let isOver = slices.slice();
  if (format === 'csv' && isFirst) yield csvLines([COLUMNS]);
  for (let at = 0; at < scans.length; at += ROWS_AT_ONCE) {
    const rows = scans.slice(at, at + ROWS_AT_ONCE).map(toFields);
    const text =
      format === 'csv' ? csvLines(rows) : rows.map((row) => `${JSON.stringify(toObject(row))}\n`).join('');
    // Before it is yielded: the caller pays for what runs until then, but not after a wait.
    if (isOver()) {
      await slices.next();
      isOver = slices.slice();
    }
    yield text;
  }
}

const DEFAULT_SPAN_MS = 30 * 86_400_000;

/** Returns the format of an answer. @throws {AppError} 406 when `Accept` allows none, and none was asked for. */
export const lineFormatOf = ({ headers }: FastifyRequest, asked: LineFormat | undefined): LineFormat => {
  if (asked !== undefined) return asked;
  const type = acceptedType(headers.accept, Object.values(LINE_TYPES));
  return namesOf(LINE_TYPES).find((format) => LINE_TYPES[format] === type)!;
};

/** Returns the slug of the only link that is meant, at whose scans the search begins; `null`: there may be more. */
const onlySlug = async (sql: Sql, { accountId, codeIds = [] }: LinkFilter): Promise<string | null> => {
  const [id, ...others] = codeIds;
  if (id === undefined || others.length > 0) return null;
  return (await getCode(sql, accountId, id))?.firstSlug ?? null;
};

/** Adds the route that reads single scans. */
export const rawScansRoute = ofAccount(
  { tag: 'Links', name: 'scans' },
  (route, { database, scanStore, searches }: Need<'database' | 'scanStore' | 'searches'>) => {
    route('GET /scans/raw', {
      operationId: 'listRawScans',
      summary: 'Individual scans as NDJSON or CSV, oldest first, for as long as they are kept',
      description:
        'For the next page, send `Tessera-Next-Cursor` as `cursor`; the last page has none. A page that has one may be short or empty, because its work is bounded. Only the first page of CSV has a header row. Scans of deleted links are left out. An account runs one such call at a time; a few more are queued.',
      querystring: RawScansQuery,
      answer: withHeaders(
        describeBytes('One scan a line.', ...Object.values(LINE_TYPES)),
        'Cache-Control',
        'Content-Disposition',
        'Tessera-Next-Cursor',
        'Tessera-Complete-Since',
      ),
      fails: [404, 406],
      handle: async (request, { accountId }, reply) => {
        const { query } = request;
        const { sql } = database;
        const page = { ...toPageRequest(query), limit: query.limit ?? RAW_SCANS_LIMIT };
        const { timeZone, ...moments } = await readMoments(sql, query, DEFAULT_SPAN_MS);
        const format = lineFormatOf(request, query.format);
        const link = query.slug === undefined ? null : await requireLink(sql, accountId, query.slug);
        const links = await readLinkFilter(sql, accountId, query);
        const filter = {
          ...{ ...moments, ...links, timeZone },
          firstSlug: link?.firstSlug ?? (await onlySlug(sql, links)),
          ...(query.rule !== undefined && { rule: query.rule }),
        };
        const { rows, next } = await searches.run(accountId, reply, () => scanStore.list(filter, page));
        const since = await scanStore.keptSince(sql);
        if (since !== null) reply.header('tessera-complete-since', since.toISOString());
        if (next !== null) reply.header('tessera-next-cursor', tieCursor(request, next));
        const type = `${LINE_TYPES[format]}; charset=utf-8`;
        const head = () => void sendFileHeaders(reply, type, 'scans', format).header('vary', 'Accept');
        return sendStream(reply, writeRawScans(rows, format, page.after === null), { isWhole: true, head });
      },
    });
  },
);
