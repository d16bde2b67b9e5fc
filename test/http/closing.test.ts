/** How a gateway closes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { closeGateway } from '../../src/http/closing.ts';
import { deferred } from '../support/deferred.ts';

t.test('a connection that is still busy is cut, and closing resolves after that', async (t) => {
  // Its own timers keep no process alive.
  const alive = setInterval(() => {}, 1000);
  t.teardown(() => clearInterval(alive));
  const happened: string[] = [];
  const closed = deferred();
  const app = {
    close: () => closed.promise,
    server: {
      closeAllConnections() {
        happened.push('cut');
        void sleep(50).then(() => {
          happened.push('closed');
          closed.resolve();
        });
      },
    },
  } as unknown as FastifyInstance;
  await closeGateway(app, 10, async () => void happened.push('gave up'));
  t.strictSame(happened, ['gave up', 'cut', 'closed']);
});
