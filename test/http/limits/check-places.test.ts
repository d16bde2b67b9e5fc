/** The checks of an account share six places, whether they come from an API key or from the dashboard. */
import Fastify, { type FastifyRequest } from 'fastify';
import t from 'tap';
import { AppError } from '../../../src/errors.ts';
import { meterCalls } from '../../../src/http/limits/metered.ts';
import { createCheckPlaces } from '../../../src/http/limits/places.ts';
import { dashboardCheckRoute } from '../../../src/http/routes/dashboard/preview.ts';
import { checkRoutes } from '../../../src/http/routes/generate/check.ts';
import { createFreeWork } from '../../../src/limits/free-work.ts';
import { createMeter } from '../../../src/limits/meter.ts';

const PATHS = ['/api/v1/qr/check', '/check'];

t.test('six checks run at a time over both routes, and the seventh gets a 429', async (t) => {
  const ends: (() => void)[] = [];
  const check = () =>
    new Promise((_, reject) => ends.push(() => reject(new AppError('invalid_body', 'ended by the test'))));
  const identify = async (request: FastifyRequest) => {
    Object.assign(request, { principal: { accountId: String(request.headers['x-account']) } });
  };
  const parts = {
    auth: { require: () => identify, requireSession: () => identify },
    rateLimit: { hook: async () => {} },
    runCheck: createCheckPlaces(),
    bodyLimitBytes: 1000,
    ...{ check, bulkCheck: check },
  } as never;
  const app = Fastify();
  t.teardown(() => app.close());
  app.setValidatorCompiler(() => () => true);
  meterCalls(
    app,
    createMeter(createFreeWork(0), 1, () => 0),
  );
  app.decorateRequest('principal', null);
  app.setErrorHandler((error, _, reply) =>
    reply.code(error instanceof AppError && error.code === 'rate_limited' ? 429 : 400).send(),
  );
  await app.register(checkRoutes(parts));
  await app.register(dashboardCheckRoute(parts));

  const ask = (path: string, account = 'one') =>
    app.inject({ method: 'POST', url: path, headers: { 'x-account': account }, payload: { data: 'text' } });
  const running = Array.from({ length: 6 }, (_, i) => ask(PATHS[i % 2]!));
  for (let waits = 0; ends.length < 6 && waits < 500; waits += 1) await new Promise(setImmediate);
  t.equal(ends.length, 6, 'six run');
  for (const path of PATHS) t.equal((await ask(path)).statusCode, 429, path);

  const other = ask(PATHS[0]!, 'other');
  for (let waits = 0; ends.length < 7 && waits < 500; waits += 1) await new Promise(setImmediate);
  t.equal(ends.length, 7, 'another account has places of its own');
  for (const end of ends) end();
  for (const answer of await Promise.all([...running, other])) t.equal(answer.statusCode, 400, 'ended');
});
