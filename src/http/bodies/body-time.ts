import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route itself bounds the time of its bodies. */
    takesUploads?: boolean;
  }
}

/** A request must be received in this time. The largest valid body needs 15 Mbit/s for that. */
const TIMEOUT_MS = 120_000;

/** Whether a request announces a body. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Closes a connection whose request is not received within two minutes. A route with uploads sets its own bound; its
 * uploads have these two minutes after its answer. Node's `requestTimeout` would be the same for all routes.
 */
export const limitBodyTime = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasBody(request)) return done();
    const { raw } = request;
    const begin = (): void => {
      if (raw.complete || raw.readableEnded || raw.destroyed) return;
      const timer = setTimeout(() => {
        if (!raw.complete) raw.destroy();
      }, TIMEOUT_MS).unref();
      raw.once('close', () => clearTimeout(timer));
    };
    if (request.routeOptions.config?.takesUploads) reply.raw.once('finish', begin);
    else begin();
    return done();
  });
};
