/** Ids that accounts have for their codes. Several codes may have one, unless a call or a batch asks that only one has it. */
import type { Sql } from '../../client.ts';

/** Returns ids of at most `limit` codes outside the bin that have an external id, the newest first. */
export const idsByExternalId = async (
  sql: Sql,
  accountId: string,
  externalId: string,
  limit: number,
): Promise<readonly string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from live_codes where account_id = ${accountId} and external_id = ${externalId}
    order by id desc limit ${limit}`;
  return rows.map(({ id }) => id);
};

/** Returns which of the external ids codes outside the bin have, with the id of the newest code of each. */
export const codesByExternalIds = async (
  sql: Sql,
  accountId: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await sql<{ externalId: string; id: string }[]>`
    select asked.id as external_id, found.id from unnest(${externalIds as string[]}::text[]) as asked (id)
    cross join lateral (
      select id from live_codes where account_id = ${accountId} and external_id = asked.id order by id desc limit 1
    ) as found`;
  return new Map(rows.map(({ externalId, id }) => [externalId, id]));
};

/** Keeps others that ask for this to be unique from giving it to a code, until the transaction ends. */
export const lockExternalId = async (tx: Sql, accountId: string, externalId: string): Promise<void> => {
  await tx`
    select pg_advisory_xact_lock_shared(hashtextextended(${`external ids ${accountId}`}, 0)),
      pg_advisory_xact_lock(hashtextextended(${`external id ${accountId} ${externalId}`}, 0))`;
};

/** Does the same for all external ids of the account: one lock, because those of thousands would fill their table. */
export const lockExternalIds = async (tx: Sql, accountId: string): Promise<void> => {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`external ids ${accountId}`}, 0))`;
};
