import Type from 'typebox';
import { changeCodes, lockCode } from '../../../../db/tables/codes/chosen.ts';
import { deleteCode } from '../../../../db/tables/codes/codes.ts';
import { announceLinks } from '../../../../db/tables/slugs.ts';
import { toImageField, toOptions } from '../../../../generate/request/options.ts';
import { orNull } from '../../../../stored-json.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { notFound, requireCode, requireFound } from '../../../auth/require-found.ts';
import { checkOf, IfMatchHeaders, withVersion } from '../../../files/versions.ts';
import { IdParams, NotModified, strict, Uuid } from '../../../schemas/atoms.ts';
import {
  CodeInFolder,
  CodeWithDesign,
  codeVersion,
  labelChanges,
  readCodeName,
  readLabelChanges,
  withScans,
} from '../../../schemas/code.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import type { Need } from '../../services.ts';

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

const CodePatch = Type.Object(
  {
    name: Type.Optional(
      orNull(Type.String({ maxLength: 1000 }), {
        description: 'Trimmed, 1 to 200 characters; null: no name.',
      }),
    ),
    folder_id: Type.Optional({ ...Uuid, description: 'One of your folders.' }),
    ...labelChanges,
  },
  { ...strict, minProperties: 1, title: 'CodePatch', examples: [{ name: 'Poster at the harbour' }] },
);

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
    answer: withHeaders(CodeInFolder, 'ETag'),
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
