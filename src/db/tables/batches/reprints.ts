/** Rows of batches that were given out again, and what their codes have become since. */
import { changesOne, type Sql } from '../../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../../cursor.ts';
import { idsOfBatch } from './batches.ts';

/** Rows whose files were given out again. */
export interface Reprint {
  readonly id: string;
  readonly keyId: string;
  /** Such as `300-420 431`. */
  readonly rows: string;
  readonly codes: number;
  readonly createdAt: Date;
}

/** Reprints that a batch may have. */
export const REPRINTS_MAX = 1000;

/** Saves a reprint. Returns whether it did: a batch has at most `REPRINTS_MAX`. */
export const saveReprint = (
  sql: Sql,
  batchId: string,
  { keyId, rows, codes }: Pick<Reprint, 'keyId' | 'rows' | 'codes'>,
): Promise<boolean> =>
  changesOne(sql`
    insert into batch_reprints (batch_id, key_id, rows, codes) select ${batchId}, ${keyId}, ${rows}, ${codes}
    where (select count(*) from batch_reprints where batch_id = ${batchId}) < ${REPRINTS_MAX}`);

/** Returns a page of the reprints of a batch, newest first. */
export const listReprints = (sql: Sql, batchId: string, page: PageRequest): Promise<Page<Reprint>> =>
  readPage(
    page,
    sql<Reprint[]>`
    select id, key_id, rows, codes, created_at from batch_reprints where batch_id = ${batchId} ${newestFirst(sql, page)}`,
  );

/** The number of a batch's row, from the id of a code `c` (sql/0004_codes.sql). */
const rowOf = (sql: Sql, batchId: string) => sql`(
  (extract(epoch from code_time(c.id)) - extract(epoch from (select codes_at from batches where id = ${batchId}))) * 10000000
    + code_place(c.id) + 1)::integer`;

/** Returns the rows of the account's batch whose saved codes have these external ids, by the id. */
export const rowsByExternalId = async (
  sql: Sql,
  { accountId, batchId }: { readonly accountId: string; readonly batchId: string },
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const ids = await idsOfBatch(sql, accountId, batchId);
  if (ids === null) return new Map();
  const rows = await sql<{ externalId: string; row: number }[]>`
    select asked.id as external_id, ${rowOf(sql, batchId)} as row
    from unnest(${externalIds as string[]}::text[]) as asked (id) cross join lateral (
      select c.id from codes c
      where c.account_id = ${accountId} and c.external_id = asked.id and c.deleted_at is null
        and c.id >= ${ids[0]}::uuid and c.id < ${ids[1]}::uuid offset 0
    ) as c`;
  const found = new Map<string, number[]>();
  for (const { externalId, row } of rows) found.set(externalId, [...(found.get(externalId) ?? []), row]);
  return found;
};

/** Returns which of some rows of the account's batch have saved codes that were given another design, in order. */
export const redesignedRows = async (
  sql: Sql,
  { accountId, batchId }: { readonly accountId: string; readonly batchId: string },
  among: readonly number[],
): Promise<readonly number[]> => {
  const ids = await idsOfBatch(sql, accountId, batchId);
  if (ids === null) return [];
  const rows = await sql<{ row: number }[]>`
    select ${rowOf(sql, batchId)} as row from codes c
    where c.account_id = ${accountId} and c.id >= ${ids[0]}::uuid and c.id < ${ids[1]}::uuid
      and c.redesigned_at is not null and c.deleted_at is null
      and ${rowOf(sql, batchId)} = any(${among as number[]}::integer[])
    order by row`;
  return rows.map(({ row }) => row);
};
