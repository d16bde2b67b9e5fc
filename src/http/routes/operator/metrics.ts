import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Exposition } from '../../../metrics/metrics.ts';
import { bytes, errors } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';

/** What the metrics route needs. */
export interface MetricsRouteParts {
  readonly metrics: Exposition;
  readonly requireAdmin: onRequestAsyncHookHandler;
  /** Whether no admin token is needed. */
  readonly isPublic: boolean;
}

/** Adds `/metrics` for Prometheus. It has no rate limit and no queue, so it answers under any load. */
export const metricsRoute =
  ({ metrics, requireAdmin, isPublic }: MetricsRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Operation', isPublic ? undefined : { adminToken: [] });
    if (!isPublic) app.addHook('onRequest', requireAdmin);
    app.get(
      '/metrics',
      {
        config: { name: 'metrics' },
        schema: {
          operationId: 'getMetrics',
          summary: 'Metrics for Prometheus',
          response: {
            200: bytes('The metrics in the text format of Prometheus.', 'text/plain'),
            ...errors(401, 429, 503),
          },
        },
      },
      async (_, reply) =>
        reply
          .type(metrics.contentType)
          .header('cache-control', 'no-store')
          .send(await metrics.expose()),
    );
  };
