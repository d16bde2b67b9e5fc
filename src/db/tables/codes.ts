import { randomUUID } from 'node:crypto';
import type { Design } from '../../../workers/protocol.ts';
import { BYTEA_ARRAY } from '../array-types.ts';
import type { Sql } from '../client.ts';
import { type Cursor, type Page, type PageRequest, toPage } from '../cursor.ts';
import { type NewLogo, saveLogos } from './logos.ts';

export interface NewCode {
  /** Place in the batch, from 0; unique in it. */
  readonly position: number;
  readonly content: string;
  /** Of a dynamic code. */
  readonly link: { readonly slug: string; readonly destination: string } | null;
  readonly design: Design;
  readonly logo: NewLogo | null;
}

export interface StoredCode {
  readonly id: string;
  readonly folderId: string;
  readonly content: string;
  readonly dynamic: boolean;
  readonly slug: string | null;
  /** Where the short link leads now; `null` for a code that is not dynamic. */
  readonly destination: string | null;
  readonly design: Design;
  readonly logoSha256: Buffer | null;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly createdAt: Date;
  readonly position: number;
}

export type CodeRow = Omit<StoredCode, 'content'> & { readonly content: Buffer };

export const toCode = (row: CodeRow): StoredCode => ({ ...row, content: row.content.toString('utf8') });

/**
 * Saves a batch of up to 100 codes with their links and logos; to be called in a transaction.
 *
 * Returns the id of each saved code by its position. A position that is missing there had a slug which is in
 * use (one that was deleted too): no code of it was saved, and the caller draws another slug. Throws when the
 * folder is not the account's or no more (`isOrphan`); that it is not in the bin is for the caller to know.
 *
 * @param batch.keyId The key that asked, for the history of the links.
 */
export const insertCodes = async (
  sql: Sql,
  batch: { accountId: string; folderId: string; keyId: string | null; codes: readonly NewCode[] },
): Promise<ReadonlyMap<number, string>> => {
  const { accountId, folderId, keyId, codes } = batch;
  const logos = codes.flatMap(({ logo }) => logo ?? []);
  await saveLogos(sql, accountId, logos);
  const rows = await sql<{ position: number; id: string }[]>`
    with item as (
      select * from unnest(
        ${codes.map(() => randomUUID())}::uuid[],
        ${codes.map((c) => c.position)}::integer[],
        ${sql.array(
          codes.map((c) => Buffer.from(c.content)),
          BYTEA_ARRAY,
        )},
        ${codes.map((c) => c.link?.slug ?? null)}::text[],
        ${codes.map((c) => c.link?.destination ?? null)}::text[],
        ${codes.map((c) => JSON.stringify(c.design))}::text[],
        ${sql.array(
          codes.map((c) => c.logo?.sha256 ?? null),
          BYTEA_ARRAY,
        )},
        ${codes.map((c) => c.design.widthPx)}::integer[],
        ${codes.map((c) => c.design.heightPx)}::integer[]
      ) as item (id, position, content, slug, destination, design, logo_sha256, width_px, height_px)
    ), new_link as (
      insert into links (slug, account_id, code_id, destination)
      select slug, ${accountId}::uuid, id, destination from item where slug is not null order by slug
      on conflict (slug) do nothing
      returning slug, destination
    ), history as (
      insert into link_history (slug, destination, key_id)
      select slug, destination, ${keyId}::uuid from new_link
    )
    insert into codes (id, account_id, folder_id, position, content, dynamic, slug, design, logo_sha256,
      width_px, height_px)
    select id, ${accountId}::uuid, ${folderId}::uuid, position, content, slug is not null, slug, design::jsonb, logo_sha256,
      width_px, height_px
    from item where slug is null or slug in (select slug from new_link)
    returning position, id`;
  return new Map(rows.map(({ position, id }) => [position, id]));
};

/** Of those that are not in the bin, as `c`. */
export const selectCodes = (sql: Sql) => sql`
  select c.id, c.folder_id, c.content, c.dynamic, c.slug, l.destination, c.design, c.logo_sha256,
    c.width_px, c.height_px, c.created_at, c.position
  from live_codes c left join links l on l.slug = c.slug`;

export const getCode = async (sql: Sql, accountId: string, id: string): Promise<StoredCode | null> => {
  const [row] = await sql<CodeRow[]>`${selectCodes(sql)} where c.account_id = ${accountId} and c.id = ${id}`;
  return row ? toCode(row) : null;
};

/** In the order in which they were made, a batch in its own order. Empty also for another account's folder. */
export const listCodes = async (
  sql: Sql,
  accountId: string,
  folderId: string,
  { after, limit }: PageRequest,
): Promise<Page<StoredCode>> => {
  const rows = await sql<CodeRow[]>`
    ${selectCodes(sql)}
    where c.account_id = ${accountId} and c.folder_id = ${folderId}
    ${after ? sql`and (c.created_at, c.position, c.id) > (${after.createdAt}, ${after.position}, ${after.id})` : sql``}
    order by c.created_at, c.position, c.id limit ${limit + 1}`;
  return toPage(rows.map(toCode), limit);
};

/**
 * All codes of a folder, for an archive, page by page: between two pages no connection is held, however slowly
 * the reader takes them. A code that is added meanwhile may come along.
 */
export async function* eachCode(
  sql: Sql,
  accountId: string,
  folderId: string,
  pageSize: number,
): AsyncGenerator<StoredCode, void, undefined> {
  let after: Cursor | null = null;
  do {
    const { rows, next }: Page<StoredCode> = await listCodes(sql, accountId, folderId, {
      after,
      limit: pageSize,
    });
    yield* rows;
    after = next === null ? null : (rows.at(-1) ?? null);
  } while (after);
}

/** Moves the code to the bin, and so ends its link. Returns the slug that stopped, if any; `null`: no such code. */
export const deleteCode = async (
  sql: Sql,
  accountId: string,
  id: string,
): Promise<{ slug: string | null } | null> => {
  const [row] = await sql<{ slug: string | null }[]>`
    update codes set deleted_at = now()
    where id = (select id from live_codes where account_id = ${accountId} and id = ${id}) and deleted_at is null
    returning slug`;
  return row ?? null;
};
