import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import { AppError } from '../../errors.ts';
import { hasBody } from '../bodies/body-time.ts';

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
