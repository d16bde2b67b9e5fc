import type { FastifyRequest } from 'fastify';
import { type Logger, pino } from 'pino';
import { withoutKeys } from '../accounts/api-key.ts';
import { currentTrace } from '../tracing/trace.ts';

/**
 * The path without the query, which may hold a key and private content, and without what a signed picture has in its
 * path in place of a query.
 */
export const loggedPath = (url: string): string =>
  withoutKeys(url.split('?', 1)[0] ?? '')
    .replace(/^\/i\/.*/s, '/i/***')
    .slice(0, 500);

/** The fields by which tools join lines of a log and spans. */
const traceFields = (): object => {
  const context = currentTrace()?.context;
  return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
};

/**
 * Creates the log: JSON lines on standard output. What is said within a trace has its ids. `level` is a level of pino.
 */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    mixin: traceFields,
    serializers: {
      ...pino.stdSerializers,
      req: (request: FastifyRequest) => ({ method: request.method, path: loggedPath(request.url) }),
    },
  });
