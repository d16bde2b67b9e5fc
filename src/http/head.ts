import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/**
 * Lets GET routes answer without a body, as 204 and 304 do, also when HEAD asks: Fastify's own HEAD routes measure
 * the body that they leave out, and fail on `null`. A stream is what they don't measure.
 */
export const allowHeadWithoutBody = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, _, payload, done) => {
    done(null, payload === null && request.method === 'HEAD' ? Readable.from([]) : payload);
  });
};
