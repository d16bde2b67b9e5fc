import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { describeRoutes } from '../../schemas/openapi.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import { ANYTHING, routesOf } from '../route.ts';

/** Adds `/openapi.json`. The document is made once, at the first request. */
export const openapiRoute: FastifyPluginAsyncTypebox = async (app) => {
  describeRoutes(app, 'Operation');
  let written: Buffer | undefined;
  routesOf(
    app,
    'openapi',
    ANYTHING,
  )('GET /openapi.json', {
    operationId: 'getOpenApi',
    summary: 'This document',
    description: 'Every call with all its fields, made from the schemas that validate them.',
    answer: withHeaders(
      Type.Object({}, { additionalProperties: true, description: 'OpenAPI 3.1.' }),
      'Cache-Control',
    ),
    fails: [503],
    handle: async (_, __, reply) => {
      written ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(written);
    },
  });
};
