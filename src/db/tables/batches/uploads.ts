/** Uploads of batches in chunks. */
import type { Sql } from '../../client.ts';

/** An upload. */
export interface Upload {
  readonly id: string;
  readonly accountId: string;
  /** What the call that began it says beside its rows, as JSON. */
  readonly terms: string;
  /** Bytes and chunks that are stored. */
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
  /** Names its object. */
  readonly object: string;
}

/** The uploads of an account that are no batches yet. */
export interface OpenUploads {
  readonly count: number;
  readonly bytes: number;
}

const columns = (sql: Sql) => sql`id, account_id, terms, bytes, chunks, batch_id, expires_at`;

/** Begins an upload. */
export const insertUpload = async (
  sql: Sql,
  accountId: string,
  terms: string,
  keptS: number,
): Promise<Upload> => {
  const [row] = await sql<[Upload]>`
    insert into batch_uploads (account_id, terms, expires_at)
    values (${accountId}, ${terms}, now() + ${keptS} * interval '1 second') returning ${columns(sql)}`;
  return row;
};

/** Returns the account's upload, or `null`. */
export const getUpload = async (sql: Sql, accountId: string, id: string): Promise<Upload | null> => {
  const [row] = await sql<Upload[]>`
    select ${columns(sql)} from batch_uploads
    where id = ${id} and account_id = ${accountId} and expires_at > now()`;
  return row ?? null;
};

/** Counts the uploads of an account that are no batches yet. */
export const countOpenUploads = async (sql: Sql, accountId: string): Promise<OpenUploads> => {
  const [row] = await sql<[OpenUploads]>`
    select count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes
    from batch_uploads where account_id = ${accountId} and batch_id is null`;
  return row;
};

/** Forgets the uploads of an account that are batches and have no chunks any more, but for the newest ones. */
export const forgetComplete = async (sql: Sql, accountId: string, kept: number): Promise<void> => {
  await sql`
    delete from batch_uploads where id in (
      select id from batch_uploads where account_id = ${accountId} and batch_id is not null
      order by created_at desc offset ${kept})
    and not exists (select from batch_upload_chunks c where c.upload_id = batch_uploads.id)`;
};

/** Adds a chunk. Returns `false` when it does not begin where the upload ends, or the upload takes none any more. */
export const appendChunk = async (
  sql: Sql,
  id: string,
  { startByte, bytes, object }: Chunk,
): Promise<boolean> => {
  const { count } = await sql`
    with upload as (
      update batch_uploads set bytes = bytes + ${bytes}, chunks = chunks + 1
      where id = ${id} and bytes = ${startByte} and batch_id is null and expires_at > now() returning id)
    insert into batch_upload_chunks (upload_id, start_byte, bytes, object)
    select id, ${startByte}::bigint, ${bytes}::int, ${object}::text from upload`;
  return count === 1;
};

/** Returns the chunks of an upload in order, without those that came after the upload was read. */
export const listChunks = (sql: Sql, { id, bytes }: Upload): Promise<readonly Chunk[]> =>
  sql<Chunk[]>`
    select start_byte, bytes, object from batch_upload_chunks
    where upload_id = ${id} and start_byte < ${bytes} order by start_byte`;

/**
 * Notes the batch that was made of an upload; from then on it takes no chunks. Returns `false` when the upload has
 * changed since it was read: a chunk was added, another batch was made of it, or it has ended.
 */
export const completeUpload = async (sql: Sql, { id, bytes }: Upload, batchId: string): Promise<boolean> => {
  const { count } = await sql`
    update batch_uploads set batch_id = ${batchId}
    where id = ${id} and bytes = ${bytes} and batch_id is null and expires_at > now()`;
  return count === 1;
};

/** Ends the life of an upload: it is found no more, takes no chunks, and becomes no batch. */
export const expireUpload = async (sql: Sql, id: string): Promise<void> => {
  // The present time would still lie ahead of a transaction that has begun before and waits for this row.
  await sql`update batch_uploads set expires_at = '-infinity' where id = ${id}`;
};

/** Forgets the chunks of an upload, after their objects are removed. */
export const forgetChunks = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from batch_upload_chunks where upload_id = ${id}`;
};

/** Forgets an upload, after its objects are removed. */
export const forgetUpload = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from batch_uploads where id = ${id}`;
};

/**
 * Returns an upload whose objects nobody needs any more, or `null`: one that has expired, or one whose gateway was
 * killed before it removed the chunks of a batch.
 */
export const findLeftUpload = async (
  sql: Sql,
): Promise<{ readonly id: string; readonly expired: boolean } | null> => {
  const [row] = await sql<{ id: string; expired: boolean }[]>`
    select id, expires_at < now() as expired from batch_uploads u
    where expires_at < now()
      or (batch_id is not null and exists (select from batch_upload_chunks c where c.upload_id = u.id))
    limit 1`;
  return row ?? null;
};
