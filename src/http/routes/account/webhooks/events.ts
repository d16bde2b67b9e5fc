import { listEvents } from '../../../../db/tables/webhooks/events.ts';
import { fieldError } from '../../../../errors.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { toPageBody, toPageRequest } from '../../../schemas/atoms.ts';
import { readMoment } from '../../../schemas/requests/moments.ts';
import type { Need } from '../../services.ts';
import { EventPageBody, EventsQuery, eventBody } from './event-body.ts';

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
          ...{ type: query.type ?? null, since, until },
          ...{ webhookId: query.webhook_id ?? null, delivered: query.delivered ?? null },
        };
        const page = await listEvents(sql, accountId, filter, toPageRequest(query));
        return { ...toPageBody(page, toEventBody), complete_since: page.completeSince.toISOString() };
      },
    });
  },
);
