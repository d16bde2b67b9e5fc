import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, onRequestHookHandler, RouteOptions } from 'fastify';
import { AppError } from '../../errors.ts';

/** The methods for which every path has a route. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;
const KNOWN: ReadonlySet<string | undefined> = new Set(METHODS);

/**
 * The URL of a request, for `rewriteUrl` of Fastify, which would find no path for other methods, such as `QUERY`. They
 * are routed, and logged, as `TRACE`, which every path refuses.
 */
export const urlOfAnyMethod = (request: IncomingMessage): string => {
  if (!KNOWN.has(request.method)) request.method = 'TRACE';
  return request.url ?? '/';
};

/** Answers before a body is read: OPTIONS with 204, and other methods with 405. */
const createAnswer = (taken: readonly string[]): onRequestHookHandler => {
  const allow = [...taken, ...(taken.includes('OPTIONS') ? [] : ['OPTIONS'])].join(', ');
  return (request, reply, done) => {
    reply.header('allow', allow);
    if (request.method === 'OPTIONS') return void reply.code(204).send();
    done(new AppError('method_not_allowed', `This path supports ${allow}.`));
  };
};

/**
 * Makes every path that is registered from now on answer methods without a route: OPTIONS with the allowed methods, and
 * all others with a 405 (RFC 9110, 15.5.6). Call the returned function when all routes are registered.
 */
export const answerOtherMethods = (app: FastifyInstance): (() => void) => {
  const paths = new Map<string, RouteOptions['config']>();
  app.addHook('onRoute', ({ url, config }) => void paths.set(url, config));
  return () => {
    for (const [url, config] of [...paths]) {
      const taken = METHODS.filter((method) => app.hasRoute({ method, url }));
      const { name, plainTextErrors } = { name: 'other', plainTextErrors: false, ...config };
      app.route({
        method: METHODS.filter((method) => !taken.includes(method)),
        url,
        exposeHeadRoute: false,
        config: { name, plainTextErrors },
        schema: { hide: true },
        onRequest: createAnswer(taken),
        handler: (_, reply) => reply.callNotFound(),
      });
    }
  };
};
