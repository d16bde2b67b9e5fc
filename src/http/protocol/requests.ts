/**
 * Requests before their routes: odd methods, odd paths of files, odd queries, and those that are sent before earlier ones
 * are answered.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestHookHandler,
  preValidationHookHandler,
  RouteOptions,
} from 'fastify';
import { AppError, fieldError } from '../../errors.ts';

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

/** The names that a build gives its files. None is hidden or encoded, or leads out of its folder. */
const PLAIN_SEGMENT = /^(?!\.)[\w.@-]{1,100}$/;
const MAX_SEGMENTS = 10;

const isPlain = (path: string): boolean => {
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/');
  return segments.length <= MAX_SEGMENTS && segments.every((segment) => PLAIN_SEGMENT.test(segment));
};

/**
 * Answers 404 for a path that no file of ours can have. It is a hook for routes that read files, because for some paths
 * (NUL, long names, `..`) the file system fails in other ways.
 */
export const refuseOddPaths: onRequestHookHandler = (request, _, done) => {
  const path = request.raw.url?.split('?', 1)[0] ?? '';
  done(isPlain(path) ? undefined : new AppError('not_found', 'There is no such file.'));
};

/** Requests of a connection that may wait. A client that sends more is cut off. */
const WAITING_MAX = 100;

interface Line {
  last: ServerResponse;
  waiting: number;
}

/**
 * Begins each request of a connection in a turn of its own, once the answer to the one before it has been sent.
 * Requests may arrive before the answers to earlier ones of their connection are sent (RFC 9112, 9.3.2). Node hands out
 * all those that arrive in one packet at once: some hundred answers would be made in one turn of the event loop, and
 * wait in memory for a client that reads none of them.
 */
export const answerInTurns = (app: FastifyInstance): void => {
  const lines = new WeakMap<Socket, Line>();
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, { last: response, waiting: 0 });
      return done();
    }
    const before = line.last;
    line.last = response;
    if (before.writableFinished || before.destroyed) return done();
    line.waiting += 1;
    if (line.waiting > WAITING_MAX) socket.destroy();
    const begin = (): void => {
      line.waiting -= 1;
      // Node does not tell a response that it will never have a connection.
      if (socket.destroyed) response.emit('close');
      else done();
    };
    before.once('close', () => setImmediate(begin));
  });
};

/** Returns the percent-decoded text; `null`: it cannot be decoded as UTF-8. */
const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** The name is echoed to the caller, so it is cut to one line of bounded length. */
const shown = (name: string): string => (decode(name) ?? name).replace(/\p{C}/gu, '?').slice(0, 200);

/** Returns a parameter that is not correctly percent-encoded, or `null`. Most queries are decoded once. */
const findUndecodable = (url: string): string | null => {
  const query = url.slice(url.indexOf('?') + 1 || url.length);
  if (decode(query) !== null) return null;
  const parameter = query.split('&').find((text) => decode(text) === null) ?? query;
  return shown(parameter.split('=', 1)[0]!);
};

const findRepeated = (query: FastifyRequest['query']): string | undefined =>
  Object.entries(query as object).find(([, value]) => Array.isArray(value))?.[0];

/**
 * Refuses queries that would be misread: those with a parameter that is not correctly percent-encoded, which the parser
 * leaves as it is, or with one that is sent twice. Routes without a query schema do not read the query.
 */
export const refuseOddQueries = (app: FastifyInstance): void => {
  const check: preValidationHookHandler = (request, _reply, done) => {
    const undecodable = findUndecodable(request.raw.url ?? '');
    if (undecodable !== null) {
      const rule = 'is not percent-encoded correctly; write UTF-8, and % itself as %25';
      return done(fieldError(undecodable, rule, 'invalid_query'));
    }
    const repeated = findRepeated(request.query);
    if (repeated === undefined) return done();
    done(fieldError(shown(repeated), 'must be sent only once', 'invalid_query'));
  };
  app.addHook('onRoute', (route) => {
    if (route.schema?.querystring === undefined) return;
    route.preValidation = [check, route.preValidation ?? []].flat();
  });
};
