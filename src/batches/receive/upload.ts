/** Counts, hashes and decompresses the bytes of an upload as they arrive. */
import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { BATCH_MAX_BYTES, CRUMBS, UNPACKED } from './limits.ts';
import type { Watch } from './watch.ts';

/** A body that is being received. */
export interface Upload {
  readonly body: Readable;
  /** Bytes that the connection has received so far. */
  readonly socket: { readonly bytesRead: number };
  readonly gzip: boolean;
  readonly watch: Watch;
}

const malformed = (rule: string, cause?: unknown): AppError =>
  new AppError('malformed_body', `body: ${rule}`, { cause });

const tooLarge = (): AppError =>
  new AppError('body_too_large', `body: must have at most ${BATCH_MAX_BYTES} bytes, also when unpacked`);

/** Yields the bytes as they arrive. @throws {AppError} 400 when they end early or arrive in crumbs; 413. */
async function* received({ body, socket, watch }: Upload, hash: Hash): AsyncGenerator<Buffer> {
  let crumbs = 0;
  let bytesRead = 0;
  watch.awaitBytes();
  try {
    // A refused body is not destroyed: that would close the connection before the response.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      watch.addBytes(chunk.length);
      // The output of gzip may be smaller than its input.
      if (watch.bytes() > BATCH_MAX_BYTES) throw tooLarge();
      if (socket.bytesRead === bytesRead) crumbs += 1;
      bytesRead = socket.bytesRead;
      if (crumbs > CRUMBS.free + watch.bytes() / CRUMBS.bytes) throw malformed('comes in too small chunks');
      hash.update(chunk);
      yield chunk;
      watch.awaitBytes();
    }
    watch.addBytes(0);
  } catch (error) {
    throw error instanceof AppError ? error : malformed('ended early', error);
  }
}

/** Passes chunks through and refuses too many bytes. */
async function* bounded(chunks: AsyncIterable<Buffer>, packed: () => number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > BATCH_MAX_BYTES) throw tooLarge();
    if (bytes > UNPACKED.freeBytes + packed() * UNPACKED.ratio)
      throw malformed(`unpacks to more than ${UNPACKED.ratio} times its size`);
    yield chunk;
  }
}

async function* unpacked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let packed = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      packed += chunk.length;
      yield chunk;
    }
  }
  const gunzip = createGunzip();
  // A failure anywhere ends `gunzip` with the same error, which its reader throws.
  pipeline(Readable.from(counted()), gunzip).catch(() => {});
  try {
    yield* bounded(gunzip as AsyncIterable<Buffer>, () => packed);
  } catch (error) {
    throw error instanceof AppError ? error : malformed('is not valid gzip', error);
  }
}

/**
 * Yields bytes, decompressed if they are gzip.
 *
 * @throws {AppError} 400 when they should be gzip but are not valid gzip, 413 when they are too many.
 */
export const unpack = (chunks: AsyncIterable<Buffer>, gzip: boolean): AsyncGenerator<Buffer> =>
  gzip ? unpacked(chunks) : bounded(chunks, () => Number.POSITIVE_INFINITY);

/**
 * Yields the bytes of an upload, decompressed. Adds what is received to `hash`. It may wait for ever, so read it
 * through the upload's watch.
 *
 * @throws {AppError} As `unpack`, and 400 when the upload ends early.
 */
export const readUpload = (upload: Upload, hash: Hash): AsyncGenerator<Buffer> =>
  unpack(received(upload, hash), upload.gzip);
