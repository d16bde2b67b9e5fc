/** The list of events: its schemas, bodies and route. */

import Type from 'typebox';
import { namesOf } from '../../../../workers/lists.ts';
import { type AccountEvent, listEvents } from '../../../db/tables/webhooks/events.ts';
import type { ShortUrl } from '../../../domains/place.ts';
import { fieldError } from '../../../errors.ts';
import { EVENTS } from '../../../lists.ts';
import { orNull } from '../../../stored-json.ts';
import { TEST_EVENT, withShortUrls } from '../../../webhooks/events.ts';
import { ofAccount } from '../../auth/of-account.ts';
import {
  fieldsOf,
  PageQuery,
  strict,
  Timestamp,
  toPageBody,
  toPageRequest,
  Uuid,
} from '../../schemas/atoms.ts';
import { Moment, readMoment } from '../../schemas/cursors.ts';
import type { Need } from '../services.ts';

/** The query of the list. */
const EventsQuery = Type.Object(
  {
    ...PageQuery.properties,
    type: Type.Optional(Type.Enum([...namesOf(EVENTS), TEST_EVENT])),
    since: Moment('The first time.', 'in UTC'),
    until: Moment('The last time, not included.', 'in UTC'),
    webhook_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Only events that are sent to this webhook.' }),
    ),
    delivered: Type.Optional(
      Type.Boolean({
        description:
          '`true`: only events that every webhook to which they are sent has received; `false`: the others, also those that are sent to none. With `webhook_id` only that webhook counts.',
      }),
    ),
  },
  strict,
);

const EventDelivery = Type.Object(
  {
    webhook_id: Uuid,
    state: Type.Enum(['waiting', 'delivered', 'failed']),
    tries: Type.Integer(),
    status: orNull(Type.Integer({ description: 'Of the last answer.' })),
    tried_at: orNull(Timestamp),
  },
  { title: 'EventDelivery' },
);

/** An event with its deliveries. */
const EventBody = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The `webhook-id` of its deliveries.' }),
    type: Type.String(),
    created_at: Timestamp,
    data: Type.Record(Type.String(), Type.Unknown()),
    deliveries: Type.Array(EventDelivery, { description: 'One for each webhook to which it is sent.' }),
  },
  { title: 'Event' },
);

const EventPageBody = Type.Object(
  {
    data: Type.Array(EventBody),
    next_cursor: orNull(Type.String()),
    complete_since: {
      ...Timestamp,
      description: 'No event since then is missing from the list. Older ones may have been removed.',
    },
  },
  { title: 'EventPage' },
);

/** Returns the function that makes the body of an event. */
const eventBody = (shortUrl: ShortUrl) => (event: AccountEvent) => ({
  ...fieldsOf(event, 'id', 'type', 'createdAt'),
  data: withShortUrls(event.data, shortUrl) as Record<string, unknown>,
  deliveries: [...event.deliveries],
});

/** Adds the route that lists the events of an account. */
export const eventRoutes = ofAccount(
  { tag: 'Webhooks', name: 'events' },
  (route, { database: { sql }, linkRules }: Need<'database' | 'linkRules'>) => {
    const toEventBody = eventBody(linkRules.shortUrl);
    route('GET /events', {
      operationId: 'listEvents',
      summary: 'The events of 30 days with their deliveries, newest first',
      description:
        'A page that has a `next_cursor` may be short or empty, because the work per page is limited; the next page continues there.',
      querystring: EventsQuery,
      answer: EventPageBody,
      handle: async ({ query }, { accountId }) => {
        const since = query.since === undefined ? null : readMoment('since', query.since);
        const until = query.until === undefined ? null : readMoment('until', query.until);
        if (since !== null && until !== null && since >= until)
          throw fieldError('since', 'must be earlier than until', 'invalid_query');
        const filter = {
          type: query.type ?? null,
          since,
          until,
          webhookId: query.webhook_id ?? null,
          delivered: query.delivered ?? null,
        };
        const page = await listEvents(sql, accountId, filter, toPageRequest(query));
        return { ...toPageBody(page, toEventBody), complete_since: page.completeSince.toISOString() };
      },
    });
  },
);
