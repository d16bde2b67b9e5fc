/** Uploads of batches in chunks. */
import type postgres from 'postgres';
import { ok, type Result, refused } from '../../../result.ts';
import { changesOne, findFirst, lockAccount, nextTry, type Sql } from '../../client.ts';

export interface Upload {
  readonly id: string;
  readonly accountId: string;
  /** What the call that began it specified besides its rows, as JSON. */
  readonly terms: string;
  /** Stored bytes and chunks. */
  readonly bytes: number;
  readonly chunks: number;
  /** The batch that was made of it, or `null`. */
  readonly batchId: string | null;
  readonly expiresAt: Date;
}

/** A stored chunk. */
export interface Chunk {
  readonly startByte: number;
  readonly bytes: number;
  /** The name of its object. */
  readonly object: string;
}

const columns = (sql: Sql) => sql`id, account_id, terms, bytes, chunks, batch_id, expires_at`;

/** Begins an upload. Returns `null` when the account has `openMax` that have not become batches yet. */
export const insertUpload = (
  sql: postgres.Sql,
  accountId: string,
  terms: string,
  { keptS, openMax }: { readonly keptS: number; readonly openMax: number },
): Promise<Upload | null> =>
  sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    const [open] = await tx<[{ count: number }]>`
      select count(*)::int as count from batch_uploads where account_id = ${accountId} and batch_id is null`;
    if (open.count >= openMax) return null;
    const [row] = await tx<[Upload]>`
      insert into batch_uploads (account_id, terms, expires_at)
      values (${accountId}, ${terms}, now() + ${keptS} * interval '1 second') returning ${columns(tx)}`;
    return row;
  });

/** Returns the account's upload, or `null`. */
export const getUpload = (sql: Sql, accountId: string, id: string): Promise<Upload | null> =>
  findFirst(sql<Upload[]>`
    select ${columns(sql)} from batch_uploads
    where id = ${id} and account_id = ${accountId} and expires_at > now()`);

/** Deletes an account's uploads that have become batches and have no chunks left, except the newest. */
export const forgetComplete = async (sql: Sql, accountId: string, kept: number): Promise<void> => {
  await sql`
    delete from batch_uploads where id in (
      select id from batch_uploads where account_id = ${accountId} and batch_id is not null
      order by created_at desc offset ${kept})
    and not exists (select from batch_upload_chunks c where c.upload_id = batch_uploads.id)`;
};

/**
 * Adds a chunk. `moved`: it does not begin where the upload ends, or the upload no longer accepts any. `full`: the
 * account's uploads that have not become batches would exceed `openMaxBytes`.
 */
export const appendChunk = (
  sql: postgres.Sql,
  { id, accountId }: Upload,
  { startByte, bytes, object }: Chunk,
  openMaxBytes: number,
): Promise<Result<void, 'moved' | 'full'>> =>
  sql.begin(async (tx) => {
    // Locks their rows, because concurrent chunks would not see each other's bytes.
    const [open] = await tx<[{ bytes: number }]>`
      with open as (
        select bytes from batch_uploads where account_id = ${accountId} and batch_id is null
        order by id for no key update)
      select coalesce(sum(bytes), 0)::float8 as bytes from open`;
    if (open.bytes + bytes > openMaxBytes) return refused('full');
    const { count } = await tx`
      with upload as (
        update batch_uploads set bytes = bytes + ${bytes}, chunks = chunks + 1
        where id = ${id} and bytes = ${startByte} and batch_id is null and expires_at > now() returning id)
      insert into batch_upload_chunks (upload_id, start_byte, bytes, object)
      select id, ${startByte}::bigint, ${bytes}::int, ${object}::text from upload`;
    return count === 1 ? ok(undefined) : refused('moved');
  });

/** Returns the chunks of an upload in order, without those added after the upload was read. */
export const listChunks = (sql: Sql, { id, bytes }: Upload): Promise<readonly Chunk[]> =>
  sql<Chunk[]>`
    select start_byte, bytes, object from batch_upload_chunks
    where upload_id = ${id} and start_byte < ${bytes} order by start_byte`;

/**
 * Records the batch made from an upload; from then on it accepts no chunks. Returns `false` when the upload has changed
 * since it was read: a chunk was added, another batch was made from it, or it has ended.
 */
export const completeUpload = (sql: Sql, { id, bytes }: Upload, batchId: string): Promise<boolean> =>
  changesOne(sql`
    update batch_uploads set batch_id = ${batchId}
    where id = ${id} and bytes = ${bytes} and batch_id is null and expires_at > now()`);

/** Ends the life of an upload: it can no longer be found, take chunks, or become a batch. */
export const expireUpload = async (sql: Sql, id: string): Promise<void> => {
  // now() would still be in the future for a transaction that began earlier and waits for this row.
  await sql`update batch_uploads set expires_at = '-infinity' where id = ${id}`;
};

/** Deletes the chunks of an upload, once their objects are removed. */
export const forgetChunks = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from batch_upload_chunks where upload_id = ${id}`;
};

/** Deletes an upload, once its objects are removed. */
export const forgetUpload = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from batch_uploads where id = ${id}`;
};

/**
 * Takes an upload whose objects are no longer needed: an expired one, or one whose gateway was killed before it removed
 * the chunks of a batch. Returns `null` if there is none. If they are not removed, it is taken again after a pause.
 */
export const takeLeftUpload = (
  sql: Sql,
): Promise<{ readonly id: string; readonly expired: boolean } | null> =>
  findFirst(sql<{ id: string; expired: boolean }[]>`
    update batch_uploads set rests_until = ${nextTry(sql, sql`created_at`)} where id = (
      select id from batch_uploads u
      where rests_until <= now() and (expires_at < now()
        or (batch_id is not null and exists (select from batch_upload_chunks c where c.upload_id = u.id)))
      order by expires_at limit 1 for update skip locked)
    returning id, expires_at < now() as expired`);
