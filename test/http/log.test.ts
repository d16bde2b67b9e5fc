/** The access log, and what the logs must not contain. */
import { once } from 'node:events';
import fs from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import Fastify from 'fastify';
import t from 'tap';
import { createApiKey } from '../../src/accounts/api-key.ts';
import { AppError } from '../../src/errors.ts';
import { answerErrors } from '../../src/http/error-handler.ts';
import {
  type AccessLogMode,
  accessLogMode,
  createLogger,
  logAnswers,
  openAccessLog,
  openLogOutput,
  toLoggedPath,
} from '../../src/http/log.ts';
import { requestIdOf } from '../../src/http/protocol/headers.ts';
import { connectRedis } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { startRedis } from '../servers/redis.ts';
import { until } from '../servers/until.ts';

/** The log lines of a gateway that answers one request of each kind. */
const linesOf = async (mode: AccessLogMode): Promise<readonly { path: string; status: number }[]> => {
  const lines: { path: string; status: number }[] = [];
  const app = Fastify();
  logAnswers(app, mode, { write: (line) => lines.push(JSON.parse(line)) });
  let isReady = true;
  app.get('/readyz', { config: { name: 'health' } }, (_, reply) =>
    reply.code(isReady ? 200 : 503).send({ ready: isReady }),
  );
  app.get('/api', { config: { name: 'single' } }, () => ({}));
  await app.inject('/readyz');
  await app.inject('/api?key=secret');
  isReady = false;
  await app.inject('/readyz');
  await app.close();
  return lines;
};

t.test('each answer is logged, but probes only when they fail', async (t) => {
  t.match(await linesOf('all'), [
    { level: 30, path: '/api', status: 200, route: 'single', msg: 'answered' },
    { path: '/readyz', status: 503 },
  ]);
  t.equal((await linesOf('all')).length, 2);
  t.match(await linesOf('errors'), [{ path: '/readyz', status: 503 }]);
  t.strictSame(await linesOf('off'), []);
});

t.test('a line is JSON whatever the request, and callers cannot add fields to it', async (t) => {
  const lines: string[] = [];
  const app = Fastify({ genReqId: requestIdOf, requestIdHeader: false });
  logAnswers(app, 'all', { write: (line) => void lines.push(line) });
  app.decorateRequest('failure', null);
  app.get('/*', async () => 'there');
  await fc.assert(
    fc.asyncProperty(
      fc.webPath(),
      fc.string({ unit: 'binary-ascii' }),
      fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT'),
      async (path, id, method) => {
        lines.length = 0;
        const url = `/${path.replace(/^\/+/, '')}`;
        const headers = { 'x-request-id': id };
        await app.inject({ method: method as 'GET', url, headers }).catch(() => app.inject({ url }));
        const [line, ...others] = lines;
        t.strictSame(others, []);
        t.match(line, /^[^\n]*\}\n$/);
        t.strictSame(Object.keys(JSON.parse(line!)), [
          ...['level', 'time', 'pid', 'hostname', 'reqId', 'method', 'path', 'status', 'ms', 'msg'],
        ]);
      },
    ),
    { numRuns: 150 },
  );
  // Over a socket, since `inject` would encode the path.
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const [answer] = await once(
    get({ port, path: '/a"b%22\\","account":"?key=secret', agent: false }),
    'response',
  );
  answer.resume();
  await until(() => lines.at(-1)!.includes('b%22'));
  t.equal(JSON.parse(lines.at(-1)!).path, '/a"b%22\\","account":"');
  await app.close();
});

