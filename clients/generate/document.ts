/**
 * The OpenAPI document that a gateway serves, from the routes themselves: they are registered with services that are never
 * called. Nothing listens or connects.
 */
import { createGateway } from '../../src/http/gateway.ts';
import { createLogger } from '../../src/http/log.ts';
import { registerRoutes } from '../../src/http/routes/index.ts';

/** Replaces every service: each property is the object itself. Only `then` is missing, so it is not a promise. */
const service: object = new Proxy(() => service, {
  get: (_, name) => (name === 'then' ? undefined : service),
});

/** Some routes get a copy of the services; these are the ones that they use while they are registered. */
const COPIED = ['auth', 'rateLimit', 'operators', 'requireAdmin', 'database', 'linkRules'];

const services = new Proxy<Record<string, object>>(
  Object.fromEntries(COPIED.map((name) => [name, service])),
  { get: (own, name: string) => own[name] ?? service },
);

/** Returns the document of a gateway without a `PUBLIC_URL`. */
export const readDocument = async (): Promise<object> => {
  const config = { trustProxy: false, publicUrl: null, lingering: { timeoutMs: 0, maxBytes: 0 } };
  const gateway = createGateway(config, createLogger('silent'), service as never);
  await registerRoutes(gateway, services as never, {
    basePath: '/',
    bulkBodyLimitBytes: 1,
    metricsPublic: false,
  });
  await gateway.ready();
  const document = gateway.swagger();
  await gateway.close();
  return document;
};
