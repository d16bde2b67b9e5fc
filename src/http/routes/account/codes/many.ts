import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import type { Database } from '../../../../db/database.ts';
import { changeCodes, deleteCodes, restoreCodes } from '../../../../db/tables/code-lists/chosen.ts';
import { announceLinks } from '../../../../db/tables/links/own-slugs.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../../auth/of-account.ts';
import { notFound, owned } from '../../../auth/owned.ts';
import { BODY_ERRORS, errors, KEY_ERRORS, strict, Uuid } from '../../../schemas/atoms.ts';
import { CHOSEN_BODY_BYTES, ChosenCodes, EXAMPLE_ID, Ids, idsOf } from '../../../schemas/code.ts';

/** So many links are announced one by one; of more, the caches drop everything at once. */
const ANNOUNCED_MAX = 20;

const MoveRequest = Type.Object(
  { ids: Ids, folder_id: { ...Uuid, description: 'One of your folders.' } },
  { ...strict, title: 'MoveCodes', examples: [{ ids: [EXAMPLE_ID], folder_id: EXAMPLE_ID }] },
);

const DoneBody = Type.Object(
  { codes: Type.Integer(), links: Type.Integer({ description: 'Of them dynamic.' }) },
  { title: 'ChangedCodes' },
);

/** Announces that links work no longer, or again. */
const announceAll = (
  { changes }: Pick<Database, 'changes'>,
  tx: Sql,
  slugs: readonly string[],
): Promise<void> =>
  slugs.length > ANNOUNCED_MAX
    ? changes.announce(tx, { kind: 'everything' })
    : announceLinks(tx, changes, slugs);

/**
 * Deletes or restores codes, all or none, and says how many there were.
 *
 * @throws {AppError} 404 when one is not theirs.
 */
const changeAll = async (
  database: Database,
  accountId: string,
  ids: readonly string[],
  change: typeof deleteCodes,
) => {
  const links = await database.sql.begin(async (tx) => {
    const slugs = owned('code', await change(tx, accountId, ids));
    await announceAll(database, tx, slugs);
    return slugs.length;
  });
  return { codes: ids.length, links };
};

/** Adds the routes that move, delete and restore many codes at once. */
export const manyCodesRoutes =
  ({ database, ...account }: DatabaseParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);
    const { sql } = database;
    const route = { config: { name: 'codes' }, bodyLimit: CHOSEN_BODY_BYTES };
    const response = { 200: DoneBody, ...errors(404, ...BODY_ERRORS, ...KEY_ERRORS) };

    app.post(
      '/codes/move',
      {
        ...route,
        schema: {
          operationId: 'moveCodes',
          summary: 'Move codes to another folder',
          body: MoveRequest,
          response: {
            200: Type.Object({ codes: Type.Integer() }, { title: 'MovedCodes' }),
            ...errors(404, ...BODY_ERRORS, ...KEY_ERRORS),
          },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const ids = idsOf(request.body);
        const change = { folderId: request.body.folder_id };
        const missing = await sql.begin((tx) => changeCodes(tx, accountId, ids, change));
        if (missing !== null) throw notFound(missing);
        return { codes: ids.length };
      },
    );

    app.post(
      '/codes/delete',
      {
        ...route,
        schema: {
          operationId: 'deleteCodes',
          summary: 'Move codes to the bin; their short links stop within a second',
          body: ChosenCodes,
          response,
        },
      },
      (request) => changeAll(database, principalOf(request).accountId, idsOf(request.body), deleteCodes),
    );

    app.post(
      '/codes/restore',
      {
        ...route,
        schema: {
          operationId: 'restoreCodes',
          summary: 'Restore codes; their short links work again within a second',
          description: 'As the restoration of one code. Codes outside the bin stay as they are.',
          body: ChosenCodes,
          response,
        },
      },
      (request) => changeAll(database, principalOf(request).accountId, idsOf(request.body), restoreCodes),
    );
  };
