/** What a caller names by its id or slug: another account's answers exactly as one that does not exist. */
import type { Sql } from '../../db/client.ts';
import { getCode, type StoredCode } from '../../db/tables/codes.ts';
import { type Folder, getFolder } from '../../db/tables/folders.ts';
import { getLink, type Link } from '../../db/tables/links.ts';
import { AppError } from '../../errors.ts';
import { isSlug } from '../../links/slug.ts';

type Thing = 'folder' | 'code' | 'short link';

/** @throws {AppError} 404 for `null`. */
export const owned = <T>(thing: Thing, found: T | null): T => {
  if (found === null) throw new AppError('not_found', `There is no such ${thing}.`);
  return found;
};

export const ownFolder = async (sql: Sql, accountId: string, id: string): Promise<Folder> =>
  owned('folder', await getFolder(sql, accountId, id));

export const ownCode = async (sql: Sql, accountId: string, id: string): Promise<StoredCode> =>
  owned('code', await getCode(sql, accountId, id));

export const ownLink = async (sql: Sql, accountId: string, slug: string): Promise<Link> =>
  owned('short link', isSlug(slug) ? await getLink(sql, accountId, slug) : null);
