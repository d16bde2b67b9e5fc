/**
 * The bin: what was deleted can be brought back for a while. Until it is purged (`bin-purge.ts`) it is there for
 * nobody but the bin itself; everything else reads `live_codes`, `live_links` and folders without `deleted_at`.
 */

import { ok, type Result, refused } from '../../result.ts';
import type { Sql } from '../client.ts';
import { type Page, type PageRequest, toPage } from '../cursor.ts';
import type { Database } from '../database.ts';
import { isTaken } from '../faults.ts';
import { getCode, type StoredCode } from './codes.ts';
import { restoredNames } from './folder-name.ts';
import { ensureFolder, type Folder, getFolder } from './folders.ts';

export const BIN_DAYS = 30;
const DAY_MS = 86_400_000;

export interface BinnedThing {
  readonly kind: 'folder' | 'code';
  readonly id: string;
  /** Of a folder its name, of a code its content. */
  readonly name: string;
  /** Codes that come back with a folder; `null` for a code. */
  readonly codeCount: number | null;
  readonly deletedAt: Date;
  /** From then on it can't be brought back. */
  readonly expiresAt: Date;
}

type BinRow = Omit<BinnedThing, 'name' | 'expiresAt'> & { readonly name: Buffer; readonly createdAt: Date };

const toThing = ({ createdAt, name, ...row }: BinRow): BinnedThing => ({
  ...row,
  name: name.toString('utf8'),
  expiresAt: new Date(row.deletedAt.getTime() + BIN_DAYS * DAY_MS),
});

/** What was deleted before is no more, be it purged or not. */
export const binStart = (now: Date): Date => new Date(now.getTime() - BIN_DAYS * DAY_MS);

/** The latest deletion first. Codes that went with their folder come back with it and are not listed. */
export const listBin = async (
  sql: Sql,
  accountId: string,
  { after, limit }: PageRequest,
): Promise<Page<BinnedThing>> => {
  const mine = sql`
    account_id = ${accountId} and deleted_at > ${binStart(new Date())}
    ${after ? sql`and (deleted_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by deleted_at desc, id desc limit ${limit + 1}`;
  const rows = await sql<BinRow[]>`
    select *, deleted_at as created_at from (
      (select 'folder' as kind, id, convert_to(name, 'UTF8') as name, deleted_at,
        (select count(*) from codes where folder_id = folders.id and codes.deleted_at is null) as code_count
        from folders where ${mine})
      union all
      (select 'code', id, content, deleted_at, null from codes where ${mine})
    ) as things
    order by deleted_at desc, id desc limit ${limit + 1}`;
  const { rows: page, next } = toPage(rows, limit);
  return { rows: page.map(toThing), next };
};

/** The first of the names that the folder may come back with that no other one has; `null`: all are taken. */
const freeName = async (sql: Sql, accountId: string, name: string): Promise<string | null> => {
  const names = restoredNames(name);
  const rows = await sql<{ name: string }[]>`
    select name from folders where account_id = ${accountId} and name = any(${names}) and deleted_at is null`;
  const taken = new Set(rows.map((row) => row.name));
  return names.find((candidate) => !taken.has(candidate)) ?? null;
};

const presentFolder = async (tx: Sql, accountId: string, id: string): Promise<Result<Folder, 'missing'>> => {
  const folder = await getFolder(tx, accountId, id);
  return folder === null ? refused('missing') : ok(folder);
};

const bringFolderBack = (
  { sql, changes }: Pick<Database, 'sql' | 'changes'>,
  accountId: string,
  id: string,
): Promise<Result<Folder, 'missing' | 'taken'>> =>
  sql.begin(async (tx) => {
    const [binned] = await tx<{ name: string }[]>`
      select name from folders
      where account_id = ${accountId} and id = ${id} and deleted_at > ${binStart(new Date())} for update`;
    if (binned === undefined) return presentFolder(tx, accountId, id);
    const name = await freeName(tx, accountId, binned.name);
    if (name === null) return refused('taken');
    await tx`update folders set deleted_at = null, name = ${name} where id = ${id}`;
    await changes.announce(tx, { kind: 'everything' });
    return presentFolder(tx, accountId, id);
  });

/**
 * Brings a folder back with the codes that it had when it was deleted, and their links; under another name where
 * its own is taken by now. One that is there stays as it is. `missing`: the account has none of that id.
 */
export const restoreFolder = async (
  database: Pick<Database, 'sql' | 'changes'>,
  accountId: string,
  id: string,
): Promise<Result<Folder, 'missing' | 'taken'>> => {
  try {
    return await bringFolderBack(database, accountId, id);
  } catch (error) {
    if (!isTaken(error)) throw error;
    // Another folder has got the name just now, and is seen this time.
    return bringFolderBack(database, accountId, id);
  }
};

/**
 * Brings a code back, and its link. One whose folder is in the bin comes into the account's folder of that name,
 * made when there is none: the rest of the deleted folder stays where it is. One that is there stays as it is.
 */
export const restoreCode = (
  { sql, changes }: Pick<Database, 'sql' | 'changes'>,
  accountId: string,
  id: string,
): Promise<StoredCode | null> =>
  sql.begin(async (tx) => {
    const start = binStart(new Date());
    const [binned] = await tx<
      { slug: string | null; folderId: string; folderName: string; hasFolder: boolean }[]
    >`
      select c.slug, c.folder_id, f.name as folder_name, f.deleted_at is null as has_folder
      from codes c join folders f on f.id = c.folder_id
      where c.account_id = ${accountId} and c.id = ${id}
        and (c.deleted_at > ${start} or c.deleted_at is null and f.deleted_at > ${start})
      for update of c`;
    if (binned !== undefined) {
      const { slug, folderId, folderName, hasFolder } = binned;
      const home = hasFolder ? folderId : (await ensureFolder(tx, accountId, folderName)).id;
      await tx`update codes set deleted_at = null, folder_id = ${home} where id = ${id}`;
      if (slug !== null) await changes.announce(tx, { kind: 'link', id: slug });
    }
    return getCode(tx, accountId, id);
  });
