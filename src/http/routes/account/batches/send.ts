import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Received } from '../../../../batches/receive/receive.ts';
import { readUpload } from '../../../../batches/receive/upload.ts';
import type { Upload } from '../../../../db/tables/batches/uploads.ts';
import { fieldError } from '../../../../errors.ts';
import { principalOf } from '../../../auth/auth.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireBatch } from '../../../auth/require-found.ts';
import { hasBody } from '../../../bodies/connections.ts';
import { ROW_TYPES, wrongRowType } from '../../../bodies/row-types.ts';
import { NoContent } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import { withoutBody } from '../../../schemas/validation.ts';
import { BatchBody, toBatchBody } from './body.ts';
import { createReceiver, type ReceiverParts, uploadHeaders } from './receiver.ts';
import { SendBody, SendHeaders, SendQuery, type SendTerms, sendTermsOf } from './send-terms.ts';

/** The body is a stream of what the client sends, not a value in memory. */
const bodyOf = (request: FastifyRequest): Readable => request.body as Readable;

/** Adds the route that receives batches. */
export const sendBatchRoute = ofAccount(
  { tag: 'Batches', name: 'send_batch', scope: 'generate', plan: 'pro' },
  (route, parts: ReceiverParts, app) => {
    const { database, batches } = parts;
    const { uploads, uploadPlaces } = batches;
    const { check, receiveFrom } = createReceiver(parts);
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
      if (hasBody(request))
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
      return uploadPlaces.hold(request, (watch) => {
        const upload = { body: bodyOf(request), socket: request.raw.socket, gzip: terms.gzip, watch };
        return receiveFrom({ accountId, keyId }, terms, watch, (hash) => readUpload(upload, hash));
      });
    };

    route('POST /batches', {
      operationId: 'createBatch',
      isPaid: true,
      summary: 'Make up to a million codes in a background job',
      description:
        'The body is NDJSON, or CSV or XLSX with a header row, at most 2 GB (XLSX: 32 MiB), optionally as gzip, or as multipart/form-data with the parts `design` and `rows`. Without a body, `Upload-Complete: ?0` starts an upload in chunks. All rows are checked before anything is charged; all or none are accepted.',
      headers: SendHeaders,
      querystring: SendQuery,
      body: SendBody,
      isBodyOptional: true,
      answer: withHeaders(BatchBody, 'Idempotent-Replayed'),
      status: 202,
      answers: {
        201: withHeaders(NoContent, 'Location', 'Upload-Offset', 'Upload-Complete', 'Upload-Limit'),
      },
      fails: [409, 422],
      options: {
        validatorCompiler: withoutBody(app),
        config: { takesUploads: true, encodings: ['gzip'] },
      },
      handle: async (request, { accountId }, reply) => {
        const terms = sendTermsOf(request, request.query);
        if (request.headers['upload-complete'] === '?0') {
          const upload = await begin(request, terms);
          // A reference relative to the call works behind any proxy.
          return reply
            .code(201)
            .headers(uploadHeaders(upload))
            .header('location', `batch-uploads/${upload.id}`)
            .serializer(() => '')
            .send(null);
        }
        const { id, replayed } = await receive(request, terms);
        if (replayed) reply.header('idempotent-replayed', 'true');
        return toBatchBody(await requireBatch(database.sql, accountId, id));
      },
    });
  },
);
