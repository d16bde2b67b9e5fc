import Type from 'typebox';
import { lockCode } from '../../../../db/tables/codes/chosen.ts';
import type { StoredCode } from '../../../../db/tables/codes/codes.ts';
import { setCodeDesign } from '../../../../db/tables/codes/designs.ts';
import { NO_PICTURE } from '../../../../generate/redraw.ts';
import { refuse } from '../../../../generate/refusals.ts';
import { findDynamicGs1Fault } from '../../../../generate/request/gs1.ts';
import { toImageField, toImageOption, toOptions } from '../../../../generate/request/options.ts';
import { PictureOptions } from '../../../../generate/request/picture-options.ts';
import { sendGrade, sendRepaired } from '../../../answer-headers.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireCode, requireFound } from '../../../auth/require-found.ts';
import { checkOf, IfMatchHeader, withVersion } from '../../../files/versions.ts';
import { RepairHeaders, repairTermsOf } from '../../../grade-headers.ts';
import type { RunCheck } from '../../../limits/places.ts';
import { IdParams } from '../../../schemas/atoms.ts';
import { CodeWithDesign, codeVersion, withScans } from '../../../schemas/code.ts';
import { GRADED, withHeaders } from '../../../schemas/openapi/headers.ts';
import { BODY_LIMIT_BYTES } from '../../generate/single.ts';
import type { Need } from '../../services.ts';
import { type DescribeParts, describeCode } from './codes.ts';

/** What the route of designs needs. */
export type CodeDesignParts = DescribeParts & Need<'restyle'> & { readonly runCheck: RunCheck };

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
  (route, { restyle, runCheck, ...parts }: CodeDesignParts) => {
    const { database, linkRules, redraw } = parts;
    const { sql } = database;

    /** The saved logo if the options name it exactly as it was shown, so that not even rounding changes it. */
    const findKeptLogo = async (accountId: string, { logoSha256 }: StoredCode, image: string | undefined) => {
      if (logoSha256 === null || image === undefined) return null;
      const found = await redraw.findLogo(accountId, logoSha256.toString('hex'));
      return found !== undefined && toImageOption(found.logo).image === image ? found : null;
    };

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
        if (code.grade === null) throw refuse(NO_PICTURE);
        const gs1Fault = code.slug === null ? null : findDynamicGs1Fault(body.qrOptions ?? {});
        if (gs1Fault !== null) throw refuse(gs1Fault);
        const text = code.slug === null ? code.content : linkRules.shortUrl(code.slug, code.place);
        const kept = await findKeptLogo(accountId, code, body.image);
        const terms = repairTermsOf(request.headers);
        const drawn = await runCheck(reply, accountId, (timings) =>
          restyle({ text, options: body, kept }, accountId, terms, timings),
        );
        const { design, found, grade, warnings, repaired } = drawn;
        const logo = found === null ? null : { ...found.logo, sha256: Buffer.from(found.sha256, 'hex') };
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
