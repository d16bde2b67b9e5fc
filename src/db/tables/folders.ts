import { ok, type Result, refused } from '../../result.ts';
import type { Sql } from '../client.ts';
import { type Page, type PageRequest, toPage } from '../cursor.ts';
import { isTaken } from '../faults.ts';
import { containing } from './search.ts';

export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly codeCount: number;
  readonly createdAt: Date;
}

/** The account's folder of that name, made when there is none. Any number of callers at once get one folder. */
export const ensureFolder = async (sql: Sql, accountId: string, name: string): Promise<{ id: string }> => {
  const [found] = await sql<{ id: string }[]>`
    select id from folders where account_id = ${accountId} and name = ${name} and deleted_at is null`;
  if (found) return found;
  // The empty update makes the row come back also when another caller was first.
  const [row] = await sql<[{ id: string }]>`
    insert into folders (account_id, name) values (${accountId}, ${name})
    on conflict (account_id, name) where deleted_at is null do update set name = excluded.name
    returning id`;
  return row;
};

/** `null`: the account has a folder of that name. */
export const createFolder = async (sql: Sql, accountId: string, name: string): Promise<Folder | null> => {
  const [row] = await sql<Folder[]>`
    insert into folders (account_id, name) values (${accountId}, ${name})
    on conflict (account_id, name) where deleted_at is null do nothing
    returning id, name, 0 as code_count, created_at`;
  return row ?? null;
};

export const hasFolder = async (sql: Sql, accountId: string, id: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from folders where account_id = ${accountId} and id = ${id} and deleted_at is null`;
  return rows.length === 1;
};

const codeCount = (sql: Sql) => sql`
  (select count(*) from codes where folder_id = folders.id and deleted_at is null) as code_count`;

export const getFolder = async (sql: Sql, accountId: string, id: string): Promise<Folder | null> => {
  const [row] = await sql<Folder[]>`
    select id, name, ${codeCount(sql)}, created_at from folders
    where account_id = ${accountId} and id = ${id} and deleted_at is null`;
  return row ?? null;
};

/** Newest first. @param search In the name, in any case. */
export const listFolders = async (
  sql: Sql,
  accountId: string,
  { after, limit }: PageRequest,
  search = '',
): Promise<Page<Folder>> => {
  const rows = await sql<Folder[]>`
    select id, name, ${codeCount(sql)}, created_at from folders
    where account_id = ${accountId} and deleted_at is null
    ${search === '' ? sql`` : sql`and name ilike ${containing(search.normalize('NFC'))}`}
    ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit + 1}`;
  return toPage(rows, limit);
};

/** `missing`: the account has no such folder. `taken`: another of its folders has that name. */
export const renameFolder = async (
  sql: Sql,
  accountId: string,
  id: string,
  name: string,
): Promise<Result<Folder, 'missing' | 'taken'>> => {
  try {
    const [row] = await sql<Folder[]>`
      update folders set name = ${name} where account_id = ${accountId} and id = ${id} and deleted_at is null
      returning id, name, ${codeCount(sql)}, created_at`;
    return row === undefined ? refused('missing') : ok(row);
  } catch (error) {
    if (isTaken(error)) return refused('taken');
    throw error;
  }
};

/** Moves the folder to the bin with its codes, and so ends their links: announce `everything` afterwards. */
export const deleteFolder = async (sql: Sql, accountId: string, id: string): Promise<boolean> => {
  const { count } = await sql`
    update folders set deleted_at = now()
    where account_id = ${accountId} and id = ${id} and deleted_at is null`;
  return count === 1;
};
