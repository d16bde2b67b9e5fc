import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { namesOf } from '../../../../../workers/lists.ts';
import { listRawScans } from '../../../../db/tables/scans/raw.ts';
import { type Span, scansKeptSince } from '../../../../db/tables/scans/series.ts';
import { fieldError } from '../../../../errors.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireLink } from '../../../auth/require-found.ts';
import { acceptedType } from '../../../files/accepted-type.ts';
import { sendFileHeaders } from '../../../files/attachment.ts';
import { sendStream } from '../../../files/streams.ts';
import { describeBytes, toPageRequest } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi-headers.ts';
import { tieCursor } from '../../../schemas/requests/cursors.ts';
import { readMoment } from '../../../schemas/requests/moments.ts';
import type { Need } from '../../services.ts';
import { RAW_SCAN_TYPES, RAW_SCANS_LIMIT, type RawScanFormat, RawScansQuery, writeRawScans } from './rows.ts';

const DEFAULT_SPAN_MS = 30 * 86_400_000;

/** @throws {AppError} 400 when the span is empty. */
const readSpan = (query: Static<typeof RawScansQuery>): Span => {
  const to = query.to === undefined ? new Date() : readMoment('to', query.to);
  const from =
    query.from === undefined ? new Date(to.getTime() - DEFAULT_SPAN_MS) : readMoment('from', query.from);
  if (from < to) return { from, to };
  throw fieldError('from', 'must be earlier than to', 'invalid_query');
};

/** @throws {AppError} 406 when `Accept` allows no format, and none was asked for. */
const formatOf = ({ headers }: FastifyRequest, asked: RawScanFormat | undefined): RawScanFormat => {
  if (asked !== undefined) return asked;
  const type = acceptedType(headers.accept, Object.values(RAW_SCAN_TYPES));
  return namesOf(RAW_SCAN_TYPES).find((format) => RAW_SCAN_TYPES[format] === type)!;
};

/** Adds the route that reads single scans. */
export const rawScansRoute = ofAccount(
  { tag: 'Links', name: 'scans' },
  (route, { database, searches }: Need<'database' | 'searches'>) => {
    route('GET /scans/raw', {
      operationId: 'listRawScans',
      summary: 'Individual scans as NDJSON or CSV, oldest first, for as long as they are kept',
      description:
        'Without `format`, `Accept` decides. For the next page, send `Tessera-Next-Cursor` as `cursor`; the last page has none. A page that has one may still be short or empty, because the work per page is limited; the next page continues there. Only the first page of CSV has a header row, so pages can be joined. Scans of deleted links are left out. An account runs one such call at a time; a few more are queued.',
      querystring: RawScansQuery,
      answer: withHeaders(
        describeBytes('One scan a line.', ...Object.values(RAW_SCAN_TYPES)),
        'Cache-Control',
        'Content-Disposition',
        'Tessera-Next-Cursor',
        'Tessera-Complete-Since',
      ),
      fails: [404, 406],
      handle: async (request, { accountId }, reply) => {
        const { query } = request;
        const page = { ...toPageRequest(query), limit: query.limit ?? RAW_SCANS_LIMIT };
        const span = readSpan(query);
        const format = formatOf(request, query.format);
        const link = query.slug === undefined ? null : await requireLink(database.sql, accountId, query.slug);
        const filter = { ...span, accountId, firstSlug: link?.firstSlug ?? null };
        const { rows, next } = await searches.run(accountId, reply, () =>
          listRawScans(database, filter, page),
        );
        const since = await scansKeptSince(database.sql);
        if (since !== null) reply.header('tessera-complete-since', since.toISOString());
        if (next !== null) reply.header('tessera-next-cursor', tieCursor(request, next));
        const type = `${RAW_SCAN_TYPES[format]}; charset=utf-8`;
        const head = () => void sendFileHeaders(reply, type, 'scans', format).header('vary', 'Accept');
        return sendStream(reply, writeRawScans(rows, format, page.after === null), { isWhole: true, head });
      },
    });
  },
);
