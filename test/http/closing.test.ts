/** Shutdown of a gateway. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import t from 'tap';
import { closeGateway, stopListening } from '../../src/http/closing.ts';
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

t.test('connections that wait to be accepted are answered, and later ones refused', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  app.get('/', async () => 'here');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  // They are made in one turn of the event loop, in which none is accepted.
  const answers = Array.from({ length: 100 }, () => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return text(socket).catch(({ code }) => code);
  });
  await new Promise<void>((resolve) => process.nextTick(resolve));
  await stopListening(app);
  const got = await Promise.all(answers);
  t.strictSame([...new Set(got.map((answer) => answer.slice(0, 15)))], ['HTTP/1.1 200 OK']);
  await t.rejects(once(connect({ port, host: '127.0.0.1' }), 'connect'), { code: 'ECONNREFUSED' });
});
