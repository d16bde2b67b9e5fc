import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { openPart, type PartParts } from '../../../../batches/work/close-part.ts';
import { getPart, listParts } from '../../../../db/tables/batches/parts.ts';
import { AppError } from '../../../../errors.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type AccountParts, ofAccount } from '../../../auth/of-account.ts';
import { ownBatch, owned } from '../../../auth/owned.ts';
import { attachment } from '../../../files/attachment.ts';
import { rangeOf } from '../../../files/byte-range.ts';
import { isKnownTo } from '../../../files/etag.ts';
import { bytes, errors, IdParams, KEY_ERRORS, NotModified, strict, Uuid } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi-headers.ts';

/** What the routes of parts need. */
export interface BatchPartRouteParts extends AccountParts {
  readonly batches: { readonly parts: PartParts };
}

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

/** A connection that is idle for so long is cut. */
const STALL_TIMEOUT_MS = 90_000;

/** Adds the routes that list and send the results of batches. */
export const batchPartRoutes =
  ({ batches: { parts }, ...account }: BatchPartRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { sql } = parts;
    ofAccount(app, 'Batches', account, 'generate');
    const config = { name: 'batch_parts' };

    const ownId = async (request: FastifyRequest, id: string): Promise<string> =>
      (await ownBatch(sql, principalOf(request).accountId, id)).id;

    app.get(
      '/batches/:id/parts',
      {
        config,
        schema: {
          operationId: 'listBatchParts',
          summary: 'The parts of a batch that are made so far; each has up to 50,000 rows',
          params: IdParams,
          response: { 200: PartList, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const found = await listParts(sql, await ownId(request, request.params.id));
        return {
          data: found.map(({ number, codes, bytes: length, sha256 }) => ({
            n: number,
            codes,
            bytes: length,
            sha256: sha256.toString('hex'),
          })),
        };
      },
    );

    const find = async (request: FastifyRequest, { id, n }: { id: string; n: number }) => {
      const stored = owned('part', await getPart(sql, await ownId(request, id), n));
      return { stored, etag: `"${stored.sha256.toString('hex')}"` };
    };

    const sendHeaders = (reply: FastifyReply, etag: string, { id, n }: { id: string; n: number }) =>
      reply
        .type('application/zip')
        .header('etag', etag)
        .header('accept-ranges', 'bytes')
        .header('cache-control', 'private, no-cache')
        .header('content-disposition', attachment(`batch-${id}-${n}`, 'zip'));

    const zip = bytes('The ZIP.', 'application/zip');
    const headers = ['ETag', 'Accept-Ranges', 'Cache-Control', 'Content-Disposition'] as const;
    const options = {
      config,
      schema: {
        operationId: 'getBatchPart',
        summary: 'A part as a ZIP with manifest.csv',
        description:
          'The manifest has row, id, name, content, slug, short_url, file, sha256, grade and warnings of each file. `Range` asks for a stretch of bytes.',
        params: PartParams,
        response: {
          200: withHeaders(zip, ...headers),
          206: withHeaders(zip, ...headers, 'Content-Range'),
          304: withHeaders(NotModified, 'ETag', 'Cache-Control'),
          ...errors(400, 404, 416, ...KEY_ERRORS),
        },
      },
      exposeHeadRoute: false,
    };

    app.get('/batches/:id/parts/:n', options, async (request, reply) => {
      const { params } = request;
      const { stored, etag } = await find(request, params);
      if (isKnownTo(request, etag)) return sendHeaders(reply, etag, params).code(304).send(null);
      const range = rangeOf(request, stored.bytes, etag);
      if (range === 'outside') {
        reply.header('content-range', `bytes */${stored.bytes}`);
        throw new AppError('range_not_satisfiable', `Range: the file has ${stored.bytes} bytes.`);
      }
      const { start, end } = range ?? { start: 0, end: stored.bytes };
      const part = await openPart(parts, params.id, stored);
      const chunks = Readable.from(part.read({ start, end }), { objectMode: false });
      // When the store is unavailable, that is an answer, and not a download that breaks off.
      await once(chunks, 'readable');
      sendHeaders(reply, etag, params).header('content-length', end - start);
      if (range !== null)
        reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${stored.bytes}`);
      reply.raw.setTimeout(STALL_TIMEOUT_MS, () => reply.raw.destroy());
      return reply.send(chunks);
    });

    app.head('/batches/:id/parts/:n', options, async (request, reply) => {
      const { stored, etag } = await find(request, request.params);
      sendHeaders(reply, etag, request.params);
      if (isKnownTo(request, etag)) return reply.code(304).send();
      return reply.header('content-length', stored.bytes).send();
    });
  };
