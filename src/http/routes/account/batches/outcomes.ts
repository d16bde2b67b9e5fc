import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { type Report, writeReport } from '../../../../batches/report.ts';
import type { Database } from '../../../../db/database.ts';
import { eachError } from '../../../../db/tables/batches/batches.ts';
import { listParts } from '../../../../db/tables/batches/parts.ts';
import { AppError } from '../../../../errors.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type AccountParts, ofAccount } from '../../../auth/of-account.ts';
import { ownBatch } from '../../../auth/owned.ts';
import { bytes, errors, IdParams, KEY_ERRORS } from '../../../schemas/atoms.ts';

/** What the routes of outcomes need. */
export interface BatchOutcomeParts extends AccountParts {
  readonly database: Database;
  readonly batches: {
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

/** Adds the routes that tell the errors and the report of a batch. */
export const batchOutcomeRoutes =
  (parts: BatchOutcomeParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { sql } = parts.database;
    const { report } = parts.batches;
    ofAccount(app, 'Batches', parts, 'generate');
    const config = { name: 'batches' };
    const failures = errors(400, 404, ...KEY_ERRORS);

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
        const { id } = await ownBatch(sql, principalOf(request).accountId, request.params.id);
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
        const batch = await ownBatch(sql, principalOf(request).accountId, request.params.id);
        if (batch.finishedAt === null)
          throw new AppError('not_found', 'There is no report yet: the batch has not ended.');
        return writeReport(report, batch, await listParts(sql, batch.id));
      },
    );
  };
