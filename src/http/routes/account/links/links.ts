import Type from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import { readCompleteSince } from '../../../../db/tables/histories/bound.ts';
import { OWN_SLUGS_MAX } from '../../../../db/tables/links/own-slugs.ts';
import { type Link, type LinkChange, listLinkHistory } from '../../../../db/tables/links.ts';
import { type AppError, fieldError } from '../../../../errors.ts';
import { type EditFault, editLink } from '../../../../links/edit.ts';
import { SLUG_TAKEN } from '../../../../links/own-slug.ts';
import { orNull } from '../../../../stored-json.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { notFound, requireLink } from '../../../auth/require-found.ts';
import { checkOf, IfMatchHeaders, withVersion } from '../../../files/versions.ts';
import { fieldsOf, NotModified, PageQuery, SlugParams, Timestamp } from '../../../schemas/atoms.ts';
import { readLabelChanges } from '../../../schemas/codes/labels.ts';
import {
  ChangedBy,
  historySchema,
  toChangedBy,
  toHistoryBody,
  toHistoryPage,
} from '../../../schemas/history.ts';
import { LinkPatch, readLinkPatch, routeFields, toRouteFields } from '../../../schemas/link.ts';
import { withHeaders } from '../../../schemas/openapi-headers.ts';
import type { Need } from '../../services.ts';
import { LinkBody, linkVersion, toLinkBodies } from './body.ts';
import { readNewSlug } from './new-slug.ts';

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
        `a link can be given ${OWN_SLUGS_MAX} slugs, which it keeps for ever; choose one of them`,
        'limit_reached',
      );
  }
};

const ChangeBody = Type.Object(
  {
    slug: Type.String({ description: 'The slug that the code encoded.' }),
    ...routeFields,
    at: Timestamp,
    change_id: orNull(Type.String({ description: 'The id of a bulk change; null: it was changed alone.' })),
    key: ChangedBy,
  },
  { title: 'LinkChange' },
);

const toChangeBody = (change: LinkChange) => ({
  ...fieldsOf(change, 'slug', 'at', 'changeId'),
  ...toRouteFields(change),
  key: toChangedBy(change),
});

/** Adds the routes that read a short link and its history, and change where and when it leads. */
export const linksRoutes = ofAccount(
  { tag: 'Links', name: 'links' },
  (route, parts: Need<'database' | 'freeWork' | 'linkRules' | 'redraw'>) => {
    const { database, linkRules } = parts;
    const { sql } = database;

    const withTotals = async (tx: Sql, link: Link) =>
      (await toLinkBodies(tx, [link], linkRules.shortUrl))[0]!;

    route('GET /links/:slug', {
      operationId: 'getLink',
      summary: 'One short link',
      description: 'Any slug that the link has had finds it. The answer has the current one.',
      params: SlugParams,
      answer: withHeaders(LinkBody, 'ETag'),
      answers: { 304: withHeaders(NotModified, 'ETag') },
      handle: async ({ params }, { accountId }, reply) =>
        withVersion(reply, await withTotals(sql, await requireLink(sql, accountId, params.slug))),
    });

    route('PATCH /links/:slug', {
      operationId: 'updateLink',
      summary: 'Change where and when a short link leads, its slug, and the labels of its code',
      description:
        'Every gateway applies it within a second. The history keeps the change; to undo it, send the earlier fields. A new slug changes the picture of the code, and possibly its grade; prints with an earlier slug keep working.',
      params: SlugParams,
      headers: IfMatchHeaders,
      body: LinkPatch,
      answer: withHeaders(LinkBody, 'ETag'),
      fails: [409, 412],
      change: async (request, { accountId, keyId }, reply) => {
        const { slug: wanted, tags, external_id, ...fields } = request.body;
        const named = await requireLink(sql, accountId, request.params.slug);
        const change = readLinkPatch(fields, linkRules.checkDestination);
        const check = checkOf(request);
        const newSlug = wanted === undefined ? null : await readNewSlug(parts, named, wanted);
        const edit = {
          ...{ accountId, keyId, slug: named.firstSlug, change, newSlug },
          labels: readLabelChanges({
            ...(tags !== undefined && { tags }),
            ...(external_id !== undefined && { external_id }),
          }),
          check: (link: Link) => check(linkVersion(link)),
        };
        return async (changed) => {
          const edited = await editLink(changed, edit);
          if (!edited.ok) throw toError(edited.fault);
          return withVersion(reply, await withTotals(changed.sql, edited.value));
        };
      },
    });

    route('GET /links/:slug/history', {
      operationId: 'listLinkChanges',
      summary: 'The destinations that a short link has had, with its times and slugs, current one first',
      description:
        'Each entry has all fields as they were then, when they were set, and by which key. To go back to one, send its fields to `updateLink`.',
      params: SlugParams,
      querystring: PageQuery,
      answer: historySchema(ChangeBody),
      handle: async ({ params, query }, { accountId }) => {
        const page = toHistoryPage(query);
        const { firstSlug } = await requireLink(sql, accountId, params.slug);
        const changes = await listLinkHistory(sql, accountId, firstSlug, page);
        const since = await readCompleteSince(sql, 'links', firstSlug);
        return toHistoryBody(changes, page, toChangeBody, since);
      },
    });
  },
);
