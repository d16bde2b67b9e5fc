/**
 * Short links: reading and changing them, and drawing a code with a slug that its account chose, before the link gets
 * it.
 */

import Type from 'typebox';
import type { Sql } from '../../../db/client.ts';
import { readCompleteSince } from '../../../db/tables/histories.ts';
import { type Link, type LinkChange, listLinkHistory } from '../../../db/tables/links.ts';
import { OWN_SLUGS_MAX } from '../../../db/tables/slugs.ts';
import { type AppError, fieldError } from '../../../errors.ts';
import { noTimings } from '../../../generate/parts.ts';
import { type EditFault, editLink, type NewSlug, NO_RULE_SET } from '../../../links/edit.ts';
import { checkOwnSlug, SLUG_TAKEN } from '../../../links/slug.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { notFound, requireCode, requireLink } from '../../auth/require-found.ts';
import { DomainQuery } from '../../domain.ts';
import { checkOf, IfMatchHeaders, withVersion } from '../../files/versions.ts';
import { fieldsOf, NotModified, PageQuery, SlugParams, strict } from '../../schemas/atoms.ts';
import { readLabelChanges } from '../../schemas/code.ts';
import { historySchema, toChangedBy, toHistoryBody, toHistoryPage } from '../../schemas/history.ts';
import {
  LinkBody,
  LinkChangeBody,
  LinkPatch,
  readLinkPatch,
  readPasswordChange,
  toRouteFields,
} from '../../schemas/link.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import type { Need } from '../services.ts';
import { linkVersion, toLinkBodies } from './links-list.ts';

/**
 * Checks a slug that was chosen for a link, and grades the picture of its code with it. A slug that the link has
 * already needs no drawing, and may be the one that it was made with. Nor does a code without a picture. Drawing counts as free work.
 *
 * @throws {AppError} 400 when the slug is malformed, is reserved, or does not fit the symbol; 404 when the link is
 *   deleted.
 */
const readNewSlug = async (
  { database: { sql }, redraw, freeWork }: Need<'database' | 'freeWork' | 'redraw'>,
  link: Link,
  written: string,
): Promise<NewSlug | null> => {
  if (written === link.slug) return null;
  const checked = checkOwnSlug(written, link.domainId);
  if (!checked.ok && written !== link.firstSlug) throw fieldError('slug', checked.fault);
  const chosen = checked.ok ? checked.value : { slug: written, skeleton: written };
  const code = await requireCode(sql, link.accountId, link.codeId);
  if (code.grade === null) return { ...chosen, grade: null, warnings: '' };
  const sketched = redraw.sketch({ ...code, slug: written }, 'png');
  if (!sketched.ok) {
    const { field, message } = sketched.fault;
    throw fieldError('slug', `the code cannot be drawn with it: ${field} ${message}`);
  }
  freeWork.admit(link.accountId);
  const { grade, warnings } = await redraw.draw(link.accountId, sketched.value, noTimings());
  return { ...chosen, grade, warnings };
};

const toError = (fault: EditFault): AppError => {
  switch (fault) {
    case 'missing':
      return notFound('short link');
    case 'disordered':
      return fieldError('active_until', 'must be after active_from');
    case 'no rule set':
      return fieldError('rule_set_id', NO_RULE_SET);
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

const toChangeBody = (change: LinkChange) => ({
  ...fieldsOf(change, 'slug', 'at', 'changeId'),
  ...toRouteFields(change),
  key: toChangedBy(change),
});

const HistoryQuery = Type.Object({ ...PageQuery.properties, ...DomainQuery.properties }, strict);

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
      description:
        'Any slug that the link has had finds it: at the shared domain, or, with `domain`, at that one. The answer has the current one.',
      params: SlugParams,
      querystring: DomainQuery,
      answer: withHeaders(LinkBody, 'ETag'),
      answers: { 304: withHeaders(NotModified, 'ETag') },
      handle: async ({ params, query }, { accountId }, reply) =>
        withVersion(
          reply,
          await withTotals(sql, await requireLink(sql, accountId, params.slug, query.domain)),
        ),
    });

    route('PATCH /links/:slug', {
      operationId: 'updateLink',
      summary: 'Change where and when a short link leads, its slug, and the labels of its code',
      description:
        'Every gateway applies it within a second. The history keeps the change; to undo it, send the earlier fields. A new slug changes the picture of the code, and possibly its grade; prints with an earlier slug keep working.',
      params: SlugParams,
      querystring: DomainQuery,
      headers: IfMatchHeaders,
      body: LinkPatch,
      answer: withHeaders(LinkBody, 'ETag'),
      fails: [409, 412],
      change: async (request, { accountId, keyId }, reply) => {
        const { slug: wanted, tags, external_id, ...fields } = request.body;
        const named = await requireLink(sql, accountId, request.params.slug, request.query.domain);
        const change = {
          ...readLinkPatch(fields, linkRules.checkDestination),
          ...(await readPasswordChange(fields)),
        };
        const check = checkOf(request);
        const newSlug = wanted === undefined ? null : await readNewSlug(parts, named, wanted);
        const edit = {
          accountId,
          keyId,
          slug: named.firstSlug,
          change,
          newSlug,
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
      querystring: HistoryQuery,
      answer: historySchema(LinkChangeBody),
      handle: async ({ params, query }, { accountId }) => {
        const page = toHistoryPage(query);
        const { firstSlug } = await requireLink(sql, accountId, params.slug, query.domain);
        const changes = await listLinkHistory(sql, accountId, firstSlug, page);
        const since = await readCompleteSince(sql, 'links', firstSlug);
        return toHistoryBody(changes, page, toChangeBody, since);
      },
    });
  },
);
