import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { document } from '../openapi.ts';
import { errors } from '../schema.ts';

/** The document is written once, at the first request. */
export const openapiRoute: FastifyPluginAsyncTypebox = async (app) => {
  document(app, 'Operation');
  let written: Buffer | undefined;
  app.get(
    '/openapi.json',
    {
      config: { name: 'openapi' },
      schema: {
        summary: 'This document',
        response: {
          200: Type.Object({}, { additionalProperties: true, description: 'OpenAPI 3.1.' }),
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
