import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { AppError } from '../../../errors.ts';
import { type createPreview, PREVIEW_MAX_PX, type Scannability } from '../../../generate/preview.ts';
import { SingleRequest } from '../../../generate/request/request.ts';
import type { FreeWork } from '../../../limits/free-work.ts';
import { createPlaces } from '../../../limits/places.ts';
import type { PresetLookup } from '../../../presets/lookup.ts';
import { principalOf } from '../../auth/auth.ts';
import type { AccountParts } from '../../auth/of-account.ts';
import { sendTimings } from '../../headers.ts';
import { createFreeWorkHook } from '../../limits/free-work-hook.ts';
import { createPresetHook, PresetHeader } from '../../preset.ts';
import { BODY_ERRORS, bytes, errors, KEY_ERRORS } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import { sendGrade } from '../../terms.ts';
import { BODY_LIMIT_BYTES } from '../generate/single.ts';

/** What the preview route needs. */
export interface PreviewRouteParts extends AccountParts {
  readonly freeWork: FreeWork;
  readonly preview: ReturnType<typeof createPreview>;
  readonly presets: PresetLookup;
}

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
  ({ auth, rateLimit, freeWork, preview, presets }: PreviewRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Dashboard', { session: ['manage'] });
    const places = createPlaces(MAX_RUNNING);

    app.post(
      '/preview',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: { name: 'preview' },
        onRequest: [auth.requireSession('manage'), rateLimit.hook, createFreeWorkHook(freeWork)],
        preValidation: createPresetHook(presets, 'single'),
        schema: {
          operationId: 'previewCode',
          summary: 'Draw a design small, free of charge',
          description: `The longer side has at most ${PREVIEW_MAX_PX} pixels. The headers \`tessera-*\` describe the picture at its full size.`,
          headers: Type.Object(PresetHeader),
          body: SingleRequest,
          response: {
            200: withHeaders(
              bytes('The picture.', 'image/png'),
              'Server-Timing',
              'Tessera-Grade',
              'Tessera-Warnings',
              'Tessera-Modules',
              'Tessera-Module-Px',
              'Tessera-Quiet-Zone',
              'Tessera-Logo-Cover',
              'Tessera-Level',
            ),
            ...errors(...BODY_ERRORS, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const drawn = await places.run(accountId, () => preview(request.body, accountId));
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
    );
  };
