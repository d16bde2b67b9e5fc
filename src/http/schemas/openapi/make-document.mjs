/**
 * Makes the OpenAPI document from the routes themselves, as compiled in `dist`, for what is made of it: types and
 * clients. The routes are registered with services that are never called. Nothing listens or connects.
 */
import { pino } from 'pino';
import { createGateway } from '../../../../dist/src/http/gateway.js';
import { registerRoutes } from '../../../../dist/src/http/routes/index.js';

/** Replaces every service: each property is the object itself. Only `then` is missing, so it is not a promise. */
const service = new Proxy(() => service, { get: (_, name) => (name === 'then' ? undefined : service) });
/** Some routes get a copy of the services; these are the ones that they use while they are registered. */
const services = new Proxy(
  Object.fromEntries(
    ['auth', 'rateLimit', 'operators', 'requireAdmin', 'database', 'linkRules'].map((name) => [
      name,
      service,
    ]),
  ),
  { get: (own, name) => own[name] ?? service },
);

/** Returns the document of a gateway at the root of its host. */
export const makeDocument = async () => {
  const config = { trustProxy: false, publicUrl: null, lingering: { timeoutMs: 0, maxBytes: 0 } };
  const gateway = createGateway(config, pino({ level: 'silent' }), service);
  await registerRoutes(gateway, services, { basePath: '/', bulkBodyLimitBytes: 1, metricsPublic: false });
  await gateway.ready();
  const document = gateway.swagger();
  await gateway.close();
  return document;
};
