/** What calls that send link jobs have in common: how they read their body, and the job that it becomes. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ReadLine } from '../../../../batches/receive/table.ts';
import { readUpload } from '../../../../batches/receive/upload.ts';
import type { TableNotes } from '../../../../csv/notes.ts';
import { AppError } from '../../../../errors.ts';
import type { IncomingJob, ReceivedJob } from '../../../../link-jobs/receive.ts';
import { writeTraceContext } from '../../../../tracing/context.ts';
import { currentTrace } from '../../../../tracing/trace.ts';
import { canonicalOf } from '../../../bodies/json-body.ts';
import { idempotencyKeyOf } from '../../../idempotency.ts';
import type { Need } from '../../services.ts';
import { toWebhookId } from '../batches/receiver.ts';

/** The type of a body that is no table. */
export const wrongType = (): AppError =>
  new AppError('unsupported_media_type', 'Send the rows as application/x-ndjson or text/csv.');

/** Leaves the bodies of the calls of `app` unread, if they are tables. */
export const takeTables = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/x-ndjson', 'text/csv'], (_request, payload, done) =>
    done(null, payload),
  );
  app.addContentTypeParser('*', (_request, _payload, done) => done(wrongType()));
};

/** The table of a call, and what is done with it. */
interface Rows extends Pick<IncomingJob['job'], 'kind' | 'terms'> {
  readonly notes: TableNotes;
  leftOut(): ReturnType<IncomingJob['leftOut']>;
  read(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadLine>;
}

/** A call that sends a job. */
type SendingCall = FastifyRequest<{
  readonly Querystring: {
    readonly dry_run?: boolean;
    readonly all_or_nothing?: boolean;
    readonly webhook?: string;
  };
}>;

/** Returns the content type of a call. @throws {AppError} 415 when it has no body. */
export const tableTypeOf = ({ body, headers }: FastifyRequest): string => {
  if (body === undefined) throw wrongType();
  return headers['content-type'] ?? '';
};

/** Makes a function that stores the rows of a call as a job. */
export const createReceiveRows =
  ({ database: { sql }, batches, linkJobs }: Need<'batches' | 'database' | 'linkJobs'>) =>
  async (
    request: SendingCall,
    { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
    { kind, terms, notes, leftOut, read }: Rows,
  ): Promise<ReceivedJob> => {
    const { query } = request;
    const webhookId = await toWebhookId(sql, accountId, query.webhook);
    const trace = currentTrace();
    const hash = createHash('sha256').update(canonicalOf([query, request.headers['content-type'] ?? '']));
    return batches.uploadPlaces.hold(request, (watch) => {
      const gzip = request.headers['content-encoding'] === 'gzip';
      const upload = { body: request.body as Readable, socket: request.raw.socket, gzip, watch };
      return linkJobs.receive({
        job: {
          ...{ accountId, keyId, kind, terms, webhookId },
          isDryRun: query.dry_run ?? false,
          allOrNothing: query.all_or_nothing ?? false,
          idempotencyKey: idempotencyKeyOf(request),
          trace: trace === undefined ? null : writeTraceContext(trace.context),
        },
        notes,
        leftOut,
        chunks: watch.read(readUpload(upload, hash)),
        watch,
        read,
        requestSha256: () => hash.copy().digest('hex'),
      });
    });
  };
