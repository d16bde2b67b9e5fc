import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { hostOfHeader } from '../../../domains/host.ts';
import { AppError } from '../../../errors.ts';
import { describeBytes } from '../../schemas/atoms.ts';
import { describeRoutes } from '../../schemas/openapi/openapi.ts';
import { ANYTHING, routesOf } from '../route.ts';
import type { Services } from '../services.ts';

const Status = Type.Object({ status: Type.Literal('ok') }, { title: 'Status' });
const Readiness = Type.Object(
  {
    status: Type.Literal('ok'),
    note: Type.Optional(Type.String({ description: 'Memory used and left in Redis, if it has a limit.' })),
  },
  { title: 'Readiness' },
);

const AskQuery = Type.Object({ domain: Type.String({ maxLength: 500, examples: ['qr.example.com'] }) });

/**
 * Adds `/healthz`, which answers while the event loop runs, and `/readyz`, which reports the gateway's own state and
 * not that of Redis or Postgres.
 */
export const healthRoutes =
  ({
    directory,
    isOwnHost,
    notReady,
    note,
  }: Pick<Services, 'directory' | 'isOwnHost' | 'notReady' | 'note'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Operation');
    const route = routesOf(app, 'health', ANYTHING);
    const ok = { status: 'ok' } as const;

    route('GET /healthz', {
      operationId: 'getLiveness',
      summary: 'Whether the process runs',
      description:
        'Answers 200 while the process handles requests, whatever the state of the database and of Redis.',
      answer: Status,
      handle: async (_, __, reply) => {
        reply.header('cache-control', 'no-store');
        return ok;
      },
    });

    route('GET /tls/ask', {
      operationId: 'askForCertificate',
      summary: 'Whether a certificate may be got for a host: for the proxy in front, as `ask` of Caddy',
      description:
        'Answers 200 for the hosts of the service and for domains that are proved, and 404 for all others.',
      querystring: AskQuery,
      answer: Status,
      fails: [404],
      handle: async ({ query }, _, reply) => {
        reply.header('cache-control', 'no-store');
        const host = hostOfHeader(query.domain);
        if (isOwnHost(host) || directory.find(host) !== undefined) return ok;
        throw new AppError('not_found', 'No domain that is proved has this host.');
      },
    });

    route('GET /readyz', {
      operationId: 'getReadiness',
      summary: 'Whether requests should be sent to this gateway',
      description:
        'Answers 503 while the gateway shuts down, and while the disk of the embedded database is nearly full. An outage of Postgres or Redis does not count.',
      answer: Readiness,
      fails: [503],
      handle: async (_, __, reply) => {
        const reason = await notReady();
        if (reason !== null) throw new AppError('unavailable', reason, { retryAfterS: 1 });
        reply.header('cache-control', 'no-store');
        const text = note();
        return text === null ? ok : { ...ok, note: text };
      },
    });
  };

/** What the metrics route needs. */
interface MetricsRouteParts extends Pick<Services, 'metrics' | 'requireAdmin'> {
  /** Whether no admin token is needed. */
  readonly isPublic: boolean;
}

/** Adds `/metrics` for Prometheus. It has no rate limit and no queue, so it answers under any load. */
export const metricsRoute =
  ({ metrics, requireAdmin, isPublic }: MetricsRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Operation', isPublic ? undefined : { adminToken: [] });
    if (!isPublic) app.addHook('onRequest', requireAdmin);
    routesOf(
      app,
      'metrics',
      ANYTHING,
    )('GET /metrics', {
      operationId: 'getMetrics',
      summary: 'Metrics for Prometheus',
      description: 'In the text format of Prometheus. docs/metrics.md lists them.',
      answer: describeBytes('The metrics in the text format of Prometheus.', 'text/plain'),
      fails: [401, 429, 503],
      handle: async (_, __, reply) =>
        reply
          .type(metrics.contentType)
          .header('cache-control', 'no-store')
          .send(await metrics.expose()),
    });
  };
