import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Logger, pino } from 'pino';
import { withoutKeys } from '../accounts/api-key.ts';

/** The path alone: a query may hold a key and anybody's content. */
const loggedPath = (url: string): string => withoutKeys(url.split('?', 1)[0] ?? '').slice(0, 500);

/** JSON lines on standard output. Made before the gateway, for the parts that it is built from. */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    serializers: {
      ...pino.stdSerializers,
      req: (request: FastifyRequest) => ({ method: request.method, path: loggedPath(request.url) }),
    },
  });

/** One line an answered request, at the level `info`. */
export const logAnswers = (app: FastifyInstance): void => {
  if (!['trace', 'debug', 'info'].includes(app.log.level)) return;
  app.addHook('onResponse', (request, reply, done) => {
    done();
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request.url),
        route: request.routeOptions.config?.name,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        failure: request.failure ?? undefined,
        account: request.principal?.accountId,
      },
      'answered',
    );
  });
};
