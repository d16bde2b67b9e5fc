import type { Sql } from '../client.ts';

/** Where a link leads, and when. */
export interface LinkRoute {
  readonly destination: string;
  /** The link leads to its destination from this moment on; `null`: from its creation. */
  readonly activeFrom: Date | null;
  /** The link leads to its destination before this moment; `null`: without an end. */
  readonly activeUntil: Date | null;
  /** Where it leads before `activeFrom`; `null`: as a deleted link. */
  readonly beforeDestination: string | null;
  /** Where it leads from `activeUntil` on; `null`: as a deleted link. */
  readonly afterDestination: string | null;
}

/** A short link that works. */
export interface Link extends LinkRoute {
  readonly slug: string;
  readonly accountId: string;
  /** The dynamic code that encodes the link. */
  readonly codeId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A route that a link has had, and who set it. */
export interface LinkChange extends LinkRoute {
  readonly id: number;
  /** The API key that set it, which may be revoked by now. The three fields of the key are `null` for the operator. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
  readonly at: Date;
}

/** The times of a link in milliseconds since 1970; an end that is open is infinite. */
export interface LinkWindow {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a slug leads to. */
export interface LinkTarget {
  /** `null`: the link was deleted. */
  readonly destination: string | null;
  readonly accountId: string;
  /** The address to which the account's deleted links redirect; `null`: none. */
  readonly deadLinkUrl: string | null;
  /** `null`: the link has neither a start nor an end, or was deleted. */
  readonly window: LinkWindow | null;
}

type TargetRow = Omit<LinkTarget, 'window'> & { readonly [Name in keyof LinkRoute]: LinkRoute[Name] | null };

const windowOf = (row: TargetRow): LinkWindow | null =>
  row.activeFrom === null && row.activeUntil === null
    ? null
    : {
        fromMs: row.activeFrom?.getTime() ?? Number.NEGATIVE_INFINITY,
        untilMs: row.activeUntil?.getTime() ?? Number.POSITIVE_INFINITY,
        before: row.beforeDestination,
        after: row.afterDestination,
      };

/** Returns the target of a slug, or `null` when no link ever had it. A deleted link keeps its row and its owner. */
export const findTarget = async (sql: Sql, slug: string): Promise<LinkTarget | null> => {
  const [row] = await sql<TargetRow[]>`
    select live.destination, live.active_from, live.active_until, live.before_destination, live.after_destination,
      a.id as account_id, a.dead_link_url
    from links l join accounts a on a.id = l.account_id left join live_links live on live.slug = l.slug
    where l.slug = ${slug}`;
  if (row === undefined) return null;
  const { destination, accountId, deadLinkUrl } = row;
  return { destination, accountId, deadLinkUrl, window: windowOf(row) };
};

/** Returns a link of the account, or `null` when it is unknown, deleted or another account's. */
export const getLink = async (sql: Sql, accountId: string, slug: string): Promise<Link | null> => {
  const [row] = await sql<Link[]>`
    select slug, account_id, code_id, destination, active_from, active_until, before_destination, after_destination,
      created_at, updated_at
    from live_links
    where account_id = ${accountId} and slug = ${slug}`;
  return row ?? null;
};

/** Makes other edits of a link wait until the transaction ends. */
export const lockLink = async (sql: Sql, slug: string): Promise<void> => {
  await sql`select from links where slug = ${slug} for update`;
};

/**
 * Changes the route of a link and adds it to the history. Returns `null` when the link is unknown, deleted or
 * another account's.
 */
export const updateRoute = async (
  sql: Sql,
  change: LinkRoute & { readonly accountId: string; readonly slug: string; readonly keyId: string | null },
): Promise<Link | null> => {
  const [row] = await sql<Link[]>`
    with changed as (
      update links set destination = ${change.destination},
        active_from = ${change.activeFrom}::timestamptz, active_until = ${change.activeUntil}::timestamptz,
        before_destination = ${change.beforeDestination}::text, after_destination = ${change.afterDestination}::text,
        updated_at = now()
      where slug = (select slug from live_links where account_id = ${change.accountId} and slug = ${change.slug})
      returning slug, account_id, code_id, destination, active_from, active_until, before_destination,
        after_destination, created_at, updated_at
    ), noted as (
      insert into link_history (slug, destination, active_from, active_until, before_destination, after_destination, key_id)
      select slug, destination, active_from, active_until, before_destination, after_destination, ${change.keyId}::uuid
      from changed
    )
    select * from changed`;
  return row ?? null;
};

/**
 * Returns the routes of a link, the present one first. The list is empty for a link that is deleted or another
 * account's.
 */
export const listLinkHistory = (
  sql: Sql,
  accountId: string,
  slug: string,
  { beforeId, limit }: { readonly beforeId: number | null; readonly limit: number },
): Promise<readonly LinkChange[]> => sql<LinkChange[]>`
  select h.id, h.destination, h.active_from, h.active_until, h.before_destination, h.after_destination, h.key_id,
    k.name as key_name, k.prefix as key_prefix, h.at
  from link_history h join live_links l on l.slug = h.slug left join api_keys k on k.id = h.key_id
  where l.account_id = ${accountId} and l.slug = ${slug}
  ${beforeId === null ? sql`` : sql`and h.id < ${beforeId}`}
  order by h.id desc limit ${limit}`;
