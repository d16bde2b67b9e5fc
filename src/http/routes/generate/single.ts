import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { SingleRequest } from '../../../generate/request/request.ts';
import type { createSingle } from '../../../generate/single.ts';
import type { PresetLookup } from '../../../presets/lookup.ts';
import { type Auth, principalOf } from '../../auth/auth.ts';
import { toDataUrl } from '../../files/data-url.ts';
import { sendTimings } from '../../headers.ts';
import { CallHeaders, claimOf } from '../../idempotency.ts';
import { type RateLimit, sendLimits } from '../../limits/rate-limit.ts';
import { createPresetHook } from '../../preset.ts';
import { BODY_ERRORS, errors, KEY_ERRORS, UNESCAPED_FORMAT } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import { repairTermsOf, sendGrade, sendRepaired } from '../../terms.ts';

/** What the single route needs. */
export interface SingleRouteParts {
  readonly auth: Auth;
  readonly rateLimit: RateLimit;
  readonly single: ReturnType<typeof createSingle>;
  readonly presets: PresetLookup;
}

/** Four times the largest logo and content, so that escapes of JSON fit too. */
export const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

const SingleResponse = Type.Object(
  {
    success: Type.Literal(true),
    // Base64 needs no escapes, and looking for some would take longer than all other fields.
    data: Type.String({ format: UNESCAPED_FORMAT, description: 'PNG as a data URL.' }),
    meta: Type.Object({
      usage_count: Type.Integer({ description: 'Units used this period.' }),
      remaining: Type.Integer({ description: 'Units left of the monthly quota, plus the credits.' }),
      strategy: Type.Enum(['monthly', 'credits']),
    }),
  },
  { title: 'QrResponse' },
);

/** Adds the route that makes one code. */
export const singleRoute =
  ({ auth, rateLimit, single, presets }: SingleRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Generate', { apiKey: ['generate'] });
    app.post(
      '/api/v1/qr',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: { name: 'single' },
        onRequest: [auth.require('generate', 'header'), rateLimit.hook],
        preValidation: createPresetHook(presets, 'single'),
        schema: {
          operationId: 'createCode',
          summary: 'Make one code',
          description: 'The picture is in the answer and is not stored. Costs one unit.',
          headers: CallHeaders,
          body: SingleRequest,
          response: {
            200: withHeaders(
              SingleResponse,
              'Server-Timing',
              'Idempotent-Replayed',
              'Tessera-Grade',
              'Tessera-Warnings',
              'Tessera-Repaired',
            ),
            ...errors(409, 422, ...BODY_ERRORS, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId, keyId } = principalOf(request);
        const terms = repairTermsOf(request.headers);
        const caller = { accountId, keyId, ...claimOf(request, 'single', terms) };
        const answer = await single(request.body, caller, terms);
        sendTimings(reply, answer.timings);
        sendGrade(reply, answer);
        sendRepaired(reply, answer.repaired);
        sendLimits(request, reply, answer.month);
        if (answer.replayed) reply.header('idempotent-replayed', 'true');
        const { usageCount, remaining, strategy } = answer;
        return {
          success: true as const,
          data: toDataUrl(answer.bytes),
          meta: { usage_count: usageCount, remaining, strategy },
        };
      },
    );
  };
