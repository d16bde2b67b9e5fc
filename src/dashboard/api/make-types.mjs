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

/** The names of `Services`, whose properties are copied one by one. */
const SERVICES = [
  ...[
    'auth',
    'rateLimit',
    'requireAdmin',
    'operators',
    'database',
    'quota',
    'accounts',
    'sessions',
    'freeWork',
    'searches',
  ],
  ...[
    'single',
    'bulk',
    'batches',
    'webhooks',
    'image',
    'presets',
    'preview',
    'check',
    'bulkCheck',
    'redraw',
    'restyle',
    'signed',
    'publicUrl',
    'openArchive',
    'links',
    'linkRules',
    'metrics',
    'notReady',
  ],
];

const gateway = createGateway({ trustProxy: false, publicUrl: null }, pino({ level: 'silent' }), service);
const services = Object.fromEntries(SERVICES.map((name) => [name, service]));
await registerRoutes(gateway, services, { basePath: '/', bulkBodyLimitBytes: 1, metricsPublic: false });
await gateway.ready();

// What has a default may be left out of a request.
const types = astToString(await openapiTypes(gateway.swagger(), { defaultNonNullable: false }));
await writeFile(
  new URL('types.ts', import.meta.url),
  `/** Made by make-types.mjs from the OpenAPI document; not for editing. */\n\n${types}`,
);
await gateway.close();
