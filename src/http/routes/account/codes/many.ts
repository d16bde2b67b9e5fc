import Type, { type Static } from 'typebox';
import type { Database } from '../../../../db/database.ts';
import { changeCodes, deleteCodes, restoreCodes } from '../../../../db/tables/code-lists/chosen.ts';
import { announceLinks } from '../../../../db/tables/links/own-slugs.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { notFound } from '../../../auth/require-found.ts';
import { strict, Uuid } from '../../../schemas/atoms.ts';
import {
  CHOSEN_BODY_BYTES,
  ChosenCodes,
  ChosenIds,
  chosenFields,
  EXAMPLE_ID,
} from '../../../schemas/code.ts';
import { chosenIds, missingCode } from './require-codes.ts';

/** Up to this many links are announced one by one; for more, all links of the account are looked up again. */
const ANNOUNCED_MAX = 20;

const MoveRequest = Type.Object(
  { ...chosenFields, folder_id: { ...Uuid, description: 'One of your folders.' } },
  { ...strict, title: 'MoveCodes', examples: [{ ids: [EXAMPLE_ID], folder_id: EXAMPLE_ID }] },
);

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

/** Adds the routes that move, delete and restore many codes at once. */
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
