/** Requests that are sent before the earlier ones of their connection are answered. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createRequestMeter } from '../../src/metrics/requests.ts';
import { until } from '../servers/until.ts';
import { bareGateway } from '../support/app/bare-gateway.ts';

const requests = createRequestMeter();
const gateway = bareGateway(t, { requests });
const turns: number[] = [];
let [turn, running, most, isWatching, begun] = [0, 0, 0, true, 0];
gateway.get('/now/:n', (request) => {
  turns.push(turn);
  return Promise.resolve((request.params as { n: string }).n);
});
gateway.get('/later/:n', async (request) => {
  running += 1;
  begun += 1;
  most = Math.max(most, running);
  await sleep(5);
  running -= 1;
  return (request.params as { n: string }).n;
});
gateway.get('/never', () => new Promise(() => {}));
await gateway.listen({ host: '127.0.0.1', port: 0 });
const { port } = gateway.server.address() as AddressInfo;

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** Sends requests in one packet and returns the bodies of so many answers. */
const answersTo = async (paths: readonly string[]): Promise<readonly string[]> => {
  const socket = connect({ port, host: '127.0.0.1' });
  t.teardown(() => socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(paths.map(get).join(''));
  const bodies = () => [...received.matchAll(/\r\n\r\n(\d+)/g)].map(([, body]) => body!);
  await until(() => bodies().length === paths.length);
  return bodies();
};

t.test('they are answered in order, one at a time', async (t) => {
  const paths = Array.from({ length: 20 }, (_, n) => `/later/${n}`);
  t.strictSame(await answersTo(paths), [...paths.keys()].map(String));
  t.equal(most, 1);
});

t.test('each has a turn of the event loop, so that others are served in between', async (t) => {
  const watch = async () => {
    while (isWatching) {
      await nextTurn();
      turn += 1;
    }
  };
  void watch();
  await answersTo(Array.from({ length: 20 }, (_, n) => `/now/${n}`));
  isWatching = false;
  t.equal(new Set(turns).size, 20);
});

t.test('a connection on which more than a hundred wait is cut, and none of them begins', async (t) => {
  begun = 0;
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
  socket.write(get('/never') + get('/later/1').repeat(100));
  await sleep(100);
  t.notOk(socket.destroyed);
  socket.resume().write(get('/later/1'));
  await once(socket, 'close');
  await until(() => requests.inFlight() === 0);
  t.equal(begun, 0);
});
