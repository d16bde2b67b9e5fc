import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { createBulk } from '../../../generate/bulk/bulk.ts';
import { BulkRequest } from '../../../generate/request/request.ts';
import type { PresetLookup } from '../../../presets/lookup.ts';
import { type Auth, principalOf } from '../../auth/auth.ts';
import { isLarge, streamBulk, toResult } from '../../bodies/bulk-answer.ts';
import { sendTimings } from '../../headers.ts';
import { CallHeaders, claimOf } from '../../idempotency.ts';
import { type RateLimit, sendLimits } from '../../limits/rate-limit.ts';
import { createPresetHook } from '../../preset.ts';
import { BODY_ERRORS, errors, KEY_ERRORS, Uuid } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import { repairTermsOf, sendGrades } from '../../terms.ts';

/** What the bulk route needs. */
export interface BulkRouteParts {
  readonly auth: Auth;
  readonly rateLimit: RateLimit;
  readonly bulk: ReturnType<typeof createBulk>;
  readonly presets: PresetLookup;
  /** The largest body. */
  readonly bodyLimitBytes: number;
}

const Result = Type.Object(
  {
    success: Type.Boolean(),
    data: Type.Optional(Type.String({ description: 'PNG as a data URL.' })),
    slug: Type.Optional(Type.String({ description: 'The slug of a dynamic item.' })),
    repaired: Type.Optional(Type.String({ description: 'As the header `Tessera-Repaired`.' })),
    error: Type.Optional(Type.String()),
  },
  { title: 'BulkResult' },
);

const BulkResponse = Type.Object(
  {
    success: Type.Literal(true),
    results: Type.Array(Result),
    meta: Type.Object({
      total: Type.Integer(),
      successful: Type.Integer(),
      usage_count: Type.Integer(),
      remaining: Type.Integer(),
      folder_id: Uuid,
    }),
  },
  { title: 'BulkResponse' },
);

/** Adds the route that makes and saves up to 100 codes. */
export const bulkRoute =
  ({ auth, rateLimit, bulk, presets, bodyLimitBytes }: BulkRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Generate', { apiKey: ['generate'] });
    app.post(
      '/api/v1/qr/bulk',
      {
        bodyLimit: bodyLimitBytes,
        config: { name: 'bulk' },
        onRequest: [auth.require('generate', 'header', 'pro'), rateLimit.hook],
        preValidation: createPresetHook(presets, 'bulk'),
        schema: {
          operationId: 'createCodes',
          summary: 'Make up to 100 codes and save them into a folder',
          description:
            'For accounts on the Pro plan. All items are admitted or none; each costs one unit. A failed item does not fail the call, so check `success` of each.',
          headers: CallHeaders,
          body: BulkRequest,
          response: {
            200: withHeaders(
              BulkResponse,
              'Server-Timing',
              'Idempotent-Replayed',
              'Tessera-Grade',
              'Tessera-Warnings',
              'Tessera-Grades',
              'Tessera-Item-Warnings',
            ),
            ...errors(409, 422, ...BODY_ERRORS, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId, keyId } = principalOf(request);
        const terms = repairTermsOf(request.headers);
        const caller = { accountId, keyId, ...claimOf(request, 'bulk', terms) };
        const answer = await bulk(request.body, caller, terms);
        sendTimings(reply, answer.timings);
        sendLimits(request, reply, answer.month);
        if (answer.replayed) reply.header('idempotent-replayed', 'true');
        const { results } = answer;
        sendGrades(reply, results);
        const meta = {
          total: results.length,
          successful: results.filter((result) => result.success).length,
          usage_count: answer.usageCount,
          remaining: answer.remaining,
          folder_id: answer.folderId,
        };
        if (isLarge(results)) {
          // Fastify's types do not allow a stream in place of what the schema describes.
          const body = streamBulk(results, meta) as never;
          return reply.type('application/json; charset=utf-8').send(body);
        }
        return { success: true as const, results: results.map(toResult), meta };
      },
    );
  };
