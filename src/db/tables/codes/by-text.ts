/** Finds the codes of a folder by what readers read in their symbols. Costs the same however many it has. */
import type { Sql } from '../../client.ts';
import { BYTEA_ARRAY } from '../../statements.ts';
import { type CodeRow, type StoredCode, selectCodes, toCode } from './codes.ts';
import { inRangeOrder, isInRange } from './look-up.ts';

/** A folder of an account. */
export interface FolderOf {
  readonly accountId: string;
  readonly folderId: string;
}

/** What names a code in a list. */
export interface NamedCode {
  readonly id: string;
  readonly name: string | null;
  readonly externalId: string | null;
}

/** What symbols hold, and how many of them. */
export interface WantedContent {
  readonly content: string;
  /** Whether they hold an element string. */
  readonly isGs1: boolean;
  readonly count: number;
}

/** A code that was found by its content. */
export interface CodeByContent extends NamedCode, Omit<WantedContent, 'count'> {}

/**
 * Returns the live codes of a folder that have these contents, oldest first, and of each at most as many as are wanted.
 * Short links are left out: their symbols hold other texts.
 */
export const codesByContent = async (
  sql: Sql,
  { accountId, folderId }: FolderOf,
  wanted: readonly WantedContent[],
): Promise<readonly CodeByContent[]> => {
  const contents = sql.array(
    wanted.map(({ content }) => Buffer.from(content)),
    BYTEA_ARRAY,
  );
  const areGs1 = wanted.map(({ isGs1 }) => Number(isGs1));
  const counts = wanted.map(({ count }) => count);
  // In the order of the index `codes_by_content`, so that of many codes with one content only the first are read.
  const rows = await sql<(Omit<CodeByContent, 'content'> & { content: Buffer })[]>`
    select found.id, found.name, found.external_id, asked.content, asked.gs1 = 1 as is_gs1
    from unnest(${contents}, ${areGs1}::integer[], ${counts}::integer[]) as asked (content, gs1, count)
    cross join lateral (
      select c.id, c.name, c.external_id from codes c
      where c.folder_id = ${folderId} and content_key(c.content) = content_key(asked.content)
        and c.content = asked.content and c.deleted_at is null and c.slug is null and c.account_id = ${accountId}
        and (asked.gs1 = 1) = coalesce((select design->'symbol'->>'gs1' = 'element-string' from designs
          where account_id = ${accountId} and id = c.design_id), false)
      order by c.folder_id, content_key(c.content), c.id limit asked.count
    ) as found order by found.id`;
  return rows.map((row) => ({ ...row, content: row.content.toString('utf8') }));
};

/** A code that was found by a slug of its short link. */
export interface CodeBySlug extends NamedCode {
  /** The slug that was asked for. */
  readonly slug: string;
  /** The slug that its link was created with. */
  readonly firstSlug: string;
  /** What its short URL begins with on its own domain; `null`: it is on the shared one. */
  readonly place: string | null;
}

/** Returns the live codes of a folder whose short links have, or had, one of these slugs. */
export const codesBySlug = (
  sql: Sql,
  { accountId, folderId }: FolderOf,
  slugs: readonly string[],
): Promise<readonly CodeBySlug[]> => sql<CodeBySlug[]>`
  select asked.slug, first.slug as first_slug, c.id, c.name, c.external_id,
    (select place from domains where id = l.domain_id) as place
  from unnest(${slugs as string[]}::text[]) as asked (slug)
  cross join lateral (
    select asked.slug
    union
    select o.link_slug from own_slugs o
    where o.slug = asked.slug
      and (o.domain_id is null or o.domain_id in (select id from domains where account_id = ${accountId}))
  ) as first
  cross join lateral (
    select domain_id from links where slug = first.slug and account_id = ${accountId} offset 0
  ) as l
  cross join lateral (
    select id, name, external_id from codes
    where slug = first.slug and folder_id = ${folderId} and deleted_at is null offset 0
  ) as c`;

/**
 * Returns live codes of a folder in its order, without those of some ids.
 *
 * @param between Ids between which they are; absent: all of the folder.
 */
export const listOthers = async (
  sql: Sql,
  { folderId }: FolderOf,
  ids: readonly string[],
  limit: number,
  between: { readonly first?: string; readonly last?: string } = {},
): Promise<readonly StoredCode[]> => {
  const range = { of: 'folder', id: folderId, after: null, isNewestFirst: false, ...between } as const;
  const rows = await sql<CodeRow[]>`
    ${selectCodes(
      sql,
      sql`codes c where c.deleted_at is null and ${isInRange(sql, range)} and c.id <> all(${ids as string[]}::uuid[])
        order by ${inRangeOrder(sql, range)}`,
      limit,
    )} order by c.id`;
  return rows.map(toCode);
};
