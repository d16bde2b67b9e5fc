import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type createPreview, PREVIEW_MAX_PX, type Scannability } from '../../generate/preview.ts';
import { SingleRequest } from '../../generate/request.ts';
import { callerOf } from '../auth.ts';
import { sendTimings } from '../headers.ts';
import type { AccountParts } from '../of-account.ts';
import { document } from '../openapi.ts';
import { withHeaders } from '../openapi-headers.ts';
import { createPreviewLimit } from '../preview-limit.ts';
import { BODY_ERRORS, bytes, errors, KEY_ERRORS } from '../schema.ts';
import { sessionOf } from '../session-auth.ts';

export interface PreviewRouteParts extends AccountParts {
  readonly preview: ReturnType<typeof createPreview>;
}

const LIMIT = { burst: 20, perSecond: 10, maxRunning: 3, maxSessions: 10_000 };
/** As of the single call. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

const rounded = (value: number): string => String(Math.round(value * 1000) / 1000);

const headersOf = ({ modules, modulePx, quietZoneModules, logoCover, level }: Scannability) => ({
  'tessera-modules': String(modules),
  'tessera-module-px': rounded(modulePx),
  'tessera-quiet-zone': rounded(quietZoneModules),
  'tessera-logo-cover': rounded(logoCover),
  'tessera-level': level,
});

export const previewRoute =
  ({ auth, rateLimit, preview }: PreviewRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Dashboard', { session: ['manage'] });
    const limit = createPreviewLimit(LIMIT);

    app.post(
      '/preview',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: { name: 'preview' },
        onRequest: [
          auth.requireSession('manage'),
          rateLimit.hook,
          async (request) => limit.admit(sessionOf(request).sessionId),
        ],
        schema: {
          operationId: 'previewCode',
          summary: 'A design drawn small, free of charge',
          description: `The longer side has at most ${PREVIEW_MAX_PX} pixels. The headers \`tessera-*\` tell of the picture as it was asked for: modules a side and pixels a module, quiet zone in modules, share that the logo covers, error correction level. At most ${LIMIT.perSecond} a second and session.`,
          body: SingleRequest,
          response: {
            200: withHeaders(
              bytes('The picture.', 'image/png'),
              'Server-Timing',
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
        const { sessionId, accountId } = { ...sessionOf(request), ...callerOf(request) };
        const { png, scannability, timings } = await limit.run(sessionId, () =>
          preview(request.body, accountId),
        );
        sendTimings(reply, timings);
        return reply
          .type('image/png')
          .headers(headersOf(scannability))
          .send(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
      },
    );
  };
