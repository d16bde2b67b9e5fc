/** Reads JSON bodies, and compares them by value: white space, escapes and the order of fields make no difference. */

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TimeSlices } from '../../execution/time-limits.ts';
import { isShallow, maxTokens } from '../../validation/json.ts';
import { type BodyBudget, isUnauthenticated, UNAUTHENTICATED } from './body-budget.ts';
import { createScanner, type Scanner } from './json-scanner.ts';
import { assemble, malformed, type Parse, parseBytes } from './json-text.ts';
import { receiveBodies } from './receive.ts';
import { requireUtf8 } from './row-types.ts';

/** Characters hashed at once, unless one text is longer. */
const PIECE_CHARACTERS = 65_536;

/**
 * Yields a JSON value in pieces. The text is unambiguous, because each count ends with a mark that is not a digit. Deep
 * values cost no stack.
 */
function* writeValue(value: unknown): Generator<string, void> {
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') yield `"${next.length}:${next}`;
    else if (Array.isArray(next)) {
      yield `[${next.length},`;
      for (let at = next.length - 1; at >= 0; at -= 1) rest.push(next[at]);
    } else if (typeof next === 'object' && next !== null) {
      const names = Object.keys(next).sort();
      yield `{${names.length},`;
      for (const name of names.reverse()) rest.push(next[name as keyof typeof next], name);
    } else yield `${next},`;
  }
}

/** Returns a text that is the same for the same JSON value. */
export const canonicalOf = (value: unknown): string => [...writeValue(value)].join('');

/** Resolves with the SHA-256 of a JSON value, hexadecimal. A large one takes several turns of the event loop. */
export const hashValue = async (value: unknown, slices: TimeSlices): Promise<string> => {
  const hash = createHash('sha256');
  let piece = '';
  let isOver = slices.slice();
  for (const text of writeValue(value)) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    hash.update(piece);
    piece = '';
    if (!isOver()) continue;
    await slices.next();
    isOver = slices.slice();
  }
  return hash.update(piece).digest('hex');
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The SHA-256 of the body's value, hexadecimal; `null` without an `Idempotency-Key`. */
    bodyHash: string | null;
  }
}

/** The limit of most routes. The content of a code fits, even when each of its characters is written as an escape. */
export const BODY_LIMIT_BYTES = 32 * 1024;
/** A body up to this size is parsed in one turn of the event loop. */
const SMALL_BYTES = BODY_LIMIT_BYTES;
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
  const receive = receiveBodies(app, budget);

  const parse: Parse = (text) => {
    if (!isShallow(text)) throw malformed('has values that are nested too deeply');
    let body: unknown;
    parseWithFastify({} as FastifyRequest, text, (error, parsed) => {
      if (error !== null) throw malformed(ruleOf(text));
      body = parsed;
    });
    return body;
  };

  /** Resolves with the bytes of a small body, or the scan of a large one. */
  const read = async (request: FastifyRequest, payload: NodeJS.ReadableStream, limit: number) => {
    const small: Buffer[] = [];
    let scanner: Scanner | null = null;
    let bytes = 0;
    await receive(request, payload, limit, (chunk) => {
      bytes += chunk.length;
      if (scanner === null && bytes <= SMALL_BYTES) {
        small.push(chunk);
        return;
      }
      scanner ??= createScanner(tokenBoundOf(request));
      for (const kept of small.splice(0)) scanner.push(kept);
      scanner.push(chunk);
    });
    // TypeScript does not see that the callback sets it.
    return (scanner as Scanner | null)?.end() ?? Buffer.concat(small);
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
