import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { deleteWebhook, getWebhook, listWebhooks } from '../../../../db/tables/webhooks/webhooks.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../../auth/of-account.ts';
import { mustBeOwned, owned } from '../../../auth/owned.ts';
import {
  errors,
  IdParams,
  KEY_ERRORS,
  NoContent,
  PageQuery,
  pageSchema,
  toPageBody,
  toPageRequest,
} from '../../../schemas/atoms.ts';
import { toWebhookBody, WebhookBody } from '../../../schemas/webhook.ts';

/** Adds the routes that list, show and delete webhooks. */
export const webhookRoutes =
  ({ database: { sql }, ...account }: DatabaseParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Webhooks', account);
    const config = { name: 'webhooks' };

    app.get(
      '/webhooks',
      {
        config,
        schema: {
          operationId: 'listWebhooks',
          summary: 'Your webhooks, newest first',
          querystring: PageQuery,
          response: { 200: pageSchema(WebhookBody), ...errors(400, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        return toPageBody(await listWebhooks(sql, accountId, toPageRequest(request.query)), toWebhookBody);
      },
    );

    app.get(
      '/webhooks/:id',
      {
        config,
        schema: {
          operationId: 'getWebhook',
          summary: 'A webhook',
          params: IdParams,
          response: { 200: WebhookBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) =>
        toWebhookBody(
          owned('webhook', await getWebhook(sql, principalOf(request).accountId, request.params.id)),
        ),
    );

    app.delete(
      '/webhooks/:id',
      {
        config,
        schema: {
          operationId: 'deleteWebhook',
          summary: 'Delete a webhook with its deliveries',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 404, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const deleted = await sql.begin((tx) => deleteWebhook(tx, accountId, request.params.id));
        mustBeOwned('webhook', deleted);
        return reply.code(204).send(null);
      },
    );
  };
