/**
 * Requests that a client sends before it has the answers to earlier ones of its connection (RFC 9112, 9.3.2). Node
 * hands out all those that arrive in one packet at once: some hundred answers would be made in one turn of the event
 * loop, and wait in memory for a client that reads none of them.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests of a connection that may wait. A client that sends more is cut off. */
const WAITING_MAX = 100;

interface Line {
  last: ServerResponse;
  waiting: number;
}

/** Begins each request of a connection in a turn of its own, once the answer to the one before it has been sent. */
export const answerInTurns = (app: FastifyInstance): void => {
  const lines = new WeakMap<Socket, Line>();
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, { last: response, waiting: 0 });
      return done();
    }
    const before = line.last;
    line.last = response;
    if (before.writableFinished || before.destroyed) return done();
    line.waiting += 1;
    if (line.waiting > WAITING_MAX) socket.destroy();
    const begin = (): void => {
      line.waiting -= 1;
      // Node does not tell a response that it will never have a connection.
      if (socket.destroyed) response.emit('close');
      else done();
    };
    before.once('close', () => setImmediate(begin));
  });
};
