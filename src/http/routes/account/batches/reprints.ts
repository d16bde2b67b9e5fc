import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { openReprint } from '../../../../batches/work/reprint.ts';
import type { Sql } from '../../../../db/client.ts';
import type { Batch } from '../../../../db/tables/batches/batches.ts';
import {
  listReprints,
  REPRINTS_MAX,
  type Reprint,
  redesignedRows,
  rowsByExternalId,
  saveReprint,
} from '../../../../db/tables/batches/reprints.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { toFileStem } from '../../../../texts.ts';
import { listIndexes, toShortRanges } from '../../../answer-headers.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireBatch } from '../../../auth/require-found.ts';
import { sendFileHeaders } from '../../../files/attachment.ts';
import { enterStreams, sendStream } from '../../../files/streams.ts';
import {
  describeBytes,
  fieldsOf,
  IdParams,
  PageQuery,
  pageSchema,
  strict,
  Timestamp,
  toPageBody,
  toPageRequest,
  Uuid,
} from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import type { Need } from '../../services.ts';
import { checkOutput } from './parts.ts';

/** Rows of one call, and rows or ids that it may list. */
const ROWS_MAX = 10_000;
const LISTED_MAX = 1000;
/** 1,000 external ids of 200 characters. */
const BODY_LIMIT_BYTES = 1024 * 1024;
/** Longer names of folders are cut, so that the rows are left. */
const NAME_MAX_BYTES = 180;

const Row = Type.Integer({ minimum: 1, maximum: 1_000_000 });

const ReprintRequest = Type.Object(
  {
    from: Type.Optional(Row),
    to: Type.Optional(Row),
    rows: Type.Optional(Type.Array(Row, { minItems: 1, maxItems: LISTED_MAX })),
    external_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: LISTED_MAX }),
    ),
    output: Type.Optional(Type.Enum(['files', 'pages'], { default: 'files' })),
  },
  { ...strict, title: 'ReprintRequest', examples: [{ rows: [1] }] },
);

const ReprintBody = Type.Object(
  {
    id: Uuid,
    key_id: Uuid,
    rows: Type.String({ description: 'Such as `300-420 431`; a long list ends with `...`.' }),
    codes: Type.Integer(),
    created_at: Timestamp,
  },
  { title: 'Reprint' },
);

const toReprintBody = (reprint: Reprint) => fieldsOf(reprint, 'id', 'keyId', 'rows', 'codes', 'createdAt');

const WAYS = 'from and to, or rows, or external_ids';

/** Returns the rows that a request asks for, each once. @throws {AppError} 400 */
const rowsAsked = async (
  sql: Sql,
  { id, accountId, rows: last }: Pick<Batch, 'id' | 'accountId' | 'rows'>,
  { from, to, rows, external_ids: externalIds }: Omit<Static<typeof ReprintRequest>, 'output'>,
): Promise<readonly number[]> => {
  const ways = [from ?? to, rows, externalIds].filter((way) => way !== undefined);
  if (ways.length !== 1 || (from === undefined) !== (to === undefined))
    throw fieldError('body', `must have ${WAYS}`);
  if (from !== undefined && to !== undefined) {
    if (from > to) throw fieldError('to', `must be at least from, which is ${from}`);
    if (to > last) throw fieldError('to', `must be at most ${last}, the last row of the batch`);
    if (to - from >= ROWS_MAX) throw fieldError('to', `makes more than ${ROWS_MAX} rows; ask in parts`);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  }
  const outside = rows?.findIndex((row) => row > last) ?? -1;
  if (outside >= 0)
    throw fieldError(`rows[${outside}]`, `must be at most ${last}, the last row of the batch`);
  const named = await rowsByExternalId(sql, { accountId, batchId: id }, externalIds ?? []);
  const unknown = externalIds?.findIndex((externalId) => !named.has(externalId)) ?? -1;
  if (unknown >= 0) throw fieldError(`external_ids[${unknown}]`, 'is of no saved code of this batch');
  return [...new Set([...(rows ?? []), ...[...named.values()].flat()])].sort((a, b) => a - b);
};

