/**
 * Uploads in chunks: every acknowledged chunk is stored, so a caller can resume on any gateway. What is left behind is
 * removed.
 */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import { forgetReceiving, takeAbandoned } from '../db/tables/batches/receiving.ts';
import { forgetExpired, saveExpired, takeExpired } from '../db/tables/batches/steps.ts';
import {
  appendChunk,
  completeUpload,
  expireUpload,
  forgetChunks,
  forgetComplete,
  forgetUpload,
  getUpload,
  insertUpload,
  listChunks,
  takeLeftUpload,
  type Upload,
} from '../db/tables/batches/uploads.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ObjectStore } from '../storage/store.ts';
import { BATCH_MAX_BYTES, UPLOADS } from './receive/limits.ts';
import type { WorkParts } from './work/parts.ts';

/** After this many failed removals the store counts as unavailable; each may have taken its full time-out. */
const FAILURES_MAX = 3;

/**
 * Removes items one after the other. Continues after a failed removal, but stops early after several.
 *
 * @param take Returns an item that was not taken for a while, or `null` when there is none.
 * @param tell Called for each failure.
 */
const removeEach = async <T>(
  take: () => Promise<T | null>,
  remove: (one: T) => Promise<void>,
  tell: (error: unknown, one: T) => void,
): Promise<void> => {
  for (let failures = 0; failures < FAILURES_MAX; ) {
    const one = await take();
    if (one === null) return;
    try {
      await remove(one);
    } catch (error) {
      failures += 1;
      tell(error, one);
    }
  }
};

/** What uploads need. */
interface UploadParts {
  readonly sql: Database['sql'];
  readonly store: ObjectStore;
  readonly log: Pick<Log, 'warn'>;
}

/** Uploads of batches in chunks. */
export type Uploads = ReturnType<typeof createUploads>;

const folderOf = (id: string): string => `uploads/${id}`;

/**
 * Each attempt to store a chunk has a folder of its own, so two callers never write the same object, and a failed
 * attempt can be removed.
 */
const chunkFolderOf = (id: string, object: string): string => `${folderOf(id)}/${object}`;

const keyOf = (id: string, object: string): string => `${chunkFolderOf(id, object)}/chunk`;

const storeIsAway = (cause: unknown): AppError =>
  new AppError('unavailable', 'Uploads cannot be stored or read at the moment; try again.', {
    retryAfterS: 5,
    cause,
  });

const limitReached = (details: string): AppError => new AppError('limit_reached', details);

/** Returns the error for a chunk that does not begin where the upload ends. */
export const offsetMismatch = ({ bytes, batchId }: Upload): AppError =>
  new AppError(
    'upload_offset',
    batchId === null
      ? `Upload-Offset: must be ${bytes}, where the upload ends.`
      : 'The upload is complete; send no more chunks.',
  );

