import { randomBytes } from 'node:crypto';
import Type from 'typebox';
import type { Sql } from '../../../db/client.ts';
import { whenCommitted } from '../../../db/pool.ts';
import {
  insertTest,
  listDeliveries,
  redeliver,
  redeliverSpan,
} from '../../../db/tables/webhooks/deliveries.ts';
import { EVENTS_LOOKED_MAX } from '../../../db/tables/webhooks/events.ts';
import {
  changeWebhook,
  deleteWebhook,
  deleteWebhookSecret,
  getWebhook,
  insertWebhook,
  insertWebhookSecret,
  listWebhookSecrets,
  listWebhooks,
  type Webhook,
} from '../../../db/tables/webhooks/webhooks.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { SECRET_BYTES, SECRETS_MAX, TEST_EVENT, writeSecret } from '../../../webhooks/events.ts';
import { checkWebhookUrl } from '../../../webhooks/post.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { assertFound, notFound, requireFound } from '../../auth/require-found.ts';
import {
  IdParams,
  PageQuery,
  pageSchema,
  strict,
  toPageBody,
  toPageRequest,
  Uuid,
} from '../../schemas/atoms.ts';
import { readMoment } from '../../schemas/cursors.ts';
import {
  CreatedWebhookBody,
  CreatedWebhookSecretBody,
  DeliveryBody,
  deliveryBody,
  NewRedeliveries,
  NewWebhook,
  RedeliveriesBody,
  toWebhookBody,
  toWebhookSecretBody,
  WebhookBody,
  WebhookChange,
  WebhookSecretBody,
} from '../../schemas/webhook.ts';
import { pagesOf } from '../route.ts';
import type { Need } from '../services.ts';

const DeliveryParams = Type.Object({ id: Uuid, delivery: Uuid }, strict);

/** Adds the routes that list, show, make, change and delete webhooks. */
export const webhookRoutes = ofAccount(
  { tag: 'Webhooks', name: 'webhooks' },
  (route, { database: { sql }, webhooks }: Need<'database' | 'webhooks'>) => {
    const { maxPerAccount, allowPrivateNetworks } = webhooks;
    const readUrl = (written: string): string => {
      const url = checkWebhookUrl(written, allowPrivateNetworks);
      if (!url.ok) throw fieldError('url', url.fault);
      return url.value;
    };

    route('GET /webhooks', {
      operationId: 'listWebhooks',
      summary: 'Your webhooks, newest first',
      description: 'Without their secrets.',
      ...pagesOf(WebhookBody, toWebhookBody, ({ accountId }, page) => listWebhooks(sql, accountId, page)),
    });

    route('GET /webhooks/:id', {
      operationId: 'getWebhook',
      summary: 'A webhook',
      description: 'Its URL, its events and its state, without its secrets.',
      params: IdParams,
      answer: WebhookBody,
      handle: async ({ params }, { accountId }) =>
        toWebhookBody(requireFound('webhook', await getWebhook(sql, accountId, params.id))),
    });

    route('DELETE /webhooks/:id', {
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook with its deliveries',
      description: 'Nothing is sent to it any more, and it cannot be restored.',
      params: IdParams,
      change:
        async ({ params }, { accountId }) =>
        async ({ sql: tx }) =>
          assertFound('webhook', await deleteWebhook(tx, accountId, params.id)),
    });

    route('POST /webhooks', {
      operationId: 'createWebhook',
      summary: 'Make a webhook that receives events; its secret is shown only once',
      description: 'Deliveries follow Standard Webhooks. See docs/api/webhooks.md.',
      body: NewWebhook,
      answer: CreatedWebhookBody,
      status: 201,
      fails: [409],
      handle: async ({ body }, { accountId }) => {
        const secret = randomBytes(SECRET_BYTES);
        const wanted = { url: readUrl(body.url), events: body.events, secret };
        const made = await sql.begin((tx) => insertWebhook(tx, accountId, wanted, maxPerAccount));
        if (made.ok) return { ...toWebhookBody(made.value), secret: writeSecret(secret) };
        throw new AppError(
          'limit_reached',
          `An account may have ${maxPerAccount} webhooks; delete one that is no longer used.`,
        );
      },
    });

    route('PATCH /webhooks/:id', {
      operationId: 'updateWebhook',
      summary: 'Change a webhook, or turn it off and on; waiting deliveries are then tried at once',
      description: '`state` may be set to `on` or `off`. A webhook that is off gets no events.',
      params: IdParams,
      body: WebhookChange,
      answer: WebhookBody,
      change: async ({ params, body: { url, ...rest } }, { accountId }) => {
        const change = { ...rest, ...(url === undefined ? {} : { url: readUrl(url) }) };
        return async ({ sql: tx }) =>
          toWebhookBody(requireFound('webhook', await changeWebhook(tx, accountId, params.id, change)));
      },
    });
  },
);

