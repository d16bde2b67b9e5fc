/** Compresses text that callers read, off the main thread and within bounds, and refuses compressed bodies. */
import { pipeline, type Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import Negotiator from 'negotiator';
import { AppError } from '../../errors.ts';
import { hasBody } from '../bodies/connections.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Content encodings that the route decodes itself. Unencoded bodies are always accepted. */
    encodings?: readonly string[];
  }
}

const encodingOf = ({ headers }: FastifyRequest): string =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase();

/**
 * Refuses bodies in an encoding that their route does not read, before they are misparsed. A request that neither has
 * nor needs a body may still name its type, as many clients do with DELETE.
 */
export const refuseEncodedBodies = (app: FastifyInstance): void => {
  const check: preParsingHookHandler = (request, reply, _payload, done) => {
    const { config, schema } = request.routeOptions;
    if (!hasBody(request)) {
      if (schema?.body === undefined) delete request.raw.headers['content-type'];
      return done();
    }
    const encoding = encodingOf(request);
    const taken = config.encodings ?? [];
    if (encoding === 'identity' || taken.includes(encoding)) return done();
    reply.header('accept-encoding', [...taken, 'identity'].join(', '));
    const how = ['plain', ...taken.map((name) => `as ${name}`)].join(' or ');
    const details = `Content-Encoding: ${encoding.slice(0, 40)} is not read here; send the body ${how}.`;
    done(new AppError('unsupported_media_type', details));
  };
  app.addHook('onRoute', (route) => {
    route.preParsing = [check, route.preParsing ?? []].flat();
  });
};

/** Shorter answers fit into a few packets as they are. */
const MIN_BYTES = 4096;
/** Those beyond this are sent as they are, so that other work of the thread pool is not delayed. */
const RUNNING_MAX = 4;

/** Text that shrinks to a fraction. Pictures and archives are compressed already. */
const TEXT =
  /^(?:application\/(?:json|ld\+json|linkset\+json|x-ndjson|javascript)|text\/(?:csv|plain|html|css|javascript)|image\/svg\+xml)\b/;

const ENCODINGS = ['br', 'gzip'] as const;

/** A content coding that answers may have. */
export type Encoding = (typeof ENCODINGS)[number];

const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
/** They take a few milliseconds for each megabyte. */
const FAST = { br: brotli(1), gzip: { level: 1 } } as const;

const compressWhole = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Returns the coding in which a caller prefers an answer; `null`: as it is. */
export const encodingFor = (request: FastifyRequest): Encoding | null => {
  const asked = new Negotiator(request.raw).encodings([...ENCODINGS, 'identity']);
  const [first] = asked as readonly (Encoding | 'identity')[];
  return first === undefined || first === 'identity' ? null : first;
};

/** Returns the coding in which a caller is sent a text; `null`: as it is, because it is short or the caller wants that. */
export const codingFor = (request: FastifyRequest, { length }: Buffer): Encoding | null =>
  length < MIN_BYTES || request.method === 'HEAD' ? null : encodingFor(request);

/** Adds `Accept-Encoding` to `Vary`. */
export const varyByEncoding = (reply: FastifyReply): void => {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
};

/** Compresses what is sent many times, well rather than fast. */
export const compressWell = (encoding: Encoding, bytes: Buffer): Promise<Buffer> =>
  encoding === 'br' ? compressWhole.br(bytes, brotli(9)) : compressWhole.gzip(bytes, { level: 9 });

const isStream = (payload: unknown): payload is Readable =>
  typeof (payload as { readonly pipe?: unknown } | null)?.pipe === 'function';

/** The bytes of an answer; `Infinity` for a stream of which nothing is known. */
const lengthOf = (payload: unknown, reply: FastifyReply): number => {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload);
  if (!isStream(payload)) return 0;
  const said = reply.getHeader('content-length');
  return said === undefined ? Number.POSITIVE_INFINITY : Number(said);
};

/** A strong ETag names these bytes, so other ones may not have it. */
const hasStrongEtag = (reply: FastifyReply): boolean => /^"/.test(String(reply.getHeader('etag') ?? ''));

/**
 * Compresses the successful answers of GET calls that are text of at least 4 KiB. Answers to other methods are left
 * alone: they hold pictures, or secrets that are shown once, which must not be compressed together with what a caller
 * chose (BREACH).
 */
export const compressAnswers = (app: FastifyInstance): void => {
  let running = 0;

  const compressStream = (source: Readable, encoding: Encoding): Transform => {
    const compressor = encoding === 'br' ? createBrotliCompress(FAST.br) : createGzip(FAST.gzip);
    running += 1;
    // A source that fails destroys the compressor, so that the answer is cut off and never looks complete.
    pipeline(source, compressor, () => {
      running -= 1;
    });
    return compressor;
  };

  const compress = async (payload: string | Buffer, encoding: Encoding): Promise<Buffer> => {
    running += 1;
    try {
      return await (encoding === 'br'
        ? compressWhole.br(payload, FAST.br)
        : compressWhole.gzip(payload, FAST.gzip));
    } finally {
      running -= 1;
    }
  };

  const isText = (reply: FastifyReply): boolean =>
    reply.statusCode === 200 &&
    (reply.request.method === 'GET' || reply.request.method === 'HEAD') &&
    TEXT.test(String(reply.getHeader('content-type') ?? '')) &&
    !(reply.hasHeader('content-encoding') || hasStrongEtag(reply));

  // Without a promise, since every redirect passes through it.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isText(reply)) return done(null, payload);
    varyByEncoding(reply);
    const isShort = request.method === 'HEAD' || lengthOf(payload, reply) < MIN_BYTES;
    const encoding = isShort || running >= RUNNING_MAX ? null : encodingFor(request);
    if (encoding === null) return done(null, payload);
    reply.header('content-encoding', encoding).removeHeader('content-length');
    if (isStream(payload)) return done(null, compressStream(payload, encoding));
    compress(payload as string | Buffer, encoding).then((bytes) => done(null, bytes), done);
  });
};
