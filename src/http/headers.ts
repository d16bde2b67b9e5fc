import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Timings } from '../generate/parts.ts';

/** A caller's request id is taken over when it can't do harm in a log. */
const SANE_ID = /^[\w.:+/=@-]{1,128}$/;

export const requestIdOf = (raw: IncomingMessage): string => {
  const id = raw.headers['x-request-id'];
  return typeof id === 'string' && SANE_ID.test(id) ? id : randomUUID();
};

/** W3C Server Timing: where the time of a generation went. */
export const sendTimings = (reply: FastifyReply, timings: Timings): void => {
  const { quotaMs, queueMs, renderMs } = timings;
  reply.header(
    'server-timing',
    `quota;dur=${quotaMs.toFixed(1)}, queue;dur=${queueMs.toFixed(1)}, render;dur=${renderMs.toFixed(1)}`,
  );
};

/** JSON, pictures and redirects need nothing of a page; what does need more (docs, dashboard) says so itself. */
const COMMON = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const YEAR_S = 31_536_000;

/** Sets what every answer carries. */
export type SendCommonHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

/** @param isHttps Whether callers reach us by https alone: then their browsers shall not try http. */
export const createCommonHeaders = (isHttps: boolean): SendCommonHeaders => {
  const common = isHttps ? { ...COMMON, 'strict-transport-security': `max-age=${YEAR_S}` } : COMMON;
  return (request, reply) => void reply.header('x-request-id', request.id).headers(common);
};

/** Sets them on every answer of a route, and where there is none. */
export const addCommonHeaders = (app: FastifyInstance, send: SendCommonHeaders): void => {
  app.addHook('onRequest', (request, reply, done) => {
    send(request, reply);
    done();
  });
};
