import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { openPart } from '../../../../batches/work/files.ts';
import type { Batch } from '../../../../db/tables/batches/batches.ts';
import { getPart, listParts, partOf } from '../../../../db/tables/batches/parts.ts';
import { AppError } from '../../../../errors.ts';
import { toFileStem } from '../../../../texts.ts';
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

/** Longer names of folders are cut, so that the number is left. */
const NAME_MAX_BYTES = 180;

/** Returns what a part is called, without its ending: `Spring mailing 1 of 3`. */
const partName = ({ folderName, rows }: Pick<Batch, 'folderName' | 'rows'>, number: number): string => {
  const name = toFileStem(folderName ?? 'Batch', NAME_MAX_BYTES);
  const count = partOf(Math.max(1, rows));
  return count === 1 ? name : `${name} ${number} of ${count}`;
};

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
      const batch = await requireBatch(sql, accountId, id);
      const stored = requireFound('part', await getPart(sql, batch.id, n));
      return { batch, stored, etag: `"${stored.sha256.toString('hex')}"`, name: partName(batch, n) };
    };

    const sendHeaders = (reply: FastifyReply, { etag, name }: { etag: string; name: string }) =>
      sendFileHeaders(reply, 'application/zip', name, 'zip')
        .header('etag', etag)
        .header('accept-ranges', 'bytes')
        .header('cache-control', 'private, no-cache');

    const zip = describeBytes('The ZIP.', 'application/zip');
    const headers = ['ETag', 'Accept-Ranges', 'Cache-Control', 'Content-Disposition'] as const;
    const download = {
      operationId: 'getBatchPart',
      isPaid: true,
      summary: 'A part as a ZIP with its manifest',
      description:
        'The manifest has row, file_row, external_id, name, content, slug, short_url, file, sha256, grade and warnings of each file, in the form that the batch asked for. `Range` requests a range of bytes.',
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
        const found = await find(accountId, params);
        const { batch, stored, etag } = found;
        if (isKnownTo(request, etag)) return sendHeaders(reply, found).code(304).send(null);
        const range = rangeOf(request, stored.bytes, etag);
        if (range === 'outside') {
          reply.header('content-range', `bytes */${stored.bytes}`);
          throw new AppError('range_not_satisfiable', `Range: the file has ${stored.bytes} bytes.`);
        }
        const { start, end } = range ?? { start: 0, end: stored.bytes };
        const part = await openPart(parts, batch, stored);
        const head = () => {
          sendHeaders(reply, found).header('content-length', end - start);
          if (range !== null)
            reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${stored.bytes}`);
        };
        return sendStream(reply, part.read({ start, end }), { isWhole: true, head });
      },
    });

    route('HEAD /batches/:id/parts/:n', {
      ...download,
      handle: async (request, { accountId }, reply) => {
        const found = await find(accountId, request.params);
        sendHeaders(reply, found);
        if (isKnownTo(request, found.etag)) return reply.code(304).send();
        return reply.header('content-length', found.stored.bytes).send();
      },
    });
  },
);
