/** Finds what a caller names by id or slug. Things of another account are answered as if they did not exist. */
import type { Sql } from '../../db/client.ts';
import { type Batch, getBatch } from '../../db/tables/batches/batches.ts';
import { getCode, type StoredCode } from '../../db/tables/codes/codes.ts';
import { findLinkDomain } from '../../db/tables/domains/served.ts';
import { type Folder, getFolder } from '../../db/tables/folders.ts';
import { getLinkJob, type LinkJob } from '../../db/tables/link-jobs/jobs.ts';
import { getLink, type Link } from '../../db/tables/links.ts';
import { readHost } from '../../domains/host.ts';
import { AppError } from '../../errors.ts';
import { isSlug } from '../../links/slug.ts';

type Thing =
  | 'batch'
  | 'part'
  | 'upload'
  | 'counter'
  | 'folder'
  | 'code'
  | 'short link'
  | 'domain'
  | 'link job'
  | 'item'
  | 'preset'
  | 'print profile'
  | 'rule set'
  | 'key'
  | 'signing secret'
  | 'verification'
  | 'webhook'
  | 'secret of the webhook'
  | 'delivery';

/** Returns the 404 for a thing that the account does not have. */
export const notFound = (thing: Thing): AppError => new AppError('not_found', `There is no such ${thing}.`);

/** Returns what was found. @throws {AppError} 404 for `null`. */
export const requireFound = <T>(thing: Thing, found: T | null): T => {
  if (found === null) throw notFound(thing);
  return found;
};

/** Returns what undoing a change of many things did. @throws {AppError} 404 for `null`. */
export const requireUndone = <T>(things: 'links' | 'items', undone: T | null): T => {
  if (undone !== null) return undone;
  const why = `There is no such change of ${things}, or its history is no longer complete.`;
  throw new AppError('not_found', why);
};

/** Does the same for calls that get no value back, such as deletions. @throws {AppError} 404 unless it was found. */
export const assertFound = (thing: Thing, isFound: boolean): void => {
  if (!isFound) throw notFound(thing);
};

/** Returns the account's folder. @throws {AppError} 404 when it has none with this id. */
export const requireFolder = async (sql: Sql, accountId: string, id: string): Promise<Folder> =>
  requireFound('folder', await getFolder(sql, accountId, id));

/** Returns the account's code. @throws {AppError} 404 when it has none with this id. */
export const requireCode = async (sql: Sql, accountId: string, id: string): Promise<StoredCode> =>
  requireFound('code', await getCode(sql, accountId, id));

/**
 * Returns the account's short link by any of its slugs.
 *
 * @param host The own domain of the slug; absent: the shared one, at which each link has the slug that it was made with.
 * @throws {AppError} 404 when it has no link with this slug there, or no such domain.
 */
export const requireLink = async (
  sql: Sql,
  accountId: string,
  slug: string,
  host?: string,
): Promise<Link> => {
  const domainId = host === undefined ? null : await requireDomainId(sql, accountId, host);
  return requireFound('short link', isSlug(slug) ? await getLink(sql, accountId, slug, domainId) : null);
};

const requireDomainId = async (sql: Sql, accountId: string, host: string): Promise<string> => {
  const read = readHost(host);
  return requireFound('domain', read.ok ? await findLinkDomain(sql, accountId, read.value) : null).id;
};

/** Returns the account's batch. @throws {AppError} 404 when it has none with this id. */
export const requireBatch = async (sql: Sql, accountId: string, id: string): Promise<Batch> =>
  requireFound('batch', await getBatch(sql, accountId, id));

/** Returns the account's link job. @throws {AppError} 404 when it has none with this id. */
export const requireLinkJob = async (sql: Sql, accountId: string, id: string): Promise<LinkJob> =>
  requireFound('link job', await getLinkJob(sql, accountId, id));
