import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { AppError } from '../../../errors.ts';
import type { Timings } from '../../../generate/parts.ts';
import { PREVIEW_MAX_PX, type Scannability } from '../../../generate/preview.ts';
import { refuse } from '../../../generate/refusals.ts';
import { FileOptions } from '../../../generate/request/file-options.ts';
import { type Print, printParameters, toPrint } from '../../../generate/request/print.ts';
import { SingleRequest } from '../../../generate/request/request.ts';
import { createAdmission } from '../../../limits/admission.ts';
import { okOrThrow } from '../../../result.ts';
import { sendGrade, sendLost, sendSizeMm, sendTimings } from '../../answer-headers.ts';
import { OF_KEYS } from '../../auth/of-account.ts';
import type { RunCheck } from '../../limits/places.ts';
import { createPresetHook, PresetHeader } from '../../preset.ts';
import { describeBytes, strict } from '../../schemas/atoms.ts';
import { GRADED, withHeaders } from '../../schemas/openapi/headers.ts';
import { describeRoutes } from '../../schemas/openapi/openapi.ts';
import { CheckBody, toCheckBody } from '../generate/check.ts';
import { BODY_LIMIT_BYTES } from '../generate/single.ts';
import { routesOf } from '../route.ts';
import type { Need } from '../services.ts';

/** What the route of the dashboard's checks needs. */
type DashboardCheckParts = Need<'check' | 'presets'> & { readonly runCheck: RunCheck };

/** The designer shows what would give the best grade. A repair of a file in millimetres is that of its design. */
const termsFor = ({ size }: Print) => ({ minGrade: 4, repair: size === null }) as const;

/** The file whose grade is asked for; absent: a PNG in pixels. */
const FileQuery = Type.Object({ format: FileOptions.properties.format, ...printParameters }, strict);

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
      description:
        'Like `POST /api/v1/qr/check` with `Tessera-Repair: true`; of a file in millimetres without a repair.',
      headers: Type.Object(PresetHeader),
      querystring: FileQuery,
      body: SingleRequest,
      answer: withHeaders(CheckBody, 'Server-Timing', 'Tessera-Size-Mm'),
      options: {
        bodyLimit: BODY_LIMIT_BYTES,
        onRequest: [auth.requireSession('manage'), rateLimit.hook],
        preValidation: createPresetHook(presets, 'single'),
      },
      handle: async ({ query: { format = 'png', ...printed }, body }, { accountId }, reply) => {
        const print = okOrThrow(toPrint(printed), refuse);
        const terms = termsFor(print);
        const job = (timings: Timings) => check(body, accountId, terms, timings, { format, print });
        const checked = await runCheck(reply, accountId, job);
        sendSizeMm(reply, checked.sized);
        return toCheckBody(checked);
      },
    });
  };

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
      description: `The longer side has at most ${PREVIEW_MAX_PX} pixels. The headers \`tessera-*\` describe the picture at its full size. Options of print show caption and frame as a vector file has them; inks do not show.`,
      headers: Type.Object(PresetHeader),
      querystring: Type.Object(printParameters, strict),
      body: SingleRequest,
      answer: withHeaders(
        describeBytes('The picture.', 'image/png'),
        ...GRADED,
        'Tessera-Modules',
        'Tessera-Module-Px',
        'Tessera-Quiet-Zone',
        'Tessera-Logo-Cover',
        'Tessera-Level',
        'Tessera-Captions',
      ),
      options: {
        bodyLimit: BODY_LIMIT_BYTES,
        onRequest: [auth.requireSession('manage'), rateLimit.hook],
        preValidation: createPresetHook(presets, 'single'),
      },
      handle: async ({ query, body }, { accountId }, reply) => {
        const print = okOrThrow(toPrint(query), refuse);
        const drawn = await places.run(accountId, () => preview(body, accountId, print));
        if (drawn === null) {
          const details = `An account may have ${MAX_RUNNING} previews drawn at a time; wait for them.`;
          throw new AppError('rate_limited', details, { retryAfterS: 1 });
        }
        const { png, scannability, timings, lost } = drawn;
        sendTimings(reply, timings);
        sendLost(reply, lost);
        sendGrade(reply, drawn);
        return reply
          .type('image/png')
          .headers(headersOf(scannability))
          .send(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
      },
    });
  };
