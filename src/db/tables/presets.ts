/** Presets from their account's point of view. Writers must hold the account's lock (see `lockAccount`). */
import { type Asked, changesOne, findAsked, findFirst, type Sql } from '../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../cursor.ts';
import { domainHost } from './domains/served.ts';

/** A saved design, without its logo. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  /** The picture options as sent, without `image`. */
  readonly options: object;
  /** Of the image, 32 bytes; `null` without one. */
  readonly imageSha256: Buffer | null;
  /** The own domain of short links that are made with it, and its host; `null`: it names none. */
  readonly domainId: string | null;
  readonly domain: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields of a new preset. */
export type NewPreset = Pick<Preset, 'name' | 'isDefault' | 'options' | 'imageSha256' | 'domainId'>;

const columns = (sql: Sql) => sql`
  id, name, is_default, options, image_sha256, domain_id, ${domainHost(sql, 'presets')}, created_at, updated_at`;

/** Returns how many presets the account has. */
export const countPresets = async (sql: Sql, accountId: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*) from presets where account_id = ${accountId}`;
  return row.count;
};

/**
 * Whether another preset of the account has this name.
 *
 * @param id The preset that is to get the name, or `null` for a new one.
 */
export const isNameTaken = async (
  sql: Sql,
  accountId: string,
  name: string,
  id: string | null,
): Promise<boolean> => {
  const rows = await sql`
    select from presets where account_id = ${accountId} and name = ${name} and id is distinct from ${id}::uuid`;
  return rows.length > 0;
};

/** Leaves the account without a default preset. */
export const clearDefault = async (tx: Sql, accountId: string): Promise<void> => {
  await tx`update presets set is_default = false where account_id = ${accountId} and is_default`;
};

export const insertPreset = async (
  tx: Sql,
  accountId: string,
  { name, isDefault, options, imageSha256, domainId }: NewPreset,
): Promise<Preset> => {
  const [row] = await tx<[Preset]>`
    insert into presets (account_id, name, options, image_sha256, domain_id, is_default)
    values (${accountId}, ${name}, ${JSON.stringify(options)}::text::json, ${imageSha256}, ${domainId},
      ${isDefault})
    returning ${columns(tx)}`;
  return row;
};

/** Overwrites a preset. */
export const updatePreset = async (
  tx: Sql,
  accountId: string,
  id: string,
  { name, isDefault, options, imageSha256, domainId }: NewPreset,
): Promise<Preset> => {
  const [row] = await tx<[Preset]>`
    update presets set name = ${name}, options = ${JSON.stringify(options)}::text::json,
      image_sha256 = ${imageSha256}, domain_id = ${domainId}, is_default = ${isDefault}, updated_at = now()
    where account_id = ${accountId} and id = ${id} returning ${columns(tx)}`;
  return row;
};

/** Deletes a preset. Returns `false` when the account has none with this id. */
export const deletePreset = (tx: Sql, accountId: string, id: string): Promise<boolean> =>
  changesOne(tx`delete from presets where account_id = ${accountId} and id = ${id}`);

/** Returns the account's preset, or `null` when it has none with this id. */
export const getPreset = (sql: Sql, accountId: string, id: string): Promise<Preset | null> =>
  findFirst(sql<Preset[]>`
    select ${columns(sql)} from presets where account_id = ${accountId} and id = ${id}`);

/** Returns a page of the account's presets, newest first. */
export const listPresets = (sql: Sql, accountId: string, page: PageRequest): Promise<Page<Preset>> =>
  readPage(
    page,
    sql<Preset[]>`
    select ${columns(sql)} from presets where account_id = ${accountId} ${newestFirst(sql, page)}`,
  );

/** How a preset is looked up. */
export interface PresetReference {
  /** `null`: the reference is not a UUID. */
  readonly id: string | null;
  readonly name: string;
  /** Whether to fall back to the account's default when no preset has this name. */
  readonly orDefault: boolean;
}

/** Returns the preset with this id, else the one with this name, else the default if `orDefault`, else `null`. */
export const findPreset = (
  sql: Sql,
  accountId: string,
  { id, name, orDefault }: PresetReference,
): Promise<Preset | null> =>
  findAsked<Preset>(
    accountId,
    sql<(Preset & Asked)[]>`
    select account_id as asked, ${columns(sql)} from presets
    where account_id = ${accountId} and (id = ${id}::uuid or name = ${name} or (${orDefault} and is_default))
    order by id = ${id}::uuid desc nulls last, name = ${name} desc limit 1`,
  );
