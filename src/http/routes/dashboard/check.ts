import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Timings } from '../../../generate/parts.ts';
import { SingleRequest } from '../../../generate/request/request.ts';
import { OF_KEYS } from '../../auth/of-account.ts';
import type { RunCheck } from '../../limits/check-places.ts';
import { createPresetHook, PresetHeader } from '../../preset.ts';
import { describeRoutes } from '../../schemas/openapi.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import { CheckBody, toCheckBody } from '../generate/check.ts';
import { BODY_LIMIT_BYTES } from '../generate/single.ts';
import { routesOf } from '../route.ts';
import type { Need } from '../services.ts';

/** What the route of the dashboard's checks needs. */
export type DashboardCheckParts = Need<'check' | 'presets'> & { readonly runCheck: RunCheck };

/** The designer shows what would give the best grade. */
const TERMS = { minGrade: 4, repair: true } as const;

/** Adds the route that grades a design for the dashboard. */
export const dashboardCheckRoute =
  ({ auth, rateLimit, check, runCheck, presets }: DashboardCheckParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Dashboard', { session: ['manage'] });

    routesOf(
      app,
      'design-check',
      OF_KEYS,
    )('POST /check', {
      operationId: 'checkDesign',
      isSafe: true,
      summary: 'Grade a design and its repair, free of charge',
      description: 'Like `POST /api/v1/qr/check` with `Tessera-Repair: true`.',
      headers: Type.Object(PresetHeader),
      body: SingleRequest,
      answer: withHeaders(CheckBody, 'Server-Timing'),
      options: {
        bodyLimit: BODY_LIMIT_BYTES,
        onRequest: [auth.requireSession('manage'), rateLimit.hook],
        preValidation: createPresetHook(presets, 'single'),
      },
      handle: async ({ body }, { accountId }, reply) => {
        const job = (timings: Timings) => check(body, accountId, TERMS, timings);
        return toCheckBody(await runCheck(reply, accountId, job));
      },
    });
  };
