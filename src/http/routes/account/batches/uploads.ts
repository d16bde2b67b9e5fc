/** Uploads in chunks: a subset of draft-ietf-httpbis-resumable-upload, which docs/api/batches.md states. */

import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { UPLOADS } from '../../../../batches/receive/limits.ts';
import type { Received } from '../../../../batches/receive/receive.ts';
import { readUpload, unpack, type Watch } from '../../../../batches/receive/upload.ts';
import { offsetMismatch } from '../../../../batches/uploads.ts';
import type { Upload } from '../../../../db/tables/batches/uploads.ts';
import { AppError } from '../../../../errors.ts';
import { readStored } from '../../../../stored-json.ts';
import { OF_KEYS } from '../../../auth/of-account.ts';
import { requireBatch, requireFound } from '../../../auth/require-found.ts';
import { IdParams, NoContent } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import { describeRoutes } from '../../../schemas/openapi/openapi.ts';
import { withoutBody } from '../../../schemas/validation.ts';
import { routesOf } from '../../route.ts';
import { BatchBody, toBatchBody } from './body.ts';
import { createReceiver, hashed, type ReceiverParts, type Sender, uploadHeaders } from './receiver.ts';
import { SendTerms } from './send-terms.ts';

const MEDIA_TYPE = 'application/partial-upload';

const AppendHeaders = Type.Object({
  'upload-offset': Type.Integer({ minimum: 0, description: 'Where the chunk begins.' }),
  'upload-complete': Type.Optional(
    Type.Enum(['?0', '?1'], { default: '?0', description: '`?1`: it is the last chunk; it may be empty.' }),
  ),
  'content-digest': Type.Optional(
    Type.String({ description: '`sha-256` of the chunk (RFC 9530), checked before it is stored.' }),
  ),
});

const ChunkBody = {
  content: { [MEDIA_TYPE]: { schema: Type.Unsafe({ type: 'string', contentMediaType: MEDIA_TYPE }) } },
};

