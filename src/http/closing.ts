import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** Routes, by the name in their config, that tell of this gateway and are answered to the end. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(['health', 'metrics']);

/** From when `isLeaving` says so on, each answer is the last of its connection. */
export const closeConnectionsWhen = (app: FastifyInstance, isLeaving: () => boolean): void => {
  // It calls back: on the path of every redirect, a promise would cost as much as what it does.
  app.addHook('onSend', (_, reply, _payload, done) => {
    if (isLeaving()) reply.header('connection', 'close');
    done();
  });
};

/**
 * Refuses new connections and leaves the open ones as they are: `close` of an HTTP server would end idle ones too,
 * perhaps while a request is on its way over one, which a balancer can't send elsewhere unless it may send it twice.
 */
export const stopListening = (app: FastifyInstance): void => {
  NetServer.prototype.close.call(app.server);
};

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
