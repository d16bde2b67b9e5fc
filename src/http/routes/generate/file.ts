import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { refuseFile } from '../../../generate/drawing.ts';
import { MEDIA_TYPES } from '../../../generate/file.ts';
import { printParameters, toPrint } from '../../../generate/request/print.ts';
import { SingleRequest } from '../../../generate/request/request.ts';
import { principalOf } from '../../auth/auth.ts';
import { formatFor, sendPicture } from '../../files/picture-file.ts';
import { sendTimings } from '../../headers.ts';
import { CallHeaders, claimOf } from '../../idempotency.ts';
import { sendLimits } from '../../limits/rate-limit.ts';
import { createPresetHook } from '../../preset.ts';
import { BODY_ERRORS, bytes, errors, KEY_ERRORS, strict } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import { repairTermsOf, sendGrade, sendRepaired } from '../../terms.ts';
import { BODY_LIMIT_BYTES, type SingleRouteParts } from './single.ts';

/** Adds the route that makes one code and answers with the file itself. */
export const fileRoute =
  ({ auth, rateLimit, single, presets }: SingleRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Generate', { apiKey: ['generate'] });
    app.post(
      '/api/v1/qr/file',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: { name: 'file' },
        onRequest: [auth.require('generate', 'header'), rateLimit.hook],
        preValidation: createPresetHook(presets, 'single'),
        schema: {
          operationId: 'createFile',
          summary: 'Make one code as a file, for print also in millimetres',
          description:
            '`Accept` names the format; PNG without it. Costs one unit. docs/printing.md says more.',
          headers: CallHeaders,
          querystring: Type.Object(printParameters, strict),
          body: SingleRequest,
          response: {
            200: withHeaders(
              bytes('The file.', ...Object.values(MEDIA_TYPES)),
              'Server-Timing',
              'Content-Disposition',
              'Idempotent-Replayed',
              'Tessera-Grade',
              'Tessera-Warnings',
              'Tessera-Repaired',
              'X-QR-Usage',
            ),
            ...errors(406, 409, 422, ...BODY_ERRORS, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId, keyId } = principalOf(request);
        reply.header('vary', 'Accept');
        const format = formatFor(request.headers.accept);
        const print = toPrint(request.query);
        if (!print.ok) throw refuseFile(print.fault);
        const file = { format, print: print.value };
        const terms = repairTermsOf(request.headers);
        const caller = { accountId, keyId, ...claimOf(request, 'file', terms, JSON.stringify(file)) };
        const answer = await single(request.body, caller, terms, file);
        sendTimings(reply, answer.timings);
        sendGrade(reply, answer);
        sendRepaired(reply, answer.repaired);
        sendLimits(request, reply, answer.month);
        if (answer.replayed) reply.header('idempotent-replayed', 'true');
        reply.header('x-qr-usage', String(answer.usageCount));
        return sendPicture(reply, { format, name: 'code', bytes: answer.bytes });
      },
    );
  };
