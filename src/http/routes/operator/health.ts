import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { AppError } from '../../../errors.ts';
import { errors, HeadersTooLarge } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';

/** What the routes for health checks need. */
export interface HealthRouteParts {
  /** Returns why this gateway should get no new requests, as a sentence; `null`: it is ready. */
  notReady(): Promise<string | null>;
  /** Returns what an operator should know although the gateway is ready, as a sentence; `null`: nothing. */
  note(): string | null;
}

const Status = Type.Object({ status: Type.Literal('ok') }, { title: 'Status' });
const Readiness = Type.Object(
  {
    status: Type.Literal('ok'),
    note: Type.Optional(
      Type.String({ description: 'The memory of Redis in use and left, where it has a limit.' }),
    ),
  },
  { title: 'Readiness' },
);

/**
 * Adds `/healthz`, which answers while the event loop runs, and `/readyz`, which reports the gateway's own state and
 * not that of Redis or Postgres.
 */
export const healthRoutes =
  ({ notReady, note }: HealthRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Operation');
    const ok = { status: 'ok' } as const;

    const liveness = {
      operationId: 'getLiveness',
      summary: 'Whether the process runs',
      response: { 200: Status, 431: HeadersTooLarge, ...errors() },
    };
    const readiness = {
      operationId: 'getReadiness',
      summary: 'Whether requests should be sent to this gateway',
      response: { 200: Readiness, 431: HeadersTooLarge, ...errors(503) },
    };

    app.get('/healthz', { config: { name: 'health' }, schema: liveness }, async (_, reply) => {
      reply.header('cache-control', 'no-store');
      return ok;
    });

    app.get('/readyz', { config: { name: 'health' }, schema: readiness }, async (_, reply) => {
      const reason = await notReady();
      if (reason !== null) throw new AppError('unavailable', reason, { retryAfterS: 1 });
      reply.header('cache-control', 'no-store');
      const text = note();
      return text === null ? ok : { ...ok, note: text };
    });
  };
