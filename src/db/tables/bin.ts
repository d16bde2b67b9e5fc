/**
 * The bin: deleted folders and codes, which can be restored until they expire. Only this file reads
 * them. All other queries read `live_codes`, `live_links` and folders without `deleted_at`.
 */

import type postgres from 'postgres';
import { ok, type Result, refused } from '../../result.ts';
import type { Sql } from '../client.ts';
import { type Page, type PageRequest, toPage } from '../cursor.ts';
import type { Database } from '../database.ts';
import { isTaken } from '../faults.ts';
import { runPaced } from '../statements.ts';
import { getCode, type StoredCode } from './codes/codes.ts';
import { deleteUnusedDesigns } from './codes/designs.ts';
import { codeCount, ensureFolder, type Folder, getFolder, lockFolder } from './folders.ts';
import { deleteUnusedLogos } from './logos.ts';
import { listRestoredNames } from './names.ts';
import { announceLinks } from './slugs.ts';
import { deleteReceiptsOfGone } from './verifications.ts';

/** How long the bin keeps things. After that they cannot be restored, even if they are not purged yet. */
export const BIN_DAYS = 30;
const DAY_MS = 86_400_000;

/** A folder or a code in the bin. */
export interface BinnedThing {
  readonly kind: 'folder' | 'code';
  readonly id: string;
  /** The name of a folder or a code; for a code without a name, its content. */
  readonly name: string;
  /** How many codes are restored with a folder; `null` for a code. */
  readonly codeCount: number | null;
  readonly deletedAt: Date;
  /** From this time on it cannot be restored. */
  readonly expiresAt: Date;
}

type BinRow = Omit<BinnedThing, 'name' | 'expiresAt'> & { readonly name: Buffer; readonly createdAt: Date };

const toThing = ({ createdAt, name, ...row }: BinRow): BinnedThing => ({
  ...row,
  name: name.toString('utf8'),
  expiresAt: new Date(row.deletedAt.getTime() + BIN_DAYS * DAY_MS),
});

/** Returns the cutoff: everything deleted before it has expired, whether or not it is purged. */
export const binStart = (now: Date): Date => new Date(now.getTime() - BIN_DAYS * DAY_MS);