t.test('a path that names nothing is logged as its route, since it may be a token', async (t) => {
  const lines: string[] = [];
  const app = Fastify({ logger: false });
  t.teardown(() => app.close());
  logAnswers(app, 'all', { write: (line) => void lines.push(line) });
  answerErrors(app);
  app.get('/codes/:id', async ({ params }) => {
    const { id } = params as { readonly id: string };
    if (id === 'lost') throw new AppError('not_found', 'lost');
    if (id === 'no-key') throw new AppError('admin_unauthorized', 'send one');
    if (id.length > 5) throw new AppError('invalid_params', 'id');
    return id;
  });
  app.delete('/codes/:id', async () => {
    throw new AppError('method_not_allowed', 'This path supports GET.');
  });
  app.options('/codes/:id', async () => null);
  const pathOf = async (url: string, method: 'GET' | 'DELETE' | 'OPTIONS' = 'GET'): Promise<string> => {
    await app.inject({ url, method });
    return JSON.parse(lines.at(-1)!).path;
  };
  t.equal(await pathOf('/codes/one?x'), '/codes/one');
  t.equal(await pathOf('/an-admin-token'), '***');
  t.equal(await pathOf('/admin/v1/an-admin-token?a=b'), '***');
  t.equal(await pathOf('/codes/an-admin-token'), '/codes/:id');
  t.equal(await pathOf('/codes/lost'), '/codes/:id');
  t.equal(await pathOf('/codes/no-key'), '/codes/:id');
  t.equal(await pathOf('/codes/one', 'DELETE'), '/codes/:id');
  t.equal(await pathOf('/codes/one', 'OPTIONS'), '/codes/:id');
});

