/** Shutdown of a gateway: open calls are answered, and pending data is written before it exits. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { closeConnectionsWhen, closeGateway, refuseWhenClosing } from '../../src/http/closing.ts';
import { answerErrors } from '../../src/http/error-handler.ts';
import { addCommonHeaders, createCommonHeaders } from '../../src/http/protocol/headers.ts';
import { createAccount } from '../servers/account.ts';
import { startGateway } from '../servers/gateway-process.ts';
import type { AnswerBody } from '../support/app/answer-body.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { findLinkedSlug, slowItems, startStores, until } from './stack.ts';

const SCANS = 30;

t.test('after SIGTERM a bulk call is completed, and all usage and scans are written', async (t) => {
  const stores = await startStores(t);
  const gateway = await startGateway(t, { ...stores.env, SHUTDOWN_GRACE_MS: '1000', LOG_LEVEL: 'warn' });
  const send = (path: string, token: string, body: unknown) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const jsonOf = async (sent: Promise<Response>) => (await (await sent).json()) as AnswerBody;
  const { id, key } = await createAccount(gateway.url, ADMIN_TOKEN, 'test');
  const linked = { items: [{ data: 'https://example.com/', dynamic: true }] };
  const slug = findLinkedSlug({ json: await jsonOf(send('/api/v1/qr/bulk', key, linked)) });

  const call = send('/api/v1/qr/bulk', key, { items: slowItems(100, 1200) });
  const failed = send('/api/v1/qr/bulk', key, { items: [{ data: '' }, { data: 'y' }] });
  await until(t, 'the bulk call is in progress', async () => (await stores.openReservations()) >= 1);
  await Promise.all(
    Array.from({ length: SCANS }, () => fetch(`${gateway.url}/l/${slug}`, { redirect: 'manual' })),
  );
  gateway.process.kill('SIGTERM');
  const signalledMs = performance.now();

  await until(t, 'the gateway reports that it is not ready', async () => {
    const ready = await fetch(`${gateway.url}/readyz`);
    return ready.status === 503 && ready.headers.get('retry-after') !== null;
  });
  t.equal((await send('/api/v1/qr', key, { data: 'x' })).status, 200, 'the gateway still serves');

  t.match(await jsonOf(failed), { meta: { successful: 1 } });
  const answer = await call;
  t.equal(answer.status, 200);
  t.match(await answer.json(), { meta: { total: 100, successful: 100 } }, 'the whole bulk call is answered');
  t.comment(`bulk call answered ${Math.round(performance.now() - signalledMs)} ms after the signal`);
  t.equal(await gateway.ended, 0);
  t.comment(`ended ${Math.round(performance.now() - signalledMs)} ms after the signal`);

  t.equal(await stores.openReservations(), 0, 'every reservation was settled');
  t.equal(await stores.undrained(), 0, 'every ledger event has reached Postgres');
  t.strictSame(await stores.differences(), []);
  const [row] = await stores.sql<[{ scans: number; used: number }]>`
    select (select count(*) from scans where slug = ${slug}) as scans,
      (select monthly_used from quota_balances where account_id = ${id}) as used`;
  t.strictSame(row, { scans: SCANS, used: 1 + 100 + 1 + 1 }, 'every scan has reached Postgres');
  t.notMatch(gateway.output(), /dropped|lost/);
});

/** A gateway with two routes: one answers when the test says so, the other at once. */
const smallGateway = async (t: Test) => {
  const app = Fastify({ return503OnClosing: false, forceCloseConnections: 'idle' });
  answerErrors(app);
  addCommonHeaders(app, createCommonHeaders(false));
  let ending = false;
  app.addHook('preClose', async () => {
    ending = true;
  });
  closeConnectionsWhen(app, () => ending);
  refuseWhenClosing(app, () => true);
  let answer = () => {};
  const told = new Promise<string>((resolve) => {
    answer = () => resolve('answered');
  });
  const begun = new Promise<void>((resolve) => {
    app.get('/waits', async () => {
      resolve();
      return told;
    });
  });
  app.get('/quick', async () => 'quick');
  app.get('/healthz', { config: { name: 'health' } }, async () => 'well');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  t.teardown(() => app.close());
  return { app, port, answer, begun };
};

