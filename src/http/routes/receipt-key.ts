import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { withHeaders } from '../schemas/openapi/headers.ts';
import { describeRoutes } from '../schemas/openapi/openapi.ts';
import { ANYTHING, routesOf } from './route.ts';
import type { Services } from './services.ts';

const KeySet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.String())) },
  { title: 'KeySet', description: 'A JWK set (RFC 7517, 8037).' },
);

/** Adds the public route that returns the key with which the installation signs receipts. */
export const receiptKeyRoute =
  ({ receiptKey }: Pick<Services, 'receiptKey'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Operation');
    routesOf(
      app,
      'receipt-key',
      ANYTHING,
    )('GET /.well-known/tessera-receipts', {
      operationId: 'getReceiptKeys',
      summary: 'The public key that verifies receipts',
      description: 'A JWK set with the key that also signs the reports of batches.',
      answer: withHeaders(KeySet, 'Cache-Control'),
      fails: [503],
      handle: async (_, __, reply) => {
        reply.header('cache-control', 'public, max-age=3600');
        return { keys: [{ ...receiptKey }] };
      },
    });
  };
