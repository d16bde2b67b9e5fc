import type { Sql } from '../client.ts';

export interface Link {
  readonly slug: string;
  readonly accountId: string;
  /** The code that the link was made for. */
  readonly codeId: string;
  readonly destination: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface LinkChange {
  readonly id: number;
  readonly destination: string;
  /** The key that made the change, revoked or not; all three `null`: the operator. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
  readonly at: Date;
}

/** Where a slug leads, whoever asks. */
export interface LinkTarget {
  /** `null`: deleted. */
  readonly destination: string | null;
  readonly accountId: string;
  /** Where the account wants its deleted links to lead; `null`: nowhere. */
  readonly deadLinkUrl: string | null;
}

/** `null`: never made. A deleted link keeps its row for ever, so that it is still known whose it was. */
export const findTarget = async (sql: Sql, slug: string): Promise<LinkTarget | null> => {
  const [row] = await sql<LinkTarget[]>`
    select live.destination, a.id as account_id, a.dead_link_url
    from links l join accounts a on a.id = l.account_id left join live_links live on live.slug = l.slug
    where l.slug = ${slug}`;
  return row ?? null;
};

/** For its owner. `null`: unknown, deleted or another account's. */
export const getLink = async (sql: Sql, accountId: string, slug: string): Promise<Link | null> => {
  const [row] = await sql<Link[]>`
    select slug, account_id, code_id, destination, created_at, updated_at from live_links
    where account_id = ${accountId} and slug = ${slug}`;
  return row ?? null;
};

/** Changes where the link leads and notes it in the history. `null`: unknown, deleted or another account's. */
export const updateDestination = async (
  sql: Sql,
  change: { accountId: string; slug: string; destination: string; keyId: string | null },
): Promise<Link | null> => {
  const [row] = await sql<Link[]>`
    with changed as (
      update links set destination = ${change.destination}, updated_at = now()
      where slug = (select slug from live_links where account_id = ${change.accountId} and slug = ${change.slug})
      returning slug, account_id, code_id, destination, created_at, updated_at
    ), noted as (
      insert into link_history (slug, destination, key_id)
      select slug, destination, ${change.keyId}::uuid from changed
    )
    select * from changed`;
  return row ?? null;
};

/** Newest change first, the first destination last. Empty also for another account's link. */
export const listLinkHistory = (
  sql: Sql,
  accountId: string,
  slug: string,
  { beforeId, limit }: { readonly beforeId: number | null; readonly limit: number },
): Promise<readonly LinkChange[]> => sql<LinkChange[]>`
  select h.id, h.destination, h.key_id, k.name as key_name, k.prefix as key_prefix, h.at
  from link_history h join live_links l on l.slug = h.slug left join api_keys k on k.id = h.key_id
  where l.account_id = ${accountId} and l.slug = ${slug}
  ${beforeId === null ? sql`` : sql`and h.id < ${beforeId}`}
  order by h.id desc limit ${limit}`;
