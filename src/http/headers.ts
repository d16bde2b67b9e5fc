import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Timings } from '../generate/parts.ts';

/** A caller's request id is used when it has this form, which is harmless in a log. */
const SANE_ID = /^[\w.:+/=@-]{1,128}$/;

/** Returns the request's `X-Request-Id` if it is acceptable, otherwise a new UUID. */
export const requestIdOf = (raw: IncomingMessage): string => {
  const id = raw.headers['x-request-id'];
  return typeof id === 'string' && SANE_ID.test(id) ? id : randomUUID();
};

/** Sends `Server-Timing` (W3C) with the milliseconds in the ledger, in the queue and in a render thread. */
export const sendTimings = (reply: FastifyReply, timings: Timings): void => {
  const { quotaMs, queueMs, renderMs } = timings;
  reply.header(
    'server-timing',
    `quota;dur=${quotaMs.toFixed(1)}, queue;dur=${queueMs.toFixed(1)}, render;dur=${renderMs.toFixed(1)}`,
  );
};

/** The strictest headers. Pages (docs, dashboard) set their own policy. */
const COMMON = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const YEAR_S = 31_536_000;

/** Sets the headers of every answer. */
export type SendCommonHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

/** Creates the function. @param isHttps Whether callers reach us by https alone; browsers are then told to use it. */
export const createCommonHeaders = (isHttps: boolean): SendCommonHeaders => {
  const common = isHttps ? { ...COMMON, 'strict-transport-security': `max-age=${YEAR_S}` } : COMMON;
  return (request, reply) => void reply.header('x-request-id', request.id).headers(common);
};

/** Sets the common headers on every answer, also for unknown paths. */
export const addCommonHeaders = (app: FastifyInstance, send: SendCommonHeaders): void => {
  app.addHook('onRequest', (request, reply, done) => {
    send(request, reply);
    done();
  });
};
