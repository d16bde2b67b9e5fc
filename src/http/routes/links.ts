import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { decodeNumberCursor, encodeNumberCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/database.ts';
import { getLink, type Link, type LinkChange, listLinkHistory } from '../../db/links.ts';
import { type ScanTotals, scanTotals } from '../../db/scans.ts';
import { AppError, fieldError } from '../../errors.ts';
import type { checkDestination } from '../../links/destination.ts';
import { editDestination } from '../../links/edit.ts';
import { isSlug } from '../../links/slug.ts';
import { callerOf } from '../auth.ts';
import { allScans } from '../code-body.ts';
import { type AccountParts, ofAccount } from '../of-account.ts';
import {
  BODY_ERRORS,
  errors,
  KEY_ERRORS,
  orNull,
  PageQuery,
  pageSchema,
  SlugParams,
  strict,
  Timestamp,
  Uuid,
} from '../schema.ts';

export interface LinksRouteParts extends AccountParts {
  readonly database: Database;
  shortUrl(slug: string): string;
  checkDestination(written: string): ReturnType<typeof checkDestination>;
}

const NewDestination = Type.Object(
  {
    destination: Type.String({
      description: 'An absolute http or https URL without credentials; none of our own short links.',
    }),
  },
  { ...strict, examples: [{ destination: 'https://example.com/autumn' }] },
);

const LinkBody = Type.Object({
  slug: Type.String(),
  destination: Type.String(),
  short_url: Type.String({ description: 'What the code encodes.' }),
  code_id: Uuid,
  scan_count: Type.Integer({ description: 'All scans since the link was made.' }),
  scans: Type.Object(
    { people: Type.Integer(), bots: Type.Integer(), previews: Type.Integer() },
    { description: 'The same by who it was.' },
  ),
  last_scan_at: orNull(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const ChangeBody = Type.Object({
  destination: Type.String(),
  at: Timestamp,
  key: orNull(
    Type.Object(
      { id: Uuid, name: Type.String(), prefix: Type.String() },
      { description: 'The key that made the change, be it revoked since; null: the operator.' },
    ),
  ),
});

const toChangeBody = ({ destination, at, keyId, keyName, keyPrefix }: LinkChange) => ({
  destination,
  at: at.toISOString(),
  key: keyId === null ? null : { id: keyId, name: keyName ?? '', prefix: keyPrefix ?? '' },
});

/** @throws {AppError} 404, the same for a slug of another account and for one that can't be. */
export const ownLink = async (sql: Database['sql'], accountId: string, slug: string): Promise<Link> => {
  const link = isSlug(slug) ? await getLink(sql, accountId, slug) : null;
  if (link === null) throw new AppError('not_found', 'There is no such short link.');
  return link;
};

export const linksRoutes =
  (parts: LinksRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Links', parts);
    const { database, shortUrl } = parts;
    const { sql } = database;
    const config = { name: 'links' };

    const toLinkBody = (link: Link, totals: ScanTotals | undefined) => ({
      slug: link.slug,
      destination: link.destination,
      short_url: shortUrl(link.slug),
      code_id: link.codeId,
      scan_count: allScans(totals),
      scans: {
        people: totals?.people ?? 0,
        bots: totals?.bots ?? 0,
        previews: totals?.previews ?? 0,
      },
      last_scan_at: totals?.lastAt.toISOString() ?? null,
      created_at: link.createdAt.toISOString(),
      updated_at: link.updatedAt.toISOString(),
    });

    const withTotals = async (link: Link) =>
      toLinkBody(link, (await scanTotals(sql, [link.slug])).get(link.slug));

    app.get(
      '/links/:slug',
      {
        config,
        schema: {
          summary: 'One short link',
          params: SlugParams,
          response: { 200: LinkBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => withTotals(await ownLink(sql, callerOf(request).accountId, request.params.slug)),
    );

    app.patch(
      '/links/:slug',
      {
        config,
        schema: {
          summary: 'Lead a short link elsewhere; in force on every gateway within a second',
          description: 'Every change is kept. To roll one back, send the earlier destination.',
          params: SlugParams,
          body: NewDestination,
          response: { 200: LinkBody, ...errors(404, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId, keyId } = callerOf(request);
        const { slug } = await ownLink(sql, accountId, request.params.slug);
        const checked = parts.checkDestination(request.body.destination);
        if (!checked.ok) throw fieldError('destination', checked.message);
        const edit = { accountId, keyId, slug, destination: checked.href };
        const link = await editDestination(database, edit);
        return withTotals(link ?? (await ownLink(sql, accountId, slug)));
      },
    );

    app.get(
      '/links/:slug/history',
      {
        config,
        schema: {
          summary: 'Every destination that a short link has had, the present one first',
          params: SlugParams,
          querystring: PageQuery,
          response: { 200: pageSchema(ChangeBody), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { cursor, limit = 20 } = request.query;
        const beforeId = cursor === undefined ? null : decodeNumberCursor(cursor);
        if (beforeId === undefined) {
          throw fieldError('cursor', 'must be the next_cursor of the page before', 'invalid_query');
        }
        const { accountId } = callerOf(request);
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
