/** Codes that a caller names by a list of ids, or by a tag. */

import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import type { Database } from '../../../../db/database.ts';
import {
  changeCodes,
  deleteCodes,
  findOwnIds,
  restoreCodes,
  retagCodes,
} from '../../../../db/tables/codes/chosen.ts';
import { listTagged, TAGS_MAX } from '../../../../db/tables/names.ts';
import type { OfAccount } from '../../../../db/tables/scans/series.ts';
import { announceLinks } from '../../../../db/tables/slugs.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { Tags } from '../../../../generate/request/code-request.ts';
import { readTags } from '../../../../generate/save/request.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { notFound, requireFolder } from '../../../auth/require-found.ts';
import { IdParams, strict, Timestamp, Uuid } from '../../../schemas/atoms.ts';
import {
  CHOSEN_BODY_BYTES,
  CHOSEN_MAX,
  ChosenCodes,
  ChosenIds,
  chosenFields,
  EXAMPLE_ID,
  idsOf,
  readTag,
} from '../../../schemas/code.ts';
import type { Need } from '../../services.ts';

interface Chosen {
  readonly ids?: readonly string[];
  readonly tag?: string;
}

/**
 * Returns the 404 for codes of which some are not the account's. It names the first wrong one of a list of ids.
 */
const missingCode = async (
  sql: Sql,
  accountId: string,
  { ids = [] }: Chosen,
  where: Parameters<typeof findOwnIds>[3] = 'outside the bin',
): Promise<AppError> => {
  const own = await findOwnIds(sql, accountId, ids, where);
  const index = ids.findIndex((id) => !own.has(id.toLowerCase()));
  // Another call may have restored it meanwhile.
  return index < 0 ? notFound('code') : new AppError('not_found', `ids.${index}: there is no such code`);
};

const findTagged = async (sql: Sql, accountId: string, written: string): Promise<readonly string[]> => {
  const tag = readTag(written, 'invalid_body');
  const codes = await listTagged(sql, accountId, tag, { limit: CHOSEN_MAX + 1 });
  if (codes.length === 0) throw new AppError('not_found', 'tag: none of your codes has it');
  if (codes.length <= CHOSEN_MAX) return codes.map(({ id }) => id);
  throw fieldError(
    'tag',
    `more than ${CHOSEN_MAX} of your codes have it; send their ids, ${CHOSEN_MAX} at most in one call`,
  );
};

/**
 * Returns the ids of the chosen codes, each once: as they were sent, or of the codes outside the bin that have the tag.
 *
 * @throws {AppError} 400 unless either is given, 404 when no code has the tag.
 */
const chosenIds = async (sql: Sql, accountId: string, { ids, tag }: Chosen): Promise<readonly string[]> => {
  if (ids !== undefined && tag === undefined) return idsOf({ ids });
  if (ids === undefined && tag !== undefined) return findTagged(sql, accountId, tag);
  throw fieldError('ids', 'send either ids or tag');
};

/** Returns the chosen ids, each once. @throws {AppError} 404 unless all are codes of the account outside the bin. */
export const requireCodeIds = async (
  sql: Sql,
  accountId: string,
  chosen: Chosen,
): Promise<readonly string[]> => {
  const ids = await chosenIds(sql, accountId, chosen);
  const own = await findOwnIds(sql, accountId, ids, 'outside the bin');
  if (own.size < ids.length) throw await missingCode(sql, accountId, chosen);
  return ids;
};

const DAYS = 30;
const DAY_MS = 86_400_000;
const SummaryBody = Type.Object(
  {
    links: Type.Integer({ description: 'Short links that work.' }),
    people: Type.Integer(),
    bots: Type.Integer(),
    previews: Type.Integer(),
    from: Timestamp,
    to: Timestamp,
  },
  { title: 'LinksSummary' },
);

/** Adds the routes that report what a deletion would stop. */
export const linksSummaryRoutes = ofAccount(
  { tag: 'Codes', name: 'codes' },
  (route, { database: { sql }, scanStore, searches }: Need<'database' | 'scanStore' | 'searches'>) => {
    const summarize = async (which: OfAccount, reply: FastifyReply) => {
      const to = new Date();
      const from = new Date(to.getTime() - DAYS * DAY_MS);
      const { links, people, bots, previews } = await searches.run(which.accountId, reply, (signal) =>
        scanStore.recent(sql, which, { from, to }, signal),
      );
      return { links, people, bots, previews, from: from.toISOString(), to: to.toISOString() };
    };

    route('GET /folders/:id/links-summary', {
      operationId: 'getFolderLinksSummary',
      summary: 'The short links of a folder: how many work, and their scans in the last 30 days',
      description: 'What a deletion would stop. Scans by people, bots and previews are counted apart.',
      params: IdParams,
      answer: SummaryBody,
      handle: async ({ params }, { accountId }, reply) => {
        const { id: folderId } = await requireFolder(sql, accountId, params.id);
        return summarize({ accountId, folderId }, reply);
      },
    });

    route('POST /codes/links-summary', {
      operationId: 'getLinksSummary',
      isSafe: true,
      summary: 'The short links of codes: how many work, and their scans in the last 30 days',
      description:
        'Takes up to 1,000 codes, by their ids or by a tag. Scans by people, bots and previews are counted apart.',
      body: ChosenCodes,
      answer: SummaryBody,
      fails: [404],
      options: { bodyLimit: CHOSEN_BODY_BYTES },
      handle: async ({ body }, { accountId }, reply) => {
        const ids = await requireCodeIds(sql, accountId, body);
        return summarize({ accountId, ids }, reply);
      },
    });
  },
);

