import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Timings } from '../../../generate/parts.ts';
import type { createCheck } from '../../../generate/quality/check.ts';
import { SingleRequest } from '../../../generate/request/request.ts';
import type { FreeWork } from '../../../limits/free-work.ts';
import type { PresetLookup } from '../../../presets/lookup.ts';
import { principalOf } from '../../auth/auth.ts';
import type { AccountParts } from '../../auth/of-account.ts';
import type { RunCheck } from '../../limits/check-places.ts';
import { createFreeWorkHook } from '../../limits/free-work-hook.ts';
import { createPresetHook, PresetHeader } from '../../preset.ts';
import { BODY_ERRORS, errors, KEY_ERRORS } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import { CheckBody, toCheckBody } from '../generate/check.ts';
import { BODY_LIMIT_BYTES } from '../generate/single.ts';

/** What the route of the dashboard's checks needs. */
export interface DashboardCheckParts extends AccountParts {
  readonly freeWork: FreeWork;
  readonly check: ReturnType<typeof createCheck>;
  readonly runCheck: RunCheck;
  readonly presets: PresetLookup;
}

/** The designer shows what would give the best grade. */
const TERMS = { minGrade: 4, repair: true } as const;

/** Adds the route that grades a design for the dashboard. */
export const dashboardCheckRoute =
  ({ auth, rateLimit, freeWork, check, runCheck, presets }: DashboardCheckParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Dashboard', { session: ['manage'] });

    app.post(
      '/check',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: { name: 'design-check' },
        onRequest: [auth.requireSession('manage'), rateLimit.hook, createFreeWorkHook(freeWork)],
        preValidation: createPresetHook(presets, 'single'),
        schema: {
          operationId: 'checkDesign',
          summary: 'Grade a design and its repair, free of charge',
          description: 'As `POST /api/v1/qr/check` with `Tessera-Repair: true`.',
          headers: Type.Object(PresetHeader),
          body: SingleRequest,
          response: {
            200: withHeaders(CheckBody, 'Server-Timing'),
            ...errors(...BODY_ERRORS, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const job = (timings: Timings) => check(request.body, accountId, TERMS, timings);
        return toCheckBody(await runCheck(reply, accountId, job));
      },
    );
  };
