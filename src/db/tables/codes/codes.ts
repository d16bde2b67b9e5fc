import type { Design, Grade } from '../../../../workers/protocol.ts';
import { findFirst, type Sql } from '../../client.ts';
import { eachRow, type Page, type PageRequest, toPage } from '../../cursor.ts';
import { BYTEA_ARRAY } from '../../statements.ts';
import { type NewLogo, saveLogos } from '../logos.ts';
import { nameKey } from '../names.ts';
import { newLinks, type OwnSlug } from '../slugs.ts';
import { saveDesigns } from './designs.ts';
import { codesFrom, type Fragment, inRangeOrder, isInRange } from './look-up.ts';

/** A code to be saved. */
export interface NewCode {
  /** The position of the code among those of its call or batch, from 0; unique there. It orders them in every list. */
  readonly position: number;
  readonly content: string;
  /** As returned by `toCodeName`. Absent or `null`: none. */
  readonly name?: string | null;
  /** Its id in one of the account's own systems. Absent or `null`: none. */
  readonly externalId?: string | null;
  /** As returned by `toTags`. Absent: none. */
  readonly tags?: readonly string[];
  /** The short link of a dynamic code; `null` for any other. */
  readonly link: {
    readonly slug: string;
    readonly destination: string;
    /** The slug chosen by the account, which the code encodes; absent or `null`: it encodes the generated one. */
    readonly own?: OwnSlug | null;
  } | null;
  readonly design: Design;
  readonly logo: NewLogo | null;
  readonly grade: Grade;
  /** Why the grade is below 4, as in the header `Tessera-Warnings`; '' at 4. */
  readonly warnings: string;
}

/** A saved code, with the current destination of its link. */
export interface StoredCode {
  readonly id: string;
  readonly folderId: string;
  readonly content: string;
  /** The name given by its account; `null`: none yet. */
  readonly name: string | null;
  /** Its id in one of the account's own systems; `null`: none. */
  readonly externalId: string | null;
  readonly tags: readonly string[];
  readonly dynamic: boolean;
  /** The slug that it encodes. */
  readonly slug: string | null;
  /** The slug that its link was created with, under which scans are recorded. */
  readonly firstSlug: string | null;
  /** The own domain of its link, and what its short URL begins with there; `null`: the shared domain, or no link. */
  readonly domainId: string | null;
  readonly place: string | null;
  /** The current destination of the short link; `null` for a code that is not dynamic. */
  readonly destination: string | null;
  readonly design: Design;
  readonly logoSha256: Buffer | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Grade and warnings of the picture when it was made; `null`: its link was imported, and it has no picture yet. */
  readonly grade: Grade | null;
  readonly warnings: string;
  /** When it was given another design than it was made with; `null`: never. */
  readonly redesignedAt: Date | null;
  readonly createdAt: Date;
  readonly position: number;
}

/** A row of `selectCodes`. The content is UTF-8, because Postgres cannot store U+0000 as text. */
export type CodeRow = Omit<StoredCode, 'content'> & { readonly content: Buffer };

/** Decodes a row of `selectCodes`. */
export const toCode = (row: CodeRow): StoredCode => ({ ...row, content: row.content.toString('utf8') });

/**
 * Saves codes, some thousands at most, with their links and logos. Must be called in a transaction.
 *
 * Returns the id of each saved code by position. A code whose slug is in use, even by a deleted link, is not saved, and
 * its position is missing. The same holds if a chosen slug, or a lookalike of it, belongs to another link; the caller
 * must then roll back. Fails with `isOrphan` when the account has no such folder. A folder in the bin is accepted, so
 * the caller must check for that.
 *
 * @param saved.keyId The API key of the caller, for the history of the links.
 * @param saved.domainId The domain of the links; absent or `null`: the shared one.
 * @param saved.at The time of position 0, for codes that are saved in several transactions; `null`: now.
 */
export const insertCodes = async (
  sql: Sql,
  saved: {
    accountId: string;
    folderId: string;
    keyId: string | null;
    domainId?: string | null;
    at?: Date | null;
    codes: readonly NewCode[];
  },
): Promise<ReadonlyMap<number, string>> => {
  const { accountId, folderId, keyId, domainId = null, at = null, codes } = saved;
  const logos = codes.flatMap(({ logo }) => logo ?? []);
  await saveLogos(sql, accountId, logos);
  const designIds = await saveDesigns(sql, accountId, codes);
  const rows = await sql<{ position: number; id: string }[]>`
    with item as materialized (
      select code_id(coalesce(${at}::timestamptz, now()), position) as id, item.* from unnest(
        ${codes.map((c) => c.position)}::integer[],
        ${sql.array(
          codes.map((c) => Buffer.from(c.content)),
          BYTEA_ARRAY,
        )},
        ${codes.map((c) => c.link?.slug ?? null)}::text[],
        ${codes.map((c) => c.link?.destination ?? null)}::text[],
        ${codes.map((c) => c.link?.own?.slug ?? null)}::text[],
        ${codes.map((c) => c.link?.own?.skeleton ?? null)}::text[],
        ${designIds as number[]}::bigint[],
        ${codes.map((c) => c.grade)}::smallint[],
        ${codes.map((c) => c.warnings)}::text[],
        ${codes.map((c) => c.name ?? null)}::text[],
        ${codes.map((c) => (c.name ? nameKey(c.name) : null))}::text[],
        ${codes.map((c) => c.externalId ?? null)}::text[],
        ${codes.map((c) => (c.tags?.length ? JSON.stringify(c.tags) : null))}::text[]
      ) as item (position, content, slug, destination, own_slug, skeleton, design_id, grade, warnings, name, name_key,
        external_id, tags)
    ), ${newLinks(sql, { accountId, keyId, domainId })}, saved as (
      insert into codes (id, account_id, folder_id, content, slug, design_id, grade, warnings, name, name_key, leads_to,
        own_slugs, external_id, tags)
      select id, ${accountId}::uuid, ${folderId}::uuid, content, slug, design_id, grade, warnings, name, name_key,
        case when slug is not null then code_leads_to(destination, content) end,
        case when slug is not null then own_slug end, external_id,
        case when tags is not null then array(select jsonb_array_elements_text(tags::jsonb)) end
      from item where slug is null or slug in (select slug from new_link)
      -- In the order of the indexes, which fills their pages.
      order by position
      returning id
    )
    select position, id from saved join item using (id)`;
  return new Map(rows.map(({ position, id }) => [position, id]));
};

