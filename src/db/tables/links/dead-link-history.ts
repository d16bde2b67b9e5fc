import type { Sql } from '../../client.ts';

/** A past or current redirect address for an account's dead links, and who set it. */
export interface DeadLinkChange {
  readonly id: number;
  /** `null`: none. */
  readonly deadLinkUrl: string | null;
  /** The API key that set it, which may be revoked by now. The three fields of the key are `null` for the operator. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
  readonly at: Date;
}

/**
 * Adds an address to the history, unless it is the latest one. Must be called in the transaction that sets it.
 *
 * @param keyId The API key that sets it; `null`: the operator.
 */
export const noteDeadLinkUrl = async (
  sql: Sql,
  accountId: string,
  { url, keyId }: { readonly url: string | null; readonly keyId: string | null },
): Promise<void> => {
  await sql`
    insert into dead_link_history (account_id, dead_link_url, key_id)
    select ${accountId}, ${url}::text, ${keyId}::uuid
    where ${url}::text is distinct from (
      select dead_link_url from dead_link_history where account_id = ${accountId} order by id desc limit 1
    )`;
};

/** Returns the addresses of an account, the current one first. */
export const listDeadLinkHistory = (
  sql: Sql,
  accountId: string,
  { beforeId, limit }: { readonly beforeId: number | null; readonly limit: number },
): Promise<readonly DeadLinkChange[]> => sql<DeadLinkChange[]>`
  select h.id, h.dead_link_url, h.key_id, k.name as key_name, k.prefix as key_prefix, h.at
  from dead_link_history h left join api_keys k on k.id = h.key_id
  where h.account_id = ${accountId} ${beforeId === null ? sql`` : sql`and h.id < ${beforeId}`}
  order by h.id desc limit ${limit}`;
