import { randomBytes } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { changeWebhook, insertWebhook } from '../../../../db/tables/webhooks/webhooks.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { checkWebhookUrl } from '../../../../webhooks/address.ts';
import { SECRET_BYTES, writeSecret } from '../../../../webhooks/events.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../../auth/of-account.ts';
import { owned } from '../../../auth/owned.ts';
import { BODY_ERRORS, errors, IdParams, KEY_ERRORS } from '../../../schemas/atoms.ts';
import {
  CreatedWebhookBody,
  NewWebhook,
  toWebhookBody,
  WebhookBody,
  WebhookChange,
} from '../../../schemas/webhook.ts';

/** What the routes that make and change webhooks need. */
export interface EditWebhookParts extends DatabaseParts {
  readonly webhooks: { readonly maxPerAccount: number; readonly allowPrivateNetworks: boolean };
}

/** Adds the routes that make and change webhooks. */
export const editWebhookRoutes =
  ({ database: { sql }, webhooks, ...account }: EditWebhookParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { maxPerAccount, allowPrivateNetworks } = webhooks;
    ofAccount(app, 'Webhooks', account);
    const config = { name: 'webhooks' };

    const checked = (written: string): string => {
      const url = checkWebhookUrl(written, allowPrivateNetworks);
      if (!url.ok) throw fieldError('url', url.fault);
      return url.value;
    };

    app.post(
      '/webhooks',
      {
        config,
        schema: {
          operationId: 'createWebhook',
          summary: 'Have events sent to an address; the secret is shown only once',
          description: 'Deliveries follow the Standard Webhooks rules. docs/api.md says more.',
          body: NewWebhook,
          response: { 201: CreatedWebhookBody, ...errors(409, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const secret = randomBytes(SECRET_BYTES);
        const wanted = { url: checked(request.body.url), events: request.body.events, secret };
        const made = await sql.begin((tx) => insertWebhook(tx, accountId, wanted, maxPerAccount));
        if (!made.ok) {
          throw new AppError(
            'limit_reached',
            `An account may have ${maxPerAccount} webhooks; delete one that is no longer used.`,
          );
        }
        return reply.code(201).send({ ...toWebhookBody(made.value), secret: writeSecret(secret) });
      },
    );

    app.patch(
      '/webhooks/:id',
      {
        config,
        schema: {
          operationId: 'updateWebhook',
          summary: 'Change a webhook, or turn it off and on; what waits for it is then tried at once',
          params: IdParams,
          body: WebhookChange,
          response: { 200: WebhookBody, ...errors(404, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const { url, ...rest } = request.body;
        const change = { ...rest, ...(url === undefined ? {} : { url: checked(url) }) };
        return toWebhookBody(
          owned('webhook', await changeWebhook(sql, accountId, request.params.id, change)),
        );
      },
    );
  };
