/** Codes that a caller names by a list of ids. */
import type { Sql } from '../../../../db/client.ts';
import { findOwnIds } from '../../../../db/tables/code-lists/chosen.ts';
import { AppError } from '../../../../errors.ts';
import { notFound } from '../../../auth/require-found.ts';
import { idsOf } from '../../../schemas/code.ts';

interface Chosen {
  readonly ids: readonly string[];
}

/** Returns the 404 for a list of ids of which some are not the account's codes. It names the first one of those. */
export const missingCode = async (
  sql: Sql,
  accountId: string,
  { ids }: Chosen,
  where: Parameters<typeof findOwnIds>[3] = 'outside the bin',
): Promise<AppError> => {
  const own = await findOwnIds(sql, accountId, ids, where);
  const index = ids.findIndex((id) => !own.has(id.toLowerCase()));
  // Meanwhile another call may have brought it back.
  return index < 0 ? notFound('code') : new AppError('not_found', `ids.${index}: there is no such code`);
};

/** Returns the chosen ids, each once. @throws {AppError} 404 unless all are codes of the account outside the bin. */
export const requireCodeIds = async (
  sql: Sql,
  accountId: string,
  chosen: Chosen,
): Promise<readonly string[]> => {
  const ids = idsOf(chosen);
  const own = await findOwnIds(sql, accountId, ids, 'outside the bin');
  if (own.size < ids.length) throw await missingCode(sql, accountId, chosen);
  return ids;
};
