import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isShallow } from '../../batches/rows/tokens.ts';
import { AppError } from '../../errors.ts';
import { maxTokens } from '../../generate/request/token-bound.ts';
import { networkOf } from '../../links/visitor.ts';
import type { TimeSlices } from '../../time-slices.ts';
import { isUnauthenticated } from '../auth/unauthenticated.ts';
import { type BodyBudget, type Hold, UNAUTHENTICATED } from './body-budget.ts';
import { onConnectionEnd } from './connection-end.ts';
import type { Scan } from './json-parts.ts';
import { createScanner, type Scanner } from './json-scanner.ts';
import { assemble, malformed, type Parse, parseBytes } from './json-text.ts';
import { requireUtf8 } from './row-types.ts';
import { hashValue } from './value-hash.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The SHA-256 of the body's value, hexadecimal; `null` without an `Idempotency-Key`. */
    bodyHash: string | null;
    /** Returns the body's bytes to the budget; `null` without a body. */
    releaseBody: (() => void) | null;
  }
}

/** The limit of most routes. A destination of 4296 characters fits, even when each is written as an escape. */
export const BODY_LIMIT_BYTES = 32 * 1024;
/** A body up to this size is parsed in one turn of the event loop. */
const SMALL_BYTES = BODY_LIMIT_BYTES;
/** A crumb is a chunk of a few bytes (RFC 9112, 7.1) that shares one read of the socket with another. */
const FREE_CRUMBS = 2048;
/** One more crumb is allowed each time this many bytes have arrived. Each costs Node about 10 us, whatever its size. */
const CRUMB_BYTES = 8192;

const createTokenBound = (): ((request: FastifyRequest) => number) => {
  const known = new WeakMap<object, number>();
  const none = {};
  return ({ routeOptions }) => {
    const schema = (routeOptions.schema?.body as object | undefined) ?? none;
    const bound = known.get(schema) ?? maxTokens(schema);
    known.set(schema, bound);
    return bound;
  };
};

/** A longer body that is refused is not parsed again to say why: that would hold up the event loop. */
const EXPLAINED_MAX_CHARACTERS = 65_536;

/** Says what is wrong with a body that Fastify's parser refuses: it is not JSON, or has a dangerous key. */
const ruleOf = (text: string): string => {
  if (text.length > EXPLAINED_MAX_CHARACTERS)
    return 'must be valid JSON without __proto__ or constructor.prototype keys';
  try {
    JSON.parse(text);
    return 'must have no keys __proto__ or constructor.prototype';
  } catch (error) {
    return `must be valid JSON: ${(error as Error).message.replace(/\p{C}/gu, '?').slice(0, 200)}`;
  }
};

/**
 * Replaces Fastify's JSON parser. This one reads a body only after the hooks of the route have accepted the request. It
 * counts the received bytes against the budget until the request is over, and parses a large body in short turns of
 * the event loop. It refuses broken UTF-8 and other faults that Fastify would silently repair.
 */
export const acceptJsonBodies = (app: FastifyInstance, budget: BodyBudget, slices: TimeSlices): void => {
  const parseWithFastify = app.getDefaultJsonParser('error', 'error');
  const tokenBoundOf = createTokenBound();

  app.decorateRequest('bodyHash', null);
  app.decorateRequest('releaseBody', null);
  app.addHook('onResponse', (request, _, done) => {
    request.releaseBody?.();
    done();
  });

  const parse: Parse = (text) => {
    if (!isShallow(text)) throw malformed('has values that are nested too deeply');
    let body: unknown;
    parseWithFastify({} as FastifyRequest, text, (error, parsed) => {
      if (error !== null) throw malformed(ruleOf(text));
      body = parsed;
    });
    return body;
  };

  /** Starts counting the body; its bytes are released when the answer is sent or the connection closes. */
  const holdUntilOver = (request: FastifyRequest): Hold => {
    const hold = isUnauthenticated(request)
      ? budget.ofUnauthenticated(networkOf(request.ip))
      : budget.ofCustomer();
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

  /** Resolves with the bytes of a small body, or the scan of a large one. */
  const read = (request: FastifyRequest, payload: NodeJS.ReadableStream, limit: number) => {
    const hold = holdUntilOver(request);
    const { socket } = request.raw;
    const small: Buffer[] = [];
    let scanner: Scanner | null = null;
    let bytes = 0;
    let crumbs = 0;
    let bytesRead = 0;

    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (socket.bytesRead === bytesRead) crumbs += 1;
      bytesRead = socket.bytesRead;
      if (bytes > limit) throw tooLarge(limit);
      if (crumbs > FREE_CRUMBS + bytes / CRUMB_BYTES) throw malformed('comes in too small chunks');
      hold.add(chunk.length);
      if (scanner === null && bytes <= SMALL_BYTES) {
        small.push(chunk);
        return;
      }
      scanner ??= createScanner(tokenBoundOf(request));
      for (const kept of small.splice(0)) scanner.push(kept);
      scanner.push(chunk);
    };

    return new Promise<Buffer | Scan>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let hasEnded = false;
      const fail = (error: unknown): void => {
        clearTimeout(timer);
        payload.removeAllListeners('data');
        reject(error);
      };
      if (isUnauthenticated(request)) {
        const late = malformed(`must arrive within ${UNAUTHENTICATED.timeoutMs / 1000} s`);
        timer = setTimeout(fail, UNAUTHENTICATED.timeoutMs, late);
      }
      payload.on('data', (chunk: Buffer) => {
        try {
          take(chunk);
        } catch (error) {
          fail(error);
        }
      });
      payload.once('end', () => {
        hasEnded = true;
        clearTimeout(timer);
        try {
          resolve(scanner === null ? Buffer.concat(small) : scanner.end());
        } catch (error) {
          fail(error);
        }
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

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
      // No route reads the body of an unknown path.
      if (request.is404) return undefined;
      const { bodyLimit } = request.routeOptions;
      const limit = isUnauthenticated(request)
        ? Math.min(bodyLimit, UNAUTHENTICATED.bodyMaxBytes)
        : bodyLimit;
      requireUtf8(request.headers['content-type'] ?? '');
      refuseBeforehand(request, limit);
      const bytes = await read(request, payload, limit);
      if (Buffer.isBuffer(bytes) && bytes.length === 0) {
        if (request.routeOptions.schema?.body === undefined) return undefined;
        throw malformed('must not be empty');
      }
      const body = Buffer.isBuffer(bytes) ? parseBytes(bytes, parse) : await assemble(bytes, parse, slices);
      if (request.headers['idempotency-key'] !== undefined) request.bodyHash = await hashValue(body, slices);
      return body;
    },
  );
};

const tooLarge = (limit: number): AppError =>
  new AppError('body_too_large', `body: must have at most ${limit} bytes`);
