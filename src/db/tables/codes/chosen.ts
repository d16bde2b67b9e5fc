/**
 * Codes that a caller chose by id, at most some thousands, without duplicates. Operations are all-or-nothing: they do
 * nothing unless the account has all of the codes outside the bin.
 */
import { changesOne, type Sql } from '../../client.ts';
import { eachRow, type Page, type PageRequest, toPage } from '../../cursor.ts';
import { binStart, keepNamed } from '../bin.ts';
import { nameKey, TAGS_MAX } from '../names.ts';
import { type CodeRow, getCode, type StoredCode, selectCodes, toCode } from './codes.ts';
import { codesById, isFolderLive } from './look-up.ts';

/** Returns which of the ids are codes of the account, outside the bin or anywhere. */
export const findOwnIds = async (
  sql: Sql,
  accountId: string,
  ids: readonly string[],
  where: 'outside the bin' | 'anywhere',
): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ id: string }[]>`
    select c.id from ${codesById(sql, accountId, ids)}
    ${where === 'anywhere' ? sql`` : sql`where ${isFolderLive(sql)}`}
    ${where === 'anywhere' ? sql`union all select c.id from ${codesById(sql, accountId, ids, sql`c.deleted_at is not null`)}` : sql``}`;
  return new Set(rows.map(({ id }) => id));
};

/** Locks these codes against other changes until the transaction ends. Returns `false` when some are missing. */
const lockCodes = async (tx: Sql, accountId: string, ids: readonly string[]): Promise<boolean> => {
  const { count } = await tx`
    select from ${codesById(tx, accountId, ids)} where ${isFolderLive(tx)} for update of c`;
  return count === ids.length;
};

/** The condition that a row of `codes` is one of those that the transaction has locked. */
const isAmong = (tx: Sql, accountId: string, ids: readonly string[]) =>
  tx`ctid = any(array(select c.place from ${codesById(tx, accountId, ids)}))`;

/** Locks and returns one code; `null` when it is missing. */
export const lockCode = async (tx: Sql, accountId: string, id: string): Promise<StoredCode | null> =>
  (await lockCodes(tx, accountId, [id])) ? getCode(tx, accountId, id) : null;

/** Keeps a folder out of the bin until the transaction ends. Returns `false` when the account has none with this id. */
const keepFolder = (tx: Sql, accountId: string, id: string): Promise<boolean> =>
  changesOne(tx`
    select from folders where account_id = ${accountId} and id = ${id} and deleted_at is null for share`);

/** What accounts find codes by, besides their names. Absent fields are unchanged. */
export interface LabelChange {
  /** `null`: none. */
  readonly externalId?: string | null;
  /** As returned by `toTags`. */
  readonly tags?: readonly string[];
}

/** What may change about a code. Absent fields are unchanged. */
export interface CodeChange extends LabelChange {
  /** As returned by `toCodeName`; `null`: none. */
  readonly name?: string | null;
  readonly folderId?: string;
}

/**
 * Names and labels codes, or moves them to another folder. Must be called in a transaction. If a code or the folder is
 * missing, changes nothing and returns which; otherwise returns `null`.
 */
export const changeCodes = async (
  tx: Sql,
  accountId: string,
  ids: readonly string[],
  { name, folderId, externalId, tags }: CodeChange,
): Promise<'code' | 'folder' | null> => {
  if (folderId !== undefined && !(await keepFolder(tx, accountId, folderId))) return 'folder';
  if (!(await lockCodes(tx, accountId, ids))) return 'code';
  const named =
    name === undefined
      ? tx`name = name`
      : tx`name = ${name}::text, name_key = ${name === null ? null : nameKey(name)}::text`;
  await tx`
    update codes set ${named} ${folderId === undefined ? tx`` : tx`, folder_id = ${folderId}`}
      ${externalId === undefined ? tx`` : tx`, external_id = ${externalId}::text`}
      ${tags === undefined ? tx`` : tx`, tags = nullif(${tags}::text[], '{}')`}
    where ${isAmong(tx, accountId, ids)}`;
  return null;
};

/**
 * Gives each code tags of its own. Codes that are in the bin, or another account's, are left out.
 *
 * @param tagged Tags as returned by `toTags`.
 */
export const tagCodes = async (
  tx: Sql,
  accountId: string,
  tagged: readonly { readonly codeId: string; readonly tags: readonly string[] }[],
): Promise<void> => {
  await tx`
    update codes c set tags = nullif(item.tags, '{}')
    from (
      select (each ->> 'codeId')::uuid as id, array(select jsonb_array_elements_text(each -> 'tags')) as tags
      from jsonb_array_elements(${JSON.stringify(tagged)}::text::jsonb) as each
    ) as item
    where c.account_id = ${accountId} and c.id = item.id and c.deleted_at is null`;
};

