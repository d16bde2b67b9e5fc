import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { setCodeDesign } from '../../../db/tables/codes/design.ts';
import type { StoredCode } from '../../../db/tables/codes.ts';
import { getLogo } from '../../../db/tables/logos.ts';
import type { LinkRules } from '../../../generate/bulk/items.ts';
import { toImageOption, toOptions } from '../../../generate/request/options.ts';
import { PictureOptions } from '../../../generate/request/picture-options.ts';
import type { createRestyle } from '../../../generate/restyle.ts';
import { principalOf } from '../../auth/auth.ts';
import { type CostlyParts, ofAccount } from '../../auth/of-account.ts';
import { ownCode, owned } from '../../auth/owned.ts';
import type { RunCheck } from '../../limits/check-places.ts';
import { createFreeWorkHook } from '../../limits/free-work-hook.ts';
import { BODY_ERRORS, errors, IdParams, KEY_ERRORS } from '../../schemas/atoms.ts';
import { CodeWithDesign, withScans } from '../../schemas/code.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import { RepairHeaders, repairTermsOf, sendGrade, sendRepaired } from '../../terms.ts';
import { BODY_LIMIT_BYTES } from '../generate/single.ts';

/** What the route of designs needs. */
export interface CodeDesignParts extends CostlyParts {
  readonly restyle: ReturnType<typeof createRestyle>;
  readonly runCheck: RunCheck;
  readonly linkRules: Pick<LinkRules, 'shortUrl'>;
}

/** The schema of the answer's `design` too, but for its example. */
const DesignBody = {
  ...PictureOptions,
  examples: [{ width: 600, height: 600, dotsOptions: { type: 'rounded', color: '#1a4b8c' } }],
};

const DESCRIPTION =
  'The body is what `design` of `GET /codes/{id}` says. The id, the content and the short link stay. Costs nothing; grading counts as free work.';

/** Adds the route that gives a saved code another design. */
export const codeDesignRoute =
  ({
    database,
    restyle,
    runCheck,
    linkRules,
    freeWork,
    ...account
  }: CodeDesignParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);
    const { sql } = database;

    /** The saved logo when the options name it as it was shown, so that not even a rounding changes it. */
    const keptLogo = async (accountId: string, { logoSha256 }: StoredCode, image: string | undefined) => {
      const logo =
        logoSha256 === null || image === undefined ? null : await getLogo(sql, accountId, logoSha256);
      if (logo === null || toImageOption(logo).image !== image) return null;
      return { logo, sha256: logoSha256!.toString('hex') };
    };

    app.put(
      '/codes/:id/design',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: { name: 'code-design' },
        onRequest: createFreeWorkHook(freeWork),
        schema: {
          operationId: 'setCodeDesign',
          summary: 'Draw a saved code in another design',
          description: DESCRIPTION,
          params: IdParams,
          headers: RepairHeaders,
          body: DesignBody,
          response: {
            200: withHeaders(
              CodeWithDesign,
              'Server-Timing',
              'Tessera-Grade',
              'Tessera-Warnings',
              'Tessera-Repaired',
            ),
            ...errors(404, ...BODY_ERRORS, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { params, body } = request;
        const code = await ownCode(sql, accountId, params.id);
        const text = code.slug === null ? code.content : linkRules.shortUrl(code.slug);
        const kept = await keptLogo(accountId, code, body.image);
        const terms = repairTermsOf(request.headers);
        const drawn = await runCheck(reply, accountId, (timings) =>
          restyle({ text, options: body, kept }, accountId, terms, timings),
        );
        const { design, found, grade, warnings, repaired } = drawn;
        const logo = found === null ? null : { ...found.logo, sha256: Buffer.from(found.sha256, 'hex') };
        const isSaved = await sql.begin((tx) =>
          setCodeDesign(tx, accountId, params.id, { design, logo, grade, warnings }),
        );
        owned('code', isSaved ? true : null);
        sendGrade(reply, drawn);
        sendRepaired(reply, repaired);
        const [saved] = await withScans(sql, [await ownCode(sql, accountId, params.id)]);
        return {
          ...saved!,
          design: { ...toOptions(design), ...(logo === null ? {} : toImageOption(logo)) },
        };
      },
    );
  };
