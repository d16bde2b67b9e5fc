import type { FastifyInstance } from 'fastify';
import type { RequestMeter } from '../metrics/requests.ts';

/**
 * Counts every request once, when it is answered or its client goes away. It must be added before all other hooks, to
 * measure their time too.
 */
export const measureRequests = (app: FastifyInstance, meter: RequestMeter): void => {
  app.addHook('onRequest', (request, reply, done) => {
    meter.begin();
    reply.raw.once('close', () => {
      const route = request.is404 ? 'none' : (request.routeOptions.config?.name ?? 'other');
      const outcome = reply.raw.writableEnded ? (request.failure ?? 'ok') : 'aborted';
      meter.ended(route, outcome, reply.elapsedTime);
    });
    done();
  });
};
