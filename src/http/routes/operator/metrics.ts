import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { describeBytes } from '../../schemas/atoms.ts';
import { describeRoutes } from '../../schemas/openapi.ts';
import { ANYTHING, routesOf } from '../route.ts';
import type { Services } from '../services.ts';

/** What the metrics route needs. */
export interface MetricsRouteParts extends Pick<Services, 'metrics' | 'requireAdmin'> {
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
