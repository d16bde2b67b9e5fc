import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { FORMATS } from '../../../../workers/lists.ts';
import { AppError, fieldError } from '../../../errors.ts';
import type { Sketch } from '../../../generate/redraw.ts';
import { pictureKey } from '../../../render/result-cache.ts';
import type { SignedParameters } from '../../../signed/parameters.ts';
import { sendGrade, sendTimings } from '../../answer-headers.ts';
import { createSignatureHook, signerOf } from '../../auth/signature.ts';
import { sendPicture } from '../../files/attachment.ts';
import { etagOf, isKnownTo } from '../../files/versions.ts';
import { requireHere } from '../../hosts.ts';
import { describeBytes, describeTextErrors, ErrorBody, NotModified } from '../../schemas/atoms.ts';
import { GRADED, withHeaders } from '../../schemas/openapi/headers.ts';
import { describeRoutes } from '../../schemas/openapi/openapi.ts';
import type { Services } from '../services.ts';

const YEAR_S = 31_536_000;
/** A saved code may be deleted, and its short link may get another address; a preset may be changed. */
const SAVED_S = 86_400;

/** Returns a `Cache-Control` that expires with the address. Content never changes under its address. */
const cacheControlOf = ({ code, preset, expires }: SignedParameters): string => {
  const leftS = expires === undefined ? YEAR_S : Math.max(0, expires - Math.ceil(Date.now() / 1000));
  const isFixed = code === undefined && preset === undefined;
  return `public, max-age=${Math.min(isFixed ? YEAR_S : SAVED_S, leftS)}${isFixed ? ', immutable' : ''}`;
};

/** Pages of any origin may show and read pictures, including cross-origin isolated ones. */
const FOR_OTHER_ORIGINS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Retry-After, Server-Timing, Tessera-Grade, Tessera-Warnings, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
};

const Params = Type.Object({
  signature: Type.String({ description: 'HMAC-SHA-256 of `picture` in base64url.' }),
  picture: Type.String({ description: '`<secret id>.<parameters>.png` or `.svg`.' }),
});

/** A path that cannot be one of this route, such as one that is too long, is refused earlier. */
const NoPicture = {
  'x-response-description':
    'The code or preset of the picture was deleted; as JSON, the path is that of no picture.',
  content: {
    'text/plain': { schema: { type: 'string' } },
    'application/json': { schema: ErrorBody },
  },
};

/** Adds the route that draws pictures whose address an account has signed. */
export const signedPictureRoute =
  ({ rateLimit, signed }: Pick<Services, 'rateLimit' | 'signed'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Generate');
    // This hook comes first, because a page must be able to read why it was refused.
    app.addHook('onRequest', (_, reply, done) => {
      reply.headers(FOR_OTHER_ORIGINS);
      done();
    });

    const options = {
      config: { name: 'signed', plainTextErrors: true },
      onRequest: [createSignatureHook(signed.secrets, signed.check), rateLimit.pictureHook],
      schema: {
        operationId: 'showSignedPicture',
        summary: 'A picture by its signed URL',
        description:
          'Costs one unit per month in which it is drawn, however often it is shown. The parameters are those of `SignedUrlRequest`, as JSON in base64url.',
        params: Params,
        response: {
          200: withHeaders(
            describeBytes('The picture.', FORMATS.png.mediaType, FORMATS.svg.mediaType),
            'ETag',
            'Cache-Control',
            ...GRADED,
          ),
          304: withHeaders(NotModified, 'ETag', 'Cache-Control'),
          ...describeTextErrors(400, 403, 429, 503),
          404: NoPicture,
        },
      },
      exposeHeadRoute: false,
    };

    const sketchOf = async (request: FastifyRequest): Promise<Sketch> => {
      const { accountId, parameters, format } = signerOf(request);
      requireHere(request, accountId);
      const sketch = await signed.pictures.sketch(accountId, parameters, format);
      if (sketch.ok) return sketch.value;
      if (sketch.fault === 'no code')
        throw new AppError('not_found', 'The code of this picture was deleted.');
      if (sketch.fault === 'no preset')
        throw new AppError('not_found', 'The preset of this picture was deleted or renamed.');
      throw fieldError(sketch.fault.field, sketch.fault.message, 'invalid_params');
    };

    /** Sends the headers that GET and HEAD have in common. Returns whether the client has the picture already. */
    const sendHeaders = (request: FastifyRequest, reply: FastifyReply, sketch: Sketch): boolean => {
      const { parameters, format } = signerOf(request);
      const etag = etagOf(pictureKey(sketch));
      reply
        .type(FORMATS[format].mediaType)
        .header('etag', etag)
        .header('cache-control', cacheControlOf(parameters));
      return isKnownTo(request, etag);
    };

    app.get('/i/:signature/:picture', options, async (request, reply) => {
      const sketch = await sketchOf(request);
      if (sendHeaders(request, reply, sketch)) return reply.code(304).send();
      const signer = signerOf(request);
      const drawn = await signed.pictures.draw(sketch, signer);
      sendTimings(reply, drawn.timings);
      sendGrade(reply, drawn);
      return sendPicture(reply, { format: signer.format, name: 'code', bytes: drawn.bytes });
    });

    /** Sends the headers of GET, for free. Nothing is drawn, so the length is not known. */
    app.head('/i/:signature/:picture', options, async (request, reply) => {
      if (sendHeaders(request, reply, await sketchOf(request))) reply.code(304);
      return reply.send();
    });
  };
