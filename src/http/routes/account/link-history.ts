import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { decodeNumberCursor, encodeNumberCursor } from '../../../db/cursor.ts';
import { type LinkChange, listLinkHistory } from '../../../db/tables/links.ts';
import { fieldError } from '../../../errors.ts';
import { principalOf } from '../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../auth/of-account.ts';
import { ownLink } from '../../auth/owned.ts';
import {
  errors,
  KEY_ERRORS,
  orNull,
  PageQuery,
  pageSchema,
  SlugParams,
  Timestamp,
  Uuid,
} from '../../schemas/atoms.ts';
import { routeFields, toRouteFields } from '../../schemas/link.ts';

const ChangeBody = Type.Object(
  {
    ...routeFields,
    at: Timestamp,
    key: orNull(
      Type.Object(
        { id: Uuid, name: Type.String(), prefix: Type.String() },
        {
          description: 'The API key that made the change, which may be revoked by now; null: the operator.',
        },
      ),
    ),
  },
  { title: 'LinkChange' },
);

const toChangeBody = ({ at, keyId, keyName, keyPrefix, ...route }: LinkChange) => ({
  ...toRouteFields(route),
  at: at.toISOString(),
  key: keyId === null ? null : { id: keyId, name: keyName ?? '', prefix: keyPrefix ?? '' },
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
          summary: 'Every destination that a short link has had, with its times, the present one first',
          params: SlugParams,
          querystring: PageQuery,
          response: { 200: pageSchema(ChangeBody), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { cursor, limit = 20 } = request.query;
        const beforeId = cursor === undefined ? null : decodeNumberCursor(cursor);
        if (beforeId === undefined) {
          throw fieldError('cursor', 'must be the next_cursor of the previous page', 'invalid_query');
        }
        const { accountId } = principalOf(request);
        const { slug } = await ownLink(sql, accountId, request.params.slug);
        const rows = await listLinkHistory(sql, accountId, slug, { beforeId, limit: limit + 1 });
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        return {
          data: page.map(toChangeBody),
          next_cursor: last !== undefined && rows.length > limit ? encodeNumberCursor(last.id) : null,
        };
      },
    );
  };