/** Tags to add to codes and to remove from them, as returned by `toTags`. */
export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/**
 * Adds tags to codes, behind those that they have, and removes others. Must be called in a transaction. If a code is
 * missing, or would have too many tags, changes nothing and returns which; otherwise returns how many changed.
 */
export const retagCodes = async (
  tx: Sql,
  accountId: string,
  ids: readonly string[],
  { add, remove }: TagChange,
): Promise<number | 'missing' | { readonly full: string }> => {
  if (!(await lockCodes(tx, accountId, ids))) return 'missing';
  const [full] = await tx<{ id: string }[]>`
    select c.id from ${codesById(tx, accountId, ids)}
    where cardinality(retagged(c.tags, ${add as string[]}, ${remove as string[]})) > ${TAGS_MAX} limit 1`;
  if (full !== undefined) return { full: full.id };
  const { count } = await tx`
    update codes set tags = retagged(tags, ${add as string[]}, ${remove as string[]})
    where ${isAmong(tx, accountId, ids)}
      and tags is distinct from retagged(tags, ${add as string[]}, ${remove as string[]})`;
  return count;
};

/**
 * Moves codes to the bin, which stops their links. Must be called in a transaction. Returns the slugs of those links,
 * which the caller must announce; `null` when some codes are missing.
 */
export const deleteCodes = async (
  tx: Sql,
  accountId: string,
  ids: readonly string[],
): Promise<readonly string[] | null> => {
  if (!(await lockCodes(tx, accountId, ids))) return null;
  const rows = await tx<{ slug: string | null }[]>`
    update codes set deleted_at = now()
    where ${isAmong(tx, accountId, ids)} returning slug`;
  return rows.flatMap(({ slug }) => slug ?? []);
};

/**
 * Restores codes with their links. Those whose folder is in the bin move to the account's folder of the same name,
 * which is created if missing. Codes outside the bin are unchanged. Must be called in a transaction. Returns the slugs
 * of the restored codes, which the caller must announce; `null` when the account does not have all of them.
 */
export const restoreCodes = async (
  tx: Sql,
  accountId: string,
  ids: readonly string[],
): Promise<readonly string[] | null> => {
  const start = binStart(new Date());
  const isRestorable = tx`(c.deleted_at is null or c.deleted_at > ${start})`;
  const codes = await tx<{ slug: string | null; folderId: string }[]>`
    select c.slug, c.folder_id from ${codesById(tx, accountId, ids, isRestorable)} for update of c`;
  if (codes.length < ids.length) return null;
  // A separate statement, because another call may have moved the codes before they were locked.
  const folders = await tx<{ id: string; name: string; isLive: boolean }[]>`
    select id, name, deleted_at is null as is_live from folders
    where id = any(${[...new Set(codes.map(({ folderId }) => folderId))]}::uuid[])
      and (deleted_at is null or deleted_at > ${start})
    order by id for share`;
  const homes = new Map<string, string>();
  for (const { id, name, isLive } of folders)
    homes.set(id, isLive ? id : await keepNamed(tx, accountId, name));
  if (!codes.every(({ folderId }) => homes.has(folderId))) return null;
  await tx`
    update codes set deleted_at = null, folder_id = home
    from unnest(${[...homes.keys()]}::uuid[], ${[...homes.values()]}::uuid[]) as homes (folder, home)
    where ctid = any(array(select c.place from ${codesById(tx, accountId, ids, isRestorable)})) and folder_id = folder
      and (deleted_at is not null or deleted_at is null and home <> folder)`;
  return codes.flatMap(({ slug }) => slug ?? []);
};

/** Returns a page of those codes outside the bin, in creation order. */
export const listChosen = async (
  sql: Sql,
  accountId: string,
  ids: readonly string[],
  { after, limit }: PageRequest,
): Promise<Page<StoredCode>> => {
  const rows = await sql<CodeRow[]>`
    ${selectCodes(
      sql,
      sql`${codesById(sql, accountId, ids)} where ${isFolderLive(sql)}
        ${after ? sql`and c.id > ${after.id}` : sql``} order by c.id limit ${limit + 1}`,
    )} order by c.id`;
  return toPage(rows.map(toCode), limit);
};

/** Yields those codes in creation order. */
export const eachChosenCode = (sql: Sql, accountId: string, ids: readonly string[], pageSize: number) =>
  eachRow((page) => listChosen(sql, accountId, ids, page), pageSize);