t.test('a client that disconnects before a streamed answer begins is not logged as an error', async (t) => {
  const said: string[] = [];
  const stream = new Writable({
    write(line, _, done) {
      said.push(String(line));
      done();
    },
  });
  const app = Fastify({ logger: { stream } });
  t.teardown(() => app.close());
  answerErrors(app);
  const rows = Readable.from(['rows']);
  let asked = false;
  app.post('/rows', async (_, reply) => {
    asked = true;
    await until(() => reply.raw.destroyed);
    return reply.send(rows);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    'POST /rows HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  );
  await until(() => asked);
  socket.destroy();
  await until(() => rows.destroyed);
  await app.close();
  t.notMatch(said.join(''), /"level":[45]0/);
});

t.test('no password, key or secret appears in the log', async (t) => {
  const said: string[] = [];
  const log = createLogger('trace', { write: (line) => void said.push(line) });
  const secrets = [
    createApiKey(),
    createApiKey(true),
    `tss_${'0f'.repeat(32)}`,
    `whsec_${'Ab/+'.repeat(10)}=`,
  ];

  await t.test('when Redis refuses the password', async (t) => {
    const { url } = await startRedis(t);
    const admin = connectRedis(parseRedisUrl(url), 1000, log);
    await until(() => admin.status === 'ready');
    await admin.call('config', 'set', 'requirepass', 'the-right-one');
    const client = connectRedis(parseRedisUrl(url.replace('//', '//:a-wrong-password@')), 1000, log);
    t.teardown(() => {
      client.disconnect();
      admin.disconnect();
    });
    await until(() => said.some((line) => line.includes('WRONGPASS')));
    t.notMatch(said.join(''), /wrong-password/);
  });

  await t.test('when Postgres refuses a row, and when an error quotes a key', (t) => {
    said.length = 0;
    const detail = `Failing row contains (${secrets}).`;
    log.error({ err: Object.assign(new Error(`no ${secrets}`), { code: '23514', detail }) }, 'failed');
    const { err } = JSON.parse(said[0]!);
    t.match(err, {
      type: 'Error',
      code: '23514',
      message: /^no tsr_\*\*\*,tsr_test_\*\*\*,tss_\*\*\*,whsec_\*\*\*$/,
    });
    for (const secret of secrets) t.notOk(said[0]!.includes(secret.slice(-12)));
    t.end();
  });

  await t.test('when a request has them in its path, its query or its id', (t) => {
    for (const secret of secrets) {
      t.notOk(toLoggedPath(`/api/${secret}?key=${secret}`).includes(secret.slice(0, 12)));
      const raw = { headers: { 'x-request-id': secret } } as unknown as IncomingMessage;
      t.not(requestIdOf(raw), secret);
    }
    t.end();
  });
});

t.test("the operator's token is masked wherever a line has it", async (t) => {
  const { writeSync } = fs;
  t.teardown(() => Object.assign(fs, { writeSync }));
  let written = '';
  Object.assign(fs, {
    writeSync: (_: number, text: string | Buffer) => {
      written += text;
      return Buffer.byteLength(text);
    },
  });
  const property = fc.asyncProperty(fc.string({ minLength: 8 }), async (token) => {
    written = '';
    const log = createLogger('info', openLogOutput(token));
    log.info({ reqId: token, path: `/dashboard/${encodeURIComponent(token)}` }, `${token} asked`);
    const access = openAccessLog(token);
    access.write(`{"path":${JSON.stringify(`/dashboard/${token}`)}}\n`);
    access.close();
    t.notOk(written.includes(JSON.stringify(token).slice(1, -1)), written);
    t.notOk(written.includes(encodeURIComponent(token)), written);
  });
  await fc.assert(property, { examples: [['"quoted" token/+=']] });
});

t.test('there is no access log at a level above info', async (t) => {
  t.equal(accessLogMode({ accessLog: 'all', logLevel: 'info' }), 'all');
  t.equal(accessLogMode({ accessLog: 'errors', logLevel: 'debug' }), 'errors');
  for (const logLevel of ['warn', 'fatal', 'silent'] as const)
    t.equal(accessLogMode({ accessLog: 'all', logLevel }), 'off');
});

t.test('a pending line is written soon, lines are written together, and nothing calls fsync', async (t) => {
  const written: unknown[] = [];
  const { writeSync, fsyncSync } = fs;
  t.teardown(() => Object.assign(fs, { writeSync, fsyncSync }));
  let syncs = 0;
  Object.assign(fs, {
    writeSync: (_: number, text: string) => {
      written.push(text);
      return Buffer.byteLength(text);
    },
    fsyncSync: () => {
      syncs += 1;
    },
  });
  const log = openAccessLog(null);
  log.write('one\n');
  await until(() => written.includes('one\n'));
  await sleep(500);
  t.equal(syncs, 0);
  log.write('two\n');
  const lines = Array.from({ length: 100 }, (_, i) => `${'x'.repeat(3 * i)}\n`);
  for (const line of lines) log.write(line);
  log.close();
  const writes = written.slice(written.indexOf('one\n') + 1).map(String);
  t.equal(writes.join(''), `two\n${lines.join('')}`, 'closing writes the rest');
  t.ok(writes.length < 10, 'lines are written together');
  t.ok(
    writes.every((text) => text.length <= 4096 && text.endsWith('\n')),
    'but each write is small enough for a pipe to take it at once',
  );
});

t.test('a full disk stops nothing: lines wait, and those that are dropped are counted', async (t) => {
  const { writeSync } = fs;
  t.teardown(() => Object.assign(fs, { writeSync }));
  let isFull = true;
  let written = '';
  Object.assign(fs, {
    writeSync: (_: number, text: string | Buffer) => {
      if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      written += text;
      return Buffer.byteLength(text);
    },
  });
  const output = openLogOutput(null);
  const line = (text: string) => `${JSON.stringify({ text })}\n`;
  output.write(line('first'));
  for (let n = 0; n < 30; n += 1) output.write(line('x'.repeat(50_000)).repeat(2));
  isFull = false;
  output.write(line('last'));
  const lines = written.split('\n').filter((text) => text !== '');
  const told = lines.map((text) => JSON.parse(text) as { text?: string; dropped?: number; msg?: string });
  t.equal(told[0]?.text, 'first');
  t.ok(told.some(({ text }) => text === 'last'));
  const { dropped = 0 } = told.find(({ msg }) => msg === 'log lines dropped') ?? {};
  t.equal(told.filter(({ text }) => text?.startsWith('x')).length + dropped, 60);
  t.ok(dropped >= 38, 'at most 1 MiB waits');
});

t.test('a path without keys is logged unchanged, without its query and up to 500 characters', async () => {
  const path = fc.array(fc.constantFrom('a', '-', '/', '%20', '.'), { maxLength: 600 });
  fc.assert(
    fc.property(path, fc.constantFrom('', '?', '?a=b', '?a=/b?c'), (parts, query) => {
      const asked = `/links/${parts.join('')}`;
      return toLoggedPath(asked + query) === asked.slice(0, 500);
    }),
  );
});