/** Returns a page of the bin, most recently deleted first. Codes deleted with their folder are not listed. */
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
      (select 'folder' as kind, id, convert_to(name, 'UTF8') as name, deleted_at, ${codeCount(sql)}
        from folders where ${mine})
      union all
      (select 'code', id, coalesce(convert_to(codes.name, 'UTF8'), content), deleted_at, null from codes where ${mine})
    ) as things
    order by deleted_at desc, id desc limit ${limit + 1}`;
  const { rows: page, next } = toPage(rows, limit);
  return { rows: page.map(toThing), next };
};

/** Returns the first of `listRestoredNames` that no other folder of the account has; `null`: all are taken. */
const freeName = async (sql: Sql, accountId: string, name: string): Promise<string | null> => {
  const names = listRestoredNames(name);
  const rows = await sql<{ name: string }[]>`
    select name from folders where account_id = ${accountId} and name = any(${names}) and deleted_at is null`;
  const taken = new Set(rows.map((row) => row.name));
  return names.find((candidate) => !taken.has(candidate)) ?? null;
};

/** A folder or a code, live or not. */
type Found = { readonly deletedAt: Date | null };

const isExpired = ({ deletedAt }: Found): boolean => deletedAt !== null && deletedAt <= binStart(new Date());

/** Selects a folder, live or not; the caller adds the lock, because the decision must be made on a locked row. */
const anyFolder = (tx: Sql, accountId: string, id: string) =>
  tx`select name, deleted_at from folders where account_id = ${accountId} and id = ${id}`;

type AnyFolder = Found & { readonly name: string };

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
    const [found] = await tx<AnyFolder[]>`${anyFolder(tx, accountId, id)} for no key update`;
    if (found === undefined || isExpired(found)) return refused('missing');
    if (found.deletedAt === null) return presentFolder(tx, accountId, id);
    const name = await freeName(tx, accountId, found.name);
    if (name === null) return refused('taken');
    await tx`update folders set deleted_at = null, name = ${name} where id = ${id}`;
    await changes.announce(tx, { kind: 'links-of', id: accountId });
    return presentFolder(tx, accountId, id);
  });

/**
 * Restores a folder with the codes that it had when it was deleted, and with their links. It gets a new name if its own
 * is taken. A no-op for a folder that is not in the bin. `missing`: the account has no such folder.
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
    // Another folder took the name at the same moment; the second try sees it.
    return bringFolderBack(database, accountId, id);
  }
};

/** Returns the account's folder of that name and keeps it out of the bin until the transaction ends. */
export const keepNamed = async (tx: Sql, accountId: string, name: string): Promise<string> => {
  const { id } = await ensureFolder(tx, accountId, name);
  const [found] = await tx<AnyFolder[]>`${anyFolder(tx, accountId, id)} for share`;
  if (found?.deletedAt === null && found.name === name) return id;
  // Another call has just deleted or renamed it.
  return (await lockFolder(tx, accountId, name)).id;
};

/**
 * Restores a code with its link. If its folder is in the bin, the code moves to the account's folder of the same name,
 * which is created if missing; the deleted folder stays in the bin. A code that is not in the bin is returned
 * unchanged. Returns `null` when the account has no such code.
 */
export const restoreCode = (
  { sql, changes }: Pick<Database, 'sql' | 'changes'>,
  accountId: string,
  id: string,
): Promise<StoredCode | null> =>
  sql.begin(async (tx) => {
    const [code] = await tx<(Found & { slug: string | null; folderId: string })[]>`
      select slug, folder_id, deleted_at from codes
      where account_id = ${accountId} and id = ${id} and (deleted_at is null or deleted_at is not null)
      for no key update`;
    if (code === undefined || isExpired(code)) return null;
    const { slug, folderId } = code;
    const [folder] = await tx<[AnyFolder]>`${anyFolder(tx, accountId, folderId)} for share`;
    if (code.deletedAt === null && isExpired(folder)) return null;
    if (code.deletedAt !== null || folder.deletedAt !== null) {
      const home = folder.deletedAt === null ? folderId : await keepNamed(tx, accountId, folder.name);
      await tx`
        update codes set deleted_at = null, folder_id = ${home}
        where account_id = ${accountId} and id = ${id} and (deleted_at is null or deleted_at is not null)`;
      if (slug !== null) await announceLinks(tx, changes, [slug]);
    }
    return getCode(tx, accountId, id);
  });

/** Rows deleted per statement. This blocks the embedded database for some 50 ms. */
const STEP_ROWS = 500;
/** Statements per run; the rest waits for the next run. */
const MAX_STEPS = 200;

type Purged = readonly { readonly accountId: string }[];

/** Permanently deletes codes, and designs that only they use. @param which Selects the `ctid` of the codes. */
const purgeCodes = (sql: postgres.Sql, which: ReturnType<Sql>): Promise<Purged> =>
  sql.begin(async (tx) => {
    // The planner would scan the table from its start, past all the rows that are already deleted, and, when it does not
    // look at the time, expect so many folders in the bin that it joins all of them.
    await tx`
      select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name`;
    const codes = await tx<{ accountId: string; designId: number }[]>`
      delete from codes where ctid = any(array(${which} limit ${STEP_ROWS} for update of c skip locked))
      returning account_id, design_id`;
    const designs = new Map(codes.map((code) => [code.designId, code]));
    await deleteUnusedDesigns(tx, [...designs.values()]);
    return codes;
  });

/**
 * Permanently deletes what has been in the bin for longer than `BIN_DAYS`, in bounded steps: codes, the codes of
 * deleted folders, those folders, unused designs and logos, and receipts of chosen codes that are all gone. The rows of
 * links stay, so slugs are never reused.
 *
 * @returns How many codes and folders were deleted, and whether nothing is left to delete.
 */
export const purgeBin = async (
  sql: postgres.Sql,
  now: Date,
): Promise<{ readonly purged: number; readonly isComplete: boolean }> => {
  const start = binStart(now);
  const accounts = new Set<string>();
  let stepsLeft = MAX_STEPS;
  let purged = 0;

  const inSteps = async (step: () => Promise<Purged>): Promise<void> => {
    let rows: Purged;
    do {
      if (stepsLeft === 0) return;
      stepsLeft -= 1;
      rows = await runPaced(step);
      purged += rows.length;
      for (const { accountId } of rows) accounts.add(accountId);
    } while (rows.length === STEP_ROWS);
  };

  await inSteps(() => purgeCodes(sql, sql`select c.ctid from codes c where c.deleted_at <= ${start}`));
  await inSteps(() =>
    purgeCodes(
      sql,
      sql`
        select c.ctid from folders f join codes c on c.folder_id = f.id
        where f.deleted_at <= ${start}`,
    ),
  );
  await inSteps(
    () => sql<{ accountId: string }[]>`
      delete from folders where id in (
        select id from folders
        where deleted_at <= ${start} and not exists (select from codes where folder_id = folders.id)
        limit ${STEP_ROWS}
      ) returning account_id`,
  );
  for (const accountId of accounts) {
    await deleteUnusedLogos(sql, accountId);
    await deleteReceiptsOfGone(sql, accountId);
  }
  return { purged, isComplete: stepsLeft > 0 };
};
