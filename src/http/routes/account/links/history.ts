import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { type LinkChange, listLinkHistory } from '../../../../db/tables/links.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../../auth/of-account.ts';
import { ownLink } from '../../../auth/owned.ts';
import {
  errors,
  KEY_ERRORS,
  orNull,
  PageQuery,
  pageSchema,
  SlugParams,
  Timestamp,
} from '../../../schemas/atoms.ts';
import { ChangedBy, toChangedBy, toHistoryBody, toHistoryPage } from '../../../schemas/history.ts';
import { routeFields, toRouteFields } from '../../../schemas/link.ts';

const ChangeBody = Type.Object(
  {
    slug: Type.String({ description: 'The slug that the code encoded.' }),
    ...routeFields,
    at: Timestamp,
    change_id: orNull(Type.String({ description: 'Of a change of many links; null: it was changed alone.' })),
    key: ChangedBy,
  },
  { title: 'LinkChange' },
);

const toChangeBody = ({ slug, at, changeId, ...change }: LinkChange) => ({
  slug,
  ...toRouteFields(change),
  at: at.toISOString(),
  change_id: changeId,
  key: toChangedBy(change),
});

/** Adds the route that lists where and when a short link has led. */
export const linkHistoryRoute =
  ({ database, ...account }: DatabaseParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Links', account);
    const { sql } = database;

    app.get(
      '/links/:slug/history',
      {
        config: { name: 'links' },
        schema: {
          operationId: 'listLinkChanges',
          summary:
            'Every destination that a short link has had, with its times and slugs, the present one first',
          params: SlugParams,
          querystring: PageQuery,
          response: { 200: pageSchema(ChangeBody), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const page = toHistoryPage(request.query);
        const { accountId } = principalOf(request);
        const { firstSlug } = await ownLink(sql, accountId, request.params.slug);
        const rows = await listLinkHistory(sql, accountId, firstSlug, page);
        return toHistoryBody(rows, page, toChangeBody);
      },
    );
  };
