/** Uploads of unauthenticated callers, finished or aborted, do not affect customers. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createScanner } from '../../../src/http/bodies/json-scanner.ts';
import { ADMIN_TOKEN, startApp, type TestApp } from '../../support/app/app.ts';
import type { OpenApi } from '../../support/app/conformance.ts';

const DEADLINE_MS = 20_000;

/** A listening gateway, and what its metrics say about bodies. */
const listening = async (scope: Parameters<typeof startApp>[0], env: Record<string, string> = {}) => {
  const started = await startApp(scope, { PORT: '0', ...env });
  await started.app.listen();
  const { port } = started.app.gateway.server.address() as AddressInfo;

  /** Sends what is written, and keeps the connection open. */
  const open = async (text: string, from = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    scope.teardown(() => socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };

  const inFlight = async (): Promise<number> => {
    const { text } = await started.call({ url: '/metrics', key: ADMIN_TOKEN });
    const lines = [...text.matchAll(/^tessera_bodies_in_flight_bytes\{.*\} (\d+)$/gm)];
    if (lines.length !== 2) throw new Error('the metric is not there');
    return lines.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
  };

  const reaches = async (wanted: (bytes: number) => boolean): Promise<boolean> => {
    const endMs = performance.now() + DEADLINE_MS;
    while (performance.now() < endMs) {
      if (wanted(await inFlight())) return true;
      await sleep(100);
    }
    return false;
  };
  return { ...started, open, inFlight, reaches };
};

const head = (path: string, length: number, key?: string): string =>
  [
    `POST ${path} HTTP/1.1`,
    'host: x',
    'content-type: application/json',
    'sec-fetch-site: same-origin',
    `content-length: ${length}`,
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    '\r\n',
  ].join('\r\n');

/** Reads until the first line has arrived. */
const firstLine = async (socket: Socket): Promise<string> => {
  let text = '';
  const timer = setTimeout(() => socket.destroy(), DEADLINE_MS);
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.includes('\r\n')) break;
  }
  clearTimeout(timer);
  return text.split('\r\n', 1)[0]!;
};

const single = ({ call }: TestApp, key: string) =>
  call({ method: 'POST', url: '/api/v1/qr', key, body: { data: 'x' } });

t.test('aborted uploads leave nothing behind', async (t) => {
  const gateway = await listening(t, { BODIES_IN_FLIGHT_MAX: '10000000' });
  const { key } = await gateway.account();
  const given = [
    head('/dashboard/session', 1_000_000),
    `${head('/dashboard/session', 4000)}{"key":"`,
    `${head('/api/v1/qr', 8_000_000, key)}{"data":"`,
    `${head('/api/v1/qr/bulk', 9_000_000, key)}{"items":[`,
    `${head('/api/v1/folders', 20_000, key)}{"name":"`,
  ];
  for (let i = 0; i < 480; i += 1) (await gateway.open(given[i % given.length]!)).destroy();
  t.ok(await gateway.reaches((bytes) => bytes === 0), 'no bytes are in flight');
  t.equal((await single(gateway, key)).status, 200);
  const signIn = { method: 'POST', url: '/dashboard/session', body: { key } } as const;
  t.equal((await gateway.call({ ...signIn, headers: { 'sec-fetch-site': 'same-origin' } })).status, 200);
});

t.test('bytes are counted as they arrive, and released', async (t) => {
  const gateway = await listening(t);
  const { key } = await gateway.account();
  const half = `${head('/api/v1/qr', 1_000_000, key)}{"data":"${'x'.repeat(50_000)}`;
  const isCounted = (bytes: number) => bytes > 50_000 && bytes < 51_000;
  const isFree = (bytes: number) => bytes === 0;

  t.test('when the caller disconnects', async (t) => {
    const socket = await gateway.open(half);
    t.ok(await gateway.reaches(isCounted), 'the bytes sent, not the bytes announced');
    socket.resetAndDestroy();
    t.ok(await gateway.reaches(isFree));
  });

  t.test('when the gateway closes the connection, as it does after its timeouts', async (t) => {
    await gateway.open(half);
    t.ok(await gateway.reaches(isCounted));
    gateway.app.gateway.server.closeAllConnections();
    t.ok(await gateway.reaches(isFree));
  });

  t.test('when the answer is sent', async (t) => {
    const body = `{"data":"${'x'.repeat(5000)}"}`;
    const socket = await gateway.open(head('/api/v1/qr', body.length, key) + body);
    t.match(await firstLine(socket), / 400 /);
    t.ok(await gateway.reaches(isFree));
  });

  t.test('when a body waits behind an answer on the same connection', async (t) => {
    const first = '{"data":"x","width":2000,"height":2000}';
    const socket = await gateway.open(head('/api/v1/qr', first.length, key) + first + half);
    t.ok(await gateway.reaches((bytes) => bytes > 50_000));
    socket.resetAndDestroy();
    t.ok(await gateway.reaches(isFree));
  });
});

