import { ok, type Result, refused } from '../../result.ts';
import { changesOne, findFirst, type Sql } from '../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../cursor.ts';
import type { Database } from '../database.ts';
import { isTaken } from '../faults.ts';
import { patternContaining } from './search.ts';

/** A folder outside the bin; `codeCount` leaves out codes in the bin. */
export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly codeCount: number;
  /** Whether its codes stay when they are older than the retention of codes. */
  readonly keep: boolean;
  readonly createdAt: Date;
}

/** Returns the account's folder of that name, and makes it when there is none. Concurrent callers get one folder. */
export const ensureFolder = async (sql: Sql, accountId: string, name: string): Promise<{ id: string }> => {
  const [found] = await sql<{ id: string }[]>`
    select id from folders where account_id = ${accountId} and name = ${name} and deleted_at is null`;
  return found ?? lockFolder(sql, accountId, name);
};

/** Does the same, and locks the folder: it keeps its name and stays out of the bin until the transaction ends. */
export const lockFolder = async (sql: Sql, accountId: string, name: string): Promise<{ id: string }> => {
  // The update changes nothing; with it the row is returned even if another caller inserted it first.
  const [row] = await sql<[{ id: string }]>`
    insert into folders (account_id, name) values (${accountId}, ${name})
    on conflict (account_id, name) where deleted_at is null do update set name = excluded.name
    returning id`;
  return row;
};

/** Makes a folder; returns `null` when the account has one of that name. */
export const createFolder = (sql: Sql, accountId: string, name: string): Promise<Folder | null> =>
  findFirst(sql<Folder[]>`
    insert into folders (account_id, name) values (${accountId}, ${name})
    on conflict (account_id, name) where deleted_at is null do nothing
    returning id, name, 0 as code_count, keep, created_at`);

/** Whether the account has this folder outside the bin. */
export const hasFolder = async (sql: Sql, accountId: string, id: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from folders where account_id = ${accountId} and id = ${id} and deleted_at is null`;
  return rows.length === 1;
};

const codeCount = (sql: Sql) => sql`
  (select count(*) from codes where folder_id = folders.id and deleted_at is null) as code_count`;

/** Returns a folder outside the bin, or `null` when the account has none with this id. */
export const getFolder = (sql: Sql, accountId: string, id: string): Promise<Folder | null> =>
  findFirst(sql<Folder[]>`
    select id, name, ${codeCount(sql)}, keep, created_at from folders
    where account_id = ${accountId} and id = ${id} and deleted_at is null`);

/** Returns a page of folders, newest first. @param search Only names that include it, in upper or lower case. */
export const listFolders = (
  sql: Sql,
  accountId: string,
  page: PageRequest,
  search = '',
): Promise<Page<Folder>> =>
  readPage(
    page,
    sql<Folder[]>`
    select id, name, ${codeCount(sql)}, keep, created_at from folders
    where account_id = ${accountId} and deleted_at is null
    ${search === '' ? sql`` : sql`and name ilike ${patternContaining(search.normalize('NFC'))}`} ${newestFirst(sql, page)}`,
  );

/** What may change about a folder. An absent field stays as it is. */
export interface FolderChange {
  /** As `toFolderName` returned it. */
  readonly name?: string;
  readonly keep?: boolean;
}

/** What of a folder may change. */
export type FolderState = Required<FolderChange>;

/**
 * Makes other changes of a folder outside the bin wait until the transaction ends. Returns `null` when the account has
 * none with this id.
 */
export const lockFolderById = (tx: Sql, accountId: string, id: string): Promise<FolderState | null> =>
  findFirst(tx<FolderState[]>`
    select name, keep from folders
    where account_id = ${accountId} and id = ${id} and deleted_at is null for update`);

/**
 * Changes a folder. `missing`: the account has no such folder. `taken`: another of its folders has the name.
 *
 * @param check Called with what is to be changed. What it throws is thrown, and nothing is changed.
 */
export const changeFolder = async (
  sql: Database['sql'],
  accountId: string,
  id: string,
  { name, keep }: FolderChange,
  check: (folder: FolderState) => void = () => {},
): Promise<Result<Folder, 'missing' | 'taken'>> => {
  try {
    return await sql.begin(async (tx) => {
      const folder = await lockFolderById(tx, accountId, id);
      if (folder === null) return refused('missing');
      check(folder);
      const [row] = await tx<[Folder]>`
        update folders set name = coalesce(${name ?? null}, name), keep = coalesce(${keep ?? null}, keep)
        where account_id = ${accountId} and id = ${id}
        returning id, name, ${codeCount(tx)}, keep, created_at`;
      return ok(row);
    });
  } catch (error) {
    if (isTaken(error)) return refused('taken');
    throw error;
  }
};

/**
 * Moves a folder with its codes to the bin, which stops their links. The caller announces `everything` in the same
 * transaction. Returns `false` when the account has no such folder.
 */
export const deleteFolder = (sql: Sql, accountId: string, id: string): Promise<boolean> =>
  changesOne(sql`
    update folders set deleted_at = now()
    where account_id = ${accountId} and id = ${id} and deleted_at is null`);
