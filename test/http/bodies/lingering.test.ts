/** Every client receives the answer that refuses a body which it is still sending, and waiting for that is limited. */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { until } from '../../servers/until.ts';
import { startApp } from '../../support/app/app.ts';
import { casesOf } from '../../support/cases.ts';

t.setTimeout(600_000);

const run = promisify(execFile);
const MB = 1_000_000;

const listening = async (scope: Test, env: Record<string, string> = {}) => {
  const started = await startApp(scope, { PORT: '0', PUBLIC_URL: '', ...env });
  await started.app.listen();
  const { port } = started.app.gateway.server.address() as AddressInfo;
  /** @param allowHalfOpen Whether it can still send after the gateway has ended its side. */
  const open = async (text: string, allowHalfOpen = false): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
    scope.teardown(() => socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  return { ...started, open, url: started.app.publicUrl() };
};

const values = (bytes: number): string => `{"data":[${'1,'.repeat(bytes / 2)}1]}`;
const multipart = (bytes: number): string =>
  `--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name="rows"; filename="a"\r\nContent-Type: application/x-ndjson\r\n\r\n${'x'.repeat(bytes)}\r\n--b--\r\n`;

interface Refusal {
  readonly what: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly status: number;
  readonly encoding?: string;
  /** Whether the call is sent without a key. */
  readonly isUnauthenticated?: boolean;
}

const JSON_TYPE = 'application/json';
const REFUSALS: readonly Refusal[] = [
  { what: 'too many values', path: '/api/v1/qr', type: JSON_TYPE, body: values(4 * MB), status: 400 },
  {
    what: 'too large',
    path: '/api/v1/qr',
    type: JSON_TYPE,
    body: `{"data":"${'x'.repeat(12 * MB)}"}`,
    status: 413,
  },
  {
    what: 'a string without an end',
    path: '/api/v1/qr',
    type: JSON_TYPE,
    body: `{"data":"${'x'.repeat(2 * MB)}`,
    status: 413,
  },
  {
    what: 'unauthorised',
    path: '/api/v1/qr/bulk',
    type: JSON_TYPE,
    body: values(MB),
    status: 401,
    isUnauthenticated: true,
  },
  { what: 'unknown path', path: '/api/v1/nowhere', type: JSON_TYPE, body: values(MB), status: 404 },
  { what: 'a path that is no URL', path: '/api/v1/%ff', type: JSON_TYPE, body: values(MB), status: 404 },
  { what: 'wrong type', path: '/api/v1/qr', type: 'text/plain', body: values(MB), status: 415 },
  {
    what: 'a session',
    path: '/dashboard/session',
    type: JSON_TYPE,
    body: values(MB),
    status: 413,
    isUnauthenticated: true,
  },
  {
    what: 'rows that are not packed',
    path: '/api/v1/batches',
    type: 'application/x-ndjson',
    encoding: 'gzip',
    body: 'x'.repeat(8 * MB),
    status: 400,
  },
  {
    what: 'terms of a batch',
    path: '/api/v1/batches?webhook=a',
    type: 'application/x-ndjson',
    body: 'x'.repeat(8 * MB),
    status: 400,
  },
  {
    what: 'parts in another order',
    path: '/api/v1/batches',
    type: 'multipart/form-data; boundary=b',
    body: multipart(8 * MB),
    status: 400,
  },
];

const PYTHON = `
import json, sys, urllib.request, urllib.error
for call in json.load(open(sys.argv[1])):
    body = open(call['file'], 'rb').read()
    for _ in range(int(sys.argv[2])):
        request = urllib.request.Request(call['url'], body, call['headers'], method='POST')
        try:
            print(urllib.request.urlopen(request).status)
        except urllib.error.HTTPError as error:
            print(error.code if b'"error"' in error.read() else 'no answer')
        except Exception as error:
            print(repr(error))
`;

const shared = await listening(t);

/** How often each client sends each body. */
const TIMES = Number(process.env.LINGER_TIMES ?? casesOf(5));

const lines = (text: string): readonly string[] => text.trim().split('\n');

t.test('every client receives the answer when its body is refused before it has sent it', async (t) => {
  const { url, account } = shared;
  const { key } = await account();
  const folder = await temporaryFolder(t);
  const calls: { readonly file: string; readonly url: string; readonly headers: object }[] = [];

  for (const [index, refusal] of REFUSALS.entries()) {
    const { what, path, type, encoding, body, status, isUnauthenticated = false } = refusal;
    const file = join(folder, `body-${index}`);
    await writeFile(file, body);
    const headers = {
      'content-type': type,
      'sec-fetch-site': 'same-origin',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      ...(isUnauthenticated ? {} : { authorization: `Bearer ${key}` }),
    };
    calls.push({ file, url: url + path, headers });
    const expected = Array.from({ length: TIMES }, () => String(status));

    await t.test(`${what}: fetch`, async (t) => {
      const statuses: string[] = [];
      for (let i = 0; i < TIMES; i += 1) {
        const answer = await fetch(url + path, { method: 'POST', headers, body }).then(
          async (response) =>
            (await response.text()).includes('"error"') ? String(response.status) : 'no answer',
          (error: Error) => String(error.cause),
        );
        statuses.push(answer);
      }
      t.strictSame(statuses, expected);
    });

    for (const more of [[], ['--header', 'Expect:'], ['--header', 'Transfer-Encoding: chunked']]) {
      await t.test(`${what}: curl ${more.join(' ')}`, async (t) => {
        const ask = [
          '--silent',
          '--show-error',
          '--output',
          join(folder, 'answer'),
          '--write-out',
          '%{http_code}\n',
        ];
        const sent = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
        const one = [...ask, ...sent, ...more, '--data-binary', `@${file}`, url + path];
        const statuses: string[] = [];
        for (let i = 0; i < TIMES; i += 1) {
          const { stdout } = await run('curl', one).catch((error: Error & { stdout: string }) => error);
          statuses.push(stdout.trim());
        }
        t.strictSame(statuses, expected);
      });
    }
  }

  await t.test('urllib', async (t) => {
    const [script, list] = [join(folder, 'send.py'), join(folder, 'calls.json')];
    await writeFile(script, PYTHON);
    await writeFile(list, JSON.stringify(calls));
    const statuses = lines((await run('python3', [script, list, String(TIMES)])).stdout);
    for (const [index, { what, status }] of REFUSALS.entries()) {
      const own = statuses.slice(index * TIMES, (index + 1) * TIMES);
      t.strictSame(
        own,
        Array.from({ length: TIMES }, () => String(status)),
        what,
      );
    }
  });
});

const head = (path: string, length: number, more: readonly string[] = []): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${length}`,
    ...more,
    '\r\n',
  ].join('\r\n');

/** Collects what arrives, and whether the other side has ended. */
const listen = (socket: Socket) => {
  const seen = { text: '', hasEnded: false };
  socket.on('data', (chunk) => {
    seen.text += String(chunk);
  });
  socket.once('end', () => {
    seen.hasEnded = true;
  });
  return seen;
};

const isOpen = (socket: Socket): boolean => !socket.destroyed && socket.writable;

t.test('a client that sends Expect: 100-continue is answered before it sends its body', async (t) => {
  const { open, account } = shared;
  const { key } = await account();
  const expect = ['Expect: 100-continue'];
  const refused = listen(await open(head('/api/v1/qr', 100_000, expect)));
  await until(() => refused.hasEnded);
  t.match(refused.text, /^HTTP\/1\.1 401 /, 'and is not asked for the body');

  const body = '{"data":"x"}';
  const socket = await open(
    head('/api/v1/qr', body.length, [...expect, `Authorization: Bearer ${key}`, 'Connection: close']),
  );
  const accepted = listen(socket);
  await until(() => accepted.text.includes('\r\n\r\n'));
  t.equal(accepted.text, 'HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(body);
  await until(() => accepted.hasEnded);
  t.match(accepted.text, /\r\n\r\nHTTP\/1\.1 200 /);
  t.equal(accepted.text.split('100 Continue').length, 2, 'exactly once');
});

t.test('bytes after a refused body are not read as another request', async (t) => {
  const { open, account, call } = shared;
  const { key } = await account();
  const next = '{"name":"never made"}';
  const follows = head('/api/v1/folders', next.length, [`Authorization: Bearer ${key}`]) + next;
  const socket = await open(head('/api/v1/qr', 70_000));
  const seen = listen(socket);
  await until(() => seen.hasEnded);
  socket.write('x'.repeat(70_000) + follows);
  await until(() => socket.closed);
  t.equal(seen.text.match(/HTTP\/1\.1 /g)?.length, 1);
  t.strictSame((await call({ url: '/api/v1/folders', key })).json.data, []);
});

t.test('a request that is not HTTP is answered while its client keeps sending', async (t) => {
  const { open } = shared;
  for (const broken of ['NO SUCH\r\n\r\n', `POST / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`]) {
    const socket = await open(broken);
    const seen = listen(socket);
    for (let i = 0; i < 50 && isOpen(socket); i += 1) {
      socket.write('x'.repeat(100_000));
      await sleep(2);
    }
    socket.end();
    await until(() => socket.closed);
    t.match(seen.text, /^HTTP\/1\.1 4(00|31) [\s\S]*\}$/);
  }
});

t.test('lingering, the reading of what a refused client still sends, is limited', async (t) => {
  const stay = async ({ open }: Awaited<ReturnType<typeof listening>>) => {
    const socket = await open(head('/api/v1/qr', 1e9), true);
    const seen = listen(socket);
    await until(() => seen.hasEnded);
    return socket;
  };
  /** Sends until the connection is closed, and returns how much was sent. */
  const sendOn = async (socket: Socket, bytes: number, everyMs: number): Promise<number> => {
    let sent = 0;
    const endMs = performance.now() + 60_000;
    while (!socket.destroyed && performance.now() < endMs) {
      sent += bytes;
      if (!socket.write('x'.repeat(bytes)))
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
      await sleep(everyMs);
    }
    return sent;
  };

  const gateway = await listening(t, { LINGER_MS: '120000', LINGER_MAX_BYTES: '1000000' });
  // This takes six seconds, so it runs beside the other tests.
  const silent = stay(gateway).then(async (socket) => {
    await sleep(6000);
    await sendOn(socket, 1, 50);
    return socket.destroyed;
  });

  await t.test('in time', async (t) => {
    const socket = await stay(await listening(t, { LINGER_MS: '1000' }));
    await sendOn(socket, 1, 50);
    t.ok(socket.destroyed);
  });

  await t.test('in bytes', async (t) => {
    const socket = await stay(gateway);
    await sendOn(socket, 100_000, 20);
    t.ok(socket.destroyed);
  });

  await t.test('by five seconds of silence', async (t) => {
    t.ok(await silent, 'a client that pauses for longer than five seconds is cut off');
  });

  await t.test('in number: the connection that has lingered longest is closed first', async (t) => {
    const sockets: Socket[] = [];
    // None of them is closed for silence.
    const talking = setInterval(() => {
      for (const socket of sockets.filter(isOpen)) socket.write('x');
    }, 500);
    t.teardown(() => clearInterval(talking));
    for (let i = 0; i < 260; i += 1) sockets.push(await stay(gateway));
    await until(() => sockets.slice(0, 4).every(({ closed }) => closed));
    t.ok(isOpen(sockets[259]!));
  });

  await t.test('and does not delay the shutdown of a gateway', async (t) => {
    const socket = await stay(gateway);
    const closed = gateway.app.close();
    await sendOn(socket, 1, 50);
    t.ok(socket.destroyed);
    await closed;
  });

  await t.test('and can be turned off', async (t) => {
    const socket = await stay(await listening(t, { LINGER_MS: '0' }));
    await sendOn(socket, 1, 50);
    t.ok(socket.destroyed);
  });
});
