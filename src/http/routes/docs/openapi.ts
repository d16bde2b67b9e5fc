import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { errors, HeadersTooLarge } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';

/** Adds `/openapi.json`. The document is made once, at the first request. */
export const openapiRoute: FastifyPluginAsyncTypebox = async (app) => {
  document(app, 'Operation');
  let written: Buffer | undefined;
  app.get(
    '/openapi.json',
    {
      config: { name: 'openapi' },
      schema: {
        operationId: 'getOpenApi',
        summary: 'This document',
        response: {
          200: withHeaders(
            Type.Object({}, { additionalProperties: true, description: 'OpenAPI 3.1.' }),
            'Cache-Control',
          ),
          431: HeadersTooLarge,
          ...errors(),
        },
      },
    },
    async (_, reply) => {
      written ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(written);
    },
  );
};
