/**
 * Counts, hashes and decompresses the bytes of an upload as they arrive. Aborts one that arrives too slowly or is not
 * read to its end, whatever its reader does.
 */

import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { type Payer, payRest } from '../../execution/payer.ts';
import { BATCH_MAX_BYTES, PACE, TINY_CHUNKS, UNPACKED } from './limits.ts';

/** Watches one upload, from its first byte until `end`. */
export interface Watch {
  /** Bytes of the body received so far. */
  bytes(): number;
  /** For how long the gateway has waited for bytes of the client. */
  silentMs(): number;
  /** Records that it is now up to the client to send bytes. */
  awaitBytes(): void;
  /** Records received bytes. */
  addBytes(bytes: number): void;
  /** Aborts the upload. Everything that waits for it fails with this error. */
  giveUp(reason: AppError): void;
  /** Settles as `work` does. @throws {AppError} if the upload is aborted first; `work` is then ignored. */
  guard<T>(work: Promise<T>): Promise<T>;
  /** Passes items through. @throws {AppError} when the upload is aborted, even if the source never answers. */
  read<T>(items: AsyncIterable<T>): AsyncGenerator<T>;
  end(): void;
}

/** Starts watching an upload. Its account pays for each turn of the event loop in which bytes or items arrive. */
export const watchUpload = (payer: Payer): Watch => {
  const beginMs = performance.now();
  const waiting = new Set<(reason: AppError) => void>();
  let reason: AppError | null = null;
  let bytes = 0;
  let awaitedSinceMs: number | null = null;
  let awaitedMs = 0;
  let progressMs = beginMs;

  const giveUp = (why: AppError): void => {
    if (reason !== null) return;
    reason = why;
    for (const reject of waiting) reject(why);
  };

  const silentMsAt = (nowMs: number): number => (awaitedSinceMs === null ? 0 : nowMs - awaitedSinceMs);

  const look = (): void => {
    const nowMs = performance.now();
    const silentMs = silentMsAt(nowMs);
    if (silentMs > PACE.stallMs) giveUp(malformed('stopped coming'));
    else if (awaitedMs + silentMs > PACE.stallMs + bytes / PACE.bytesPerMs || nowMs - beginMs > PACE.maxMs)
      giveUp(malformed(`comes too slowly; send at least ${PACE.bytesPerMs * 1000} bytes a second`));
    else if (awaitedSinceMs === null && waiting.size > 0 && nowMs - progressMs > PACE.readMs)
      giveUp(malformed('takes too long to read'));
  };
  const looks = setInterval(look, PACE.stallMs / 10).unref();

  const noteProgress = (): void => {
    payRest(payer);
    progressMs = performance.now();
  };

  const guard = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      progressMs = performance.now();
      waiting.add(reject);
      const settle = (pass: () => void): void => {
        noteProgress();
        waiting.delete(reject);
        pass();
      };
      work.then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(error)),
      );
      if (reason !== null) reject(reason);
    });

  async function* read<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await guard(iterator.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // A source that hangs does not respond to this either.
      await guard(Promise.resolve(iterator.return?.()));
    }
  }

  return {
    bytes: () => bytes,
    silentMs: () => silentMsAt(performance.now()),
    awaitBytes() {
      awaitedSinceMs = performance.now();
    },
    addBytes(more) {
      bytes += more;
      noteProgress();
      awaitedMs += progressMs - (awaitedSinceMs ?? progressMs);
      awaitedSinceMs = null;
    },
    giveUp,
    guard,
    read,
    end: () => clearInterval(looks),
  };
};

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

/** Yields the bytes as they arrive. @throws {AppError} 400 when they end early or arrive in tiny chunks; 413. */
async function* received({ body, socket, watch }: Upload, hash: Hash): AsyncGenerator<Buffer> {
  let tinyChunks = 0;
  let bytesRead = 0;
  watch.awaitBytes();
  try {
    // A refused body is not destroyed: that would close the connection before the response.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      watch.addBytes(chunk.length);
      // The output of gzip may be smaller than its input.
      if (watch.bytes() > BATCH_MAX_BYTES) throw tooLarge();
      if (socket.bytesRead === bytesRead) tinyChunks += 1;
      bytesRead = socket.bytesRead;
      if (tinyChunks > TINY_CHUNKS.free + watch.bytes() / TINY_CHUNKS.bytes)
        throw malformed('comes in too small chunks');
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
