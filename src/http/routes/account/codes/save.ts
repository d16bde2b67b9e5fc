import Type from 'typebox';
import { PNG_FILE } from '../../../../generate/file.ts';
import { CodeRequest } from '../../../../generate/request/code-request.ts';
import { sendPictureOutcome } from '../../../answer-headers.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { answerFor, PICTURE_TYPES, sendPicture } from '../../../files/attachment.ts';
import { CallHeaders, callerOf } from '../../../idempotency.ts';
import { createPresetHook } from '../../../preset.ts';
import { PreferHeader, prefersMinimal } from '../../../protocol/headers.ts';
import { describeBytes } from '../../../schemas/atoms.ts';
import { CodeWithDesign } from '../../../schemas/code.ts';
import { GRADED, withHeaders } from '../../../schemas/openapi/headers.ts';
import { repairTermsOf } from '../../../terms.ts';
import { BODY_LIMIT_BYTES } from '../../generate/single.ts';
import type { Need } from '../../services.ts';
import { type DescribeParts, describeCode } from './codes.ts';

const SaveHeaders = Type.Object({ ...CallHeaders.properties, ...PreferHeader });

const { content: pictures } = describeBytes('', ...PICTURE_TYPES) as { readonly content: object };

const Saved = {
  description: 'The code, or its picture; empty with `Prefer: return=minimal`.',
  content: { 'application/json': { schema: CodeWithDesign }, ...pictures },
};

/** Adds the route that makes one code and saves it. */
export const saveCodeRoute = ofAccount(
  { tag: 'Codes', name: 'code', scope: 'generate' },
  (route, { save, presets, ...described }: DescribeParts & Need<'presets' | 'save'>) => {
    route('POST /codes', {
      operationId: 'saveCode',
      isPaid: true,
      summary: 'Make one code and save it',
      description:
        'Takes the fields of `POST /api/v1/qr`, and those saved with the picture. Costs one unit. Returns the code or, if `Accept` prefers a picture format, the picture, with the code in `Location`. A replay returns the code in its current state; `Accept` and `Prefer` may differ.',
      headers: SaveHeaders,
      body: CodeRequest,
      answer: withHeaders(
        Saved,
        'Location',
        ...GRADED,
        'Idempotent-Replayed',
        'Preference-Applied',
        'Tessera-Repaired',
        'X-QR-Usage',
      ),
      status: 201,
      fails: [404, 406, 409, 422],
      options: { bodyLimit: BODY_LIMIT_BYTES, preValidation: createPresetHook(presets, 'single') },
      handle: async (request, principal, reply) => {
        reply.header('vary', 'Accept, Prefer');
        const wanted = answerFor(request.headers.accept);
        const format = wanted === 'json' ? 'png' : wanted;
        const terms = repairTermsOf(request.headers);
        const caller = callerOf(request, principal, 'code', terms);
        const answer = await save(request.body, caller, terms, { ...PNG_FILE, format });
        sendPictureOutcome(request, reply, answer);
        // Relative to the address of the call.
        reply.header('location', `codes/${answer.id}`).header('x-qr-usage', String(answer.usageCount));
        if (prefersMinimal(request)) return reply.header('preference-applied', 'return=minimal').send();
        if (wanted === 'json') return describeCode(described, caller.accountId, answer.id);
        const { name = answer.id } = request.body;
        return sendPicture(reply, { format, name, bytes: answer.bytes });
      },
    });
  },
);
