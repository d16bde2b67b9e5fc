/** How long a request may take to arrive, and an upload on a route that has a limit of its own. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { limitBodyTime } from '../../../src/http/bodies/connections.ts';
import { until } from '../../servers/until.ts';
import { hurry } from '../../support/hurry.ts';

/** How long two minutes last under this clock. */
const LIMIT_MS = 400;

const startServer = async (t: Test) => {
  const app = Fastify();
  limitBodyTime(app);
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
  app.post('/json', async () => 'whole');
  app.post('/upload', { config: { takesUploads: true } }, async ({ body }) => {
    for await (const _ of body as AsyncIterable<Buffer>);
    return 'whole';
  });
  app.post('/refused', { config: { takesUploads: true } }, async () => 'unread');
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return async (path: string, type: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    await once(socket, 'connect');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 10\r\n\r\n[1`);
    t.teardown(() => socket.destroy());
    return { socket, received: () => received };
  };
};

t.test('a request that has not arrived after two minutes loses its connection', async (t) => {
  hurry(t, 120_000 / LIMIT_MS);
  const send = await startServer(t);
  const { socket, received } = await send('/json', 'application/json');
  await until(() => socket.destroyed || socket.readableEnded, { deadlineMs: 20_000 });
  t.notMatch(received(), /whole/);
});

t.test('a request that arrives in time keeps its connection', async (t) => {
  hurry(t, 120_000 / LIMIT_MS);
  const send = await startServer(t);
  const { socket, received } = await send('/json', 'application/json');
  socket.write('       ]');
  await until(() => /HTTP/.test(received()));
  await sleep(2 * LIMIT_MS);
  t.notOk(socket.destroyed || socket.readableEnded);
});

t.test('an upload may take longer on a route with a limit of its own', async (t) => {
  hurry(t, 120_000 / LIMIT_MS);
  const send = await startServer(t);
  const { socket, received } = await send('/upload', 'text/csv');
  await sleep(3 * LIMIT_MS);
  t.notOk(socket.destroyed || socket.readableEnded, 'it is still being received');
  socket.write(',2,3,4,5');
  await until(() => /whole/.test(received()));
});

t.test('an upload that continues after its answer loses its connection after two minutes', async (t) => {
  hurry(t, 120_000 / LIMIT_MS);
  const send = await startServer(t);
  const { socket, received } = await send('/refused', 'text/csv');
  await until(() => /unread/.test(received()));
  t.notOk(socket.destroyed || socket.readableEnded, 'the client may finish sending');
  await until(() => socket.destroyed || socket.readableEnded, { deadlineMs: 20_000 });
});
