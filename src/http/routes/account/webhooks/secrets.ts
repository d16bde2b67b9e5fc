import { randomBytes } from 'node:crypto';
import Type from 'typebox';
import {
  deleteWebhookSecret,
  insertWebhookSecret,
  listWebhookSecrets,
} from '../../../../db/tables/webhooks/secrets.ts';
import { getWebhook } from '../../../../db/tables/webhooks/webhooks.ts';
import { AppError } from '../../../../errors.ts';
import { SECRET_BYTES, SECRETS_MAX, writeSecret } from '../../../../webhooks/events.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { notFound, requireFound } from '../../../auth/require-found.ts';
import { IdParams, pageSchema, strict, toPageBody, Uuid } from '../../../schemas/atoms.ts';
import {
  CreatedWebhookSecretBody,
  toWebhookSecretBody,
  WebhookSecretBody,
} from '../../../schemas/webhook.ts';
import type { Need } from '../../services.ts';

const SecretParams = Type.Object({ id: Uuid, secret: Uuid }, strict);

/** Adds the routes that list, make and delete the secrets of a webhook. */
export const webhookSecretRoutes = ofAccount(
  { tag: 'Webhooks', name: 'webhooks' },
  (route, { database: { sql } }: Need<'database'>) => {
    route('GET /webhooks/:id/secrets', {
      operationId: 'listWebhookSecrets',
      summary: 'The secrets of a webhook, without their values, newest first',
      description: 'There are at most two.',
      params: IdParams,
      answer: pageSchema(WebhookSecretBody),
      handle: async ({ params }, { accountId }) => {
        const { id } = requireFound('webhook', await getWebhook(sql, accountId, params.id));
        return toPageBody({ rows: await listWebhookSecrets(sql, id), next: null }, toWebhookSecretBody);
      },
    });

    route('POST /webhooks/:id/secrets', {
      operationId: 'createWebhookSecret',
      summary: `Make another secret, which is shown only once; at most ${SECRETS_MAX} at a time`,
      description: 'Deliveries then have one signature per secret, separated by spaces.',
      params: IdParams,
      answer: CreatedWebhookSecretBody,
      status: 201,
      fails: [409],
      handle: async ({ params }, { accountId }) => {
        const secret = randomBytes(SECRET_BYTES);
        const wanted = { accountId, webhookId: params.id, secret };
        const made = await sql.begin((tx) => insertWebhookSecret(tx, wanted, SECRETS_MAX));
        if (made.ok) return { ...toWebhookSecretBody(made.value), secret: writeSecret(secret) };
        if (made.fault === 'missing') throw notFound('webhook');
        throw new AppError(
          'limit_reached',
          `A webhook has at most ${SECRETS_MAX} secrets; delete the one that its receiver no longer uses.`,
        );
      },
    });

    route('DELETE /webhooks/:id/secrets/:secret', {
      operationId: 'deleteWebhookSecret',
      summary: 'Delete a secret of a webhook; later deliveries are not signed with it',
      description: 'The only secret cannot be deleted; make another one first.',
      params: SecretParams,
      change:
        async ({ params }, { accountId }) =>
        async ({ sql: tx }) => {
          const named = { accountId, webhookId: params.id, id: params.secret };
          const deleted = await deleteWebhookSecret(tx, named);
          if (deleted.ok) return;
          if (deleted.fault === 'missing') throw notFound('secret of the webhook');
          throw new AppError('last_secret', 'It is the only secret of the webhook; make another one first.');
        },
    });
  },
);
