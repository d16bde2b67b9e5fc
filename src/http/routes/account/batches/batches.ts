import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { type Report, writeReport } from '../../../../batches/report.ts';
import type { Database } from '../../../../db/database.ts';
import {
  type Batch,
  eachError,
  endBatch,
  getBatch,
  listBatches,
} from '../../../../db/tables/batches/batches.ts';
import { listParts } from '../../../../db/tables/batches/parts.ts';
import { AppError } from '../../../../errors.ts';
import { principalOf } from '../../../auth/auth.ts';
import type { AccountParts } from '../../../auth/of-account.ts';
import { owned } from '../../../auth/owned.ts';
import {
  bytes,
  errors,
  IdParams,
  KEY_ERRORS,
  PageQuery,
  pageSchema,
  toPageBody,
  toPageRequest,
} from '../../../schemas/atoms.ts';
import { document } from '../../../schemas/openapi.ts';
import { BatchBody, toBatchBody } from './body.ts';

/** What the routes of batches need. */
export interface BatchRouteParts extends AccountParts {
  readonly database: Database;
  readonly batches: {
    readonly engine: { wake(): void };
    /** Signs reports. */
    readonly report: Report;
  };
}

const ReportBody = Type.Object(
  {
    statement: Type.Record(Type.String(), Type.Unknown()),
    jws: Type.String({ description: 'Signs the statement.' }),
  },
  { title: 'BatchReport' },
);

async function* errorLines(sql: Database['sql'], id: string): AsyncGenerator<string> {
  for await (const { row, rowId, field, message } of eachError(sql, id))
    yield `${JSON.stringify({ row, id: rowId, field, message })}\n`;
}

/** A connection that is idle for so long is cut. */
const STALL_TIMEOUT_MS = 90_000;

/** Adds the routes that list, show and cancel batches, and tell their errors and their report. */
export const batchRoutes =
  ({ database: { sql }, batches, auth, rateLimit }: BatchRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { engine, report } = batches;
    document(app, 'Batches', { apiKey: ['generate'] });
    app.addHook('onRequest', auth.require('generate', 'header'));
    app.addHook('onRequest', rateLimit.hook);
    const config = { name: 'batches' };
    const failures = errors(400, 404, ...KEY_ERRORS);

    const ownBatch = async (accountId: string, id: string): Promise<Batch> =>
      owned('batch', await getBatch(sql, accountId, id));

    app.get(
      '/batches',
      {
        config,
        schema: {
          operationId: 'listBatches',
          summary: 'Your batches, newest first',
          querystring: PageQuery,
          response: { 200: pageSchema(BatchBody), ...errors(400, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        return toPageBody(await listBatches(sql, accountId, toPageRequest(request.query)), toBatchBody);
      },
    );

    app.get(
      '/batches/:id',
      {
        config,
        schema: {
          operationId: 'getBatch',
          summary: 'A batch, with its progress',
          params: IdParams,
          response: { 200: BatchBody, ...failures },
        },
      },
      async (request) => toBatchBody(await ownBatch(principalOf(request).accountId, request.params.id)),
    );

    app.post(
      '/batches/:id/cancel',
      {
        config,
        schema: {
          operationId: 'cancelBatch',
          summary: 'End a batch after the pieces under way',
          description:
            'What was made stays and is paid; the other units go back. A batch that has ended stays as it is.',
          params: IdParams,
          response: { 202: BatchBody, ...errors(400, 404, 413, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { id } = await ownBatch(accountId, request.params.id);
        await endBatch(sql, id, 'cancelled', 'It was cancelled.');
        engine.wake();
        return reply.code(202).send(toBatchBody(await ownBatch(accountId, id)));
      },
    );

    app.get(
      '/batches/:id/errors',
      {
        config,
        schema: {
          operationId: 'listBatchErrors',
          summary: 'The rows with faults as NDJSON: row (from 1), id, field and message; at most some 10,000',
          params: IdParams,
          response: { 200: bytes('One object a line.', 'application/x-ndjson'), ...failures },
        },
        exposeHeadRoute: false,
      },
      async (request, reply) => {
        const { id } = await ownBatch(principalOf(request).accountId, request.params.id);
        reply.raw.setTimeout(STALL_TIMEOUT_MS, () => reply.raw.destroy());
        const lines = Readable.from(errorLines(sql, id), { objectMode: false });
        return reply
          .type('application/x-ndjson; charset=utf-8')
          .header('cache-control', 'private, no-store')
          .send(lines);
      },
    );

    app.get(
      '/batches/:id/report',
      {
        config,
        schema: {
          operationId: 'getBatchReport',
          summary:
            'The signed report of a batch that has ended: counts, settings, and the SHA-256 of each part',
          params: IdParams,
          response: { 200: ReportBody, ...failures },
        },
      },
      async (request) => {
        const batch = await ownBatch(principalOf(request).accountId, request.params.id);
        if (batch.finishedAt === null)
          throw new AppError('not_found', 'There is no report yet: the batch has not ended.');
        return writeReport(report, batch, await listParts(sql, batch.id));
      },
    );
  };
