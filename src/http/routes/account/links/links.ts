import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { OWN_SLUGS_MAX } from '../../../../db/tables/links/own-slugs.ts';
import type { Link } from '../../../../db/tables/links.ts';
import { type ScanTotals, scanTotals } from '../../../../db/tables/scans/scans.ts';
import { type AppError, fieldError } from '../../../../errors.ts';
import { type EditFault, editLink } from '../../../../links/edit.ts';
import { SLUG_TAKEN } from '../../../../links/own-slug.ts';
import { principalOf } from '../../../auth/auth.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { notFound, ownLink } from '../../../auth/owned.ts';
import {
  BODY_ERRORS,
  errors,
  KEY_ERRORS,
  orNull,
  SlugParams,
  Timestamp,
  Uuid,
} from '../../../schemas/atoms.ts';
import type { CheckDestination } from '../../../schemas/dead-link-url.ts';
import { LinkPatch, readLinkPatch, routeFields, toRouteFields } from '../../../schemas/link.ts';
import { type NewSlugParts, readNewSlug } from './new-slug.ts';

/** What the routes of short links need. */
export interface LinksRouteParts extends NewSlugParts {
  /** Returns the URL that the code of a slug encodes. */
  shortUrl(slug: string): string;
  readonly checkDestination: CheckDestination;
}

const LinkBody = Type.Object(
  {
    slug: Type.String({ description: 'The slug that the code encodes. Earlier ones lead to the link too.' }),
    ...routeFields,
    short_url: Type.String({ description: 'What the code encodes.' }),
    code_id: Uuid,
    scan_count: Type.Integer({ description: 'Scans by people since the creation of the link.' }),
    scans: Type.Object(
      { people: Type.Integer(), bots: Type.Integer(), previews: Type.Integer() },
      { description: 'The same number, and beside it visits of bots and previews.' },
    ),
    last_scan_at: orNull(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Link' },
);

const toError = (fault: EditFault): AppError => {
  switch (fault) {
    case 'missing':
      return notFound('short link');
    case 'disordered':
      return fieldError('active_until', 'must be after active_from');
    case 'taken':
      return fieldError('slug', SLUG_TAKEN, 'name_taken');
    case 'too many':
      return fieldError(
        'slug',
        `a link can be given ${OWN_SLUGS_MAX} slugs, and all of them lead to it for ever; choose one of those`,
        'limit_reached',
      );
  }
};

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
      scan_count: totals?.people ?? 0,
      scans: {
        people: totals?.people ?? 0,
        bots: totals?.bots ?? 0,
        previews: totals?.previews ?? 0,
      },
      last_scan_at: totals?.lastAt?.toISOString() ?? null,
      created_at: link.createdAt.toISOString(),
      updated_at: link.updatedAt.toISOString(),
    });

    const withTotals = async (link: Link) =>
      toLinkBody(link, (await scanTotals(sql, [link.firstSlug])).get(link.firstSlug));

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
          summary: 'Change where and when a short link leads, and its slug',
          description:
            'Every gateway applies it within a second. The history keeps every change; to undo one, send the earlier fields. With another slug the picture of the code changes, and its grade may; prints with an earlier slug continue to work.',
          params: SlugParams,
          body: LinkPatch,
          response: { 200: LinkBody, ...errors(404, 409, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId, keyId } = principalOf(request);
        const { slug: wanted, ...fields } = request.body;
        const named = await ownLink(sql, accountId, request.params.slug);
        const change = readLinkPatch(fields, parts.checkDestination);
        const newSlug = wanted === undefined ? null : await readNewSlug(parts, named, wanted);
        const edited = await editLink(database, {
          accountId,
          keyId,
          slug: named.firstSlug,
          change,
          newSlug,
        });
        if (!edited.ok) throw toError(edited.fault);
        return withTotals(edited.value);
      },
    );
  };
