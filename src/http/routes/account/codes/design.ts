import Type from 'typebox';
import { lockCode } from '../../../../db/tables/codes/chosen.ts';
import { setCodeDesign } from '../../../../db/tables/codes/designs.ts';
import { toImageField, toOptions } from '../../../../generate/request/options.ts';
import { PictureOptions } from '../../../../generate/request/picture-options.ts';
import { sendGrade, sendRepaired } from '../../../answer-headers.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireCode, requireFound } from '../../../auth/require-found.ts';
import { checkOf, IfMatchHeader, withVersion } from '../../../files/versions.ts';
import { RepairHeaders, repairTermsOf } from '../../../grade-headers.ts';
import { IdParams } from '../../../schemas/atoms.ts';
import { CodeWithDesign, codeVersion, withScans } from '../../../schemas/code.ts';
import { GRADED, withHeaders } from '../../../schemas/openapi/headers.ts';
import { BODY_LIMIT_BYTES } from '../../generate/single.ts';
import { type DescribeParts, describeCode } from './codes.ts';
import { type RestyleParts, restyleCode, savedLogo } from './restyled.ts';

/** What the route of designs needs. */
export type CodeDesignParts = DescribeParts & RestyleParts;

const DesignBody = {
  ...PictureOptions,
  examples: [{ width: 600, height: 600, dotsOptions: { type: 'rounded', color: '#1a4b8c' } }],
};

const DesignHeaders = Type.Object({ ...RepairHeaders.properties, ...IfMatchHeader });

const DESCRIPTION =
  'The body takes the options that `GET /codes/{id}` returns as `design`. The id, content and short link do not change. Free of charge; grading counts as free work.';

/** Adds the route that gives a saved code another design. */
export const codeDesignRoute = ofAccount(
  { tag: 'Codes', name: 'code-design' },
  (route, parts: CodeDesignParts) => {
    const { database, linkRules } = parts;
    const { sql } = database;

    route('PUT /codes/:id/design', {
      operationId: 'setCodeDesign',
      summary: 'Draw a saved code in another design',
      description: DESCRIPTION,
      params: IdParams,
      headers: DesignHeaders,
      body: DesignBody,
      answer: withHeaders(CodeWithDesign, 'ETag', ...GRADED, 'Tessera-Repaired'),
      fails: [412],
      options: { bodyLimit: BODY_LIMIT_BYTES },
      change: async (request, { accountId }, reply) => {
        const { params, body } = request;
        const code = await requireCode(sql, accountId, params.id);
        const kept = await savedLogo(parts, accountId, code);
        const drawn = await restyleCode(
          parts,
          reply,
          accountId,
          code,
          body,
          kept,
          repairTermsOf(request.headers),
        );
        const { design, logo, grade, warnings, repaired } = drawn;
        const check = checkOf(request);
        return async ({ sql: tx }) => {
          check(codeVersion(requireFound('code', await lockCode(tx, accountId, params.id))));
          await setCodeDesign(tx, accountId, params.id, { design, logo, grade, warnings });
          sendGrade(reply, drawn);
          sendRepaired(reply, repaired);
          const changed = await requireCode(tx, accountId, params.id);
          const [saved] = await withScans(tx, [changed], linkRules.shortUrl);
          return withVersion(reply, {
            ...saved!,
            design: { ...toOptions(design), ...(logo === null ? {} : toImageField(logo)) },
          });
        };
      },
      readAgain: async (id, { accountId }, reply) =>
        withVersion(reply, await describeCode(parts, accountId, id)),
    });
  },
);
