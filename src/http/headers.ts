import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { withoutKeys } from '../accounts/api-key.ts';

/** A caller's request id is used when it has this form and contains no key, so that it is safe to log. */
const SANE_ID = /^[\w.:+/=@-]{1,128}$/;

/** Returns the request's `X-Request-Id` if it is acceptable, otherwise a new UUID. */
export const requestIdOf = (raw: IncomingMessage): string => {
  const id = raw.headers['x-request-id'];
  return typeof id === 'string' && SANE_ID.test(id) && withoutKeys(id) === id ? id : randomUUID();
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

/** Creates the function. @param isHttps Whether callers reach us only by https; browsers are then told to use it. */
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

const streamNothing: onSendHookHandler = (_request, _reply, payload, done) => {
  done(null, payload ?? Readable.from([]));
};

/**
 * Lets the HEAD routes of Fastify answer without a body, as 204 and 304 do. They measure the body that they leave out
 * and fail for `null`, so this gives them an empty stream, which they do not measure.
 */
export const allowHeadWithoutBody = (app: FastifyInstance): void => {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    route.onSend = [streamNothing, route.onSend ?? []].flat();
  });
};
