/** Says that codes of running batches are missing in what is sent. */
import type { FastifyReply } from 'fastify';
import type { Sql } from '../../../../db/client.ts';
import { countFilling } from '../../../../db/tables/batches/batches.ts';

/**
 * Adds `Tessera-Unfinished-Batches` when batches are still adding codes: these appear at the places of their rows, which
 * may be before the end of what is sent.
 *
 * @param folderId Only batches of this folder; absent: all of the account.
 */
export const tellUnfinished = async (
  sql: Sql,
  reply: FastifyReply,
  accountId: string,
  folderId?: string,
): Promise<void> => {
  const count = await countFilling(sql, accountId, folderId === undefined ? {} : { folderId });
  if (count > 0) void reply.header('tessera-unfinished-batches', String(count));
};
