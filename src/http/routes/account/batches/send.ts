import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Received } from '../../../../batches/receive/receive.ts';
import { readUpload } from '../../../../batches/receive/upload.ts';
import type { Uploads } from '../../../../batches/uploads/uploads.ts';
import type { Upload } from '../../../../db/tables/batches/uploads.ts';
import { fieldError } from '../../../../errors.ts';
import { principalOf } from '../../../auth/auth.ts';
import type { AccountParts } from '../../../auth/of-account.ts';
import { ownBatch } from '../../../auth/owned.ts';
import { ROW_TYPES, wrongRowType } from '../../../bodies/row-types.ts';
import { errors, KEY_ERRORS, NoContent } from '../../../schemas/atoms.ts';
import { document } from '../../../schemas/openapi.ts';
import { withHeaders } from '../../../schemas/openapi-headers.ts';
import { BatchBody, toBatchBody } from './body.ts';
import { createReceiver, type ReceiverParts } from './receiver.ts';
import { SendBody, SendHeaders, SendQuery, type SendTerms, termsOf } from './terms.ts';
import { uploadHeaders } from './upload-headers.ts';
import type { UploadPlaces } from './upload-places.ts';

/** What the route that receives batches needs. */
export interface SendBatchParts extends AccountParts, ReceiverParts {
  readonly batches: ReceiverParts['batches'] & {
    readonly uploads: Uploads;
    readonly uploadPlaces: UploadPlaces;
  };
}

/** What the client has sent so far is a message to a stream, not a body in memory. */
const bodyOf = (request: FastifyRequest): Readable => request.body as Readable;

/** Adds the route that receives batches. */
export const sendBatchRoute =
  (parts: SendBatchParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { database, batches, auth, rateLimit } = parts;
    const { uploads, uploadPlaces } = batches;
    const { check, receiveFrom } = createReceiver(parts);
    document(app, 'Batches', { apiKey: ['generate'] });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      [...ROW_TYPES.keys(), 'multipart/form-data'],
      (
        _request: FastifyRequest,
        payload: NodeJS.ReadableStream,
        done: (error: null, body: unknown) => void,
      ) => done(null, payload),
    );

    const begin = async (request: FastifyRequest, terms: SendTerms): Promise<Upload> => {
      const sender = principalOf(request);
      const hasBody =
        request.headers['transfer-encoding'] !== undefined ||
        Number(request.headers['content-length'] ?? 0) > 0;
      if (hasBody)
        throw fieldError(
          'Upload-Complete',
          'with ?0 the call takes no body; send it with PATCH',
          'invalid_header',
        );
      await check(sender, terms);
      return uploads.begin(sender.accountId, JSON.stringify(terms));
    };

    const receive = async (request: FastifyRequest, terms: SendTerms): Promise<Received> => {
      if (request.body === undefined) throw wrongRowType();
      const { accountId, keyId } = principalOf(request);
      const leave = uploadPlaces.enter(accountId);
      const upload = { body: bodyOf(request), socket: request.raw.socket, gzip: terms.gzip };
      try {
        return await receiveFrom({ accountId, keyId }, terms, (hash) => readUpload(upload, hash));
      } finally {
        leave();
      }
    };

    app.post(
      '/batches',
      {
        config: { name: 'send_batch', takesUploads: true },
        onRequest: [auth.require('generate', 'header', 'pro'), rateLimit.hook],
        schema: {
          operationId: 'createBatch',
          summary: 'Make up to a million codes in a job of their own',
          description:
            'The body is NDJSON, or CSV or XLSX with a header row, at most 2 GB (XLSX: 32 MiB); also as gzip, or as multipart/form-data with the parts `design` and `rows`. A row has the fields of a bulk item, and `id` and `name`. All rows are checked before anything is paid, and all are admitted or none. docs/api.md says more.',
          headers: SendHeaders,
          querystring: SendQuery,
          body: SendBody,
          response: {
            201: withHeaders(NoContent, 'Location', 'Upload-Offset', 'Upload-Complete', 'Upload-Limit'),
            202: withHeaders(BatchBody, 'Idempotent-Replayed'),
            ...errors(400, 409, 413, 415, 422, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const terms = termsOf(request, request.query);
        if (request.headers['upload-complete'] === '?0') {
          const upload = await begin(request, terms);
          // A reference right beside the call holds behind any proxy.
          return reply
            .code(201)
            .headers(uploadHeaders(upload))
            .header('location', `batch-uploads/${upload.id}`)
            .serializer(() => '')
            .send(null);
        }
        const { id, replayed } = await receive(request, terms);
        if (replayed) reply.header('idempotent-replayed', 'true');
        const { accountId } = principalOf(request);
        return reply.code(202).send(toBatchBody(await ownBatch(database.sql, accountId, id)));
      },
    );
  };