/** Adds the routes that list deliveries, and send a test or a delivery again. */
export const deliveryRoutes = ofAccount(
  { tag: 'Webhooks', name: 'webhooks' },
  (
    route,
    { database: { sql }, webhooks: { sender }, linkRules }: Need<'database' | 'webhooks' | 'linkRules'>,
  ) => {
    const toDeliveryBody = deliveryBody(linkRules.shortUrl);
    const ownWebhook = async (tx: Sql, accountId: string, id: string): Promise<Webhook> =>
      requireFound('webhook', await getWebhook(tx, accountId, id));

    /** @throws {AppError} 409 for a webhook that is off. */
    const ownWebhookThatIsOn = async (tx: Sql, accountId: string, id: string): Promise<Webhook> => {
      const webhook = await ownWebhook(tx, accountId, id);
      if (webhook.state === 'on') return webhook;
      throw new AppError('webhook_off', `The webhook is ${webhook.state}; set its state to "on" first.`);
    };

    route('GET /webhooks/:id/deliveries', {
      operationId: 'listWebhookDeliveries',
      summary: 'The last deliveries of a webhook with their answers, newest first',
      description:
        'Each shows the attempts, and the status, duration, headers and first 4,000 bytes of the last answer.',
      params: IdParams,
      querystring: PageQuery,
      answer: pageSchema(DeliveryBody),
      handle: async ({ params, query }, { accountId }) => {
        const { id } = await ownWebhook(sql, accountId, params.id);
        return toPageBody(await listDeliveries(sql, id, toPageRequest(query)), toDeliveryBody);
      },
    });

    route('POST /webhooks/:id/test', {
      operationId: 'testWebhook',
      summary: 'Send the event `webhook.test`, or return the one that is still waiting',
      description: 'Only for a webhook that is on. The delivery is tried at once and retried like any other.',
      params: IdParams,
      answer: DeliveryBody,
      status: 202,
      fails: [413],
      change:
        async ({ params }, { accountId }) =>
        async ({ sql: tx }) => {
          const { id } = await ownWebhookThatIsOn(tx, accountId, params.id);
          const delivery = await insertTest(tx, { accountId, webhookId: id }, TEST_EVENT);
          whenCommitted(tx, sender.wake);
          return toDeliveryBody(requireFound('delivery', delivery));
        },
    });

    route('POST /webhooks/:id/redeliveries', {
      operationId: 'redeliverEvents',
      summary: 'Send the events of a span again, and those that were never sent, the oldest first',
      description: `Each keeps its \`webhook-id\`. A call looks at ${EVENTS_LOOKED_MAX} events; the answer says where the next call continues.`,
      params: IdParams,
      body: NewRedeliveries,
      answer: RedeliveriesBody,
      status: 202,
      change: async ({ params, body }, { accountId }) => {
        const since = readMoment('since', body.since);
        const until = body.until === undefined ? new Date() : readMoment('until', body.until);
        if (since >= until) throw fieldError('since', 'must be earlier than until, and in the past');
        const again = { accountId, since, until, types: body.types ?? null };
        const onlyUndelivered = body.only_undelivered ?? false;
        return async ({ sql: tx }) => {
          const { id: webhookId } = await ownWebhookThatIsOn(tx, accountId, params.id);
          const { count, nextSince } = await redeliverSpan(tx, { ...again, webhookId, onlyUndelivered });
          whenCommitted(tx, sender.wake);
          return { count, next_since: nextSince?.toISOString() ?? null };
        };
      },
    });

    route('POST /webhooks/:id/deliveries/:delivery/redeliver', {
      operationId: 'redeliverWebhook',
      summary: 'Send a delivery again, with the same `webhook-id`',
      description:
        'Only for a webhook that is on. The receiver can tell by the id that it has had the event before.',
      params: DeliveryParams,
      answer: DeliveryBody,
      status: 202,
      fails: [413],
      change:
        async ({ params }, { accountId }) =>
        async ({ sql: tx }) => {
          const { id } = await ownWebhookThatIsOn(tx, accountId, params.id);
          const delivery = await redeliver(tx, id, params.delivery);
          whenCommitted(tx, sender.wake);
          return toDeliveryBody(requireFound('delivery', delivery));
        },
    });
  },
);

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
