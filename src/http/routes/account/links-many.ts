import Type, { type Static } from 'typebox';
import type { Sql } from '../../../db/client.ts';
import { hasFolder } from '../../../db/tables/folders.ts';
import { getLinkJob } from '../../../db/tables/link-jobs/jobs.ts';
import { findLinks, listSlugsOfFolder } from '../../../db/tables/links.ts';
import { listTagged } from '../../../db/tables/names.ts';
import { fieldError } from '../../../errors.ts';
import {
  editLinks,
  LINKS_AT_ONCE_MAX,
  type ManyEdited,
  type ManyFault,
  NO_RULE_SET,
  undoChange,
} from '../../../links/edit.ts';
import { isSlug } from '../../../links/slug.ts';
import type { Result } from '../../../result.ts';
import { orNull } from '../../../stored-json.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireUndone } from '../../auth/require-found.ts';
import { IdParams, strict } from '../../schemas/atoms.ts';
import { readTag, TagFilter } from '../../schemas/code.ts';
import { RouteChange, readLinkPatch, readPasswordChange } from '../../schemas/link.ts';
import type { Need } from '../services.ts';

const ManyLinksPatch = Type.Object(
  {
    slugs: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: LINKS_AT_ONCE_MAX }),
    ),
    folder_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Instead of `slugs`: all short links of a folder.' }),
    ),
    tag: Type.Optional({
      ...TagFilter,
      description: 'Instead of `slugs`: all short links whose codes have this tag.',
    }),
    change: RouteChange,
  },
  {
    ...strict,
    title: 'ManyLinksPatch',
    examples: [{ slugs: ['4fGk2LmQ', 'spring-menu'], change: { active_until: '2026-12-31T23:00:00Z' } }],
  },
);

const Changed = Type.Object(
  {
    change_id: orNull(
      Type.String({ format: 'uuid', description: 'The id that undoes the change; null: nothing changed.' }),
    ),
    links: Type.Integer(),
    changed: Type.Integer({ description: 'The other links already had these values.' }),
  },
  { title: 'ManyLinksChanged' },
);

/** @throws {AppError} 400 when there are more slugs than one call may change. */
const within = (field: string, slugs: readonly string[]): readonly string[] => {
  if (slugs.length <= LINKS_AT_ONCE_MAX) return slugs;
  throw fieldError(
    field,
    `has more than ${LINKS_AT_ONCE_MAX} short links; send their slugs, ${LINKS_AT_ONCE_MAX} at most in one call`,
  );
};

/** Returns the slugs with which the links were made. @throws {AppError} 400 when one of them is not the account's. */
const findFirstSlugs = async (
  sql: Sql,
  accountId: string,
  { slugs, folder_id: folderId, tag }: Static<typeof ManyLinksPatch>,
): Promise<readonly string[]> => {
  if ([slugs, folderId, tag].filter((choice) => choice !== undefined).length !== 1) {
    throw fieldError('slugs', 'send one of slugs, folder_id and tag');
  }
  if (slugs !== undefined) {
    // Postgres refuses some texts that are not slugs.
    const found = await findLinks(sql, accountId, slugs.filter(isSlug));
    const known = new Set(found.map(({ slug }) => slug));
    const missing = slugs.findIndex((slug) => !known.has(slug));
    if (missing >= 0) throw fieldError(`slugs.${missing}`, 'there is no such short link');
    return [...new Set(found.map(({ firstSlug }) => firstSlug))];
  }
  const limit = LINKS_AT_ONCE_MAX + 1;
  if (tag !== undefined) {
    const options = { limit, isDynamic: true };
    const tagged = await listTagged(sql, accountId, readTag(tag, 'invalid_body'), options);
    return within(
      'tag',
      tagged.flatMap(({ slug }) => slug ?? []),
    );
  }
  if (!(await hasFolder(sql, accountId, folderId!))) throw fieldError('folder_id', 'there is no such folder');
  return within('folder_id', await listSlugsOfFolder(sql, accountId, folderId!, limit));
};

const toBody = (edited: Result<ManyEdited, ManyFault>) => {
  if (edited.ok) {
    const { changeId, links, changed } = edited.value;
    return { change_id: changeId, links, changed };
  }
  const { slug, why } = edited.fault;
  if (why === 'no rule set') throw fieldError('change.rule_set_id', NO_RULE_SET);
  if (why === 'disordered') {
    throw fieldError('change.active_until', `must be after active_from, but is not for the link ${slug}`);
  }
  throw fieldError('slugs', `the link ${slug} was deleted meanwhile`);
};

/** Adds the routes that change many short links at once, and undo that. */
export const manyLinksRoutes = ofAccount(
  { tag: 'Links', name: 'links' },
  (route, { linkRules: { checkDestination } }: Need<'linkRules'>) => {
    route('PATCH /links', {
      operationId: 'updateLinks',
      isOfMany: true,
      summary: 'Change where and when many short links lead, all or none',
      description:
        'Every gateway applies it within a second. The change is in the history of each link; slugs do not change.',
      body: ManyLinksPatch,
      answer: Changed,
      change: async ({ body }, { accountId, keyId }) => {
        const change = {
          ...readLinkPatch(body.change, checkDestination, 'change.'),
          ...(await readPasswordChange(body.change)),
        };
        return async (database) => {
          const firstSlugs = await findFirstSlugs(database.sql, accountId, body);
          return toBody(await editLinks(database, { accountId, keyId }, firstSlugs, change));
        };
      },
    });

    route('POST /links/changes/:id/undo', {
      operationId: 'undoLinksChange',
      isOfMany: true,
      summary: 'Undo a bulk change: each link leads where it led before',
      description:
        'Later changes are overwritten. Links that were deleted since are left out. The undo is itself a change, so it can be undone. A change whose history is no longer complete is a 404. `undoLinkJob` undoes link jobs.',
      params: IdParams,
      answer: Changed,
      change:
        async ({ params }, { accountId, keyId }) =>
        async (database) => {
          if ((await getLinkJob(database.sql, accountId, params.id)) !== null)
            throw fieldError(
              'id',
              `is that of a link job; undo it with POST /api/v1/link-jobs/${params.id}/undo`,
              'invalid_params',
            );
          const undone = await undoChange(database, { accountId, keyId }, params.id);
          return toBody(requireUndone('links', undone));
        },
    });
  },
);
