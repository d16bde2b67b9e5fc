import { Readable } from 'node:stream';
import type { FastifyInstance, onSendHookHandler } from 'fastify';

const streamNothing: onSendHookHandler = (_request, _reply, payload, done) => {
  done(null, payload ?? Readable.from([]));
};

/**
 * Lets GET routes answer without a body, as 204 and 304 do, also when HEAD asks: Fastify's own HEAD routes measure
 * the body that they leave out, and fail on `null`. A stream is what they don't measure.
 */
export const allowHeadWithoutBody = (app: FastifyInstance): void => {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    route.onSend = [streamNothing, route.onSend ?? []].flat();
  });
};
