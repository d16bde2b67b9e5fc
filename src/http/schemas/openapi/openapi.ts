/** The OpenAPI document. It is made from the schemas that validate, and from the texts in this file. */
import swagger from '@fastify/swagger';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../../package.ts';
import { describeErrors } from '../atoms.ts';
import { nameComponents } from './components.ts';
import { describeWebhooks } from './webhooks.ts';

const TAGS = {
  Generate: 'Make codes. Each one costs a unit of the monthly quota or a credit.',
  Batches: 'Jobs that make up to a million codes.',
  Webhooks:
    'URLs that receive events, following Standard Webhooks: each delivery is signed, with `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
  Account: 'Plan, quota and API keys of your account.',
  Folders: 'Folders of saved codes, and their archives.',
  Codes: 'Saved codes, and their pictures drawn again.',
  Presets:
    'Saved designs that calls, batches and signed pictures can use by name, and print profiles for files.',
  Bin: 'Deleted folders and codes, which can be restored for 30 days.',
  Links: 'Short links of dynamic codes: their destinations, past destinations and scans.',
  Domains: 'Hosts of your own for short links.',
  Resolver: 'Items: what GS1 identifiers lead to, and their scans.',
  Dashboard: 'Calls only for the dashboard: its session, and previews of a design.',
  Admin: "The operator's API.",
  Operation: 'Health, metrics and documents.',
} as const;

/** A section of the document. */
export type Tag = keyof typeof TAGS;

const SECURITY_SCHEMES = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of your account.' },
  queryKey: {
    type: 'apiKey',
    in: 'query',
    name: 'key',
    description: 'An API key in the query, for `<img>` tags. It must have the scope `render` only.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tessera_session',
    description:
      'The session cookie of the dashboard, named `__Host-tessera` if `PUBLIC_URL` is https. Writes with it must come from our own pages.',
  },
  operator: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tessera_operator',
    description:
      "The cookie of the dashboard's operator screen, `__Host-tessera-operator` with https. Writes with it must come from our own pages.",
  },
  adminToken: { type: 'http', scheme: 'bearer', description: "The operator's `ADMIN_TOKEN`." },
} as const;

/** The security of most calls: those of an account's own API. */
const USUAL_SECURITY = [{ apiKey: ['manage'] }, { session: ['manage'] }];

const DESCRIPTION = `A self-hosted QR code service.

Errors are \`{ "error": <fixed text>, "details": <what to do about it> }\`; \`/api/v1/render\` and signed pictures
answer with the same two texts in plain text. Every answer to a well-formed request has an \`X-Request-Id\`, and answers to keys have \`RateLimit\` and \`RateLimit-Policy\`
(draft-ietf-httpapi-ratelimit-headers). A call with a key that has \`load_tests\` may have \`Tessera-Load-Test: <name>\`, which marks it in the log, the metrics and the usage. Lists are pages: send \`next_cursor\` as \`cursor\` until it is null. An id of
another account gets the same answer as one that does not exist.`;

/** The errors that every call may have: the parser of HTTP refuses requests before there is a route. */
const ANYWHERE = describeErrors(400, 421, 431);

/** The scopes that a route asks for, by the security scheme. */
type Access = { readonly [K in keyof typeof SECURITY_SCHEMES]?: string[] };

/** The Fastify instance to which a plugin adds its routes. */
export type Routes = Parameters<FastifyPluginAsyncTypebox>[0];

/**
 * Sets the section, and the access that a caller needs, of the routes that are added to `app` afterwards. A route that
 * takes a key in the header also accepts a session of the dashboard, and the operator's API one of the operator.
 */
export const describeRoutes = (app: Routes, tag: Tag, access?: Access): void => {
  app.addHook('onRoute', (route) => {
    const bySession = access?.apiKey === undefined ? [] : [{ session: access.apiKey }];
    const byOperator = access?.adminToken === undefined || tag !== 'Admin' ? [] : [{ operator: [] }];
    const security = access === undefined ? [] : [access, ...bySession, ...byOperator];
    const { response, ...schema } = route.schema ?? {};
    route.schema = { tags: [tag], security, ...schema, response: { ...ANYWHERE, ...Object(response) } };
  });
};

/**
 * Collects the routes that are registered afterwards. `app.swagger()` returns the document once the app is ready.
 *
 * @param basePath Path of `PUBLIC_URL`, for clients behind a proxy that serves the gateway under a prefix.
 */
export const collectRoutes = async (app: FastifyInstance, basePath: string): Promise<void> => {
  await app.register(swagger, {
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tessera',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: basePath, description: 'The gateway that serves this document.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      security: USUAL_SECURITY,
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    // It is an OpenAPI 3 document, because `openapi` is set above.
    transformObject: (made) =>
      nameComponents({
        ...('openapiObject' in made ? made.openapiObject : made.swaggerObject),
        webhooks: describeWebhooks(),
      }),
  });
};
