import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ImageQuery } from '../../../generate/request/request.ts';
import { toImage } from '../../../generate/single.ts';
import { sendPictureOutcome } from '../../answer-headers.ts';
import { principalOf } from '../../auth/auth.ts';
import { unclaimedCallerOf, useCasesFor } from '../../caller.ts';
import { etagOf, isKnownTo } from '../../files/versions.ts';
import { GradeHeaders, gradeTermsOf } from '../../grade-headers.ts';
import { sendLimits } from '../../limits/rate-limit.ts';
import { describeBytes, describeTextErrors, KEY_ERRORS, NotModified } from '../../schemas/atoms.ts';
import { GRADED, withHeaders } from '../../schemas/openapi/headers.ts';
import { describeRoutes } from '../../schemas/openapi/openapi.ts';
import type { Need } from '../services.ts';

const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Pages of any origin may make this call, including cross-origin isolated ones. */
const FOR_OTHER_ORIGINS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, Tessera-Grade, Tessera-Warnings, X-QR-Usage, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
};

const PREFLIGHT = {
  allow: 'GET, HEAD, OPTIONS',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers':
    'Authorization, If-None-Match, Tessera-Load-Test, Tessera-Min-Grade, X-Request-Id',
  'access-control-max-age': '86400',
};

/** Adds the route that answers with one picture for an `<img>` tag. */
export const imageRoute =
  ({
    auth,
    rateLimit,
    image,
    quota,
    rehearsal,
    sandbox,
  }: Need<'image' | 'quota' | 'rehearsal' | 'sandbox'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Generate');
    // This hook comes first, because a page must be able to read why it was refused.
    app.addHook('onRequest', (_, reply, done) => {
      reply.headers(FOR_OTHER_ORIGINS);
      done();
    });

    const options = {
      config: { name: 'image', plainTextErrors: true },
      onRequest: [auth.require('render', 'query', { isForSandbox: true }), rateLimit.hook],
      schema: {
        operationId: 'renderCode',
        summary: 'One plain code as a PNG',
        security: [{ queryKey: ['render'] }, { apiKey: ['render'] }],
        description:
          'Each request that reaches the service costs one unit, even when the service has the picture in its cache; a `304` and a `HEAD` cost nothing. Browsers and shared caches may keep a picture for a year, and never keep errors.',
        querystring: ImageQuery,
        headers: GradeHeaders,
        response: {
          200: withHeaders(
            describeBytes('The picture.', 'image/png'),
            'ETag',
            'Cache-Control',
            ...GRADED,
            'X-QR-Usage',
          ),
          304: withHeaders(NotModified, 'ETag', 'Cache-Control'),
          ...describeTextErrors(400, ...KEY_ERRORS),
        },
      },
      exposeHeadRoute: false,
    };

    /** Returns the ETag of a picture. A sandbox gets a different one where its picture says TEST. */
    const etagFor = (key: string, request: FastifyRequest): string =>
      etagOf(principalOf(request).isSandbox && request.loadTest === null ? `sandbox ${key}` : key);

    /** Sends the headers of a picture. A sandbox's picture must not be cached. */
    const sendHeaders = (etag: string, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
      reply
        .type('image/png')
        .header('cache-control', principalOf(request).isSandbox ? 'no-store' : CACHE_CONTROL)
        .header('etag', etag);

    app.get('/api/v1/render', options, async (request, reply) => {
      const picture = toImage(request.query);
      const etag = etagFor(picture.key, request);
      if (isKnownTo(request, etag)) return sendHeaders(etag, request, reply).code(304).send();
      const principal = principalOf(request);
      const make = useCasesFor(request, principal, { image }, sandbox, rehearsal).image;
      const answer = await make(
        picture,
        unclaimedCallerOf(request, principal),
        gradeTermsOf(request.headers),
      );
      sendHeaders(etag, request, reply);
      sendPictureOutcome(request, reply, answer);
      reply.header('x-qr-usage', String(answer.usageCount));
      const { buffer, byteOffset, byteLength } = answer.bytes;
      return reply.send(Buffer.from(buffer, byteOffset, byteLength));
    });

    /** Sends the headers of GET, for free. Nothing is drawn, so the length is not known. */
    app.head('/api/v1/render', options, async (request, reply) => {
      const etag = etagFor(toImage(request.query).key, request);
      sendHeaders(etag, request, reply);
      if (isKnownTo(request, etag)) return reply.code(304).send();
      const balance = await quota.read(principalOf(request).accountId);
      sendLimits(request, reply, balance);
      return reply.header('x-qr-usage', String(balance.usageCount)).send();
    });

    app.options(
      '/api/v1/render',
      {
        config: { name: 'image', plainTextErrors: true },
        schema: {
          operationId: 'preflightRender',
          summary: "A browser's preflight request (CORS)",
          description: 'Browsers send it before pages of other sites call `/render`.',
          security: [],
          response: {
            204: { type: 'null', description: 'Any origin may make the request.' },
            ...describeTextErrors(400, 415, 503),
          },
        },
      },
      async (_, reply) => reply.headers(PREFLIGHT).code(204).send(null),
    );
  };
