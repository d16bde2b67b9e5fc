/** Uploads in chunks: a subset of draft-ietf-httpbis-resumable-upload, which docs/api.md states. */
import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { UPLOADS } from '../../../../batches/receive/limits.ts';
import type { Received } from '../../../../batches/receive/receive.ts';
import { readUpload, unpack } from '../../../../batches/receive/upload.ts';
import { offsetMismatch } from '../../../../batches/uploads/uploads.ts';
import { getBatch } from '../../../../db/tables/batches/batches.ts';
import type { Upload } from '../../../../db/tables/batches/uploads.ts';
import { AppError } from '../../../../errors.ts';
import { principalOf } from '../../../auth/auth.ts';
import { owned } from '../../../auth/owned.ts';
import { errors, IdParams, KEY_ERRORS, NoContent } from '../../../schemas/atoms.ts';
import { document } from '../../../schemas/openapi.ts';
import { withHeaders } from '../../../schemas/openapi-headers.ts';
import { BatchBody, toBatchBody } from './body.ts';
import { createReceiver, hashed, type Sender } from './receiver.ts';
import type { SendBatchParts } from './send.ts';
import type { SendTerms } from './terms.ts';
import { uploadHeaders } from './upload-headers.ts';

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

/** Reads the body of a request. @throws {AppError} 400, or 413 for a chunk that is too long. */
const readChunk = async ({ body, raw }: FastifyRequest, hash: Hash): Promise<Buffer> => {
  if (body === undefined) return Buffer.alloc(0);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of readUpload({ body: body as Readable, socket: raw.socket, gzip: false }, hash)) {
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
    throw new AppError('malformed_body', 'body: its SHA-256 is not that of Content-Digest; send it again');
};

/** Says where to go on, and returns the 409. */
const mismatch = (reply: FastifyReply, now: Upload): AppError => {
  reply.header('upload-offset', now.bytes);
  return offsetMismatch(now);
};

const progress = ['Upload-Offset', 'Upload-Complete', 'Upload-Limit'] as const;

const APPEND = {
  operationId: 'appendToUpload',
  summary: 'Append a chunk of at most 8 MiB; the last one makes the batch',
  params: IdParams,
  headers: AppendHeaders,
  body: { content: { [MEDIA_TYPE]: { schema: Type.Unsafe({ description: 'The chunk.' }) } } },
  response: {
    202: withHeaders(BatchBody, 'Idempotent-Replayed'),
    204: withHeaders(NoContent, ...progress, 'Cache-Control'),
    ...errors(400, 404, 409, 413, 415, 422, ...KEY_ERRORS),
  },
};

/** Adds the routes of uploads that a call with `Upload-Complete: ?0` has begun. */
export const uploadRoutes =
  (parts: SendBatchParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { database, batches, auth, rateLimit } = parts;
    const { uploads, uploadPlaces } = batches;
    const { receiveFrom } = createReceiver(parts);
    document(app, 'Batches', { apiKey: ['generate'] });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(MEDIA_TYPE, (_request, payload, done) => done(null, payload));
    app.addContentTypeParser('*', (_request, _payload, done) =>
      done(new AppError('unsupported_media_type', `Send the chunk as Content-Type: ${MEDIA_TYPE}.`)),
    );
    const config = { name: 'batch_uploads' };

    const ownUpload = async ({ accountId }: Sender, id: string): Promise<Upload> =>
      owned('upload', await uploads.get(accountId, id));

    /** Makes the batch, once: a call whose answer was lost may be repeated. */
    const complete = async (sender: Sender, upload: Upload, reply: FastifyReply): Promise<Received> => {
      if (upload.batchId !== null) return { id: upload.batchId, replayed: true };
      const written = JSON.parse(upload.terms) as SendTerms;
      const terms = { ...written, idempotencyKey: written.idempotencyKey ?? `upload-${upload.id}` };
      try {
        const received = await receiveFrom(
          sender,
          terms,
          (hash) => unpack(hashed(uploads.read(upload), hash), terms.gzip),
          (tx, id) => uploads.complete(tx, upload, id),
        );
        await uploads.clear(upload);
        return received;
      } catch (error) {
        // Other calls may have completed it meanwhile, or given it up, and remove the chunks; or one has added to it.
        const now = await ownUpload(sender, upload.id);
        if (now.bytes !== upload.bytes) throw mismatch(reply, now);
        if (now.batchId === null) throw error;
        return { id: now.batchId, replayed: true };
      }
    };

    const show = {
      config,
      onRequest: [auth.require('generate', 'header'), rateLimit.hook],
      schema: {
        operationId: 'getUpload',
        summary: 'Where an upload stands; usually asked with HEAD',
        params: IdParams,
        response: {
          204: withHeaders(NoContent, ...progress, 'Cache-Control'),
          ...errors(400, 404, ...KEY_ERRORS),
        },
      },
      // The route that Fastify makes for HEAD has a Content-Length, which a 204 must not have (RFC 9110, 8.6).
      exposeHeadRoute: false,
    };
    const sendProgress = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
      const upload = await ownUpload(principalOf(request), id);
      return reply.code(204).headers(uploadHeaders(upload)).send();
    };
    app.get('/batch-uploads/:id', show, (request, reply) => sendProgress(request, reply, request.params.id));
    app.head('/batch-uploads/:id', show, (request, reply) => sendProgress(request, reply, request.params.id));

    app.patch(
      '/batch-uploads/:id',
      {
        config,
        onRequest: [auth.require('generate', 'header', 'pro'), rateLimit.hook],
        schema: APPEND,
      },
      async (request, reply) => {
        const { accountId, keyId } = principalOf(request);
        const headers = request.headers;
        const leave = uploadPlaces.enter(accountId);
        try {
          let upload = await ownUpload({ accountId, keyId }, request.params.id);
          const hash = createHash('sha256');
          // An answer before the end of the body would be lost with the connection, and it says where to go on.
          const chunk = await readChunk(request, hash);
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
          const { id, replayed } = await complete({ accountId, keyId }, upload, reply);
          if (replayed) reply.header('idempotent-replayed', 'true');
          const batch = await getBatch(database.sql, accountId, id);
          return reply.code(202).send(toBatchBody(owned('batch', batch)));
        } finally {
          leave();
        }
      },
    );

    app.delete(
      '/batch-uploads/:id',
      {
        config,
        onRequest: [auth.require('generate', 'header'), rateLimit.hook],
        schema: {
          operationId: 'deleteUpload',
          summary: 'Give an upload up; its batch, if it is one, stays',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        await uploads.remove(await ownUpload(principalOf(request), request.params.id));
        return reply.code(204).send(null);
      },
    );
  };
