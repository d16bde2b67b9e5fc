import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { createScanner, type Skeleton } from './long-strings.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the body's bytes, hexadecimal; only when the request has an Idempotency-Key. */
    bodyHash: string | null;
    /** What the body counts against the bodies in flight. */
    bodyBytes: number;
  }
}

/** Strings of more bytes than that are logos: kept out of the parse. */
const LONG_STRING_BYTES = 65_536;
/** What a body may hold beside them: a hundred items with every option, all of it as escapes, is below 5 MB. */
const SKELETON_MAX_BYTES = 8 * 1024 * 1024;
/** Text that is made in one turn of the event loop: about 4 ms. */
const RESTORED_PER_TURN = 4 * 1024 * 1024;

const malformed = (message: string): AppError => new AppError('malformed_json', `body: ${message}`);
const tooLarge = (message: string): AppError => new AppError('body_too_large', message);

type Parse = (text: string) => unknown;

/** Puts the long strings back into the parsed skeleton, a few in each turn of the event loop. */
const restoreStrings = async (root: unknown, { restore }: Skeleton): Promise<unknown> => {
  const holder: Record<string, unknown> = { root };
  const waiting: object[] = [holder];
  let restored = 0;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const fields = node as Record<string, unknown>;
    for (const [key, value] of Object.entries(fields)) {
      if (typeof value === 'object' && value !== null) waiting.push(value);
      if (typeof value !== 'string') continue;
      const text = restore(value)?.();
      if (text === undefined) continue;
      fields[key] = text;
      restored += text.length;
      if (restored < RESTORED_PER_TURN) continue;
      restored = 0;
      await nextTurn();
    }
  }
  return holder.root;
};

/**
 * Replaces Fastify's JSON parser by one that refuses what it would repair in silence, and that takes large
 * bodies without holding up other requests.
 *
 * @param maxBytesInFlight Of all bodies that are being read or worked on; one beyond it is 503.
 */
export const acceptJsonBodies = (app: FastifyInstance, maxBytesInFlight: number): void => {
  const parseWithFastify = app.getDefaultJsonParser('error', 'error');
  let bytesInFlight = 0;

  app.decorateRequest('bodyHash', null);
  app.decorateRequest('bodyBytes', 0);
  app.addHook('onResponse', (request, _, done) => {
    bytesInFlight -= request.bodyBytes;
    request.bodyBytes = 0;
    done();
  });

  const parse: Parse = (text) => {
    let body: unknown;
    parseWithFastify({} as FastifyRequest, text, (error, parsed) => {
      if (error !== null)
        throw malformed('must be valid JSON without __proto__ or constructor.prototype keys');
      body = parsed;
    });
    return body;
  };

  /** Counts bytes as they come, or all at once when the caller says how many there will be. */
  const admit = (request: FastifyRequest, bytes: number): void => {
    if (bytes > request.routeOptions.bodyLimit) {
      throw tooLarge(`body: must have at most ${request.routeOptions.bodyLimit} bytes`);
    }
    const more = bytes - request.bodyBytes;
    if (more <= 0) return;
    if (bytesInFlight + more > maxBytesInFlight) {
      throw new AppError('overloaded', 'Too many large bodies are under way; try again.', { retryAfterS: 2 });
    }
    bytesInFlight += more;
    request.bodyBytes = bytes;
  };

  const read = (request: FastifyRequest, payload: NodeJS.ReadableStream): Promise<Skeleton> => {
    const scanner = createScanner(LONG_STRING_BYTES);
    const hash = request.headers['idempotency-key'] === undefined ? null : createHash('sha256');
    let bytes = 0;
    let whole = false;
    return new Promise((resolve, reject) => {
      payload.on('data', (chunk: Buffer) => {
        try {
          bytes += chunk.length;
          admit(request, bytes);
          hash?.update(chunk);
          scanner.push(chunk);
          if (scanner.skeletonBytes > SKELETON_MAX_BYTES) {
            throw tooLarge(`body: must have at most ${SKELETON_MAX_BYTES} bytes beside its logos`);
          }
        } catch (error) {
          payload.removeAllListeners('data');
          reject(error);
        }
      });
      payload.once('end', () => {
        whole = true;
        request.bodyHash = hash?.digest('hex') ?? null;
        resolve(scanner.end());
      });
      payload.once('error', () => reject(malformed('could not be read')));
      payload.once('close', () => {
        if (!whole) reject(malformed('ended early'));
      });
    });
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
      admit(request, Number(request.headers['content-length'] ?? 0));
      const skeleton = await read(request, payload);
      const { text } = skeleton;
      if (text.length === 0) throw malformed('must not be empty');
      // Node would put U+FFFD for broken bytes, and a code with another text than the caller's would be made.
      if (!isUtf8(text)) throw malformed('must be UTF-8');
      const body = parse(text.toString('utf8'));
      if (request.bodyBytes <= LONG_STRING_BYTES) return body;
      return restoreStrings(body, skeleton).catch(() => {
        throw malformed('must be valid JSON in UTF-8');
      });
    },
  );
};