const nameOf = ({ folderName }: Pick<Batch, 'folderName'>, rows: readonly number[]): string =>
  `${toFileStem(folderName ?? 'Batch', NAME_MAX_BYTES)} reprint ${rows[0]}-${rows.at(-1)}`;

/** Adds the routes that give rows of batches out again, and list when that was done. */
export const reprintRoutes = ofAccount(
  { tag: 'Batches', name: 'batch_reprints', scope: 'generate' },
  (route, { database: { sql }, batches: { parts } }: Need<'batches' | 'database'>) => {
    /** Finds the files of rows, and saves that they are given out. @throws {AppError} 400, 409 */
    const find = async (batch: Batch, asked: readonly number[], keyId: string) => {
      const { part, rows: found, pages } = await openReprint(parts, batch, asked);
      if (found.length === 0) throw fieldError('body', 'asks for rows of which none has files');
      const has = new Set(found);
      const missing = asked.filter((row) => !has.has(row));
      const edited = await redesignedRows(sql, { accountId: batch.accountId, batchId: batch.id }, found);
      const reprint = { keyId, rows: toShortRanges(found), codes: found.length };
      if (!(await saveReprint(sql, batch.id, reprint)))
        throw new AppError('limit_reached', `A batch may have ${REPRINTS_MAX} reprints; this one has them.`);
      return { part, pages, found, missing, edited };
    };

    const headOf = (
      reply: FastifyReply,
      batch: Batch,
      rows: Readonly<Record<'found' | 'missing' | 'edited', readonly number[]>>,
      output: 'files' | 'pages',
    ) => {
      const { found, missing, edited } = rows;
      const [type, ending] = output === 'files' ? ['application/zip', 'zip'] : ['application/pdf', 'pdf'];
      sendFileHeaders(reply, type!, nameOf(batch, found), ending!);
      if (missing.length > 0) reply.header('tessera-missing-codes', listIndexes(missing.length, missing));
      if (edited.length > 0) reply.header('tessera-edited-codes', listIndexes(edited.length, edited));
    };

    route('POST /batches/:id/reprints', {
      operationId: 'createReprint',
      summary: 'The files of some rows of a batch again, byte for byte, as a ZIP; costs nothing',
      description: `Takes ${WAYS}. No number is given. The reprint is listed, also in the report.`,
      params: IdParams,
      body: ReprintRequest,
      answer: withHeaders(
        describeBytes('The ZIP, or the PDF.', 'application/zip', 'application/pdf'),
        ...(['Cache-Control', 'Content-Disposition', 'Tessera-Missing-Codes'] as const),
        'Tessera-Edited-Codes',
      ),
      fails: [409],
      options: { bodyLimit: BODY_LIMIT_BYTES },
      handle: async ({ params, body }, { accountId, keyId }, reply) => {
        const batch = await requireBatch(sql, accountId, params.id);
        const { output = 'files', ...rows } = body;
        const asked = await rowsAsked(sql, batch, rows);
        checkOutput({ output }, batch, 'invalid_body');
        if (!batch.hasFiles) {
          const details = 'The files of this batch are no longer kept; its folder has the codes.';
          throw new AppError('not_found', details);
        }
        // Finding the files reads in each fragment that has some of the rows, so it takes a place as an archive does.
        const place = await enterStreams(reply.request, 'archives');
        const found = await find(batch, asked, keyId).catch((error: unknown) => {
          place.leave();
          throw error;
        });
        const { part, pages } = found;
        const head = () => {
          headOf(reply, batch, found, output);
          if (output === 'files') reply.header('content-length', part.bytes);
        };
        const chunks = output === 'files' ? part.read({ start: 0, end: part.bytes }) : pages();
        return sendStream(reply, chunks, { isWhole: true, head, place });
      },
    });

    route('GET /batches/:id/reprints', {
      operationId: 'listReprints',
      summary: 'When rows of a batch were given out again, newest first',
      description: 'With the rows that had files.',
      params: IdParams,
      querystring: PageQuery,
      answer: pageSchema(ReprintBody),
      handle: async ({ params, query }, { accountId }) => {
        const { id } = await requireBatch(sql, accountId, params.id);
        return toPageBody(await listReprints(sql, id, toPageRequest(query)), toReprintBody);
      },
    });
  },
);
