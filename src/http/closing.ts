import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** Routes, by the name in their config, that tell of this gateway and are answered to the end. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(['health', 'metrics']);

/** Once the gateway closes, what it has begun goes on, and what still comes over open connections is refused. */
export const refuseWhenClosing = (app: FastifyInstance): void => {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', (request, _, done) => {
    if (!closing || ALWAYS_ANSWERED.has(request.routeOptions.config?.name ?? '')) return done();
    done(new AppError('unavailable', 'The gateway is shutting down; try again.', { retryAfterS: 1 }));
  });
};

/** For answers to be sent that `giveUp` has brought about. */
const LAST_ANSWERS_MS = 2000;

/**
 * Takes no new connections and resolves when every request has its answer: by itself within `timeoutMs`, or
 * because `giveUp` has ended the work that it waits for. A connection that is still busy then is cut.
 */
export const closeGateway = async (
  app: FastifyInstance,
  timeoutMs: number,
  giveUp: () => Promise<void>,
): Promise<void> => {
  const closed = app.close();
  await Promise.race([closed, sleep(timeoutMs, null, { ref: false })]);
  await giveUp();
  await Promise.race([closed, sleep(LAST_ANSWERS_MS, null, { ref: false })]);
  app.server.closeAllConnections();
  await closed;
};
