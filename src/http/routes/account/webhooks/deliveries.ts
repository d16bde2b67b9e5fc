import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { insertTest, listDeliveries, redeliver } from '../../../../db/tables/webhooks/deliveries.ts';
import { getWebhook, type Webhook } from '../../../../db/tables/webhooks/webhooks.ts';
import { AppError } from '../../../../errors.ts';
import { TEST_EVENT } from '../../../../webhooks/events.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../../auth/of-account.ts';
import { owned } from '../../../auth/owned.ts';
import {
  errors,
  IdParams,
  KEY_ERRORS,
  PageQuery,
  pageSchema,
  strict,
  toPageBody,
  toPageRequest,
  Uuid,
} from '../../../schemas/atoms.ts';
import { DeliveryBody, toDeliveryBody } from '../../../schemas/webhook.ts';

/** What the routes of deliveries need. */
export interface DeliveryRouteParts extends DatabaseParts {
  readonly webhooks: { readonly sender: { wake(): void } };
}

const DeliveryParams = Type.Object({ id: Uuid, delivery: Uuid }, strict);

/** Adds the routes that list deliveries, and send a test or a delivery again. */
export const deliveryRoutes =
  ({ database: { sql }, webhooks: { sender }, ...account }: DeliveryRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Webhooks', account);
    const config = { name: 'webhooks' };
    const failures = errors(400, 404, 413, 415, ...KEY_ERRORS);

    const ownWebhook = async (accountId: string, id: string): Promise<Webhook> =>
      owned('webhook', await getWebhook(sql, accountId, id));

    /** @throws {AppError} 409 for a webhook to which nothing is sent. */
    const ownWebhookThatIsOn = async (accountId: string, id: string): Promise<Webhook> => {
      const webhook = await ownWebhook(accountId, id);
      if (webhook.state === 'on') return webhook;
      throw new AppError('webhook_off', `The webhook is ${webhook.state}; set its state to "on" first.`);
    };

    app.get(
      '/webhooks/:id/deliveries',
      {
        config,
        schema: {
          operationId: 'listWebhookDeliveries',
          summary: 'The last deliveries of a webhook with their answers, newest first',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: pageSchema(DeliveryBody), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { id } = await ownWebhook(principalOf(request).accountId, request.params.id);
        return toPageBody(await listDeliveries(sql, id, toPageRequest(request.query)), toDeliveryBody);
      },
    );

    app.post(
      '/webhooks/:id/test',
      {
        config,
        schema: {
          operationId: 'testWebhook',
          summary: 'Send the event `webhook.test`; one that still waits is the answer again',
          params: IdParams,
          response: { 202: DeliveryBody, ...errors(400, 404, 409, 413, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { id } = await ownWebhookThatIsOn(principalOf(request).accountId, request.params.id);
        const delivery = await sql.begin((tx) => insertTest(tx, id, TEST_EVENT));
        sender.wake();
        return reply.code(202).send(toDeliveryBody(delivery));
      },
    );

    app.post(
      '/webhooks/:id/deliveries/:delivery/redeliver',
      {
        config,
        schema: {
          operationId: 'redeliverWebhook',
          summary: 'Send a delivery again, with the same `webhook-id`',
          params: DeliveryParams,
          response: { 202: DeliveryBody, ...failures, ...errors(409) },
        },
      },
      async (request, reply) => {
        const { id } = await ownWebhookThatIsOn(principalOf(request).accountId, request.params.id);
        const delivery = await sql.begin((tx) => redeliver(tx, id, request.params.delivery));
        sender.wake();
        return reply.code(202).send(toDeliveryBody(owned('delivery', delivery)));
      },
    );
  };
