/** Which answers the log has a line for. */
import Fastify from 'fastify';
import t from 'tap';
import { type AccessLogMode, accessLogMode, logAnswers } from '../../src/http/access-log.ts';

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
