import { ok, type Result, refused } from '../../result.ts';
import { lockAccount, type Sql } from '../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../cursor.ts';

/**
 * Returns the installation's private key, saving `fresh` as that key if there is none. Concurrent gateways all get the
 * key of the first.
 */
export const ensureReceiptKey = async (sql: Sql, fresh: () => Buffer): Promise<Buffer> => {
  const find = () => sql<{ privateKey: Buffer }[]>`select private_key from receipt_key`;
  const [found] = await find();
  if (found) return found.privateKey;
  await sql`insert into receipt_key (private_key) values (${fresh()}) on conflict do nothing`;
  const [saved] = await find();
  if (saved === undefined) throw new Error('the key of the receipts was deleted while it was made');
  return saved.privateKey;
};

/** Pages read per query: some 100 kB, and at most 5 MB. */
const AT_A_TIME = 4;

/**
 * Yields the pages of a verification in order, each with one code per line. It holds no connection between queries.
 */
export async function* eachPage(sql: Sql, verificationId: string): AsyncGenerator<string, void> {
  let next = 0;
  for (;;) {
    const rows = await sql<{ entries: string }[]>`
      select entries from verification_pages
      where verification_id = ${verificationId} and number >= ${next}
      order by number limit ${AT_A_TIME}`;
    for (const { entries } of rows) yield entries;
    if (rows.length < AT_A_TIME) return;
    next += rows.length;
  }
}

/** The number of codes by reading result. */
export interface Results {
  readonly passed: number;
  readonly weak: number;
  readonly failed: number;
  readonly missing: number;
}

/** What a verification reads: the codes of a folder, or chosen ones. Both must be the account's. */
export type Verified =
  | { readonly folderId: string; readonly codeIds?: never }
  | { readonly folderId?: never; readonly codeIds: readonly string[] };

/** A verification of a folder or of chosen codes. */
export interface Verification extends Results {
  readonly id: string;
  /** `null`: of chosen codes. */
  readonly folderId: string | null;
  readonly state: 'running' | 'done' | 'failed';
  /** The number of codes at the start; once done, the number of codes read. */
  readonly total: number;
  /** Texts that several codes have, and how many codes these are. All three are `null` until it is done. */
  readonly duplicateContents: number | null;
  readonly duplicateCodes: number | null;
  /** Batches that were adding codes to the folder while it ran. */
  readonly unfinishedBatches: number | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** A receipt without its pages. */
export interface SignedStatement {
  readonly statement: string;
  readonly jws: string;
}

const columns = (sql: Sql) =>
  sql`id, folder_id, state, total, passed, weak, failed, missing, duplicate_contents, duplicate_codes,
    unfinished_batches, created_at, finished_at`;

/** The condition that a verification belongs to a folder; `null`: to chosen codes. */
export const ofFolder = (sql: Sql, folderId: string | null) =>
  folderId === null ? sql`folder_id is null` : sql`folder_id = ${folderId}`;

/** The condition that a verification reads the same codes. */
const isSame = (sql: Sql, { folderId, codeIds }: Verified) =>
  codeIds === undefined ? ofFolder(sql, folderId) : sql`code_ids = ${[...codeIds].sort()}::uuid[]`;

const insertVerification = (sql: Sql, accountId: string, { folderId, codeIds }: Verified) =>
  codeIds === undefined
    ? sql<[Verification]>`
      insert into verifications (account_id, folder_id, total)
      values (${accountId}, ${folderId},
        (select coalesce(sum(codes), 0) from folder_counts where folder_id = ${folderId}))
      returning ${columns(sql)}`
    : sql<[Verification]>`
      insert into verifications (account_id, code_ids, total)
      values (${accountId}, ${[...codeIds].sort()}::uuid[], ${codeIds.length})
      returning ${columns(sql)}`;

/**
 * Begins a verification, or returns the one running for the same folder or the same codes. Must be called in a
 * transaction, because it locks the account's row. `full`: the account has reached its limit of running ones.
 */
export const beginVerification = async (
  sql: Sql,
  accountId: string,
  verified: Verified,
  maxRunning: number,
): Promise<Result<Verification, 'full'>> => {
  await lockAccount(sql, accountId);
  const [running] = await sql<Verification[]>`
    select ${columns(sql)} from verifications
    where account_id = ${accountId} and ${isSame(sql, verified)} and state = 'running'`;
  if (running) return ok(running);
  const others = await sql`
    select 1 from verifications v left join folders f on f.id = v.folder_id
    where v.account_id = ${accountId} and v.state = 'running' and f.deleted_at is null`;
  if (others.length >= maxRunning) return refused('full');
  const [begun] = await insertVerification(sql, accountId, verified);
  return ok(begun);
};

/** Returns how many verifications are running, over all accounts, and the age of the oldest in seconds. */
export const countRunningVerifications = async (
  sql: Sql,
): Promise<{ readonly count: number; readonly oldestS: number }> => {
  const [row] = await sql<[{ count: number; oldestS: number }]>`
    select count(*)::int as count,
      coalesce(extract(epoch from now() - min(v.created_at)), 0)::float as oldest_s
    from verifications v left join folders f on f.id = v.folder_id
    where v.state = 'running' and f.deleted_at is null`;
  return row;
};

/**
 * Returns a page of a folder's verifications, newest first; empty if it is another account's. `null`: of chosen codes.
 */
export const listVerifications = (
  sql: Sql,
  accountId: string,
  folderId: string | null,
  page: PageRequest,
): Promise<Page<Verification>> =>
  readPage(
    page,
    sql<Verification[]>`
    select ${columns(sql)} from verifications
    where account_id = ${accountId} and ${ofFolder(sql, folderId)} ${newestFirst(sql, page)}`,
  );

/**
 * Returns a verification with its statement, if it has one yet; `null`: the account's folder has none with this id.
 *
 * @param folderId `null`: a verification of chosen codes.
 */
export const getVerification = async (
  sql: Sql,
  accountId: string,
  folderId: string | null,
  id: string,
): Promise<(Verification & { readonly signed: SignedStatement | null }) | null> => {
  const [row] = await sql<(Verification & { statement: string | null; jws: string | null })[]>`
    select ${columns(sql)}, statement, jws from verifications
    where account_id = ${accountId} and ${ofFolder(sql, folderId)} and id = ${id}`;
  if (row === undefined) return null;
  const { statement, jws, ...verification } = row;
  return { ...verification, signed: statement === null || jws === null ? null : { statement, jws } };
};

/** Deletes the verifications of chosen codes that are all gone. */
export const deleteReceiptsOfGone = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`
    delete from verifications v where account_id = ${accountId} and folder_id is null
      and not exists (
        -- Live codes and those in the bin have an index each.
        select from unnest(v.code_ids) as chosen (id) where
          exists (select from codes c where c.account_id = v.account_id and c.id = chosen.id and c.deleted_at is null)
          or exists (select from codes c where c.account_id = v.account_id and c.id = chosen.id and c.deleted_at is not null)
      )`;
};
