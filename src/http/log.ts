import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Logger, pino } from 'pino';
import { withoutKeys } from '../accounts/api-key.ts';

/**
 * The path without the query, which may hold a key and private content, and without what a signed picture has in its path in
 * place of a query.
 */
const loggedPath = (url: string): string =>
  withoutKeys(url.split('?', 1)[0] ?? '')
    .replace(/^\/i\/.*/s, '/i/***')
    .slice(0, 500);

/** Creates the log: JSON lines on standard output. `level` is a level of pino. */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    serializers: {
      ...pino.stdSerializers,
      req: (request: FastifyRequest) => ({ method: request.method, path: loggedPath(request.url) }),
    },
  });

/** Whether a request only asks how the gateway is. Balancers ask every second. */
const isProbe = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config?.name === 'health';

/** Logs one line for each answered request, at the level `info`, but for probes that find it well. */
export const logAnswers = (app: FastifyInstance): void => {
  if (!['trace', 'debug', 'info'].includes(app.log.level)) return;
  app.addHook('onResponse', (request, reply, done) => {
    done();
    if (isProbe(request) && reply.statusCode < 400) return;
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request.url),
        route: request.routeOptions.config?.name,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        failure: request.failure ?? undefined,
        account: request.principal?.accountId ?? request.signer?.accountId,
      },
      'answered',
    );
  });
};