/** Reads the body of a request. @throws {AppError} 400, or 413 for a chunk that is too long. */
const readChunk = async ({ body, raw }: FastifyRequest, watch: Watch, hash: Hash): Promise<Buffer> => {
  if (body === undefined) return Buffer.alloc(0);
  const parts: Buffer[] = [];
  let length = 0;
  const upload = { body: body as Readable, socket: raw.socket, gzip: false, watch };
  for await (const part of watch.read(readUpload(upload, hash))) {
    length += part.length;
    if (length > UPLOADS.chunkMaxBytes)
      throw new AppError('body_too_large', `body: a chunk must have at most ${UPLOADS.chunkMaxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts, length);
};

/** @throws {AppError} 400 when the header has another SHA-256. Digests of other kinds are ignored. */
const checkDigest = (header: string | undefined, hash: Hash): void => {
  const [, wanted] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]*):/.exec(header ?? '') ?? [];
  if (wanted !== undefined && wanted !== hash.digest('base64'))
    throw new AppError('malformed_body', 'body: its SHA-256 does not match Content-Digest; send it again');
};

/** Says where to resume, and returns the 409. */
const mismatch = (reply: FastifyReply, now: Upload): AppError => {
  reply.header('upload-offset', now.bytes);
  return offsetMismatch(now);
};

const Progress = withHeaders(
  NoContent,
  ...(['Upload-Offset', 'Upload-Complete', 'Upload-Limit', 'Cache-Control'] as const),
);

/** Leaves chunks unread, and refuses every other body. */
const takeChunks = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(MEDIA_TYPE, (_request, payload, done) => done(null, payload));
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new AppError('unsupported_media_type', `Send the chunk as Content-Type: ${MEDIA_TYPE}.`)),
  );
};

const SHOWN = {
  operationId: 'getUpload',
  isPaid: true,
  summary: 'The progress of an upload; usually requested with HEAD',
  description:
    '`Upload-Offset` says where the next chunk begins, `Upload-Complete` whether the upload has become a batch.',
  params: IdParams,
  answer: Progress,
  status: 204,
} as const;

/** Adds the routes of uploads that a call with `Upload-Complete: ?0` has begun. */
export const uploadRoutes =
  (parts: ReceiverParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { database, batches, auth, rateLimit } = parts;
    const { uploads, uploadPlaces } = batches;
    const { receiveFrom } = createReceiver(parts);
    describeRoutes(app, 'Batches', { apiKey: ['generate'] });
    takeChunks(app);
    const route = routesOf(app, 'batch_uploads', OF_KEYS);

    const ownUpload = async ({ accountId }: Sender, id: string): Promise<Upload> =>
      requireFound('upload', await uploads.get(accountId, id));

    /** Makes the batch. Idempotent: a call whose answer was lost may be repeated. */
    const complete = async (
      sender: Sender,
      upload: Upload,
      watch: Watch,
      reply: FastifyReply,
    ): Promise<Received> => {
      if (upload.batchId !== null) return { id: upload.batchId, replayed: true };
      const written = readStored(SendTerms, upload.terms);
      if (written === null) throw new Error('the stored terms of an upload are damaged');
      const terms = { ...written, idempotencyKey: written.idempotencyKey ?? `upload-${upload.id}` };
      try {
        const received = await receiveFrom(
          sender,
          terms,
          watch,
          (hash) => unpack(hashed(uploads.read(upload), hash), terms.gzip),
          (tx, id) => uploads.complete(tx, upload, id),
        );
        await uploads.clear(upload);
        return received;
      } catch (error) {
        // Another call may have completed or cancelled it meanwhile and be removing the chunks, or have added to it.
        const now = await ownUpload(sender, upload.id);
        if (now.bytes !== upload.bytes) throw mismatch(reply, now);
        if (now.batchId === null) throw error;
        return { id: now.batchId, replayed: true };
      }
    };

    const show = {
      ...SHOWN,
      // The route that Fastify makes for HEAD has a Content-Length, which a 204 must not have (RFC 9110, 8.6).
      options: { onRequest: [auth.require('generate', 'header'), rateLimit.hook], exposeHeadRoute: false },
    };
    const sendProgress = async (sender: Sender, reply: FastifyReply, id: string) => {
      const upload = await ownUpload(sender, id);
      return reply.code(204).headers(uploadHeaders(upload)).send();
    };
    route('GET /batch-uploads/:id', {
      ...show,
      handle: ({ params }, sender, reply) => sendProgress(sender, reply, params.id),
    });
    route('HEAD /batch-uploads/:id', {
      ...show,
      handle: ({ params }, sender, reply) => sendProgress(sender, reply, params.id),
    });

    route('PATCH /batch-uploads/:id', {
      operationId: 'appendToUpload',
      isPaid: true,
      summary: 'Append a chunk of at most 8 MiB; the last one makes the batch',
      description:
        '`Upload-Offset` must be the number of bytes that are stored. With `Upload-Complete: ?1` the batch is made from all chunks, and the body may be empty. Costs one unit for each row, held when the batch is queued.',
      params: IdParams,
      headers: AppendHeaders,
      body: ChunkBody,
      isBodyOptional: true,
      answer: withHeaders(BatchBody, 'Idempotent-Replayed'),
      status: 202,
      answers: { 204: Progress },
      fails: [409, 422],
      options: {
        validatorCompiler: withoutBody(app),
        onRequest: [auth.require('generate', 'header', { plan: 'pro' }), rateLimit.hook],
      },
      handle: async (request, { accountId, keyId }, reply) => {
        const headers = request.headers;
        return uploadPlaces.hold(request, async (watch) => {
          let upload = await ownUpload({ accountId, keyId }, request.params.id);
          const hash = createHash('sha256');
          // An answer before the end of the body would be lost with the connection, and it says where to resume.
          const chunk = await readChunk(request, watch, hash);
          if (headers['upload-offset'] !== upload.bytes) throw mismatch(reply, upload);
          checkDigest(headers['content-digest'], hash);
          if (chunk.length > 0) {
            if (upload.batchId !== null) throw mismatch(reply, upload);
            const appended = await uploads.append(upload, chunk);
            if (appended === null) throw mismatch(reply, await ownUpload({ accountId, keyId }, upload.id));
            upload = appended;
          }
          if (headers['upload-complete'] !== '?1')
            return reply.code(204).headers(uploadHeaders(upload)).send(null);
          const { id, replayed } = await complete({ accountId, keyId }, upload, watch, reply);
          if (replayed) reply.header('idempotent-replayed', 'true');
          return toBatchBody(await requireBatch(database.sql, accountId, id));
        });
      },
    });

    route('DELETE /batch-uploads/:id', {
      operationId: 'deleteUpload',
      evenOverdrawn: 'it frees what an upload holds',
      summary: 'Cancel an upload; if it has become a batch, the batch is kept',
      description: 'Its chunks are removed.',
      params: IdParams,
      options: { onRequest: [auth.require('generate', 'header'), rateLimit.hook] },
      handle: async ({ params }, sender) => uploads.remove(await ownUpload(sender, params.id)),
    });
  };
