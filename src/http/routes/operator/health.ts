import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { AppError } from '../../../errors.ts';
import { errors, HeadersTooLarge } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';

export interface HealthRouteParts {
  /** Why no new work should be sent here, or `null`. */
  notReady(): Promise<string | null>;
}

const Status = Type.Object({ status: Type.Literal('ok') }, { title: 'Status' });

/** Liveness is the event loop alone; readiness is this gateway's own state, not that of what it depends on. */
export const healthRoutes =
  ({ notReady }: HealthRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Operation');
    const ok = { status: 'ok' } as const;

    const liveness = {
      operationId: 'getLiveness',
      summary: 'Whether the process lives',
      response: { 200: Status, 431: HeadersTooLarge, ...errors() },
    };
    const readiness = {
      operationId: 'getReadiness',
      summary: 'Whether work should be sent here',
      response: { 200: Status, 431: HeadersTooLarge, ...errors(503) },
    };

    app.get('/healthz', { config: { name: 'health' }, schema: liveness }, async (_, reply) => {
      reply.header('cache-control', 'no-store');
      return ok;
    });

    app.get('/readyz', { config: { name: 'health' }, schema: readiness }, async (_, reply) => {
      const reason = await notReady();
      if (reason !== null) throw new AppError('unavailable', reason, { retryAfterS: 1 });
      reply.header('cache-control', 'no-store');
      return ok;
    });
  };
