import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { createReceive, Received } from '../../../../batches/receive/receive.ts';
import { readUpload } from '../../../../batches/receive/upload.ts';
import type { Check } from '../../../../batches/rows/row.ts';
import type { Uploads } from '../../../../batches/uploads/uploads.ts';
import type { Database } from '../../../../db/database.ts';
import type { BatchFormat } from '../../../../db/tables/batches/batches.ts';
import type { NewBatch } from '../../../../db/tables/batches/receiving.ts';
import type { Upload } from '../../../../db/tables/batches/uploads.ts';
import { defaultFolderName, toFolderName } from '../../../../db/tables/folder-name.ts';
import { hasFolder } from '../../../../db/tables/folders.ts';
import { getWebhook } from '../../../../db/tables/webhooks/webhooks.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { principalOf } from '../../../auth/auth.ts';
import type { AccountParts } from '../../../auth/of-account.ts';
import { ownBatch } from '../../../auth/owned.ts';
import { idempotencyKeyOf } from '../../../idempotency.ts';
import { errors, KEY_ERRORS, NoContent, strict } from '../../../schemas/atoms.ts';
import { document } from '../../../schemas/openapi.ts';
import { withHeaders } from '../../../schemas/openapi-headers.ts';
import { BatchBody, toBatchBody } from './body.ts';
import { openBody, parseDesign, requireRows } from './multipart.ts';
import { uploadHeaders } from './upload-headers.ts';
import type { UploadPlaces } from './upload-places.ts';

/** What the route that receives batches needs. */
export interface SendBatchParts extends AccountParts {
  readonly database: Database;
  readonly batches: {
    readonly receive: ReturnType<typeof createReceive>;
    readonly uploads: Uploads;
    readonly uploadPlaces: UploadPlaces;
    readonly checkDesign: Check;
    readonly retentionDays: number;
  };
}

const FORMATS = 'png|svg|pdf|eps|webp';

const SendQuery = Type.Object(
  {
    folder: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Id of a folder, or the name of one that is made or reused.',
      }),
    ),
    formats: Type.Optional(
      Type.String({
        pattern: `^(${FORMATS})(,(${FORMATS})){0,4}$`,
        default: 'png',
        description:
          'Formats of each code, with commas: `png`, `svg`, `pdf`, `eps`, `webp`. A code costs one unit in any case.',
      }),
    ),
    webhook: Type.Optional(
      Type.String({ format: 'uuid', description: 'Id of a webhook that is told of its end.' }),
    ),
    on_error: Type.Optional(
      Type.Enum(['skip', 'stop'], {
        default: 'skip',
        description: 'Whether a row that fails while codes are made ends the batch.',
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 31_536_000,
        description: 'Seconds in which it must end, and for which results are kept then.',
      }),
    ),
  },
  strict,
);

const SendHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'As in other calls, for as long as the batch is listed.' }),
  ),
  'content-encoding': Type.Optional(Type.Enum(['gzip', 'identity'])),
  design: Type.Optional(
    Type.String({
      description: '`BatchOptions` as JSON, for all rows: `PictureOptions`, and `print` as in a row.',
    }),
  ),
  'upload-complete': Type.Optional(
    Type.Enum(['?0', '?1'], { description: '`?0`, without a body: begins an upload in chunks.' }),
  ),
});

const rowsOf = (description: string) => ({ schema: Type.Unsafe({ description }) });

/** It is read as a stream; what this allows is checked then. */
const SendBody = {
  content: {
    'application/x-ndjson': rowsOf('A row a line.'),
    'text/csv': rowsOf('A header row, and rows.'),
    'multipart/form-data': rowsOf('The parts `design` and `rows`, in this order.'),
  },
};

/** What a call for a batch says beside its rows. */
export interface SendTerms {
  readonly query: Static<typeof SendQuery>;
  readonly contentType: string | undefined;
  readonly design: string | undefined;
  readonly gzip: boolean;
  readonly idempotencyKey: string | null;
}

