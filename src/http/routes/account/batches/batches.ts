import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Database } from '../../../../db/database.ts';
import { endBatch, listBatches } from '../../../../db/tables/batches/batches.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type AccountParts, ofAccount } from '../../../auth/of-account.ts';
import { ownBatch } from '../../../auth/owned.ts';
import {
  errors,
  IdParams,
  KEY_ERRORS,
  PageQuery,
  pageSchema,
  toPageBody,
  toPageRequest,
} from '../../../schemas/atoms.ts';
import { BatchBody, toBatchBody } from './body.ts';

/** What the routes of batches need. */
export interface BatchRouteParts extends AccountParts {
  readonly database: Database;
  readonly batches: { readonly engine: { wake(): void } };
}

/** Adds the routes that list, show and cancel batches. */
export const batchRoutes =
  (parts: BatchRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { sql } = parts.database;
    const { engine } = parts.batches;
    ofAccount(app, 'Batches', parts, 'generate');
    const config = { name: 'batches' };
    const failures = errors(400, 404, ...KEY_ERRORS);

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
      async (request) => toBatchBody(await ownBatch(sql, principalOf(request).accountId, request.params.id)),
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
        const { id } = await ownBatch(sql, accountId, request.params.id);
        await endBatch(sql, id, 'cancelled', 'It was cancelled.');
        engine.wake();
        return reply.code(202).send(toBatchBody(await ownBatch(sql, accountId, id)));
      },
    );
  };
