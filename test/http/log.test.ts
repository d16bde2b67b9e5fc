/** Which answers the log has a line for. */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import t from 'tap';
import { type AccessLogMode, accessLogMode, logAnswers, openAccessLog } from '../../src/http/access-log.ts';
import { until } from '../servers/until.ts';

/** The lines of a gateway that answers one request of each kind. */
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

t.test('each answer has a line, but probes only when they find something', async (t) => {
  t.match(await linesOf('all'), [
    { level: 30, path: '/api', status: 200, route: 'single', msg: 'answered' },
    { path: '/readyz', status: 503 },
  ]);
  t.equal((await linesOf('all')).length, 2);
  t.match(await linesOf('errors'), [{ path: '/readyz', status: 503 }]);
  t.strictSame(await linesOf('off'), []);
});

t.test('a level above info has no lines of answers', async (t) => {
  t.equal(accessLogMode({ accessLog: 'all', logLevel: 'info' }), 'all');
  t.equal(accessLogMode({ accessLog: 'errors', logLevel: 'debug' }), 'errors');
  for (const logLevel of ['warn', 'fatal', 'silent'] as const)
    t.equal(accessLogMode({ accessLog: 'all', logLevel }), 'off');
});

t.test('a pending line is written soon, and the event loop never waits for the disk', async (t) => {
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
  const log = openAccessLog();
  log.write('one\n');
  await until(() => written.includes('one\n'));
  await sleep(500);
  t.equal(syncs, 0);
  log.write('two\n');
  log.close();
  t.ok(written.includes('two\n'), 'closing writes the rest');
});