/** Creates the use cases of uploads. */
export const createUploads = ({ sql, store, log }: UploadParts) => {
  const removeChunks = async (id: string): Promise<void> => {
    await store.removeAll(folderOf(id));
    await forgetChunks(sql, id);
  };

  /** @throws {AppError} 413 or 409 when a limit of the upload is reached. */
  const refuseTooMuch = ({ bytes, chunks }: Upload, added: number): void => {
    if (bytes + added > BATCH_MAX_BYTES)
      throw new AppError('body_too_large', `body: an upload must have at most ${BATCH_MAX_BYTES} bytes`);
    if (chunks >= UPLOADS.chunksMax)
      throw limitReached(`An upload has at most ${UPLOADS.chunksMax} chunks; begin again with larger ones.`);
  };

  return {
    /** Begins an upload. @param terms What the call specifies besides its rows, as JSON. @throws {AppError} 409. */
    async begin(accountId: string, terms: string): Promise<Upload> {
      await forgetComplete(sql, accountId, UPLOADS.completeMax);
      const begun = await insertUpload(sql, accountId, terms, UPLOADS);
      if (begun !== null) return begun;
      throw limitReached(
        `${UPLOADS.openMax} of your uploads are unfinished; complete or delete one of them.`,
      );
    },

    /** Returns the account's upload, or `null`. */
    get: (accountId: string, id: string): Promise<Upload | null> => getUpload(sql, accountId, id),

    /**
     * Stores a chunk, all or nothing. Returns the extended upload, or `null` when the upload has changed and the chunk
     * no longer begins where it ends.
     *
     * @throws {AppError} 413, 409 or 503.
     */
    async append(upload: Upload, bytes: Uint8Array): Promise<Upload | null> {
      refuseTooMuch(upload, bytes.length);
      const object = randomUUID();
      try {
        await store.put(keyOf(upload.id, object), bytes);
      } catch (error) {
        // Another call may have abandoned the upload, which removes the folder of the chunk.
        if ((await getUpload(sql, upload.accountId, upload.id)) === null) return null;
        throw error instanceof AppError ? error : storeIsAway(error);
      }
      const chunk = { startByte: upload.bytes, bytes: bytes.length, object };
      const appended = await appendChunk(sql, upload, chunk, UPLOADS.openMaxBytes);
      if (!appended.ok) {
        // Best effort: no limit counts this chunk, and the upload may be gone.
        await store
          .removeAll(chunkFolderOf(upload.id, object))
          .catch((err: unknown) =>
            log.warn(
              { err, upload: upload.id },
              'refused chunk could not be removed; will be removed with its upload',
            ),
          );
        if (appended.fault === 'moved') return null;
        throw limitReached('Your unfinished uploads have too many bytes; complete or delete some.');
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
     * Records the batch made from an upload, in the transaction that makes it: the batch has every acknowledged chunk.
     *
     * @throws {AppError} 409 when the upload has changed since it was read.
     */
    async complete(tx: Sql, upload: Upload, batchId: string): Promise<void> {
      if (!(await completeUpload(tx, upload, batchId))) throw offsetMismatch(upload);
    },

    /** Removes the chunks of a completed upload. */
    async clear({ id }: Upload): Promise<void> {
      await removeChunks(id).catch((err: unknown) =>
        log.warn({ err, upload: id }, 'chunks of a completed upload could not be removed; will retry'),
      );
    },

    /** Abandons an upload. */
    async remove({ id }: Upload): Promise<void> {
      // From now on it accepts no chunks. If the store is unavailable, `tidy` does the rest later.
      await expireUpload(sql, id);
      await removeChunks(id);
      await forgetUpload(sql, id);
    },

    /** Removes what is no longer needed: expired uploads, and chunks of completed ones. */
    async tidy(): Promise<void> {
      await removeEach(
        () => takeLeftUpload(sql),
        async ({ id, expired }) => {
          await removeChunks(id);
          if (expired) await forgetUpload(sql, id);
        },
        (err, { id }) => log.warn({ err, upload: id }, 'old upload could not be removed; will retry'),
      );
    },
  };
};

/** What is tidied. */
export interface TidyParts extends Pick<WorkParts, 'sql' | 'store' | 'log'> {
  readonly uploads: Pick<Uploads, 'tidy'>;
}

/**
 * Removes the leftovers of batches that were not fully received, expired results, and old uploads. Failed removals are
 * logged and retried after a pause.
 */
export const removeLeftovers = async ({ sql, store, log, uploads }: TidyParts): Promise<void> => {
  const forget = (take: () => Promise<string | null>, save: (id: string) => Promise<void>): Promise<void> =>
    removeEach(
      take,
      async (id) => {
        await store.removeAll(id);
        await save(id);
      },
      (err, batch) => log.warn({ err, batch }, 'batch files could not be removed; will retry'),
    );
  await forget(
    () => takeAbandoned(sql),
    (id) => forgetReceiving(sql, id),
  );
  await forget(
    () => takeExpired(sql),
    (id) => saveExpired(sql, id),
  );
  await forgetExpired(sql);
  await uploads.tidy();
};
