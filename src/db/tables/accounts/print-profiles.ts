/** Print profiles from their account's point of view. Writers must hold the account's lock (see `lockAccount`). */
import { changesOne, findFirst, type Sql } from '../../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../../cursor.ts';

/** How files are made, under a name. */
export interface PrintProfile {
  readonly id: string;
  readonly name: string;
  /** `FileOptions` as sent. */
  readonly options: object;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields that its account gives it. */
type NewPrintProfile = Pick<PrintProfile, 'name' | 'options'>;

const columns = (sql: Sql) => sql`id, name, options, created_at, updated_at`;

/** Returns how many profiles the account has. */
export const countPrintProfiles = async (sql: Sql, accountId: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*) from print_profiles where account_id = ${accountId}`;
  return row.count;
};

export const insertPrintProfile = async (
  tx: Sql,
  accountId: string,
  { name, options }: NewPrintProfile,
): Promise<PrintProfile> => {
  const [row] = await tx<[PrintProfile]>`
    insert into print_profiles (account_id, name, options)
    values (${accountId}, ${name}, ${JSON.stringify(options)}::text::json) returning ${columns(tx)}`;
  return row;
};

/** Overwrites a profile that exists. */
export const updatePrintProfile = async (
  tx: Sql,
  accountId: string,
  id: string,
  { name, options }: NewPrintProfile,
): Promise<PrintProfile> => {
  const [row] = await tx<[PrintProfile]>`
    update print_profiles
    set name = ${name}, options = ${JSON.stringify(options)}::text::json, updated_at = now()
    where account_id = ${accountId} and id = ${id} returning ${columns(tx)}`;
  return row;
};

/** Deletes a profile. Returns `false` when the account has none with this id. */
export const deletePrintProfile = (tx: Sql, accountId: string, id: string): Promise<boolean> =>
  changesOne(tx`delete from print_profiles where account_id = ${accountId} and id = ${id}`);

/** Returns the account's profile, or `null` when it has none with this id. */
export const getPrintProfile = (sql: Sql, accountId: string, id: string): Promise<PrintProfile | null> =>
  findFirst(sql<PrintProfile[]>`
    select ${columns(sql)} from print_profiles where account_id = ${accountId} and id = ${id}`);

/** Returns a page of the account's profiles, newest first. */
export const listPrintProfiles = (
  sql: Sql,
  accountId: string,
  page: PageRequest,
): Promise<Page<PrintProfile>> =>
  readPage(
    page,
    sql<PrintProfile[]>`
    select ${columns(sql)} from print_profiles where account_id = ${accountId} ${newestFirst(sql, page)}`,
  );

/** Returns the account's profile with this id, else the one with this name, else `null`. */
export const findPrintProfile = (
  sql: Sql,
  accountId: string,
  { id, name }: { readonly id: string | null; readonly name: string },
): Promise<PrintProfile | null> =>
  findFirst(sql<PrintProfile[]>`
    select ${columns(sql)} from print_profiles
    where account_id = ${accountId} and (id = ${id}::uuid or name = ${name})
    order by id = ${id}::uuid desc nulls last limit 1`);
