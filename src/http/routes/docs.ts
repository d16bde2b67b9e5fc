import { hash } from 'node:crypto';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { refuseOddPaths } from '../file-paths.ts';
import { etagOf, isKnownTo } from '../files/versions.ts';
import { compressWell, type Encoding, encodingFor, varyByEncoding } from '../protocol/compression.ts';
import { NotModified } from '../schemas/atoms.ts';
import { withHeaders } from '../schemas/openapi/headers.ts';
import { describeRoutes } from '../schemas/openapi/openapi.ts';
import { ANYTHING, routesOf } from './route.ts';

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