const termsOf = (request: FastifyRequest, query: SendTerms['query']): SendTerms => ({
  query,
  contentType: request.headers['content-type'],
  design: request.headers.design as string | undefined,
  gzip: request.headers['content-encoding'] === 'gzip',
  idempotencyKey: idempotencyKeyOf(request),
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY_S = 86_400;

const toFormats = (text = 'png'): BatchFormat[] => [...new Set(text.split(','))] as BatchFormat[];

const toFolder = async (
  sql: Database['sql'],
  accountId: string,
  text: string | undefined,
): Promise<NewBatch['folder']> => {
  if (text !== undefined && UUID.test(text)) {
    if (await hasFolder(sql, accountId, text)) return { id: text };
    throw fieldError('folder', 'must be the id of one of your folders, or a name', 'invalid_query');
  }
  const name = toFolderName(text ?? defaultFolderName(new Date()));
  if (!name.ok) throw fieldError('folder', name.fault, 'invalid_query');
  return { name: name.value };
};

const toWebhookId = async (
  sql: Database['sql'],
  accountId: string,
  id: string | undefined,
): Promise<string | null> => {
  if (id === undefined) return null;
  if ((await getWebhook(sql, accountId, id)) !== null) return id;
  throw fieldError('webhook', 'must be the id of one of your webhooks', 'invalid_query');
};

const toLifetimeS = (seconds: number | undefined, retentionDays: number): number => {
  const maxS = retentionDays * DAY_S;
  if (seconds !== undefined && seconds > maxS)
    throw fieldError('expires_in', `must be at most ${maxS}`, 'invalid_query');
  return seconds ?? maxS;
};

/** What the client has sent so far is a message to a stream, not a body in memory. */
const bodyOf = (request: FastifyRequest): Readable => request.body as Readable;

/** Who sends a batch. */
export type Sender = Pick<NewBatch, 'accountId' | 'keyId'>;

/** Makes what checks the terms of a batch, and what receives it. */
export const createReceiver = ({ database: { sql }, batches }: Omit<SendBatchParts, keyof AccountParts>) => {
  const { receive, checkDesign, retentionDays } = batches;

  /** @throws {AppError} When the terms are wrong. */
  const check = async ({ accountId }: Sender, { query, design, contentType = '' }: SendTerms) => {
    requireRows(contentType);
    return {
      headerDesign: parseDesign(design, checkDesign, 'invalid_header'),
      lifetimeS: toLifetimeS(query.expires_in, retentionDays),
      folder: await toFolder(sql, accountId, query.folder),
      webhookId: await toWebhookId(sql, accountId, query.webhook),
    };
  };

  /** Receives a batch. @param open Yields its bytes, unpacked, and adds to the hash what was sent. @throws {AppError} */
  const receiveFrom = async (
    sender: Sender,
    terms: SendTerms,
    open: (hash: Hash) => AsyncGenerator<Buffer>,
  ): Promise<Received> => {
    const { query, contentType, design } = terms;
    const { headerDesign, lifetimeS, folder, webhookId } = await check(sender, terms);
    const hash = createHash('sha256').update(JSON.stringify([query, contentType, design]));
    const body = await openBody(contentType ?? '', open(hash), checkDesign);
    if (body.design !== null && headerDesign !== null)
      throw fieldError('Design', 'must not be given together with a part "design"', 'invalid_header');
    const batch: NewBatch = {
      ...sender,
      format: body.format,
      formats: toFormats(query.formats),
      onError: query.on_error ?? 'skip',
      design: body.design ?? headerDesign ?? {},
      folder,
      lifetimeS,
      idempotencyKey: terms.idempotencyKey,
      webhookId,
    };
    return receive({ batch, chunks: body.chunks, requestSha256: () => hash.copy().digest('hex') });
  };

  return { check, receiveFrom };
};

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
      ['application/x-ndjson', 'text/csv', 'multipart/form-data'],
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
      if (request.body === undefined)
        throw new AppError('unsupported_media_type', 'Send the rows as application/x-ndjson or text/csv.');
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
            'The body is NDJSON or CSV with a header row, at most 2 GB; also as gzip, or as multipart/form-data with the parts `design` and `rows`. A row has the fields of a bulk item, and `id` and `name`. All rows are checked before anything is paid, and all are admitted or none. docs/api.md says more.',
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