/** Up to this many links are announced one by one; for more, all links of the account are looked up again. */
const ANNOUNCED_MAX = 20;

const MoveRequest = Type.Object(
  { ...chosenFields, folder_id: { ...Uuid, description: 'One of your folders.' } },
  { ...strict, title: 'MoveCodes', examples: [{ ids: [EXAMPLE_ID], folder_id: EXAMPLE_ID }] },
);

const RetagRequest = Type.Object(
  {
    ...chosenFields,
    add: Type.Optional({ ...Tags, title: 'AddedTags', description: 'Behind the tags that a code has.' }),
    remove: Type.Optional(Tags),
  },
  { ...strict, title: 'RetagCodes', examples: [{ ids: [EXAMPLE_ID], add: ['summer'], remove: ['winter'] }] },
);

/** Returns the tags of a validated body. @throws {AppError} 400. */
const readTagChange = (body: Static<typeof RetagRequest>) => {
  const [add, remove] = [readTags(body.add ?? [], 'add'), readTags(body.remove ?? [], 'remove')];
  const both = remove.findIndex((tag) => add.includes(tag));
  if (both >= 0) throw fieldError(`remove.${both}`, 'is in add, too');
  if (add.length + remove.length === 0) throw fieldError('add', 'send tags to add or to remove');
  return { add, remove };
};

const DoneBody = Type.Object(
  { codes: Type.Integer(), links: Type.Integer({ description: 'How many of them are dynamic.' }) },
  { title: 'ChangedCodes' },
);

/** Announces that links no longer work, or work again. */
const announceAll = (
  { sql: tx, changes }: Database,
  accountId: string,
  slugs: readonly string[],
): Promise<void> =>
  slugs.length > ANNOUNCED_MAX
    ? changes.announce(tx, { kind: 'links-of', id: accountId })
    : announceLinks(tx, changes, slugs);

/**
 * Deletes or restores codes in a transaction, all or none, and returns how many there were.
 *
 * @throws {AppError} 404 when one is not the account's.
 */
const changeAll = async (
  database: Database,
  accountId: string,
  chosen: Static<typeof ChosenCodes>,
  change: typeof deleteCodes,
) => {
  const { sql: tx } = database;
  const ids = await chosenIds(tx, accountId, chosen);
  const slugs = await change(tx, accountId, ids);
  const where = change === restoreCodes ? 'anywhere' : 'outside the bin';
  if (slugs === null) throw await missingCode(tx, accountId, chosen, where);
  await announceAll(database, accountId, slugs);
  return { codes: ids.length, links: slugs.length };
};

/** Adds the routes that move, tag, delete and restore many codes at once. */
export const manyCodesRoutes = ofAccount({ tag: 'Codes', name: 'codes' }, (route) => {
  const many = { isOfMany: true, fails: [404], options: { bodyLimit: CHOSEN_BODY_BYTES } } as const;

  route('POST /codes/move', {
    ...many,
    operationId: 'moveCodes',
    summary: 'Move codes to another folder',
    description: 'Takes up to 1,000 codes, by their ids or by a tag, all or none.',
    body: MoveRequest,
    answer: Type.Object({ codes: Type.Integer() }, { title: 'MovedCodes' }),
    change:
      async ({ body }, { accountId }) =>
      async ({ sql: tx }) => {
        const ids = await chosenIds(tx, accountId, body);
        const missing = await changeCodes(tx, accountId, ids, { folderId: body.folder_id });
        if (missing === 'code') throw await missingCode(tx, accountId, body);
        if (missing !== null) throw notFound(missing);
        return { codes: ids.length };
      },
  });

  route('POST /codes/tags', {
    ...many,
    operationId: 'tagCodes',
    summary: 'Add tags to codes, and remove others',
    description: `Takes up to 1,000 codes, by their ids or by a tag, all or none. A code has at most ${TAGS_MAX} tags.`,
    body: RetagRequest,
    answer: Type.Object(
      {
        codes: Type.Integer(),
        changed: Type.Integer({ description: 'The other codes had these tags already.' }),
      },
      { title: 'RetaggedCodes' },
    ),
    change: async ({ body }, { accountId }) => {
      const tags = readTagChange(body);
      return async ({ sql: tx }) => {
        const ids = await chosenIds(tx, accountId, body);
        const done = await retagCodes(tx, accountId, ids, tags);
        if (done === 'missing') throw await missingCode(tx, accountId, body);
        if (typeof done === 'number') return { codes: ids.length, changed: done };
        const { full } = done;
        throw fieldError(
          'add',
          `the code ${full} would have more than ${TAGS_MAX} tags; remove some of it first`,
        );
      };
    },
  });

  route('POST /codes/delete', {
    ...many,
    operationId: 'deleteCodes',
    summary: 'Move codes to the bin; their short links stop working within a second',
    description:
      'Takes up to 1,000 codes, by their ids or by a tag, all or none. They can be restored for 30 days.',
    body: ChosenCodes,
    answer: DoneBody,
    change:
      async ({ body }, { accountId }) =>
      (database) =>
        changeAll(database, accountId, body, deleteCodes),
  });

  route('POST /codes/restore', {
    ...many,
    operationId: 'restoreCodes',
    summary: 'Restore codes; their short links work again within a second',
    description: 'Works like restoring one code. Codes outside the bin are left unchanged.',
    body: ChosenIds,
    answer: DoneBody,
    change:
      async ({ body }, { accountId }) =>
      (database) =>
        changeAll(database, accountId, body, restoreCodes),
  });
});
