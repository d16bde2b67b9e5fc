import type { FastifyInstance } from 'fastify';

/** A gateway that was started for a short task is not kept busy. */
const AFTER_MS = 10_000;

/**
 * Compiles the schemas that no request has needed by then, some time after the gateway has begun to listen: a large one
 * takes some 30 ms of the main thread, for which every other request would wait.
 */
export const compileWhenIdle = (
  app: FastifyInstance,
  makeAll: (signal: AbortSignal) => Promise<void>,
): void => {
  const ended = new AbortController();
  const compile = (): void =>
    void makeAll(ended.signal).catch((err: unknown) => {
      // The first request that needs it fails with the same error, and with a name.
      if (!ended.signal.aborted) app.log.error({ err }, 'a schema could not be compiled');
    });
  app.addHook('onListen', (done) => {
    const timer = setTimeout(compile, AFTER_MS).unref();
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
    done();
  });
  app.addHook('preClose', (done) => {
    ended.abort();
    done();
  });
};
