/** Answers that are sent as they are read. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createStreamPlaces, type StreamPlace } from '../../limits/stream-places.ts';
import { metered } from '../limits/metered.ts';

/** How many answers of each kind are sent at a time. An archive and a document of labels draw while they are read. */
const KINDS = {
  files: { max: 120, maxOfAccount: 6, noun: 'downloads' },
  archives: { max: 8, maxOfAccount: 2, noun: 'archives' },
  sheets: { max: 4, maxOfAccount: 1, noun: 'label sheets' },
} as const;

/** A kind of streamed answers, which has places of its own. */
export type StreamKind = keyof typeof KINDS;

declare module 'fastify' {
  interface FastifyInstance {
    /** The places of streamed answers. */
    readonly streams: Readonly<Record<StreamKind, ReturnType<typeof createStreamPlaces>>>;
  }
}

/** A connection whose client reads nothing of an answer for this long is cut. */
export const STALL_TIMEOUT_MS = 90_000;
/** What a stream keeps of its chunks that are not sent yet. One chunk more may be written ahead. */
const AHEAD_BYTES = 16_384;
/** Whose streams those of the operator count as. */
const OPERATOR = '';

/** Gives `app` the places of streamed answers. */
export const limitStreams = (app: FastifyInstance): void => {
  app.decorate('streams', {
    files: createStreamPlaces(KINDS.files),
    archives: createStreamPlaces(KINDS.archives),
    sheets: createStreamPlaces(KINDS.sheets),
  });
};

/**
 * Takes a place for a streamed answer of the account.
 *
 * @throws {AppError} 429 or 503 when the account has too many of the kind open, or all have.
 */
export const enterStreams = ({ server, principal }: FastifyRequest, kind: StreamKind): Promise<StreamPlace> =>
  server.streams[kind].enter(principal?.accountId ?? OPERATOR);

/** Yields chunks, for whose time the account pays. */
async function* paidFor(request: FastifyRequest, chunks: AsyncIterable<string | Buffer>, place: StreamPlace) {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await metered(request, () => iterator.next());
      if (next.done) return;
      place.awaitReader();
      yield next.value;
      place.taken(next.value.length);
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
  /** `files` unless it says otherwise. */
  readonly kind?: StreamKind;
  /** A place that was taken before. */
  readonly place?: StreamPlace;
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
  { isWhole = false, head = () => {}, kind = 'files', place: taken }: StreamOptions = {},
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
  const place =
    taken ??
    (await enterStreams(reply.request, kind).catch((error: unknown) => {
      drop();
      throw error;
    }));
  place.onCut(() => reply.raw.destroy());
  const stream = Readable.from(paidFor(reply.request, chunks, place), {
    objectMode: false,
    highWaterMark: AHEAD_BYTES,
  });
  stream.once('close', () => {
    place.leave();
    drop();
  });
  reply.raw.once('close', () => stream.destroy());
  if (reply.raw.destroyed) stream.destroy();
  if (isWhole) await begun(stream);
  head();
  reply.raw.setTimeout(STALL_TIMEOUT_MS, () => reply.raw.destroy());
  return reply.send(stream);
};
