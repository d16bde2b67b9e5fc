import type { FastifyRequest } from 'fastify';
import { type Logger, pino } from 'pino';
import { withoutKeys } from '../accounts/api-key.ts';

/**
 * The path without the query, which may hold a key and private content, and without what a signed picture has in its path in
 * place of a query.
 */
export const loggedPath = (url: string): string =>
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
