import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { AppError } from '../../../errors.ts';
import { PREVIEW_MAX_PX, type Scannability } from '../../../generate/preview.ts';
import { SingleRequest } from '../../../generate/request/request.ts';
import { createAdmission } from '../../../limits/admission.ts';
import { OF_KEYS } from '../../auth/of-account.ts';
import { sendTimings } from '../../headers.ts';
import { createPresetHook, PresetHeader } from '../../preset.ts';
import { describeBytes } from '../../schemas/atoms.ts';
import { describeRoutes } from '../../schemas/openapi.ts';
import { GRADED, withHeaders } from '../../schemas/openapi-headers.ts';
import { sendGrade } from '../../terms.ts';
import { BODY_LIMIT_BYTES } from '../generate/single.ts';
import { routesOf } from '../route.ts';
import type { Need } from '../services.ts';

/** Previews of one account that are drawn at a time: enough for a few people, each with one preview at a time. */
const MAX_RUNNING = 6;

const rounded = (value: number): string => String(Math.round(value * 1000) / 1000);

const headersOf = ({ modules, modulePx, quietZoneModules, logoCover, level }: Scannability) => ({
  'tessera-modules': String(modules),
  'tessera-module-px': rounded(modulePx),
  'tessera-quiet-zone': rounded(quietZoneModules),
  'tessera-logo-cover': rounded(logoCover),
  'tessera-level': level,
});

/** Adds the route that draws a preview for the dashboard. */
export const previewRoute =
  ({ auth, rateLimit, preview, presets }: Need<'presets' | 'preview'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Dashboard', { session: ['manage'] });
    const places = createAdmission({ maxRunningPerKey: MAX_RUNNING });

    routesOf(
      app,
      'preview',
      OF_KEYS,
    )('POST /preview', {
      operationId: 'previewCode',
      isSafe: true,
      summary: 'Draw a small preview of a design, free of charge',
      description: `The longer side has at most ${PREVIEW_MAX_PX} pixels. The headers \`tessera-*\` describe the picture at its full size.`,
      headers: Type.Object(PresetHeader),
      body: SingleRequest,
      answer: withHeaders(
        describeBytes('The picture.', 'image/png'),
        ...GRADED,
        'Tessera-Modules',
        'Tessera-Module-Px',
        'Tessera-Quiet-Zone',
        'Tessera-Logo-Cover',
        'Tessera-Level',
      ),
      options: {
        bodyLimit: BODY_LIMIT_BYTES,
        onRequest: [auth.requireSession('manage'), rateLimit.hook],
        preValidation: createPresetHook(presets, 'single'),
      },
      handle: async ({ body }, { accountId }, reply) => {
        const drawn = await places.run(accountId, () => preview(body, accountId));
        if (drawn === null) {
          const details = `An account may have ${MAX_RUNNING} previews drawn at a time; wait for them.`;
          throw new AppError('rate_limited', details, { retryAfterS: 1 });
        }
        const { png, scannability, timings } = drawn;
        sendTimings(reply, timings);
        sendGrade(reply, drawn);
        return reply
          .type('image/png')
          .headers(headersOf(scannability))
          .send(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
      },
    });
  };
