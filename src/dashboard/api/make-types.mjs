/**
 * Writes `types.ts`, the types of the calls, from the OpenAPI document. The document comes from the routes themselves,
 * as compiled in `dist`: they are registered with services that are never called. Nothing listens or connects.
 */
import { writeFile } from 'node:fs/promises';
import openapiTypes, { astToString } from 'openapi-typescript';
import { pino } from 'pino';
import { createGateway } from '../../../dist/src/http/gateway.js';
import { registerRoutes } from '../../../dist/src/http/routes/index.js';

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

const config = { trustProxy: false, publicUrl: null, lingering: { timeoutMs: 0, maxBytes: 0 } };
const gateway = createGateway(config, pino({ level: 'silent' }), service);
await registerRoutes(gateway, services, { basePath: '/', bulkBodyLimitBytes: 1, metricsPublic: false });
await gateway.ready();

// What has a default may be left out of a request.
const types = astToString(await openapiTypes(gateway.swagger(), { defaultNonNullable: false }));
await writeFile(
  new URL('types.ts', import.meta.url),
  `/** Made by make-types.mjs from the OpenAPI document; not for editing. */\n\n${types}`,
);
await gateway.close();
