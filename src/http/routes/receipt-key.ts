import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { PublicKey } from '../../verify/receipt/jws.ts';
import { errors, HeadersTooLarge } from '../schemas/atoms.ts';
import { document } from '../schemas/openapi.ts';
import { withHeaders } from '../schemas/openapi-headers.ts';

const KeySet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.String())) },
  { title: 'KeySet', description: 'A JWK set (RFC 7517, 8037).' },
);

/** Adds the route that tells strangers with which key the installation signs receipts. */
export const receiptKeyRoute =
  ({ receiptKey }: { readonly receiptKey: PublicKey }): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Operation');
    app.get(
      '/.well-known/tessera-receipts',
      {
        config: { name: 'receipt-key' },
        schema: {
          operationId: 'getReceiptKeys',
          summary: 'The public key of receipts',
          response: { 200: withHeaders(KeySet, 'Cache-Control'), 431: HeadersTooLarge, ...errors() },
        },
      },
      async (_, reply) => {
        reply.header('cache-control', 'public, max-age=3600');
        return { keys: [{ ...receiptKey }] };
      },
    );
  };
