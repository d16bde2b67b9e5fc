/** Answers that are files to save. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { createAdmission } from '../../limits/admission.ts';
import { metered } from '../limits/metered.ts';

/** Characters that are special in a header or a file system. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;

/** Encodes a text as in RFC 8187, 3.2.1. `encodeURIComponent` leaves four characters that are not `attr-char`. */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Returns a `Content-Disposition` (RFC 6266) with a name that a person wrote. It has the name in ASCII for old clients,
 * and in full. Unsafe characters become `_`, and 100 characters are kept.
 *
 * @param type `attachment`: browsers save the answer. `inline`: they show it, and use the name when it is saved.
 */
export const formatDisposition = (type: 'attachment' | 'inline', name: string, extension: string): string => {
  const safe = name.replace(UNSAFE, '_').slice(0, 100).toWellFormed();
  // The compatibility forms of some wide characters are unsafe again: of U+FF02, the quotation mark.
  const ascii = safe
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(UNSAFE, '_')
    .replace(/[^\x20-\x7e]|%/g, '_');
  return `${type}; filename="${ascii}.${extension}"; filename*=UTF-8''${encodeExtended(`${safe}.${extension}`)}`;
};

/** Returns the `Content-Disposition` of a file to save. */
export const formatAttachment = (name: string, extension: string): string =>
  formatDisposition('attachment', name, extension);

/** Sends the headers of a download that must not be cached. @param type Its media type. */
export const sendFileHeaders = (
  reply: FastifyReply,
  type: string,
  name: string,
  extension: string,
): FastifyReply =>
  reply
    .type(type)
    .header('content-disposition', formatAttachment(name, extension))
    .header('cache-control', 'private, no-store');

declare module 'fastify' {
  interface FastifyInstance {
    /** The places of streamed answers. */
    readonly streams: ReturnType<typeof createAdmission>;
  }
}

/** A connection whose client reads nothing of an answer for this long is cut. */
export const STALL_TIMEOUT_MS = 90_000;
/** What a stream keeps of its chunks that are not sent yet. One chunk more may be written ahead. */
const AHEAD_BYTES = 16_384;
/** Streams that are open at a time, in all and of one account. */
const STREAMS = { maxRunning: 120, maxRunningPerKey: 6 } as const;
/** Whose streams those of the operator count as. */
const OPERATOR = '';

/** Gives `app` the places of streamed answers. */
export const limitStreams = (app: FastifyInstance): void => {
  app.decorate('streams', createAdmission(STREAMS));
};

/** @throws {AppError} 429 or 503 when the account has too many streams open, or all have. */
const enter = ({ server: { streams }, principal }: FastifyRequest, refused: () => void): (() => void) => {
  const leave = streams.tryEnter(principal?.accountId ?? OPERATOR);
  if (leave !== null) return leave;
  refused();
  const isFull = streams.stats().running >= STREAMS.maxRunning;
  throw new AppError(
    isFull ? 'overloaded' : 'rate_limited',
    isFull
      ? 'Too many downloads are open; try again when one is finished.'
      : `An account may have ${STREAMS.maxRunningPerKey} downloads open at a time; wait for them.`,
    { retryAfterS: 10 },
  );
};

/** Yields chunks, for whose time the account pays. */
async function* paidFor(request: FastifyRequest, chunks: AsyncIterable<string | Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await metered(request, () => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Resolves when a stream has something to read, or has ended or was destroyed; rejects when it fails. */
const begun = (stream: Readable): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.once('readable', resolve).once('close', resolve).once('error', reject);
  });

/** How a stream is sent. */
export interface StreamOptions {
  /** Whether the answer begins only with the first chunk: a fault before it is an error and not half a file. */
  readonly isWhole?: boolean;
  /** Sets the headers of the answer, once nothing refuses it. */
  head?(): void;
}

/**
 * Sends chunks as they are read, in one of the account's places, and cuts the connection when it stalls. Each chunk must
 * be small: they are what a reader that has stopped keeps in memory.
 *
 * @throws {AppError} 429 or 503 when there is no place.
 */
export const sendStream = async (
  reply: FastifyReply,
  chunks: AsyncIterable<string | Buffer>,
  { isWhole = false, head = () => {} }: StreamOptions = {},
): Promise<FastifyReply> => {
  const drop = (): void => {
    // Chunks that nobody has begun to read would not be ended with the stream.
    if (chunks instanceof Readable) chunks.destroy();
  };
  if (reply.request.method === 'HEAD') {
    drop();
    head();
    return reply.send();
  }
  const leave = enter(reply.request, drop);
  const stream = Readable.from(paidFor(reply.request, chunks), {
    objectMode: false,
    highWaterMark: AHEAD_BYTES,
  });
  stream.once('close', () => {
    leave();
    drop();
  });
  reply.raw.once('close', () => stream.destroy());
  if (reply.raw.destroyed) stream.destroy();
  if (isWhole) await begun(stream);
  head();
  reply.raw.setTimeout(STALL_TIMEOUT_MS, () => reply.raw.destroy());
  return reply.send(stream);
};
