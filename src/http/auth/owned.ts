/** Finds what a caller names by id or slug. What another account owns gets the same answer as what does not exist. */
import type { Sql } from '../../db/client.ts';
import { type Batch, getBatch } from '../../db/tables/batches/batches.ts';
import { getCode, type StoredCode } from '../../db/tables/codes.ts';
import { type Folder, getFolder } from '../../db/tables/folders.ts';
import { getLink, type Link } from '../../db/tables/links.ts';
import { AppError } from '../../errors.ts';
import { isSlug } from '../../links/slug.ts';

type Thing =
  | 'batch'
  | 'part'
  | 'upload'
  | 'folder'
  | 'code'
  | 'short link'
  | 'change of links'
  | 'preset'
  | 'signing secret'
  | 'verification'
  | 'webhook'
  | 'delivery';

/** Returns the 404 for a thing that the account does not have. */
export const notFound = (thing: Thing): AppError => new AppError('not_found', `There is no such ${thing}.`);

/** Returns what was found. @throws {AppError} 404 for `null`. */
export const owned = <T>(thing: Thing, found: T | null): T => {
  if (found === null) throw notFound(thing);
  return found;
};

/** Asks for what a caller names and gets nothing of, as when it is deleted. @throws {AppError} 404 unless it was found. */
export const mustBeOwned = (thing: Thing, isFound: boolean): void => {
  if (!isFound) throw notFound(thing);
};

/** Returns the account's folder. @throws {AppError} 404 when it has none with this id. */
export const ownFolder = async (sql: Sql, accountId: string, id: string): Promise<Folder> =>
  owned('folder', await getFolder(sql, accountId, id));

/** Returns the account's code. @throws {AppError} 404 when it has none with this id. */
export const ownCode = async (sql: Sql, accountId: string, id: string): Promise<StoredCode> =>
  owned('code', await getCode(sql, accountId, id));

/** Returns the account's short link by any of its slugs. @throws {AppError} 404 when it has none with this slug. */
export const ownLink = async (sql: Sql, accountId: string, slug: string): Promise<Link> =>
  owned('short link', isSlug(slug) ? await getLink(sql, accountId, slug) : null);

/** Returns the account's batch. @throws {AppError} 404 when it has none with this id. */
export const ownBatch = async (sql: Sql, accountId: string, id: string): Promise<Batch> =>
  owned('batch', await getBatch(sql, accountId, id));
