/** Codes that a caller names by a list of ids, or by a tag. */
import type { Sql } from '../../../../db/client.ts';
import { findOwnIds } from '../../../../db/tables/code-lists/chosen.ts';
import { listTagged } from '../../../../db/tables/code-lists/tags.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { notFound } from '../../../auth/require-found.ts';
import { CHOSEN_MAX, idsOf } from '../../../schemas/code.ts';
import { readTag } from '../../../schemas/codes/labels.ts';

interface Chosen {
  readonly ids?: readonly string[];
  readonly tag?: string;
}

/**
 * Returns the 404 for codes of which some are not the account's. It names the first wrong one of a list of ids.
 */
export const missingCode = async (
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
export const chosenIds = async (
  sql: Sql,
  accountId: string,
  { ids, tag }: Chosen,
): Promise<readonly string[]> => {
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
