import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { createReceive } from '../../../../batches/receive/receive.ts';
import { readUpload } from '../../../../batches/receive/upload.ts';
import type { Check } from '../../../../batches/rows/row.ts';
import type { Database } from '../../../../db/database.ts';
import { type BatchFormat, getBatch } from '../../../../db/tables/batches/batches.ts';
import type { NewBatch } from '../../../../db/tables/batches/receiving.ts';
import { defaultFolderName, toFolderName } from '../../../../db/tables/folder-name.ts';
import { hasFolder } from '../../../../db/tables/folders.ts';
import { getWebhook } from '../../../../db/tables/webhooks/webhooks.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { principalOf } from '../../../auth/auth.ts';
import type { AccountParts } from '../../../auth/of-account.ts';
import { owned } from '../../../auth/owned.ts';
import { idempotencyKeyOf } from '../../../idempotency.ts';
import { errors, KEY_ERRORS, strict } from '../../../schemas/atoms.ts';
import { document } from '../../../schemas/openapi.ts';
import { withHeaders } from '../../../schemas/openapi-headers.ts';
import { BatchBody, toBatchBody } from './body.ts';
import { openBody, parseDesign } from './multipart.ts';
import type { UploadPlaces } from './upload-places.ts';

/** What the route that receives batches needs. */
export interface SendBatchParts extends AccountParts {
  readonly database: Database;
  readonly batches: {
    readonly receive: ReturnType<typeof createReceive>;
    readonly uploadPlaces: UploadPlaces;
    readonly checkDesign: Check;
    readonly retentionDays: number;
  };
}

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
        pattern: '^(png|svg)(,(png|svg))?$',
        default: 'png',
        description: 'Formats of each picture: `png`, `svg`, or both with a comma. A code costs one unit.',
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
  design: Type.Optional(Type.String({ description: '`PictureOptions` as JSON, for all rows.' })),
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

/** Adds the route that receives batches. */
export const sendBatchRoute =
  ({ database: { sql }, batches, auth, rateLimit }: SendBatchParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { receive, uploadPlaces, checkDesign, retentionDays } = batches;
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

    const receiveFrom = async (request: FastifyRequest, query: Static<typeof SendQuery>) => {
      const { accountId, keyId } = principalOf(request);
      const idempotencyKey = idempotencyKeyOf(request);
      const headerDesign = parseDesign(request.headers.design, checkDesign, 'invalid_header');
      const lifetimeS = toLifetimeS(query.expires_in, retentionDays);
      const folder = await toFolder(sql, accountId, query.folder);
      const webhookId = await toWebhookId(sql, accountId, query.webhook);
      const hash = createHash('sha256').update(
        JSON.stringify([query, request.headers['content-type'], request.headers.design]),
      );
      const gzip = request.headers['content-encoding'] === 'gzip';
      const upload = { body: bodyOf(request), socket: request.raw.socket, gzip };
      const body = await openBody(
        request.headers['content-type'] ?? '',
        readUpload(upload, hash),
        checkDesign,
      );
      if (body.design !== null && headerDesign !== null)
        throw fieldError('Design', 'must not be given together with a part "design"', 'invalid_header');
      const batch: NewBatch = {
        accountId,
        keyId,
        format: body.format,
        formats: toFormats(query.formats),
        onError: query.on_error ?? 'skip',
        design: body.design ?? headerDesign ?? {},
        folder,
        lifetimeS,
        idempotencyKey,
        webhookId,
      };
      return receive({ batch, chunks: body.chunks, requestSha256: () => hash.copy().digest('hex') });
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
          response: {
            202: withHeaders(BatchBody, 'Idempotent-Replayed'),
            ...errors(400, 409, 413, 415, 422, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        if (request.body === undefined)
          throw new AppError('unsupported_media_type', 'Send the rows as application/x-ndjson or text/csv.');
        const { accountId } = principalOf(request);
        const leave = uploadPlaces.enter(accountId);
        try {
          const { id, replayed } = await receiveFrom(request, request.query);
          if (replayed) reply.header('idempotent-replayed', 'true');
          return reply.code(202).send(toBatchBody(owned('batch', await getBatch(sql, accountId, id))));
        } finally {
          leave();
        }
      },
    );
  };
