import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { changeCodes } from '../../../db/tables/code-lists/chosen.ts';
import { deleteCode } from '../../../db/tables/codes.ts';
import { announceLinks } from '../../../db/tables/links/own-slugs.ts';
import { getLogo } from '../../../db/tables/logos.ts';
import { toImageOption, toOptions } from '../../../generate/request/options.ts';
import { principalOf } from '../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../auth/of-account.ts';
import { notFound, ownCode, owned } from '../../auth/owned.ts';
import { BODY_ERRORS, errors, IdParams, KEY_ERRORS, NoContent, strict, Uuid } from '../../schemas/atoms.ts';
import { CodeInFolder, CodeWithDesign, readCodeName, withScans } from '../../schemas/code.ts';

const CodePatch = Type.Object(
  {
    name: Type.Optional(
      Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], {
        description: 'Trimmed, 1 to 200 characters; null: no name.',
      }),
    ),
    folder_id: Type.Optional({ ...Uuid, description: 'One of your folders.' }),
  },
  { ...strict, minProperties: 1, title: 'CodePatch', examples: [{ name: 'Poster at the harbour' }] },
);

/** Adds the routes that read, change and delete a saved code. */
export const codesRoutes =
  ({ database, ...account }: DatabaseParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);
    const { sql, changes } = database;
    const config = { name: 'codes' };

    app.get(
      '/codes/:id',
      {
        config,
        schema: {
          operationId: 'getCode',
          summary: 'One code with its design',
          description:
            '`design` has the options of a request that makes the same picture, with every default. Its `image` is the stored logo, unless that is too long for a request.',
          params: IdParams,
          response: { 200: CodeWithDesign, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const code = await ownCode(sql, accountId, request.params.id);
        const [body] = await withScans(sql, [code]);
        const logo = code.logoSha256 === null ? null : await getLogo(sql, accountId, code.logoSha256);
        return {
          ...body!,
          design: { ...toOptions(code.design), ...(logo === null ? {} : toImageOption(logo)) },
        };
      },
    );

    app.patch(
      '/codes/:id',
      {
        config,
        schema: {
          operationId: 'updateCode',
          summary: 'Name a code, or move it to another folder',
          params: IdParams,
          body: CodePatch,
          response: { 200: CodeInFolder, ...errors(404, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const id = request.params.id.toLowerCase();
        const { name, folder_id: folderId } = request.body;
        const change = {
          ...(name !== undefined && { name: readCodeName(name) }),
          ...(folderId !== undefined && { folderId }),
        };
        const missing = await sql.begin((tx) => changeCodes(tx, accountId, [id], change));
        if (missing !== null) throw notFound(missing);
        const [body] = await withScans(sql, [await ownCode(sql, accountId, id)]);
        return body!;
      },
    );

    app.delete(
      '/codes/:id',
      {
        config,
        schema: {
          operationId: 'deleteCode',
          summary: 'Move a code to the bin; its short link stops within a second',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 404, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        await sql.begin(async (tx) => {
          const code = owned('code', await deleteCode(tx, accountId, request.params.id));
          if (code.slug !== null) await announceLinks(tx, changes, [code.slug]);
        });
        return reply.code(204).send(null);
      },
    );
  };
