import Type from 'typebox';
import { refuse } from '../../../generate/refusals.ts';
import { printParameters, toPrint } from '../../../generate/request/print.ts';
import { SingleRequest } from '../../../generate/request/request.ts';
import { CONTENT_NAMES } from '../../../generate/request/words.ts';
import { sendLost, sendPictureOutcome } from '../../answer-headers.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { useCasesFor } from '../../caller.ts';
import { formatFor, PICTURE_TYPES, sendPicture, toDataUrl } from '../../files/attachment.ts';
import { repairTermsOf } from '../../grade-headers.ts';
import { CallHeaders, callerOf } from '../../idempotency.ts';
import { createPresetHook } from '../../preset.ts';
import { describeBytes, strict, UNESCAPED_FORMAT } from '../../schemas/atoms.ts';
import { GRADED, withHeaders } from '../../schemas/openapi/headers.ts';
import type { Need } from '../services.ts';

/** Four times the largest logo and content, so that escapes of JSON fit too. */
export const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

const SingleResponse = Type.Object(
  {
    success: Type.Literal(true),
    // Base64 needs no escapes, and scanning for them would take longer than all other fields.
    data: Type.String({ format: UNESCAPED_FORMAT, description: 'PNG as a data URL.' }),
    meta: Type.Object({
      usage_count: Type.Integer({ description: 'Units used this period.' }),
      remaining: Type.Integer({ description: 'Units left of the monthly quota, plus the credits.' }),
      strategy: Type.Enum(['monthly', 'credits']),
    }),
  },
  { title: 'QrResponse' },
);

type SingleParts = 'presets' | 'rehearsal' | 'sandbox' | 'single';

/** Adds the route that makes one code. */
export const singleRoute = ofAccount(
  { tag: 'Generate', name: 'single', scope: 'generate', isForSandbox: true },
  (route, { single, presets, rehearsal, sandbox }: Need<SingleParts>) => {
    route('POST /api/v1/qr', {
      operationId: 'createCode',
      isPaid: true,
      summary: 'Make one code',
      description: 'The picture is in the answer and is not stored. Costs one unit.',
      headers: CallHeaders,
      body: SingleRequest,
      answer: withHeaders(SingleResponse, ...GRADED, 'Idempotent-Replayed', 'Tessera-Repaired'),
      fails: [409, 422],
      options: { bodyLimit: BODY_LIMIT_BYTES, preValidation: createPresetHook(presets, 'single') },
      handle: async (request, principal, reply) => {
        const terms = repairTermsOf(request.headers);
        const caller = callerOf(request, principal, 'single', terms);
        const make = useCasesFor(request, principal, { single }, sandbox, rehearsal).single;
        const answer = await make(request.body, caller, terms);
        sendPictureOutcome(request, reply, answer);
        const { usageCount, remaining, strategy } = answer;
        return {
          success: true as const,
          data: toDataUrl(answer.bytes),
          meta: { usage_count: usageCount, remaining, strategy },
        };
      },
    });
  },
);

/** Adds the route that makes one code and answers with the file itself. */
export const fileRoute = ofAccount(
  { tag: 'Generate', name: 'file', scope: 'generate', isForSandbox: true },
  (route, { single, presets, rehearsal, sandbox }: Need<SingleParts>) => {
    route('POST /api/v1/qr/file', {
      operationId: 'createFile',
      isPaid: true,
      summary: 'Make one code as a file, for print optionally in millimetres',
      description: '`Accept` selects the format; PNG by default. Costs one unit. See docs/printing.md.',
      headers: CallHeaders,
      querystring: Type.Object(printParameters, strict),
      body: SingleRequest,
      answer: withHeaders(
        describeBytes('The file.', ...PICTURE_TYPES),
        ...GRADED,
        'Content-Disposition',
        'Idempotent-Replayed',
        'Tessera-Captions',
        'Tessera-Repaired',
        'X-QR-Usage',
      ),
      fails: [406, 409, 422],
      options: { bodyLimit: BODY_LIMIT_BYTES, preValidation: createPresetHook(presets, 'single') },
      handle: async (request, principal, reply) => {
        reply.header('vary', 'Accept');
        const format = formatFor(request.headers.accept);
        const print = toPrint(request.query, CONTENT_NAMES);
        if (!print.ok) throw refuse(print.fault);
        const file = { format, print: print.value };
        const terms = repairTermsOf(request.headers);
        const caller = callerOf(request, principal, 'file', terms, JSON.stringify(file));
        const make = useCasesFor(request, principal, { single }, sandbox, rehearsal).single;
        const answer = await make(request.body, caller, terms, file);
        sendPictureOutcome(request, reply, answer);
        sendLost(reply, answer.lost);
        reply.header('x-qr-usage', String(answer.usageCount));
        return sendPicture(reply, { format, name: 'code', bytes: answer.bytes });
      },
    });
  },
);
