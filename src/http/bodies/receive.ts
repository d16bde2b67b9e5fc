/** Receives bodies that are held in memory. Every parser of such a body goes through here, so all of them are counted. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { payRest } from '../../execution/payer.ts';
import { networkOf } from '../../links/scan.ts';
import { type BodyBudget, type Hold, isUnauthenticated, UNAUTHENTICATED } from './body-budget.ts';
import { onConnectionEnd } from './connections.ts';
import { malformed } from './json-text.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Returns the body's bytes to the budget; `null` without a body. */
    releaseBody: (() => void) | null;
  }
  interface FastifyInstance {
    /**
     * Receives a body whole, of at most the route's `bodyLimit`, as a parser of a content type.
     *
     * @throws {AppError} 400, 413, or 503 when too many bytes of bodies are under way.
     */
    receiveBytes(request: FastifyRequest, payload: NodeJS.ReadableStream): Promise<Buffer>;
  }
}

/** Whose bodies those of the operator count as. */
const OPERATOR = '';
/** A tiny chunk has a few bytes (RFC 9112, 7.1) and shares one read of the socket with another. */
const FREE_TINY_CHUNKS = 2048;
/** One more tiny chunk is allowed each time this many bytes have arrived. Each costs Node about 10 us, whatever its size. */
const TINY_CHUNK_BYTES = 8192;
/** About as much of a body is taken in one turn of the event loop. Of a fast socket libuv would read 2 MB. */
const TURN_BYTES = 65_536;

/**
 * Receives a body and counts its bytes against the budget, until the request is over. The account pays for the turns in
 * which a chunk arrives, and for the one in which the body ends.
 *
 * @param take Gets its chunks.
 * @throws {AppError} What `receiveBytes` throws, and what `take` throws.
 */
export type ReceiveBody = (
  request: FastifyRequest,
  payload: NodeJS.ReadableStream,
  limit: number,
  take: (chunk: Buffer) => void,
) => Promise<void>;

/** Makes the function that receives bodies, and the `receiveBytes` of `app`. */
export const receiveBodies = (app: FastifyInstance, budget: BodyBudget): ReceiveBody => {
  /** Starts counting the body; its bytes are released when the answer is sent or the connection closes. */
  const holdUntilOver = (request: FastifyRequest, giveUp: (reason: AppError) => void): Hold => {
    const hold = isUnauthenticated(request)
      ? budget.ofUnauthenticated(networkOf(request.ip))
      : budget.ofCustomer(request.principal?.accountId ?? OPERATOR, giveUp);
    const forget = onConnectionEnd(request.raw.socket, hold.release);
    request.releaseBody = () => {
      forget();
      hold.release();
    };
    return hold;
  };

  const refuseBeforehand = (request: FastifyRequest, limit: number): void => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limit) throw tooLarge(limit);
    if (isUnauthenticated(request) || budget.hasRoom(announced)) return;
    throw new AppError('overloaded', 'Too many large bodies are under way; try again.', { retryAfterS: 2 });
  };

  const receive: ReceiveBody = (request, payload, limit, take) => {
    refuseBeforehand(request, limit);
    /** What was taken of a body that failed would be kept while its rest is dropped. */
    let keep: ((chunk: Buffer) => void) | null = take;
    let giveUp = (_: AppError): void => {};
    const hold = holdUntilOver(request, (reason) => giveUp(reason));
    const { socket } = request.raw;
    const pay = (): void => {
      if (request.bodyPayer !== null) payRest(request.bodyPayer);
    };
    let bytes = 0;
    let tinyChunks = 0;
    let bytesRead = 0;
    let turnBytes = 0;

    /** Leaves the rest to a later turn, so that others are served in between. */
    const pace = (chunk: Buffer): void => {
      turnBytes += chunk.length;
      if (turnBytes < TURN_BYTES) return;
      turnBytes = 0;
      payload.pause();
      setImmediate(() => void payload.resume());
    };

    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (socket.bytesRead === bytesRead) tinyChunks += 1;
      bytesRead = socket.bytesRead;
      if (bytes > limit) throw tooLarge(limit);
      if (tinyChunks > FREE_TINY_CHUNKS + bytes / TINY_CHUNK_BYTES)
        throw malformed('comes in too small chunks');
      hold.add(chunk.length);
    };

    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let hasEnded = false;
      const fail = (error: unknown): void => {
        clearTimeout(timer);
        keep = null;
        payload.removeAllListeners('data');
        reject(error);
      };
      giveUp = fail;
      if (isUnauthenticated(request)) {
        const late = malformed(`must arrive within ${UNAUTHENTICATED.timeoutMs / 1000} s`);
        timer = setTimeout(fail, UNAUTHENTICATED.timeoutMs, late);
      }
      payload.on('data', (chunk: Buffer) => {
        pay();
        try {
          count(chunk);
          keep?.(chunk);
          if (keep !== null) pace(chunk);
        } catch (error) {
          fail(error);
        }
      });
      payload.once('end', () => {
        pay();
        hasEnded = true;
        hold.received();
        keep = null;
        clearTimeout(timer);
        resolve();
      });
      payload.once('error', () => fail(malformed('could not be read')));
      // A request emits no further event once its client has gone.
      if (request.raw.destroyed) fail(malformed('ended early'));
      // `close` fires for every body. An error for one that has ended would cost as much as parsing it.
      payload.once('close', () => {
        if (!hasEnded) fail(malformed('ended early'));
      });
    });
  };

  app.decorateRequest('releaseBody', null);
  app.addHook('onResponse', (request, _, done) => {
    request.releaseBody?.();
    done();
  });
  app.decorate('receiveBytes', async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
    const chunks: Buffer[] = [];
    await receive(request, payload, request.routeOptions.bodyLimit, (chunk) => void chunks.push(chunk));
    return Buffer.concat(chunks);
  });
  return receive;
};

const tooLarge = (limit: number): AppError =>
  new AppError('body_too_large', `body: must have at most ${limit} bytes`);
