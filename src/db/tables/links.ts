import type { Sql } from '../client.ts';

/** A short link that works. */
export interface Link {
  readonly slug: string;
  readonly accountId: string;
  /** The dynamic code that encodes the link. */
  readonly codeId: string;
  readonly destination: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A destination that a link has had, and who set it. */
export interface LinkChange {
  readonly id: number;
  readonly destination: string;
  /** The API key that set it, which may be revoked by now. The three fields of the key are `null` for the operator. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
  readonly at: Date;
}

/** What a slug leads to. */
export interface LinkTarget {
  /** `null`: the link was deleted. */
  readonly destination: string | null;
  readonly accountId: string;
  /** The address to which the account's deleted links redirect; `null`: none. */
  readonly deadLinkUrl: string | null;
}

/** Returns the target of a slug, or `null` when no link ever had it. A deleted link keeps its row and its owner. */
export const findTarget = async (sql: Sql, slug: string): Promise<LinkTarget | null> => {
  const [row] = await sql<LinkTarget[]>`
    select live.destination, a.id as account_id, a.dead_link_url
    from links l join accounts a on a.id = l.account_id left join live_links live on live.slug = l.slug
    where l.slug = ${slug}`;
  return row ?? null;
};

/** Returns a link of the account, or `null` when it is unknown, deleted or another account's. */
export const getLink = async (sql: Sql, accountId: string, slug: string): Promise<Link | null> => {
  const [row] = await sql<Link[]>`
    select slug, account_id, code_id, destination, created_at, updated_at from live_links
    where account_id = ${accountId} and slug = ${slug}`;
  return row ?? null;
};

/**
 * Changes the destination of a link and adds it to the history. Returns `null` when the link is unknown, deleted or
 * another account's.
 */
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

/**
 * Returns the destinations of a link, the present one first. The list is empty for a link that is deleted or another
 * account's.
 */
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
