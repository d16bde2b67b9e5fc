/** The bytes of an upload on their way: counted, hashed, unpacked, and given up when they stop coming. */
import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { BATCH_MAX_BYTES, CRUMBS, STALL_MS, UNPACKED, UPLOAD_MAX_MS } from './limits.ts';

/** A body that is being received. */
export interface Upload {
  readonly body: Readable;
  /** Bytes that the connection has received. */
  readonly socket: { readonly bytesRead: number };
  readonly gzip: boolean;
}

const malformed = (rule: string, cause?: unknown): AppError =>
  new AppError('malformed_body', `body: ${rule}`, { cause });

const tooLarge = (): AppError =>
  new AppError('body_too_large', `body: must have at most ${BATCH_MAX_BYTES} bytes, also unpacked`);

/** Yields the bytes as they come. @throws {AppError} 400 when they stop coming, end early or come in crumbs; 413. */
async function* received({ body, socket }: Upload, hash: Hash): AsyncGenerator<Buffer> {
  const beginMs = performance.now();
  let waitingSinceMs: number | null = beginMs;
  let bytes = 0;
  let crumbs = 0;
  let bytesRead = 0;
  const watch = setInterval(() => {
    const nowMs = performance.now();
    const isStalled = waitingSinceMs !== null && nowMs - waitingSinceMs > STALL_MS;
    if (isStalled || nowMs - beginMs > UPLOAD_MAX_MS) body.destroy(malformed('stopped coming'));
  }, STALL_MS / 10).unref();
  try {
    // A body that is refused is not destroyed: that would close the connection before the answer.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      waitingSinceMs = null;
      bytes += chunk.length;
      // Gzip may unpack to less than it is.
      if (bytes > BATCH_MAX_BYTES) throw tooLarge();
      if (socket.bytesRead === bytesRead) crumbs += 1;
      bytesRead = socket.bytesRead;
      if (crumbs > CRUMBS.free + bytes / CRUMBS.bytes) throw malformed('comes in too small chunks');
      hash.update(chunk);
      yield chunk;
      waitingSinceMs = performance.now();
    }
  } catch (error) {
    throw error instanceof AppError ? error : malformed('ended early', error);
  } finally {
    clearInterval(watch);
  }
}

/** Passes chunks on and refuses too many bytes. */
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
 * Yields bytes, unpacked when they are gzip.
 *
 * @throws {AppError} 400 when they are not the gzip that they should be, 413 when they are too many.
 */
export const unpack = (chunks: AsyncIterable<Buffer>, gzip: boolean): AsyncGenerator<Buffer> =>
  gzip ? unpacked(chunks) : bounded(chunks, () => Number.POSITIVE_INFINITY);

/**
 * Yields the bytes of an upload, unpacked. Adds what is received to `hash`.
 *
 * @throws {AppError} As `unpack`, and 400 when the upload stops coming or ends early.
 */
export const readUpload = (upload: Upload, hash: Hash): AsyncGenerator<Buffer> =>
  unpack(received(upload, hash), upload.gzip);
