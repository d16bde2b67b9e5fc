/**
 * What the gateway publishes for programs and their authors: the OpenAPI document and its page, the packages of the
 * clients of this version, which npm and pip install from here without a registry, and the key of receipts.
 */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../errors.ts';
import { builtFolder, VERSION } from '../../package.ts';
import { etagOf, isKnownTo } from '../files/versions.ts';
import { compressWell, type Encoding, encodingFor, varyByEncoding } from '../protocol/compression.ts';
import { refuseOddPaths } from '../protocol/requests.ts';
import { NotModified } from '../schemas/atoms.ts';
import { withHeaders } from '../schemas/openapi/headers.ts';
import { describeRoutes } from '../schemas/openapi/openapi.ts';
import { ANYTHING, routesOf } from './route.ts';
import type { Services } from './services.ts';

/** What the page needs: its own files, and the styles and the logo that its scripts insert. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Adds `/docs`, an interactive page for the OpenAPI document. It loads nothing from other hosts. */
export const addDocs = async (app: FastifyInstance, basePath: string): Promise<void> => {
  await app.register(async (scope) => {
    scope.addHook('onRequest', refuseOddPaths);
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      ...(basePath === '/' ? {} : { indexPrefix: basePath }),
      staticCSP: PAGE_POLICY,
      theme: { title: 'Tessera API' },
      uiConfig: { layout: 'BaseLayout', displayRequestDuration: true },
    });
  });
};

interface Written {
  readonly bytes: Promise<Buffer>;
  /** A strong tag names bytes, so each coding has its own. */
  readonly etag: string;
}

/** Adds `/openapi.json`. The document is made at the first request, and compressed at the first one for a coding. */
export const openapiRoute: FastifyPluginAsyncTypebox = async (app) => {
  describeRoutes(app, 'Operation');
  const written = new Map<Encoding | null, Written>();
  const write = (encoding: Encoding | null): Written => {
    const known = written.get(encoding);
    if (known !== undefined) return known;
    const plain = Buffer.from(JSON.stringify(app.swagger()));
    const made = {
      bytes: encoding === null ? Promise.resolve(plain) : compressWell(encoding, plain),
      etag: etagOf(hash('sha256', `${encoding} ${hash('sha256', plain)}`, 'base64url')),
    };
    written.set(encoding, made);
    return made;
  };
  routesOf(
    app,
    'openapi',
    ANYTHING,
  )('GET /openapi.json', {
    operationId: 'getOpenApi',
    summary: 'This document',
    description: 'Every call with all its fields, made from the schemas that validate them.',
    answer: withHeaders(
      Type.Object({}, { additionalProperties: true, description: 'OpenAPI 3.1.' }),
      'Cache-Control',
      'ETag',
    ),
    answers: { 304: withHeaders(NotModified, 'ETag', 'Cache-Control') },
    fails: [503],
    handle: async (request, _, reply) => {
      const encoding = encodingFor(request);
      const { bytes, etag } = write(encoding);
      reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').header('etag', etag);
      varyByEncoding(reply);
      if (isKnownTo(request, etag)) return reply.code(304).send();
      if (encoding !== null) reply.header('content-encoding', encoding);
      return reply.send(await bytes);
    },
  });
};

/** The media types of packages by the endings of their names. */
const TYPES: Readonly<Record<string, string>> = {
  '.tgz': 'application/gzip',
  '.tar.gz': 'application/gzip',
  '.whl': 'application/zip',
};

interface ServedFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

const served = (type: string, bytes: Buffer): ServedFile => ({
  type,
  bytes,
  etag: etagOf(hash('sha256', bytes, 'base64url')),
});

const typeOf = (name: string): string | undefined =>
  Object.entries(TYPES).find(([ending]) => name.endsWith(ending))?.[1];

const namesIn = async (folder: URL): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => typeOf(name) !== undefined).sort();
};

/**
 * Reads the packages. Returns what is served by its name: them, `SHA256SUMS` as `sha256sum --check` reads it, and, without
 * a name, the list of them.
 *
 * @throws {AppError} 404 when none were built.
 */
const readPackages = async (folder: URL): Promise<ReadonlyMap<string, ServedFile>> => {
  const names = await namesIn(folder);
  if (names.length === 0)
    throw new AppError('not_found', 'This build has no packages of clients; npm run clients makes them.');
  const packages = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(new URL(name, folder));
      return { name, bytes, sha256: hash('sha256', bytes) };
    }),
  );
  const sums = packages.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  const list = packages.map(({ name, bytes, sha256 }) => ({ name, bytes: bytes.length, sha256 }));
  return new Map([
    ...packages.map(({ name, bytes }) => [name, served(typeOf(name)!, bytes)] as const),
    ['SHA256SUMS', served('text/plain; charset=utf-8', Buffer.from(sums))],
    [
      '',
      served(
        'application/json; charset=utf-8',
        Buffer.from(JSON.stringify({ version: VERSION, packages: list })),
      ),
    ],
  ]);
};

/** Adds `/clients/`, which lists the packages, and a path for each. @param folder Where they are. */
export const clientRoutes =
  (folder = builtFolder('clients')): FastifyPluginAsyncTypebox =>
  async (app) => {
    let kept: Promise<ReadonlyMap<string, ServedFile>> | null = null;
    /** They are read once, with the first request for them after they were built. */
    const packages = () => {
      kept ??= readPackages(folder).catch((error: unknown) => {
        kept = null;
        throw error;
      });
      return kept;
    };
    const send = async (request: FastifyRequest, reply: FastifyReply) => {
      const { file: name = '' } = request.params as { readonly file?: string };
      const file = (await packages()).get(name);
      if (file === undefined)
        throw new AppError('not_found', 'There is no such package; GET /clients/ lists them.');
      const { type, bytes, etag } = file;
      // A later build of the same version may make another package.
      reply.header('cache-control', 'no-cache').header('etag', etag);
      return isKnownTo(request, etag) ? reply.code(304).send() : reply.type(type).send(bytes);
    };
    // The OpenAPI document leaves them out: they are files for package managers, made from the document.
    const options = { config: { name: 'clients' }, schema: { hide: true } };
    app.get('/clients', options, send);
    app.get('/clients/', options, send);
    app.get('/clients/:file', options, send);
  };

const KeySet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.String())) },
  { title: 'KeySet', description: 'A JWK set (RFC 7517, 8037).' },
);

/** Adds the public route that returns the key with which the installation signs receipts. */
export const receiptKeyRoute =
  ({ receiptKey }: Pick<Services, 'receiptKey'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Operation');
    routesOf(
      app,
      'receipt-key',
      ANYTHING,
    )('GET /.well-known/tessera-receipts', {
      operationId: 'getReceiptKeys',
      summary: 'The public key that verifies receipts',
      description: 'A JWK set with the key that also signs the reports of batches.',
      answer: withHeaders(KeySet, 'Cache-Control'),
      fails: [503],
      handle: async (_, __, reply) => {
        reply.header('cache-control', 'public, max-age=3600');
        return { keys: [{ ...receiptKey }] };
      },
    });
  };
