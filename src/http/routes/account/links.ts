import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Link } from '../../../db/tables/links.ts';
import { type ScanTotals, scanTotals } from '../../../db/tables/scans/scans.ts';
import { fieldError } from '../../../errors.ts';
import { editLink } from '../../../links/edit.ts';
import { principalOf } from '../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../auth/of-account.ts';
import { ownLink } from '../../auth/owned.ts';
import { BODY_ERRORS, errors, KEY_ERRORS, orNull, SlugParams, Timestamp, Uuid } from '../../schemas/atoms.ts';
import { allScans } from '../../schemas/code.ts';
import type { CheckDestination } from '../../schemas/dead-link-url.ts';
import { LinkPatch, readLinkPatch, routeFields, toRouteFields } from '../../schemas/link.ts';

/** What the routes of short links need. */
export interface LinksRouteParts extends DatabaseParts {
  /** Returns the URL that the code of a slug encodes. */
  shortUrl(slug: string): string;
  readonly checkDestination: CheckDestination;
}

const LinkBody = Type.Object(
  {
    slug: Type.String(),
    ...routeFields,
    short_url: Type.String({ description: 'What the code encodes.' }),
    code_id: Uuid,
    scan_count: Type.Integer({ description: 'All scans since the creation of the link.' }),
    scans: Type.Object(
      { people: Type.Integer(), bots: Type.Integer(), previews: Type.Integer() },
      { description: 'The same number by kind of scan.' },
    ),
    last_scan_at: orNull(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Link' },
);

/** Adds the routes that read a short link and change where and when it leads. */
export const linksRoutes =
  (parts: LinksRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Links', parts);
    const { database, shortUrl } = parts;
    const { sql } = database;
    const config = { name: 'links' };

    const toLinkBody = (link: Link, totals: ScanTotals | undefined) => ({
      slug: link.slug,
      ...toRouteFields(link),
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
          operationId: 'getLink',
          summary: 'One short link',
          params: SlugParams,
          response: { 200: LinkBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => withTotals(await ownLink(sql, principalOf(request).accountId, request.params.slug)),
    );

    app.patch(
      '/links/:slug',
      {
        config,
        schema: {
          operationId: 'updateLink',
          summary: 'Change where and when a short link leads',
          description:
            'Every gateway applies it within a second. The history keeps every change; to undo one, send the earlier fields.',
          params: SlugParams,
          body: LinkPatch,
          response: { 200: LinkBody, ...errors(404, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId, keyId } = principalOf(request);
        const { slug } = await ownLink(sql, accountId, request.params.slug);
        const change = readLinkPatch(request.body, parts.checkDestination);
        const link = await editLink(database, { accountId, keyId, slug, change });
        if (link === 'disordered') throw fieldError('active_until', 'must be after active_from');
        return withTotals(link ?? (await ownLink(sql, accountId, slug)));
      },
    );
  };
