/** Which answers the log has a line for. */
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { pino } from 'pino';
import t from 'tap';
import { logAnswers } from '../../src/http/log.ts';

/** The lines of a gateway that answers one request of each kind. */
const linesAt = async (level: string): Promise<readonly { path: string; status: number }[]> => {
  const lines: { path: string; status: number }[] = [];
  const loggerInstance: FastifyBaseLogger = pino(
    { level },
    { write: (line: string) => lines.push(JSON.parse(line)) },
  );
  const app = Fastify({ loggerInstance, logController: new LogController({ disableRequestLogging: true }) });
  logAnswers(app);
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
  t.match(await linesAt('info'), [
    { path: '/api', status: 200, route: 'single' },
    { path: '/readyz', status: 503 },
  ]);
  t.equal((await linesAt('info')).length, 2);
  t.strictSame(await linesAt('warn'), []);
});
