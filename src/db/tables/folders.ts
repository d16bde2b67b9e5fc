import { ok, type Result, refused } from '../../result.ts';
import { changesOne, findFirst, type Sql } from '../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../cursor.ts';
import type { Database } from '../database.ts';
import { isTaken } from '../faults.ts';
import { toLikePattern } from '../statements.ts';
import { domainHost } from './domains/served.ts';

/** A folder outside the bin; `codeCount` leaves out codes in the bin. */
export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly codeCount: number;
  /** Whether its codes are exempt from retention. */
  readonly keep: boolean;
  /** The host of the own domain of short links that are made in it; `null`: it names none. */
  readonly domain: string | null;
  readonly createdAt: Date;
}

/** Returns the account's folder of that name, creating it if missing. Concurrent callers get the same folder. */
export const ensureFolder = async (sql: Sql, accountId: string, name: string): Promise<{ id: string }> => {
  const [found] = await sql<{ id: string }[]>`
    select id from folders where account_id = ${accountId} and name = ${name} and deleted_at is null`;
  return found ?? lockFolder(sql, accountId, name);
};

/** Like `ensureFolder`, but also locks the folder's name and keeps it out of the bin until the transaction ends. */
export const lockFolder = async (sql: Sql, accountId: string, name: string): Promise<{ id: string }> => {
  // The no-op update makes the statement return the row even if another caller inserted it first.
  const [row] = await sql<[{ id: string }]>`
    insert into folders (account_id, name) values (${accountId}, ${name})
    on conflict (account_id, name) where deleted_at is null do update set name = excluded.name
    returning id`;
  return row;
};

/** Whether the account has at least `min` folders, those in the bin included. */
export const hasFolders = async (sql: Sql, accountId: string, min: number): Promise<boolean> =>
  (await sql`select from folders where account_id = ${accountId} offset ${min - 1} limit 1`).length > 0;

/** Creates a folder, or returns `null` when the account already has one of that name. */
export const createFolder = (sql: Sql, accountId: string, name: string): Promise<Folder | null> =>
  findFirst(sql<Folder[]>`
    insert into folders (account_id, name) values (${accountId}, ${name})
    on conflict (account_id, name) where deleted_at is null do nothing
    returning id, name, 0 as code_count, keep, null as domain, created_at`);

/** Whether the account has this folder outside the bin. */
export const hasFolder = async (sql: Sql, accountId: string, id: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from folders where account_id = ${accountId} and id = ${id} and deleted_at is null`;
  return rows.length === 1;
};

/** The number of codes outside the bin of each row of `folders`. Triggers keep it (sql/0004_codes.sql). */
export const codeCount = (sql: Sql) => sql`
  (select coalesce(sum(codes), 0)::bigint from folder_counts where folder_id = folders.id) as code_count`;

/** Returns a folder outside the bin, or `null` when the account has none with this id. */
export const getFolder = (sql: Sql, accountId: string, id: string): Promise<Folder | null> =>
  findFirst(sql<Folder[]>`
    select id, name, ${codeCount(sql)}, keep, ${domainHost(sql, 'folders')}, created_at from folders
    where account_id = ${accountId} and id = ${id} and deleted_at is null`);

/** Returns a page of folders, newest first. @param search Only names that include it, ignoring case. */
export const listFolders = (
  sql: Sql,
  accountId: string,
  page: PageRequest,
  search = '',
): Promise<Page<Folder>> =>
  readPage(
    page,
    sql<Folder[]>`
    select id, name, ${codeCount(sql)}, keep, ${domainHost(sql, 'folders')}, created_at from folders
    where account_id = ${accountId} and deleted_at is null
    ${search === '' ? sql`` : sql`and name ilike ${toLikePattern(search.normalize('NFC'))}`} ${newestFirst(sql, page)}`,
  );

/** What may change about a folder. Absent fields are unchanged. */
export interface FolderChange {
  /** As returned by `toFolderName`. */
  readonly name?: string;
  readonly keep?: boolean;
  readonly domainId?: string | null;
}

/** The mutable state of a folder. */
export type FolderState = Pick<Folder, 'name' | 'keep' | 'domain'>;

/**
 * Locks a folder outside the bin against other changes until the transaction ends. Returns `null` when the account has
 * none with this id.
 */
export const lockFolderById = (tx: Sql, accountId: string, id: string): Promise<FolderState | null> =>
  findFirst(tx<FolderState[]>`
    select name, keep, ${domainHost(tx, 'folders')} from folders
    where account_id = ${accountId} and id = ${id} and deleted_at is null for update`);

/**
 * Changes a folder. `missing`: the account has no such folder. `taken`: another of its folders has the name.
 *
 * @param check Called with the folder before the change. If it throws, nothing is changed and the error propagates.
 */
export const changeFolder = async (
  sql: Database['sql'],
  accountId: string,
  id: string,
  { name, keep, domainId }: FolderChange,
  check: (folder: FolderState) => void = () => {},
): Promise<Result<Folder, 'missing' | 'taken'>> => {
  try {
    return await sql.begin(async (tx) => {
      const folder = await lockFolderById(tx, accountId, id);
      if (folder === null) return refused('missing');
      check(folder);
      const [row] = await tx<[Folder]>`
        update folders set name = coalesce(${name ?? null}, name), keep = coalesce(${keep ?? null}, keep),
          domain_id = ${domainId === undefined ? tx`domain_id` : domainId}
        where account_id = ${accountId} and id = ${id}
        returning id, name, ${codeCount(tx)}, keep, ${domainHost(tx, 'folders')}, created_at`;
      return ok(row);
    });
  } catch (error) {
    if (isTaken(error)) return refused('taken');
    throw error;
  }
};

/**
 * Moves a folder with its codes to the bin, which stops their links. The caller must announce `links-of` in the same
 * transaction. Returns `false` when the account has no such folder.
 */
export const deleteFolder = (sql: Sql, accountId: string, id: string): Promise<boolean> =>
  changesOne(sql`
    update folders set deleted_at = now()
    where account_id = ${accountId} and id = ${id} and deleted_at is null`);
