import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { writeReport } from '../../../../batches/report.ts';
import type { Sql } from '../../../../db/client.ts';
import { whenCommitted } from '../../../../db/pool.ts';
import { eachError, endBatch, listBatches } from '../../../../db/tables/batches/batches.ts';
import { eachDuplicate } from '../../../../db/tables/batches/duplicates.ts';
import { listParts } from '../../../../db/tables/batches/parts.ts';
import { listReprints, REPRINTS_MAX } from '../../../../db/tables/batches/reprints.ts';
import { AppError } from '../../../../errors.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireBatch } from '../../../auth/require-found.ts';
import { sendStream } from '../../../files/streams.ts';
import { describeBytes, IdParams } from '../../../schemas/atoms.ts';
import { pagesOf } from '../../route.ts';
import type { Need } from '../../services.ts';
import { BatchBody, toBatchBody, toDuplicateBody } from './body.ts';

const ReportBody = Type.Object(
  {
    statement: Type.Record(Type.String(), Type.Unknown()),
    jws: Type.String({ description: 'The signature of the statement.' }),
  },
  { title: 'BatchReport' },
);

async function* errorLines(sql: Sql, id: string): AsyncGenerator<string> {
  for await (const { row, fileRow, externalId, field, message } of eachError(sql, id))
    yield `${JSON.stringify({ row, file_row: fileRow, external_id: externalId, field, message })}\n`;
}

async function* duplicateLines(sql: Sql, id: string): AsyncGenerator<string> {
  for await (const duplicate of eachDuplicate(sql, id))
    yield `${JSON.stringify(toDuplicateBody(duplicate))}\n`;
}

const sendLines = (reply: FastifyReply, lines: AsyncIterable<string>): Promise<FastifyReply> =>
  sendStream(
    reply.type('application/x-ndjson; charset=utf-8').header('cache-control', 'private, no-store'),
    lines,
  );

/** What the routes that answer with lines have in common. */
const LINES = { params: IdParams, answer: describeBytes('One object a line.', 'application/x-ndjson') };

/** Adds the routes that list, show and cancel batches, and return their errors, duplicates and reports. */
export const batchRoutes = ofAccount(
  { tag: 'Batches', name: 'batches', scope: 'generate' },
  (route, { database: { sql }, batches: { engine, report } }: Need<'batches' | 'database'>) => {
    route('GET /batches', {
      operationId: 'listBatches',
      summary: 'Your batches, newest first',
      description: 'Each as `getBatch` shows it.',
      ...pagesOf(BatchBody, toBatchBody, ({ accountId }, page) => listBatches(sql, accountId, page)),
    });

    route('GET /batches/:id', {
      operationId: 'getBatch',
      summary: 'A batch, with its progress',
      description:
        'Ask again until `state` is `done`, `failed`, `cancelled` or `expired`, or let a webhook tell you.',
      params: IdParams,
      answer: BatchBody,
      handle: async ({ params }, { accountId }) => toBatchBody(await requireBatch(sql, accountId, params.id)),
    });

    route('POST /batches/:id/cancel', {
      operationId: 'cancelBatch',
      evenOverdrawn: 'it stops work',
      summary: 'End a batch after the pieces in progress',
      description:
        'Codes already made are kept and charged; the other units are refunded. A batch that has ended is left unchanged.',
      params: IdParams,
      answer: BatchBody,
      status: 202,
      fails: [413],
      change:
        async ({ params }, { accountId }) =>
        async ({ sql: tx }) => {
          const { id } = await requireBatch(tx, accountId, params.id);
          await endBatch(tx, id, 'cancelled', 'It was cancelled.');
          whenCommitted(tx, engine.wake);
          return toBatchBody(await requireBatch(tx, accountId, id));
        },
    });

    route('GET /batches/:id/errors', {
      operationId: 'listBatchErrors',
      summary: 'The rows of a batch with faults, as NDJSON; at most about 10,000',
      description:
        'Each line has row (from 1), file_row, external_id, field and message. If the check before the start finds any, the batch fails and costs nothing. Rows that fail later are listed too.',
      ...LINES,
      handle: async ({ params }, { accountId }, reply) =>
        sendLines(reply, errorLines(sql, (await requireBatch(sql, accountId, params.id)).id)),
    });

    route('GET /batches/:id/duplicates', {
      operationId: 'listBatchDuplicates',
      summary: 'The rows of a batch that repeat an earlier one, as NDJSON',
      description:
        'Each line has row, file_row, external_id, first_row, first_file_row, kind (value, gs1-key or content) and first_batch, if it is another. At most 10,000 are listed.',
      ...LINES,
      handle: async ({ params }, { accountId }, reply) =>
        sendLines(reply, duplicateLines(sql, (await requireBatch(sql, accountId, params.id)).id)),
    });

    route('GET /batches/:id/report', {
      operationId: 'getBatchReport',
      summary:
        'The signed report of a batch that has ended: counts, settings, the SHA-256 of each part, and reprints',
      description: 'A 404 until the batch has ended. `tessera receipt verify` checks the signature.',
      params: IdParams,
      answer: ReportBody,
      handle: async ({ params }, { accountId }) => {
        const batch = await requireBatch(sql, accountId, params.id);
        if (batch.finishedAt === null)
          throw new AppError('not_found', 'There is no report yet: the batch has not ended.');
        const { rows: reprints } = await listReprints(sql, batch.id, { after: null, limit: REPRINTS_MAX });
        return writeReport(report, batch, await listParts(sql, batch.id), reprints);
      },
    });
  },
);
