/** Schemas and bodies of webhooks. */

import Type from 'typebox';
import { namesOf } from '../../../workers/lists.ts';
import type { Delivery } from '../../db/tables/webhooks/deliveries.ts';
import type { Webhook, WebhookSecret } from '../../db/tables/webhooks/webhooks.ts';
import type { ShortUrl } from '../../domains/place.ts';
import { EVENTS } from '../../lists.ts';
import { orNull } from '../../stored-json.ts';
import { withShortUrls } from '../../webhooks/events.ts';
import { fieldsOf, strict, Timestamp, Uuid } from './atoms.ts';

const Events = Type.Array(Type.Enum(namesOf(EVENTS)), {
  maxItems: namesOf(EVENTS).length,
  uniqueItems: true,
  title: 'WebhookEvents',
  description: 'The events sent to it; empty: only those of batches that name it.',
});

const Url = Type.String({
  description: 'An https URL without fragment, on port 443 or 8443 at a public address.',
});

/** The request for a new webhook. */
export const NewWebhook = Type.Object(
  { url: Url, events: Events },
  {
    ...strict,
    title: 'NewWebhook',
    examples: [{ url: 'https://example.com/hooks/tessera', events: ['batch.done', 'batch.failed'] }],
  },
);

/** The request that changes a webhook. */
export const WebhookChange = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    state: Type.Optional(
      Type.Enum(['on', 'off'], { description: '`on` also re-enables a webhook that is `gone`.' }),
    ),
  },
  { ...strict, minProperties: 1, title: 'WebhookChange', examples: [{ events: ['batch.done'] }] },
);

const known = {
  id: Uuid,
  url: Type.String(),
  events: Type.Array(Type.String()),
  state: Type.Enum(['on', 'off', 'gone'], { description: '`gone`: its URL returned a 410.' }),
  failures: Type.Integer({
    description: 'Failed tries since the last success; those under way at the same time count once.',
  }),
  failing_since: orNull(Timestamp),
  missed: Type.Integer({
    description: 'Deliveries that were given up. `POST /api/v1/webhooks/{id}/redeliveries` sends them again.',
  }),
  created_at: Timestamp,
};

/** A webhook without its secrets. */
export const WebhookBody = Type.Object(known, { title: 'Webhook' });

const SecretText = Type.String({ description: '`whsec_` and base64. Shown only once.' });

/** A new webhook with its secret. */
export const CreatedWebhookBody = Type.Object({ ...known, secret: SecretText }, { title: 'CreatedWebhook' });

const knownOfSecret = {
  id: Type.String({ format: 'uuid', description: 'The id of the secret, needed to delete it.' }),
  created_at: Timestamp,
};

/** A secret of a webhook without its text. */
export const WebhookSecretBody = Type.Object(knownOfSecret, { title: 'WebhookSecret' });

/** A new secret with its text. */
export const CreatedWebhookSecretBody = Type.Object(
  { ...knownOfSecret, secret: SecretText },
  { title: 'CreatedWebhookSecret' },
);

/** A delivery with its last try. */
export const DeliveryBody = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'That of its event, and the `webhook-id` of each try.' }),
    event: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown()),
    state: Type.Enum(['waiting', 'delivered', 'failed']),
    tries: Type.Integer(),
    created_at: Timestamp,
    tried_at: orNull(Timestamp),
    next_at: orNull(Timestamp),
    duration_ms: orNull(Type.Integer()),
    status: orNull(Type.Integer()),
    answer: orNull(Type.String({ description: 'The first 4,000 bytes of the answer.' })),
    answer_headers: orNull(Type.Record(Type.String(), Type.String()), {
      description: 'Some of its headers.',
    }),
    error: orNull(Type.String({ description: 'Why there was no answer, or why it was given up.' })),
  },
  { title: 'WebhookDelivery' },
);

/** The request that sends events again. */
export const NewRedeliveries = Type.Object(
  {
    since: Timestamp,
    until: Type.Optional({ ...Timestamp, description: 'Not included; default: now.' }),
    types: Type.Optional(
      Type.Array(Type.Enum(namesOf(EVENTS)), {
        minItems: 1,
        maxItems: namesOf(EVENTS).length,
        uniqueItems: true,
        description: 'Default: those to which the webhook subscribes, and whatever it was sent.',
      }),
    ),
    only_undelivered: Type.Optional(
      Type.Boolean({ default: false, description: 'Leaves the events that it has received.' }),
    ),
  },
  {
    ...strict,
    title: 'NewRedeliveries',
    examples: [{ since: '2026-11-20T00:00:00Z', only_undelivered: true }],
  },
);

/** How many events are sent again. */
export const RedeliveriesBody = Type.Object(
  {
    count: Type.Integer({ description: 'Deliveries that wait now.' }),
    next_since: orNull({
      ...Timestamp,
      description: 'The span has more events: repeat the call with this `since`.',
    }),
  },
  { title: 'Redeliveries' },
);

export const toWebhookBody = (webhook: Webhook) =>
  fieldsOf(webhook, 'id', 'url', 'events', 'state', 'failures', 'failingSince', 'missed', 'createdAt');

export const toWebhookSecretBody = (secret: WebhookSecret) => fieldsOf(secret, 'id', 'createdAt');

/** Returns the function that makes the body of a delivery. */
export const deliveryBody = (shortUrl: ShortUrl) => (delivery: Delivery) => ({
  ...fieldsOf(delivery, 'id', 'event', 'state', 'tries', 'status', 'answer', 'error', 'durationMs'),
  answer_headers: delivery.answerHeaders,
  ...fieldsOf(delivery, 'createdAt', 'triedAt'),
  data: withShortUrls(delivery.data, shortUrl) as Record<string, unknown>,
  next_at: delivery.state === 'waiting' ? delivery.nextAt.toISOString() : null,
});
