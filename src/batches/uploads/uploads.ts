/** Uploads in chunks: what was answered is stored, so a caller goes on where it stopped, on any gateway. */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../db/client.ts';
import type { Database } from '../../db/database.ts';
import {
  appendChunk,
  completeUpload,
  countOpenUploads,
  expireUpload,
  findLeftUpload,
  forgetChunks,
  forgetComplete,
  forgetUpload,
  getUpload,
  insertUpload,
  listChunks,
  type Upload,
} from '../../db/tables/batches/uploads.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { ObjectStore } from '../../storage/store.ts';
import { BATCH_MAX_BYTES, UPLOADS } from '../receive/limits.ts';

/** What uploads need. */
export interface UploadParts {
  readonly sql: Database['sql'];
  readonly store: ObjectStore;
  readonly log: Pick<Log, 'warn'>;
}

/** Uploads of batches in chunks. */
export type Uploads = ReturnType<typeof createUploads>;

const folderOf = (id: string): string => `uploads/${id}`;

/**
 * Each attempt to store a chunk has a folder of its own: two callers never write the same object, and one can be
 * removed.
 */
const chunkFolderOf = (id: string, object: string): string => `${folderOf(id)}/${object}`;

const keyOf = (id: string, object: string): string => `${chunkFolderOf(id, object)}/chunk`;

const storeIsAway = (cause: unknown): AppError =>
  new AppError('unavailable', 'Uploads cannot be stored or read at the moment; try again.', {
    retryAfterS: 5,
    cause,
  });

const limitReached = (details: string): AppError => new AppError('limit_reached', details);

/** Returns the fault of a chunk that does not begin where the upload ends. */
export const offsetMismatch = ({ bytes, batchId }: Upload): AppError =>
  new AppError(
    'upload_offset',
    batchId === null
      ? `Upload-Offset: must be ${bytes}, where the upload ends.`
      : 'The upload is complete; send no more chunks.',
  );

/** Makes the use cases of uploads. */
export const createUploads = ({ sql, store, log }: UploadParts) => {
  const removeChunks = async (id: string): Promise<void> => {
    await store.removeAll(folderOf(id));
    await forgetChunks(sql, id);
  };

  /** @throws {AppError} 413 or 409 when a bound is reached. */
  const refuseTooMuch = async ({ accountId, bytes, chunks }: Upload, added: number): Promise<void> => {
    if (bytes + added > BATCH_MAX_BYTES)
      throw new AppError('body_too_large', `body: an upload must have at most ${BATCH_MAX_BYTES} bytes`);
    if (chunks >= UPLOADS.chunksMax)
      throw limitReached(`An upload has at most ${UPLOADS.chunksMax} chunks; begin again with larger ones.`);
    const open = await countOpenUploads(sql, accountId);
    if (open.bytes + added > UPLOADS.openMaxBytes)
      throw limitReached('Your unfinished uploads have too many bytes; complete or delete some.');
  };

  return {
    /** Begins an upload. @param terms What the call says beside its rows, as JSON. @throws {AppError} 409. */
    async begin(accountId: string, terms: string): Promise<Upload> {
      const open = await countOpenUploads(sql, accountId);
      if (open.count >= UPLOADS.openMax)
        throw limitReached(
          `${UPLOADS.openMax} of your uploads are unfinished; complete or delete one of them.`,
        );
      await forgetComplete(sql, accountId, UPLOADS.completeMax);
      return insertUpload(sql, accountId, terms, UPLOADS.keptS);
    },

    /** Returns the account's upload, or `null`. */
    get: (accountId: string, id: string): Promise<Upload | null> => getUpload(sql, accountId, id),

    /**
     * Stores a chunk whole, or nothing. Returns the upload with it, or `null` when the upload has changed and the chunk
     * does not begin where it ends.
     *
     * @throws {AppError} 413, 409 or 503.
     */
    async append(upload: Upload, bytes: Uint8Array): Promise<Upload | null> {
      await refuseTooMuch(upload, bytes.length);
      const object = randomUUID();
      try {
        await store.put(keyOf(upload.id, object), bytes);
      } catch (error) {
        // Another call may have given the upload up, which removes the folder of the chunk.
        if ((await getUpload(sql, upload.accountId, upload.id)) === null) return null;
        throw storeIsAway(error);
      }
      const chunk = { startByte: upload.bytes, bytes: bytes.length, object };
      if (!(await appendChunk(sql, upload.id, chunk))) {
        // No bound counts it, and the upload may be gone.
        await store
          .removeAll(chunkFolderOf(upload.id, object))
          .catch((err: unknown) => log.warn({ err, upload: upload.id }, 'a chunk that was refused stays'));
        return null;
      }
      return { ...upload, bytes: upload.bytes + bytes.length, chunks: upload.chunks + 1 };
    },

    /** Yields the bytes that the upload had when it was read. @throws {AppError} 503. */
    async *read(upload: Upload): AsyncGenerator<Buffer> {
      for (const { object, bytes } of await listChunks(sql, upload)) {
        try {
          yield* store.read(keyOf(upload.id, object), { start: 0, end: bytes });
        } catch (error) {
          throw error instanceof AppError ? error : storeIsAway(error);
        }
      }
    },

    /**
     * Notes the batch that is made of an upload, in the transaction that makes it: the batch has every chunk that was
     * answered.
     *
     * @throws {AppError} 409 when the upload has changed since it was read.
     */
    async complete(tx: Sql, upload: Upload, batchId: string): Promise<void> {
      if (!(await completeUpload(tx, upload, batchId))) throw offsetMismatch(upload);
    },

    /** Removes the chunks of a complete upload. */
    async clear({ id }: Upload): Promise<void> {
      await removeChunks(id).catch((err: unknown) =>
        log.warn({ err, upload: id }, 'the chunks of a complete upload are removed later'),
      );
    },

    /** Gives an upload up. */
    async remove({ id }: Upload): Promise<void> {
      // From now on it takes no chunks, and when the store is unavailable the rest is done later.
      await expireUpload(sql, id);
      await removeChunks(id);
      await forgetUpload(sql, id);
    },

    /** Removes what nobody needs any more: expired uploads, and chunks of complete ones. */
    async tidy(): Promise<void> {
      for (let left = await findLeftUpload(sql); left !== null; left = await findLeftUpload(sql)) {
        await removeChunks(left.id);
        if (left.expired) await forgetUpload(sql, left.id);
      }
    },
  };
};
