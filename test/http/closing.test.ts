/** Shutdown of a gateway. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { closeGateway } from '../../src/http/closing.ts';
import { deferred } from '../support/deferred.ts';

t.test('a busy connection is cut, and the shutdown resolves only after that', async (t) => {
  // The timers of the shutdown do not keep the process alive.
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
