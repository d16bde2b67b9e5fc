/** Notifies webhooks of what is saved. `sql/0010_webhooks.sql` covers everything that a trigger can see. */
import { writeTraceContext } from '../../../tracing/context.ts';
import { currentTrace } from '../../../tracing/trace.ts';
import type { Sql } from '../../client.ts';

/** Maximum number of ids in an event. */
const IDS_MAX = 100;

/**
 * Writes `code.created` for the webhooks that subscribe to it: one event for all codes of a call. Must be called in the
 * transaction that saves them. Batches do not call it; the event at their end covers their codes.
 *
 * @param saved.ids The ids of the codes, in order.
 */
export const tellNewCodes = async (
  tx: Sql,
  saved: { accountId: string; folderId: string; keyId: string | null; ids: readonly string[] },
): Promise<void> => {
  const { accountId, folderId, keyId, ids } = saved;
  const trace = currentTrace();
  await tx`
    select tell_new_codes(${accountId}, ${folderId}, ${keyId}, null, ${ids.length}, ${ids.slice(0, IDS_MAX)}::uuid[],
      ${trace === undefined ? null : writeTraceContext(trace.context)})`;
};
