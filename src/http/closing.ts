import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { waitAtMost } from '../execution/time-limits.ts';

/** Names of the routes that report on this gateway. They are answered until it has closed. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(['health', 'metrics']);

/** Makes each answer the last of its connection while `isLeaving` returns `true`. */
export const closeConnectionsWhen = (app: FastifyInstance, isLeaving: () => boolean): void => {
  // A callback, because on the path of every redirect a promise would cost as much as the hook itself.
  app.addHook('onSend', (_, reply, _payload, done) => {
    if (isLeaving()) reply.header('connection', 'close');
    done();
  });
};

/** Turns of the event loop in which connections are still accepted while more and more of them come. */
const LAST_TURNS = 10_000;

/**
 * Accepts the connections that wait in the kernel, which would be reset with what was sent on them: Node.js accepts one
 * in each turn of the event loop.
 */
const acceptWaiting = async (server: FastifyInstance['server']): Promise<void> => {
  let accepted = 0;
  const count = (): void => {
    accepted += 1;
  };
  server.on('connection', count);
  for (let turn = 0, before = -1; accepted !== before && turn < LAST_TURNS; turn += 1) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
};

/**
 * Refuses new connections and keeps the open ones. `close` of an HTTP server would also end idle connections, perhaps
 * while a request is on its way. A load balancer may not repeat such a request elsewhere, unless it is idempotent.
 */
export const stopListening = async (app: FastifyInstance): Promise<void> => {
  await acceptWaiting(app.server);
  NetServer.prototype.close.call(app.server);
};

/**
 * Refuses requests with 503 once the gateway shuts down, unless `isMeant` then returns `false`. Requests that have
 * begun continue.
 */
export const refuseWhenClosing = (app: FastifyInstance, isMeant: () => boolean): void => {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = isMeant();
  });
  app.addHook('onRequest', (request, _, done) => {
    if (!closing || ALWAYS_ANSWERED.has(request.routeOptions.config?.name ?? '')) return done();
    done(new AppError('unavailable', 'The gateway is shutting down; try again.', { retryAfterS: 1 }));
  });
};

/** How long the answers that `giveUp` causes may take. */
const LAST_ANSWERS_MS = 2000;

/**
 * Closes the gateway: it takes no new connections, and resolves when every request is answered. After `timeoutMs`
 * `giveUp` ends the work that requests wait for. A connection that is busy `LAST_ANSWERS_MS` later is cut.
 */
export const closeGateway = async (
  app: FastifyInstance,
  timeoutMs: number,
  giveUp: () => Promise<void>,
): Promise<void> => {
  const closed = app.close();
  await waitAtMost(closed, timeoutMs);
  await giveUp();
  await waitAtMost(closed, LAST_ANSWERS_MS);
  app.server.closeAllConnections();
  await closed;
};
