/** Codes by the ids that their account has for them: reading one, and one call that makes such a code or changes it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { idsByExternalId } from '../../../../db/tables/codes/external-ids.ts';
import { AppError } from '../../../../errors.ts';
import { PNG_FILE } from '../../../../generate/file.ts';
import type { GradeTerms } from '../../../../generate/parts.ts';
import { CodeRequest, ExternalId } from '../../../../generate/request/code-request.ts';
import { sendPictureOutcome } from '../../../answer-headers.ts';
import { principalOf, refuseWithout } from '../../../auth/auth.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireFound } from '../../../auth/require-found.ts';
import { unclaimedCallerOf } from '../../../caller.ts';
import { DomainHeader } from '../../../domain.ts';
import { checkOf, IfMatchHeader, withVersion } from '../../../files/versions.ts';
import { RepairHeaders, repairTermsOf } from '../../../grade-headers.ts';
import { createPresetHook, PresetHeader } from '../../../preset.ts';
import { NotModified, strict } from '../../../schemas/atoms.ts';
import { CodeWithDesign } from '../../../schemas/code.ts';
import { GRADED, withHeaders } from '../../../schemas/openapi/headers.ts';
import { withoutDefaults } from '../../../schemas/validation.ts';
import { BODY_LIMIT_BYTES } from '../../generate/single.ts';
import type { Need } from '../../services.ts';
import { type ChangeParts, changeCode } from './change-code.ts';
import { describeCode } from './codes.ts';

const Params = Type.Object({ external_id: ExternalId }, strict);

const PutHeaders = Type.Object({
  ...RepairHeaders.properties,
  ...PresetHeader,
  ...DomainHeader,
  ...IfMatchHeader,
});

const { external_id: _, external_id_unique: __, ...fields } = CodeRequest.properties;

const PutCode = Type.Object(fields, {
  ...strict,
  title: 'PutCode',
  examples: [
    { data: 'https://example.com/menu', dynamic: true, name: 'Menu, table 7', width: 600, height: 600 },
  ],
});

/** How often a call looks for its code while others make and delete codes with the same id. */
const TURNS_MAX = 3;

const ambiguous = (): AppError =>
  new AppError(
    'name_taken',
    'external_id: several of your codes have it; list them with GET /codes?external_id=…, and give each an id of its own.',
  );

/** Adds the routes of codes by the ids that their account has for them. */
export const codeByExternalIdRoutes = ofAccount(
  { tag: 'Codes', name: 'code-by-external-id' },
  (route, parts: ChangeParts & Need<'presets' | 'save'>, app) => {
    const { sql } = parts.database;

    /** Returns the id of the code, or `null`. @throws {AppError} 409 when several have the external id. */
    const findId = async (accountId: string, externalId: string): Promise<string | null> => {
      const [id = null, second] = await idsByExternalId(sql, accountId, externalId, 2);
      if (second !== undefined) throw ambiguous();
      return id;
    };

    /** Makes the code. Returns its id; `null`: another call has made it meanwhile. */
    const make = async (
      request: FastifyRequest,
      reply: FastifyReply,
      wanted: CodeRequest & { readonly external_id: string },
      terms: GradeTerms,
    ): Promise<string | null> => {
      const caller = unclaimedCallerOf(request, principalOf(request));
      try {
        const made = await parts.save({ ...wanted, external_id_unique: true }, caller, terms, PNG_FILE);
        sendPictureOutcome(request, reply, made);
        // Relative to the address of the call.
        reply.code(201).header('location', `../${made.id}`).header('x-qr-usage', String(made.usageCount));
        return made.id;
      } catch (error) {
        const isTaken = error instanceof AppError && error.code === 'name_taken';
        if (isTaken && (await findId(caller.accountId, wanted.external_id)) !== null) return null;
        throw error;
      }
    };

    route('GET /codes/by-external-id/:external_id', {
      operationId: 'getCodeByExternalId',
      summary: 'The code with this id of yours, with its design',
      description: 'Codes in the bin do not count. If several codes have the id, the answer is a 409.',
      params: Params,
      answer: withHeaders(CodeWithDesign, 'ETag'),
      answers: { 304: withHeaders(NotModified, 'ETag') },
      fails: [409],
      handle: async ({ params }, { accountId }, reply) => {
        const id = requireFound('code', await findId(accountId, params.external_id));
        return withVersion(reply, await describeCode(parts, accountId, id));
      },
    });

    route('PUT /codes/by-external-id/:external_id', {
      operationId: 'putCodeByExternalId',
      summary: 'Make a code with this id of yours, or change it',
      description:
        'If none of your codes has the id, makes one as `POST /api/v1/codes` does, for one unit: 201. Otherwise changes what the body says of the code (the destination of its link, name, folder, tags, design), free of charge: 200. What it leaves out stays as it is. Content in print does not change: a 409. Sending it again changes and costs nothing.',
      security: [{ apiKey: ['manage', 'generate'] }, { session: ['manage', 'generate'] }],
      params: Params,
      headers: PutHeaders,
      body: PutCode,
      answer: withHeaders(CodeWithDesign, 'ETag', ...GRADED, 'Tessera-Repaired'),
      answers: {
        201: withHeaders(CodeWithDesign, 'Location', 'ETag', ...GRADED, 'Tessera-Repaired', 'X-QR-Usage'),
      },
      fails: [409, 412, 429],
      options: {
        bodyLimit: BODY_LIMIT_BYTES,
        // What the body leaves out must not be changed by a default.
        validatorCompiler: withoutDefaults(app),
        preValidation: createPresetHook(parts.presets, 'single'),
        onRequest: (request, _reply, done) => {
          refuseWithout(principalOf(request), 'generate');
          done();
        },
      },
      handle: async (request, { accountId, keyId }, reply) => {
        const { params, body, headers } = request;
        const { external_id } = params;
        const terms = repairTermsOf(headers);
        const check = checkOf(request);
        for (let turn = 0; turn < TURNS_MAX; turn += 1) {
          const known = await findId(accountId, external_id);
          if (known === null) check('');
          const call = { accountId, keyId, domain: headers['tessera-domain'], terms, check, reply };
          const isMade = known === null;
          const id = isMade
            ? await make(request, reply, { ...body, external_id }, terms)
            : (await changeCode(parts, call, known, body)) && known;
          if (id === null || id === false) continue;
          return withVersion(reply, await describeCode(parts, accountId, id));
        }
        throw new AppError('unavailable', 'Other calls make and delete codes with this id; try again.', {
          retryAfterS: 1,
        });
      },
    });
  },
);
