import { Readable } from 'node:stream';
import type { FastifyInstance, onSendHookHandler } from 'fastify';

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