t.test('customers are served while an unauthenticated caller holds 460 uploads open', async (t) => {
  const gateway = await listening(t, { BODIES_IN_FLIGHT_MAX: '100000' });
  const { key } = await gateway.account();
  const sockets = await Promise.all(
    Array.from({ length: 460 }, () => gateway.open(`${head('/dashboard/session', 4000)}{"key":"`)),
  );
  t.ok(await gateway.reaches((bytes) => bytes > 0));
  for (let i = 0; i < 20; i += 1) t.equal((await single(gateway, key)).status, 200);
  t.ok((await gateway.inFlight()) <= 32 * 4096, 'one address has room for few bodies');

  const refused = await gateway.open(`${head('/dashboard/session', 4000)}{`);
  t.match(await firstLine(refused), / 429 /, 'and for no more');
  const body = JSON.stringify({ key: 'tsr_nobodys' });
  const neighbour = await gateway.open(head('/dashboard/session', body.length) + body, '127.0.0.2');
  t.match(await firstLine(neighbour), / 401 /, 'other addresses can still sign in');

  t.ok(await gateway.reaches((bytes) => bytes === 0), 'unfinished bodies are dropped');
  for (const socket of sockets) socket.destroy();
});

t.test('bodies of two accounts that have stopped make room for another account', async (t) => {
  const gateway = await listening(t, { BODIES_IN_FLIGHT_MAX: '1000000' });
  const stopped: Socket[] = [];
  for (let n = 0; n < 2; n += 1) {
    const { key } = await gateway.account();
    stopped.push(await gateway.open(`${head('/api/v1/qr', 500_000, key)}{"data":"${'x'.repeat(499_000)}`));
  }
  t.ok(await gateway.reaches((bytes) => bytes > 998_000));
  const { key } = await gateway.account();
  const large = () =>
    gateway.call({ method: 'POST', url: '/api/v1/qr', key, body: { data: 'x'.repeat(20_000) } });
  t.match(await large(), { status: 503, headers: { 'retry-after': '2' } });
  let status = 503;
  for (const endMs = performance.now() + DEADLINE_MS; status === 503 && performance.now() < endMs; ) {
    await sleep(500);
    ({ status } = await large());
  }
  t.equal(status, 400, 'it is read');
  const [answered] = await Promise.race(stopped.map((socket) => once(socket, 'data')));
  t.match(String(answered), / 503 /, 'one of the others is told to send its body again');
  t.ok((await gateway.inFlight()) > 490_000, 'and the other one goes on');
  for (const socket of stopped) socket.destroy();
});

t.test('no body is read before authentication', async (t) => {
  const gateway = await listening(t);
  const { paths } = JSON.parse((await gateway.call({ url: '/openapi.json' })).text) as OpenApi;
  const routes = Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })))
    .filter(({ method }) => !['get', 'head'].includes(method))
    // Signing in takes its key or token from the body, and anyone may sign out.
    .filter(({ path }) => !path.endsWith('/session'));
  t.ok(routes.length > 15, `${routes.length} routes`);
  for (const { path, method } of routes) {
    for (const key of [undefined, 'tsr_nobodys']) {
      const url = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
      const text = head(url, 100, key).replace('POST', method.toUpperCase());
      const socket = await gateway.open(text);
      // A CORS preflight request is answered before authentication.
      const expected = method === 'options' ? / 400 / : / 401 /;
      t.match(await firstLine(socket), expected, `${method} ${path}`);
      socket.destroy();
    }
  }
  const nowhere = await gateway.open(head('/nowhere', 100));
  t.match(await firstLine(nowhere), / 404 /);
});