/**
 * Selects the columns of `CodeRow`, in any order. Ids sort by age.
 *
 * @param from A table `c` of codes, with conditions and, if there is a limit, an order.
 */
export const selectCodes = (sql: Sql, from: Fragment, limit: number | null = null) => sql`
  select c.id, c.folder_id, c.content, c.name, c.external_id, coalesce(c.tags, '{}') as tags, c.slug is not null as dynamic, coalesce(l.own_slug, c.slug) as slug,
    c.slug as first_slug, l.domain_id, (select place from domains where id = l.domain_id) as place, l.destination, d.design, d.logo_sha256, (d.design->>'widthPx')::integer as width_px,
    (d.design->>'heightPx')::integer as height_px, c.grade, c.warnings, c.redesigned_at, code_time(c.id) as created_at,
    code_place(c.id) as position
  from ${codesFrom(sql, from, limit)} c
  cross join lateral (
    select design, logo_sha256 from designs where account_id = c.account_id and id = c.design_id offset 0
  ) as d
  left join lateral (select own_slug, domain_id, destination from links where slug = c.slug offset 0) as l on true`;

/** Returns a code outside the bin, or `null` when the account has none with this id. */
export const getCode = async (sql: Sql, accountId: string, id: string): Promise<StoredCode | null> => {
  const [row] = await sql<CodeRow[]>`
    ${selectCodes(sql, sql`live_codes c where c.account_id = ${accountId} and c.id = ${id}`)}`;
  return row ? toCode(row) : null;
};

/**
 * Returns a page of a folder's codes in creation order; codes of one call or batch keep its order. The page is empty for
 * another account's folder. While a batch runs, its rows appear at their places, which may be before a page's end.
 *
 * @param tag Only codes with this tag, as returned by `toTag`; absent: all.
 */
export const listCodes = async (
  sql: Sql,
  accountId: string,
  folderId: string,
  { after, limit }: PageRequest,
  tag?: string,
): Promise<Page<StoredCode>> => {
  const range = { of: 'folder', id: folderId, after: after?.id ?? null, isNewestFirst: false } as const;
  const rows = await sql<CodeRow[]>`
    ${selectCodes(
      sql,
      sql`codes c where c.deleted_at is null and ${isInRange(sql, range)} and (
          select f.account_id = ${accountId} and f.deleted_at is null from folders f where f.id = ${folderId}
        )
        ${tag === undefined ? sql`` : sql`and c.tags @> array[${tag}::text]`}
        order by ${inRangeOrder(sql, range)}`,
      limit + 1,
    )} order by c.id`;
  return toPage(rows.map(toCode), limit);
};

/**
 * Returns the code with the longest content, and the dynamic code with the longest slug.
 *
 * @param from As in `selectCodes`.
 */
export const findLargest = async (sql: Sql, from: Fragment): Promise<readonly StoredCode[]> => {
  const rows = await sql<CodeRow[]>`
    select distinct on (dynamic) * from (${selectCodes(sql, from)}) as code
    order by dynamic, case when dynamic then octet_length(slug) else octet_length(content) end desc`;
  return rows.map(toCode);
};

/** Returns the largest codes of a folder, as `findLargest`. */
export const findLargestCodes = (sql: Sql, accountId: string, folderId: string) =>
  findLargest(sql, sql`live_codes c where c.account_id = ${accountId} and c.folder_id = ${folderId}`);

/** Yields all codes of a folder in the order of `listCodes`. Codes added meanwhile may be included. */
export const eachCode = (sql: Sql, accountId: string, folderId: string, pageSize: number, tag?: string) =>
  eachRow((page) => listCodes(sql, accountId, folderId, page, tag), pageSize);

/**
 * Moves a code to the bin, which stops its link. Returns the slug that the link, if any, was created with; the caller
 * must announce the change. Returns `null` when the account has no such code outside the bin.
 */
export const deleteCode = (
  sql: Sql,
  accountId: string,
  id: string,
): Promise<{ slug: string | null } | null> =>
  findFirst(sql<{ slug: string | null }[]>`
    update codes set deleted_at = now()
    where account_id = ${accountId} and deleted_at is null
      and id = (select id from live_codes where account_id = ${accountId} and id = ${id})
    returning slug`);
