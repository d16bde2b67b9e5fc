import { noTimings } from '../../../../generate/parts.ts';
import type { Graded } from '../../../../generate/quality/graded.ts';
import { refuse } from '../../../../generate/refusals.ts';
import { findDynamicGs1Fault } from '../../../../generate/request/gs1.ts';
import { PictureOptions } from '../../../../generate/request/picture-options.ts';
import { sendGrade, sendRepaired, sendTimings } from '../../../answer-headers.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireCode } from '../../../auth/require-found.ts';
import { unclaimedCallerOf } from '../../../caller.ts';
import { RepairHeaders, repairTermsOf } from '../../../grade-headers.ts';
import { createPresetHook } from '../../../preset.ts';
import { IdParams } from '../../../schemas/atoms.ts';
import { CodeWithDesign } from '../../../schemas/code.ts';
import { GRADED, withHeaders } from '../../../schemas/openapi/headers.ts';
import { BODY_LIMIT_BYTES } from '../../generate/single.ts';
import type { Need } from '../../services.ts';
import { type DescribeParts, describeCode } from './codes.ts';

const FirstBody = { ...PictureOptions, examples: [{ width: 600, height: 600 }] };

/** Adds the route that draws the code of an imported link. */
export const firstPictureRoute = ofAccount(
  { tag: 'Codes', name: 'code', scope: 'generate' },
  (route, { firstPicture, presets, ...parts }: DescribeParts & Need<'firstPicture' | 'presets'>) => {
    const { database, linkRules } = parts;
    route('POST /codes/:id/picture', {
      operationId: 'drawCode',
      summary: 'Draw the code of an imported link',
      description:
        'An imported link has a code without a picture. This draws the first one in the design of the body, for one unit; later designs are free. A code that has a picture is returned as it is, so a retry costs nothing.',
      params: IdParams,
      headers: RepairHeaders,
      body: FirstBody,
      answer: withHeaders(CodeWithDesign, ...GRADED, 'Tessera-Repaired'),
      options: { bodyLimit: BODY_LIMIT_BYTES, preValidation: createPresetHook(presets, 'single') },
      handle: async (request, principal, reply) => {
        const { params, body } = request;
        const { accountId } = principal;
        const { id, grade, slug, place } = await requireCode(database.sql, accountId, params.id);
        if (grade === null) {
          const gs1Fault = findDynamicGs1Fault(body.qrOptions ?? {});
          if (gs1Fault !== null) throw refuse(gs1Fault);
          // Only codes of links have no picture.
          const undrawn = { id, text: linkRules.shortUrl(slug!, place), options: body };
          const caller = unclaimedCallerOf(request, principal);
          const { picture, timings } = await firstPicture(undrawn, caller, repairTermsOf(request.headers));
          sendRepaired(reply, picture?.repaired ?? '');
          sendTimings(reply, timings);
        } else sendTimings(reply, noTimings());
        const described = await describeCode(parts, accountId, id);
        sendGrade(reply, described as Graded);
        return described;
      },
    });
  },
);