t.test('bodies with very many values are refused cheaply', async (t) => {
  const { call, account } = await startApp(t);
  const { key } = await account();
  const send = (url: string, body: string, by?: string) =>
    call({ method: 'POST', url, body, ...(by === undefined ? {} : { key: by }) });
  const cpuMs = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const list = (text: string, bytes: number) => `[${text.repeat(bytes / text.length)}${text[0]}]`;
  const MB = 1_000_000;

  for (const text of ['1,', '[],', '{},', '"",', '""', '{"a":1},', '[', '"\\"",', '-1e-9,']) {
    await t.test(`of ${text}`, async (t) => {
      const bomb = list(text, 8 * MB);
      // Before the limit existed, the first of them took more than two seconds.
      const spentMs = await cpuMs(async () => {
        t.equal((await send('/api/v1/qr', bomb, key)).status, 400);
        t.equal((await send('/api/v1/qr/bulk', `{"items":[{"data":${bomb}}]}`, key)).status, 400);
      });
      t.ok(spentMs < 1000, `${spentMs.toFixed(0)} ms`);
    });
  }

  t.test('from unauthenticated callers after fewer values than from customers', async (t) => {
    const spentMs = await cpuMs(async () => {
      t.equal((await send('/dashboard/session', list('1,', MB))).status, 413);
      t.equal((await send('/nowhere', list('1,', MB))).status, 404);
    });
    t.ok(spentMs < 100, `${spentMs.toFixed(0)} ms`);
  });
});

t.test('large valid bodies are accepted', async (t) => {
  const { call, account } = await startApp(t);
  const { key } = await account();
  const written = (text: string) =>
    text.replace(/./gsu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const stops = Array.from({ length: 64 }, (_, i) => ({ offset: i / 63, color: `rgb(${i} 2 3)` }));
  const gradient = { type: 'linear', rotation: 1, colorStops: stops };
  const options = {
    dotsOptions: { gradient },
    cornersSquareOptions: { gradient },
    cornersDotOptions: { gradient },
    backgroundOptions: { gradient },
  };
  const post = (url: string, body: unknown) => call({ method: 'POST', url, key, body });
  t.equal((await post('/api/v1/qr', { data: 'x', width: 50, height: 50, ...options })).status, 200);

  const items = Array.from({ length: 100 }, (_, i) => ({ data: { odd: i }, ...options }));
  const batch = await post('/api/v1/qr/bulk', { items });
  t.equal(batch.status, 200);
  t.equal(batch.json.results[99]!.error, 'Missing or invalid data');
  const faulty = [...items.slice(0, 99), { ...items[99], shape: 'star' }];
  t.match(
    (await post('/api/v1/qr/bulk', { items: faulty })).json.details,
    /^items\.99\.shape: must be one of/,
  );
  t.match(
    (await post('/api/v1/qr/bulk', { items: [...items, {}] })).json.details,
    /^items: must have at most/,
  );

  const folder = await post('/api/v1/folders', `{"name":"${written('ü'.repeat(200))}"}`);
  t.equal(folder.status, 201);
  const dynamic = await post('/api/v1/qr/bulk', { items: [{ data: 'https://example.com/', dynamic: true }] });
  const destination = `https://example.com/${'a'.repeat(4276)}`;
  const link = await call({
    method: 'PATCH',
    url: `/api/v1/links/${dynamic.json.results[0]!.slug}`,
    key,
    body: `{"destination":"${written(destination)}"}`,
  });
  t.equal(link.status, 200);
  t.equal(link.json.destination, destination);
});

t.test('no part of a body is large enough to take long to parse', async (t) => {
  const item = `{"data":[${'{"a":[1,2]},'.repeat(1000)}1]}`;
  const scanner = createScanner(1_000_000);
  for (const text of ['{"items":[', ...Array(50).fill(`${item},`), '1]}']) scanner.push(Buffer.from(text));
  const { root, parts } = scanner.end();
  t.equal(parts.length, 50);
  t.ok(Math.max(root.tokens, ...parts.map(({ tokens }) => tokens)) < 16_384);
  t.ok(Math.max(root.bytes, ...parts.map(({ bytes }) => bytes)) < 1_048_576);
  const one = createScanner(1_000_000);
  t.throws(() => one.push(Buffer.from(`{"items":[{"data":[${'1,'.repeat(20_000)}`)), /more values/);
  const long = createScanner(1_000_000);
  t.throws(() => long.push(Buffer.from(`{"items":[{"data":"${`${'x'.repeat(60_000)}","`.repeat(20)}`)), {
    code: 'body_too_large',
  });
});
