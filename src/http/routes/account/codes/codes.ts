import Type from 'typebox';
import { changeCodes, lockCode } from '../../../../db/tables/codes/chosen.ts';
import { deleteCode } from '../../../../db/tables/codes/codes.ts';
import { announceLinks } from '../../../../db/tables/slugs.ts';
import { PNG_FILE } from '../../../../generate/file.ts';
import { CodeRequest } from '../../../../generate/request/code-request.ts';
import { toImageField, toOptions } from '../../../../generate/request/options.ts';
import { sendPictureOutcome } from '../../../answer-headers.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { notFound, requireCode, requireFound } from '../../../auth/require-found.ts';
import { DomainHeader } from '../../../domain.ts';
import { answerFor, PICTURE_TYPES, sendPicture } from '../../../files/attachment.ts';
import { checkOf, IfMatchHeaders, withVersion } from '../../../files/versions.ts';
import { repairTermsOf } from '../../../grade-headers.ts';
import { CallHeaders, callerOf } from '../../../idempotency.ts';
import { createPresetHook } from '../../../preset.ts';
import { PreferHeader, prefersMinimal } from '../../../protocol/headers.ts';
import { describeBytes, IdParams, NotModified } from '../../../schemas/atoms.ts';
import {
  CodeBody,
  CodePatch,
  CodeWithDesign,
  codeVersion,
  readCodeName,
  readLabelChanges,
  withScans,
} from '../../../schemas/code.ts';
import { GRADED, withHeaders } from '../../../schemas/openapi/headers.ts';
import { BODY_LIMIT_BYTES } from '../../generate/single.ts';
import type { Need } from '../../services.ts';

const SaveHeaders = Type.Object({ ...CallHeaders.properties, ...DomainHeader, ...PreferHeader });

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

/** What describing a code needs. */
export type DescribeParts = Need<'database' | 'linkRules' | 'redraw'>;

/** Returns a code with its design, as an answer has it. @throws {AppError} 404 when the account has no such code. */
export const describeCode = async (
  { database: { sql }, linkRules, redraw }: DescribeParts,
  accountId: string,
  id: string,
) => {
  const code = await requireCode(sql, accountId, id);
  const [body] = await withScans(sql, [code], linkRules.shortUrl);
  const found = code.logoSha256 && (await redraw.findLogo(accountId, code.logoSha256.toString('hex')));
  return { ...body!, design: { ...toOptions(code.design), ...(found && toImageField(found.logo)) } };
};

/** Adds the routes that read, change and delete a saved code. */
export const codesRoutes = ofAccount({ tag: 'Codes', name: 'codes' }, (route, parts: DescribeParts) => {
  const { linkRules } = parts;

  route('GET /codes/:id', {
    operationId: 'getCode',
    summary: 'One code with its design',
    description:
      '`design` has the options that reproduce the picture, including defaults. Its `image` is the stored logo, unless that is too long for a request.',
    params: IdParams,
    answer: withHeaders(CodeWithDesign, 'ETag'),
    answers: { 304: withHeaders(NotModified, 'ETag') },
    handle: async ({ params }, { accountId }, reply) =>
      withVersion(reply, await describeCode(parts, accountId, params.id)),
  });

  route('PATCH /codes/:id', {
    operationId: 'updateCode',
    summary: 'Name and label a code, or move it to another folder',
    description:
      'Fields that are left out stay as they are. `tags` replaces all tags; `null` removes a name or an `external_id`. The picture and the content do not change.',
    params: IdParams,
    headers: IfMatchHeaders,
    body: CodePatch,
    answer: withHeaders(CodeBody, 'ETag'),
    fails: [412],
    change: async (request, { accountId }, reply) => {
      const id = request.params.id.toLowerCase();
      const { name, folder_id: folderId, ...labels } = request.body;
      const change = {
        ...readLabelChanges(labels),
        ...(name !== undefined && { name: readCodeName(name) }),
        ...(folderId !== undefined && { folderId }),
      };
      const check = checkOf(request);
      return async ({ sql: tx }) => {
        check(codeVersion(requireFound('code', await lockCode(tx, accountId, id))));
        const missing = await changeCodes(tx, accountId, [id], change);
        if (missing !== null) throw notFound(missing);
        const [body] = await withScans(tx, [await requireCode(tx, accountId, id)], linkRules.shortUrl);
        return withVersion(reply, body!);
      };
    },
  });

  route('DELETE /codes/:id', {
    operationId: 'deleteCode',
    summary: 'Move a code to the bin; its short link stops working within a second',
    description: 'It can be restored for 30 days. Units are not refunded.',
    params: IdParams,
    headers: IfMatchHeaders,
    fails: [412],
    change: async (request, { accountId }) => {
      const { id } = request.params;
      const check = checkOf(request);
      return async ({ sql: tx, changes }) => {
        check(codeVersion(requireFound('code', await lockCode(tx, accountId, id))));
        const code = requireFound('code', await deleteCode(tx, accountId, id));
        if (code.slug !== null) await announceLinks(tx, changes, [code.slug]);
      };
    },
  });
});
