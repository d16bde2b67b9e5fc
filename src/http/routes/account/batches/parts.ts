import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { openPart } from '../../../../batches/work/files.ts';
import { getPart, listParts } from '../../../../db/tables/batches/parts.ts';
import { AppError } from '../../../../errors.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireBatch, requireFound } from '../../../auth/require-found.ts';
import { sendFileHeaders } from '../../../files/attachment.ts';
import { sendStream } from '../../../files/streams.ts';
import { isKnownTo, rangeOf } from '../../../files/versions.ts';
import { describeBytes, IdParams, NotModified, strict, Uuid } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import type { Need } from '../../services.ts';

const PartList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        { n: Type.Integer(), codes: Type.Integer(), bytes: Type.Integer(), sha256: Type.String() },
        { title: 'BatchPart' },
      ),
    ),
  },
  { title: 'BatchPartList' },
);

const PartParams = Type.Object({ id: Uuid, n: Type.Integer({ minimum: 1, maximum: 1000 }) }, strict);

/** Adds the routes that list and send the results of batches. */
export const batchPartRoutes = ofAccount(
  { tag: 'Batches', name: 'batch_parts', scope: 'generate' },
  (route, { batches: { parts } }: Need<'batches'>) => {
    const { sql } = parts;
    route('GET /batches/:id/parts', {
      operationId: 'listBatchParts',
      summary: 'The parts of a batch made so far; each has up to 50,000 rows',
      description: 'A part can be downloaded as soon as it is listed.',
      params: IdParams,
      answer: PartList,
      handle: async ({ params }, { accountId }) => {
        const found = await listParts(sql, (await requireBatch(sql, accountId, params.id)).id);
        return {
          data: found.map(({ number, codes, bytes: length, sha256 }) => ({
            n: number,
            codes,
            bytes: length,
            sha256: sha256.toString('hex'),
          })),
        };
      },
    });

    const find = async (accountId: string, { id, n }: Static<typeof PartParams>) => {
      const stored = requireFound('part', await getPart(sql, (await requireBatch(sql, accountId, id)).id, n));
      return { stored, etag: `"${stored.sha256.toString('hex')}"` };
    };

    const sendHeaders = (reply: FastifyReply, etag: string, { id, n }: Static<typeof PartParams>) =>
      sendFileHeaders(reply, 'application/zip', `batch-${id}-${n}`, 'zip')
        .header('etag', etag)
        .header('accept-ranges', 'bytes')
        .header('cache-control', 'private, no-cache');

    const zip = describeBytes('The ZIP.', 'application/zip');
    const headers = ['ETag', 'Accept-Ranges', 'Cache-Control', 'Content-Disposition'] as const;
    const download = {
      operationId: 'getBatchPart',
      isPaid: true,
      summary: 'A part as a ZIP with manifest.csv',
      description:
        'The manifest has row, file_row, external_id, name, content, slug, short_url, file, sha256, grade and warnings of each file. `Range` requests a range of bytes.',
      params: PartParams,
      answer: withHeaders(zip, ...headers),
      answers: {
        206: withHeaders(zip, ...headers, 'Content-Range'),
        304: withHeaders(NotModified, 'ETag', 'Cache-Control'),
      },
      fails: [416],
      options: { exposeHeadRoute: false },
    } as const;

    route('GET /batches/:id/parts/:n', {
      ...download,
      handle: async (request, { accountId }, reply) => {
        const { params } = request;
        const { stored, etag } = await find(accountId, params);
        if (isKnownTo(request, etag)) return sendHeaders(reply, etag, params).code(304).send(null);
        const range = rangeOf(request, stored.bytes, etag);
        if (range === 'outside') {
          reply.header('content-range', `bytes */${stored.bytes}`);
          throw new AppError('range_not_satisfiable', `Range: the file has ${stored.bytes} bytes.`);
        }
        const { start, end } = range ?? { start: 0, end: stored.bytes };
        const part = await openPart(parts, params.id, stored);
        const head = () => {
          sendHeaders(reply, etag, params).header('content-length', end - start);
          if (range !== null)
            reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${stored.bytes}`);
        };
        return sendStream(reply, part.read({ start, end }), { isWhole: true, head });
      },
    });

    route('HEAD /batches/:id/parts/:n', {
      ...download,
      handle: async (request, { accountId }, reply) => {
        const { stored, etag } = await find(accountId, request.params);
        sendHeaders(reply, etag, request.params);
        if (isKnownTo(request, etag)) return reply.code(304).send();
        return reply.header('content-length', stored.bytes).send();
      },
    });
  },
);