const open = async (t: Test, port: number): Promise<{ socket: Socket; text: () => string }> => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return { socket, text: () => text };
};

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`;

t.test('a gateway behind a balancer answers on kept connections until it refuses new ones', async (t) => {
  const graceMs = 1500;
  const env = {
    DATABASE_URL: await realDatabaseUrl(),
    SHUTDOWN_GRACE_MS: String(graceMs),
    LOG_LEVEL: 'warn',
  };
  const gateway = await startGateway(t, env);
  const port = Number(new URL(gateway.url).port);
  const [used, idle] = [await open(t, port), await open(t, port)];
  for (const { socket } of [used, idle]) socket.write(ask('/healthz'));
  await until(t, 'both connections are kept alive', () =>
    [used, idle].every(({ text }) => text().includes('"ok"')),
  );
  gateway.process.kill('SIGTERM');

  const isRefused = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(false));
      socket.on('error', () => resolve(true)).on('connect', () => socket.destroy());
    });
  await until(t, 'in the end connections are refused', isRefused);
  t.ok(!used.socket.readableEnded && !idle.socket.readableEnded, 'while kept-alive connections are open');
  const ended = once(used.socket, 'end');
  used.socket.write(ask('/healthz'));
  await ended;
  t.match(
    used.text(),
    /HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n/i,
    'a kept connection gets one more answer and is closed',
  );
  t.equal(await gateway.ended, 0);
});

t.test('closing the HTTP side', async (t) => {
  t.test('waits for requests in flight, and refuses later ones on open connections', async (t) => {
    const { app, port, answer, begun } = await smallGateway(t);
    const [busy, late, health] = [await open(t, port), await open(t, port), await open(t, port)];
    busy.socket.write(ask('/waits'));
    await begun;
    // Half a request on each connection, which is then not idle and stays open.
    for (const { socket } of [late, health]) socket.write('GET /');
    await sleep(50);
    let gaveUp = false;
    const closed = closeGateway(app, 10_000, async () => {
      gaveUp = true;
    });
    await sleep(50);
    late.socket.write('quick HTTP/1.1\r\nHost: test\r\n\r\n');
    health.socket.write('healthz HTTP/1.1\r\nHost: test\r\n\r\n');
    await Promise.all([late, health].map(({ socket }) => once(socket, 'end')));
    t.match(late.text(), /^HTTP\/1\.1 503 [\s\S]*retry-after: 1\r\n[\s\S]*"error":"Service unavailable"/);
    t.match(health.text(), /^HTTP\/1\.1 200 /, 'the health check answers to the end');
    answer();
    await Promise.all([closed, once(busy.socket, 'end')]);
    t.match(busy.text(), /^HTTP\/1\.1 200 [\s\S]*answered$/);
    t.ok(gaveUp, 'the work of the request is aborted in any case');
  });

  t.test('aborts the work of open requests when its time is up', async (t) => {
    const { app, port, answer, begun } = await smallGateway(t);
    const busy = await open(t, port);
    busy.socket.write(ask('/waits'));
    await begun;
    await Promise.all([closeGateway(app, 50, async () => answer()), once(busy.socket, 'end')]);
    t.match(busy.text(), /^HTTP\/1\.1 200 [\s\S]*answered$/);
  });

  t.test('closes connections that still have no answer', async (t) => {
    const { app, port, begun } = await smallGateway(t);
    const busy = await open(t, port);
    busy.socket.write(ask('/waits'));
    await begun;
    const gone = once(busy.socket, 'close');
    await closeGateway(app, 50, async () => {});
    await gone;
    t.equal(busy.text(), '');
  });
});
