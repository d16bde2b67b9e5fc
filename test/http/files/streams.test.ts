/** Streamed answers have places, and readers that have stopped hold little. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ADMIN_TOKEN, startApp } from '../../support/app/app.ts';

const DEADLINE_MS = 20_000;
const ITEMS = 600;

const started = await startApp(t, { PORT: '0' });
await started.app.listen();
const { gateway } = started.app;
const { port } = gateway.server.address() as AddressInfo;

/** Asks for the table of all items, and reads only the first line of the answer. */
const stalled = async (key: string): Promise<{ readonly socket: Socket; readonly status: number }> => {
  const socket = connect({ port, host: '127.0.0.1' });
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET /api/v1/resolver/items.csv HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  socket.pause();
  return { socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(String(head))?.[1]) };
};

const reaches = async (isWanted: () => boolean): Promise<boolean> => {
  for (const endMs = performance.now() + DEADLINE_MS; performance.now() < endMs; await sleep(50))
    if (isWanted()) return true;
  return false;
};

t.test('readers that have stopped hold six places of an account, and chunks of some kilobytes', async (t) => {
  const { key } = await started.account();
  const address = `https://example.com/${'x'.repeat(2000)}`;
  const rows = Array.from({ length: ITEMS }, (_, i) => `(8004)0614141${i},gs1:pip,${address}${i},title`);
  const made = await started.call({
    ...{ method: 'POST', url: '/api/v1/resolver/items/import', key },
    ...{ headers: { 'content-type': 'text/csv' }, body: ['key,rel,href,title', ...rows].join('\n') },
  });
  t.equal(made.status, 200, made.text.slice(0, 200));

  const all = await started.call({ url: '/api/v1/resolver/items.csv', key });
  t.equal(all.text.trim().split('\n').length, ITEMS + 1, 'the table is whole');

  const readers = await Promise.all(Array.from({ length: 20 }, () => stalled(key)));
  const counted = (status: number) => readers.filter((reader) => reader.status === status).length;
  t.strictSame([counted(200), counted(429)], [6, 14]);
  t.equal(gateway.streams.stats().running, 6);
  t.match((await started.call({ url: '/metrics', key: ADMIN_TOKEN })).text, /^tessera_http_streams_open 6$/m);

  const other = await started.account();
  t.equal((await stalled(other.key)).status, 200, 'another account has places of its own');

  for (const { socket } of readers) socket.destroy();
  t.ok(
    await reaches(() => gateway.streams.stats().running <= 1),
    'a reader that leaves gives its place back',
  );
  t.equal((await started.call({ url: '/api/v1/resolver/items.csv', key })).status, 200);
});
