import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { type DeadLinkChange, listDeadLinkHistory } from '../../../../db/tables/links/dead-link-history.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../../auth/of-account.ts';
import { errors, KEY_ERRORS, orNull, PageQuery, pageSchema, Timestamp } from '../../../schemas/atoms.ts';
import { ChangedBy, toChangedBy, toHistoryBody, toHistoryPage } from '../../../schemas/history.ts';

const ChangeBody = Type.Object(
  { dead_link_url: orNull(Type.String({ description: 'null: none.' })), at: Timestamp, key: ChangedBy },
  { title: 'DeadLinkChange' },
);

const toChangeBody = ({ deadLinkUrl, at, ...change }: DeadLinkChange) => ({
  dead_link_url: deadLinkUrl,
  at: at.toISOString(),
  key: toChangedBy(change),
});

/** Adds the route that lists where an account's dead links have led. */
export const deadLinkHistoryRoute =
  ({ database, ...account }: DatabaseParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Account', account);

    app.get(
      '/account/dead-link-history',
      {
        config: { name: 'account' },
        schema: {
          operationId: 'listDeadLinkChanges',
          summary: 'Every address to which your dead short links have led, the present one first',
          description: 'To lead them to an earlier one again, send it to `updateOwnAccount`.',
          querystring: PageQuery,
          response: { 200: pageSchema(ChangeBody), ...errors(400, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const page = toHistoryPage(request.query);
        const { accountId } = principalOf(request);
        return toHistoryBody(await listDeadLinkHistory(database.sql, accountId, page), page, toChangeBody);
      },
    );
  };
